(** * Proof exercises for the chapter [thresholds-and-littlestone]

    Each statement ends with [Admitted], by which Coq takes it on trust.  Put [Proof.], your proof and [Qed.]
    in its place, and run [make proofs]: a file without [Admitted] is proved. *)

From Coq Require Import List Bool.
From Privml Require Import Online.
Import ListNotations.

(** Exercise 1.  A class shatters the tree of depth 0, a leaf, if and only if it has a member.

    Hint: the only path of length 0 is the empty list, and [realises] of a leaf and the empty path is [True],
    whose proof is [I]. *)
Theorem shatters_a_leaf {X} (hs : list (X -> bool)) : shatters X hs 0 (leaf X) <-> exists h, In h hs.
Admitted.

(** Exercise 2.  More rules shatter more trees.  Therefore the Littlestone dimension does not fall as a class grows.

    Hint: the same tree will do.  [incl hs hs'] says that every member of [hs] is one of [hs']. *)
Theorem larger_classes_shatter_more {X} (hs hs' : list (X -> bool)) d t :
  incl hs hs' -> shatters X hs d t -> shatters X hs' d t.
Admitted.
