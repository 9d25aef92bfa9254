(** * Solutions of the proof exercises for the chapter [exponential-mechanism]

    The statements are those of [proofs/exercises]; the proofs are for the teacher. *)

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
Proof.
  intros P N.
  assert (W : forall g, weight (fun d h => c d + u d h) eps Delta d g =
    exp (eps * c d / (2 * Delta)) * weight u eps Delta d g).
  { intros g. unfold weight. rewrite <- exp_plus. f_equal. field. lra. }
  unfold exponential. rewrite W, (sum_ext hs _ (fun g => exp (eps * c d / (2 * Delta)) * weight u eps Delta d g))
    by (intros; apply W).
  rewrite sum_scale. field. split.
  - assert (0 < sum hs (weight u eps Delta d)) by (apply sum_pos; [exact N|intros; apply weight_pos]). lra.
  - assert (0 < exp (eps * c d / (2 * Delta))) by apply exp_pos. lra.
Qed.

(** Exercise 2.  A best option is at least as likely as under a blind choice.

    Hint: every weight is at most that of [g], because [exp_le] says that the exponential is monotone.  The
    lemmas [sum_le] and [sum_const] bound the sum of the weights by [INR (length hs)] times the largest. *)
Theorem a_best_option_is_likely {D H} (hs : list H) (u : D -> H -> R) eps Delta d g :
  0 <= eps -> 0 < Delta -> In g hs -> (forall h, In h hs -> u d h <= u d g) ->
  1 / INR (length hs) <= exponential hs u eps Delta d g.
Proof.
  intros E P J B.
  assert (L : 0 < INR (length hs)) by (apply lt_0_INR; destruct hs; [contradiction|apply Nat.lt_0_succ]).
  assert (G : 0 < weight u eps Delta d g) by apply weight_pos.
  assert (S : sum hs (weight u eps Delta d) <= INR (length hs) * weight u eps Delta d g).
  { rewrite <- sum_const. apply sum_le. intros h K. apply exp_le.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_l; [exact E|apply B; exact K]. }
  assert (Q : 0 < sum hs (weight u eps Delta d)).
  { apply sum_pos; [intros ->; contradiction|intros; apply weight_pos]. }
  unfold exponential. apply Rmult_le_reg_r with (INR (length hs) * sum hs (weight u eps Delta d)); [nra|].
  field_simplify; lra.
Qed.
