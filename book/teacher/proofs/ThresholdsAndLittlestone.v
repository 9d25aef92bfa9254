(** * Solutions of the proof exercises for the chapter [thresholds-and-littlestone]

    The statements are those of [proofs/exercises]; the proofs are for the teacher. *)

From Coq Require Import List Bool.
From Privml Require Import Online.
Import ListNotations.

(** Exercise 1.  A class shatters the tree of depth 0, a leaf, if and only if it has a member.

    Hint: the only path of length 0 is the empty list, and [realises] of a leaf and the empty path is [True],
    whose proof is [I]. *)
Theorem shatters_a_leaf {X} (hs : list (X -> bool)) : shatters X hs 0 (leaf X) <-> exists h, In h hs.
Proof.
  split.
  - intros [_ R]. destruct (R [] eq_refl) as [h [J _]]. exists h. exact J.
  - intros [h J]. split; [exact I|]. intros [|b path] L; [|discriminate L]. exists h. split; [exact J|exact I].
Qed.

(** Exercise 2.  More rules shatter more trees.  Therefore the Littlestone dimension does not fall as a class grows.

    Hint: the same tree will do.  [incl hs hs'] says that every member of [hs] is one of [hs']. *)
Theorem larger_classes_shatter_more {X} (hs hs' : list (X -> bool)) d t :
  incl hs hs' -> shatters X hs d t -> shatters X hs' d t.
Proof.
  intros J [C R]. split; [exact C|]. intros path L. destruct (R path L) as [h [K P]].
  exists h. split; [apply J; exact K|exact P].
Qed.
