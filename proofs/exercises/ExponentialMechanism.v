(** * Proof exercises for the chapter [exponential-mechanism]

    Each statement ends with [Admitted], by which Coq takes it on trust.  Put [Proof.], your proof and [Qed.]
    in its place, and run [make proofs]: a file without [Admitted] is proved. *)

From Coq Require Import Reals Lra List Bool.
From Privml Require Import Sums Privacy Mechanisms.
Import ListNotations.
Open Scope R_scope.

(** Exercise 1.  The exponential mechanism sees only differences of scores: if all scores of a data set are raised by the
    same number, nothing changes.

    Hint: first show that every weight is multiplied by the same positive factor, with [exp_plus].  The lemma
    [sum_scale] takes a factor out of a sum, and [field] simplifies the fraction. *)
Theorem a_common_shift_changes_nothing {D H} (hs : list H) (u : D -> H -> R) (c : D -> R) eps Delta d h :
  0 < Delta -> hs <> [] ->
  exponential hs (fun d h => c d + u d h) eps Delta d h = exponential hs u eps Delta d h.
Admitted.

(** Exercise 2.  A best option is at least as likely as under a blind choice.

    Hint: every weight is at most that of [g], because [exp_le] says that the exponential is monotone.  The
    lemmas [sum_le] and [sum_const] bound the sum of the weights by [INR (length hs)] times the largest. *)
Theorem a_best_option_is_likely {D H} (hs : list H) (u : D -> H -> R) eps Delta d g :
  0 <= eps -> 0 < Delta -> In g hs -> (forall h, In h hs -> u d h <= u d g) ->
  1 / INR (length hs) <= exponential hs u eps Delta d g.
Admitted.
