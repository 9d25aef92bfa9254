(** * Solutions of the proof exercises for the chapter [what-privacy-promises]

    The statements are those of [proofs/exercises]; the proofs are for the teacher. *)

From Coq Require Import Reals Lra List Bool.
From Privml Require Import Sums Privacy.
Import ListNotations.
Open Scope R_scope.

(** Exercise 1.  Whoever sees the output [y] may write [f y] in its place.  The chance that [f y] lies in a set [E] is the
    chance that [y] lies in the set of all outputs that [f] maps into [E].  Show that nothing is lost by this
    kind of post-processing.

    Hint: unfold the definitions with [unfold private, within in H].  What remains is an instance of [H]. *)
Theorem relabelling {D Y Z} (adj : D -> D -> Prop) (ys : list Y) eps delta (M : D -> Y -> R) (f : Y -> Z) :
  private adj ys eps delta M ->
  forall d d' (E : Z -> bool), adj d d' ->
    Pr ys (M d) (fun y => E (f y)) <= exp eps * Pr ys (M d') (fun y => E (f y)) + delta.
Proof.
  intros H d d' E A. unfold private, within in H. apply (H d d' A (fun y => E (f y))).
Qed.

(** Exercise 2.  With $\varepsilon = \delta = 0$ neighbours must have the same output distribution.

    Hint: [exp_0] says that [exp 0 = 1].  Privacy in both directions gives two inequalities, and
    [Rle_antisym] makes an equation of them.  The tactic [lra] proves linear inequalities. *)
Theorem no_privacy_loss_at_all {D Y} (adj : D -> D -> Prop) (ys : list Y) (M : D -> Y -> R) :
  private adj ys 0 0 M ->
  forall d d' E, adj d d' -> adj d' d -> Pr ys (M d) E = Pr ys (M d') E.
Proof.
  intros H d d' E A B. assert (U := H d d' A E). assert (V := H d' d B E).
  rewrite exp_0 in U, V. apply Rle_antisym; lra.
Qed.
