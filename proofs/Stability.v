(** * Stability and generalisation

    A private learner is stable, and what a stable learner says about its sample is true of the population. *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums Privacy Samples.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)

(** The mean loss on the record [w] of what the learner [A] makes of the data [z]. *)
Definition mean_loss {X Y} (ys : list Y) (A : list X -> Y -> R) (loss : Y -> X -> R) (z : list X) (w : X) : R :=
  Ex ys (A z) (fun y => loss y w).

(** book: wlf16-def-6 -- a bound on the supremum, for one number of records and finitely many hypotheses; without total variation stability, which the theorems write out *)
Definition stable {X Y} (ys : list Y) (A : list X -> Y -> R) (loss : Y -> X -> R) (m : nat) (s : R) : Prop :=
  forall z z' w, replace_one_of m z z' ->
    Rabs (mean_loss ys A loss z w - mean_loss ys A loss z' w) <= s.

(** The mean gap between the sample and the population, over the sample and the learner's choice. *)
Definition gap {X Y} (xs : list X) p (ys : list Y) (A : list X -> Y -> R) (loss : Y -> X -> R) (m : nat) : R :=
  Ex_sample xs p m (fun z => Ex ys (A z) (fun y => Ex xs p (loss y) - mean m (loss y) z)).

(** ** Privacy implies stability *)

Lemma Ex_complement {Y} (ys : list Y) p f : law ys p -> Ex ys p (fun y => 1 - f y) = 1 - Ex ys p f.
Proof.
  intros L. transitivity (Ex ys p (fun _ => 1) + -1 * Ex ys p f); [|rewrite Ex_const by exact L; ring].
  rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros; ring.
Qed.

(** The difference of two means, from the bound in both directions. *)
Lemma tests_differ {Y} (ys : list Y) eps delta p q phi :
  law ys p -> law ys q -> within ys eps delta p q -> within ys eps delta q p ->
  (forall y, 0 <= phi y <= 1) ->
  Rabs (Ex ys p phi - Ex ys q phi) <= (exp eps - 1 + 2 * delta) / (exp eps + 1).
Proof.
  intros P Q PQ QP F.
  assert (F' : forall y, 0 <= 1 - phi y <= 1) by (intros y; specialize (F y); lra).
  assert (A := events_to_tests ys eps delta p q phi PQ F).
  assert (B := events_to_tests ys eps delta q p phi QP F).
  assert (C := events_to_tests ys eps delta p q (fun y => 1 - phi y) PQ F').
  assert (D := events_to_tests ys eps delta q p (fun y => 1 - phi y) QP F').
  rewrite !Ex_complement in C, D by assumption.
  assert (0 < exp eps) by apply exp_pos.
  apply Rmult_le_reg_r with (exp eps + 1); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold Rabs. destruct (Rcase_abs _); nra.
Qed.

(** The hyperbolic tangent of half of [x] is at most [x / 2]. *)
Lemma ratio_bound eps : 0 <= eps -> (exp eps - 1) / (exp eps + 1) <= eps / 2.
Proof.
  intros E0. assert (P : forall x, 0 < exp x) by apply exp_pos.
  assert (G : 0 <= eps * (exp eps + 1) - 2 * (exp eps - 1)).
  { set (g := fun x => x * (exp x + 1) - 2 * (exp x - 1)).
    set (g1 := fun x => 1 + (x - 1) * exp x).
    assert (d0 : forall x, derivable_pt_lim g x (g1 x)).
    { intros x. apply (derivative_is _ x ((1 * (exp x + 1) + x * (exp x + 0)) - 2 * (exp x - 0))); [|unfold g1; ring].
      apply (derivable_pt_lim_minus (fun y => y * (exp y + 1)) (fun y => 2 * (exp y - 1))).
      - apply (derivable_pt_lim_mult id (fun y => exp y + 1)); [apply derivable_pt_lim_id|].
        apply (derivable_pt_lim_plus exp (fun _ => 1)); [apply derivable_pt_lim_exp|apply derivable_pt_lim_const].
      - apply (derivable_pt_lim_scal (fun y => exp y - 1)).
        apply (derivable_pt_lim_minus exp (fun _ => 1)); [apply derivable_pt_lim_exp|apply derivable_pt_lim_const]. }
    assert (d1 : forall x, 0 <= x -> 0 <= g1 x).
    { intros x _. unfold g1. assert (T := exp_ineq1_le (- x)). rewrite exp_Ropp in T. specialize (P x).
      apply Rmult_le_compat_r with (r := exp x) in T; [|lra]. rewrite Rinv_l in T by lra. lra. }
    assert (g 0 <= g eps) by (apply (grows g g1 0 eps E0); intros; [apply d0|apply d1; lra]).
    unfold g in *. rewrite exp_0 in *. lra. }
  specialize (P eps). apply Rmult_le_reg_r with (exp eps + 1); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
Qed.

(** book: wlf16-lem-30 -- the first form of the bound, and that it is at most the last; not that it is attained; finitely many hypotheses *)
Theorem private_stable_delta {X Y} (ys : list Y) (A : list X -> Y -> R) m eps delta :
  algorithm ys A -> 0 <= eps -> private (replace_one_of m) ys eps delta A ->
  (forall z z' E, replace_one_of m z z' ->
    Rabs (Pr ys (A z) E - Pr ys (A z') E) <= (exp eps - 1 + 2 * delta) / (exp eps + 1)) /\
  (forall loss, (forall y w, 0 <= loss y w <= 1) ->
    stable ys A loss m ((exp eps - 1 + 2 * delta) / (exp eps + 1))) /\
  (0 <= delta <= 1 -> (exp eps - 1 + 2 * delta) / (exp eps + 1) <= exp eps - 1 + delta).
Proof.
  intros L E0 H.
  assert (S : forall z z' : list X, replace_one_of m z z' -> replace_one_of m z' z).
  { intros z z' [M [l [x [x' [r [-> [-> N]]]]]]]. split.
    - rewrite <- M, !app_length. reflexivity.
    - exists l, x', x, r. auto. }
  split; [|split].
  - intros z z' E R. rewrite !Pr_Ex. apply tests_differ; auto. intros y. destruct (E y); lra.
  - intros loss B z z' w R. apply tests_differ; auto.
  - intros Dl. assert (G := exp_ge_1 eps E0).
    apply Rmult_le_reg_r with (exp eps + 1); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

(** book: wlf16-lem-8 -- part 1, for finitely many hypotheses *)
Theorem private_stable {X Y} (ys : list Y) (A : list X -> Y -> R) m eps :
  algorithm ys A -> 0 <= eps -> private (replace_one_of m) ys eps 0 A ->
  (forall z z' E, replace_one_of m z z' ->
    Rabs (Pr ys (A z) E - Pr ys (A z') E) <= (exp eps - 1) / (exp eps + 1)) /\
  (forall loss, (forall y w, 0 <= loss y w <= 1) ->
    stable ys A loss m ((exp eps - 1) / (exp eps + 1))) /\
  tanh (eps / 2) = (exp eps - 1) / (exp eps + 1) /\
  (exp eps - 1) / (exp eps + 1) <= eps / 2.
Proof.
  intros L E0 H.
  destruct (private_stable_delta ys A m eps 0 L E0 H) as [B [S _]].
  replace (exp eps - 1 + 2 * 0) with (exp eps - 1) in B, S by ring.
  split; [exact B|]. split; [exact S|].
  assert (P : forall x, 0 < exp x) by apply exp_pos.
  split.
  - unfold tanh, sinh, cosh.
    assert (E2 : exp eps = exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; field).
    assert (V : exp (- (eps / 2)) = / exp (eps / 2)) by apply exp_Ropp.
    rewrite E2, V. specialize (P (eps / 2)). field. split; nra.
  - apply ratio_bound. exact E0.
Qed.

(** ** Exchanging a record *)

Lemma lists_app {X} (xs : list X) p i j f :
  Ex_sample xs p (i + j) f =
  Ex_sample xs p i (fun l => Ex_sample xs p j (fun r => f (l ++ r))).
Proof.
  revert f. induction i; intros f; unfold Ex_sample, Ex in *; simpl plus.
  - simpl. ring.
  - rewrite !sum_lists_S. apply sum_ext. intros x _.
    transitivity (p x * sum (lists xs (i + j)) (fun y => iid p y * f (x :: y))).
    + rewrite <- sum_scale. apply sum_ext. intros y _. simpl. ring.
    + rewrite (IHi (fun y => f (x :: y))), <- sum_scale. apply sum_ext. intros l _. simpl. ring.
Qed.

Lemma Ex_sample_S {X} (xs : list X) p m f :
  Ex_sample xs p (S m) f = Ex xs p (fun x => Ex_sample xs p m (fun z => f (x :: z))).
Proof.
  unfold Ex_sample, Ex. rewrite sum_lists_S. apply sum_ext. intros x _. rewrite <- sum_scale.
  apply sum_ext. intros z _. simpl. ring.
Qed.

(** A sample of [m] records, seen from its record number [i]: records before it, itself, records after it. *)
Lemma Ex_split {X} (xs : list X) p m i f : (i < m)%nat ->
  Ex_sample xs p m f =
  Ex_sample xs p i (fun l => Ex_sample xs p (m - S i) (fun r => Ex xs p (fun x => f (l ++ x :: r)))).
Proof.
  intros I. replace m with (i + S (m - S i))%nat at 1 by lia. rewrite lists_app.
  apply sum_ext. intros l _. f_equal. rewrite Ex_sample_S. unfold Ex_sample, Ex.
  rewrite (sum_ext xs _ (fun x => sum (lists xs (m - S i)) (fun r => p x * (iid p r * f (l ++ x :: r)))))
    by (intros; symmetry; apply sum_scale).
  rewrite sum_swap. apply sum_ext. intros r _. rewrite <- sum_scale. apply sum_ext. intros x _. ring.
Qed.

Lemma Ex_ext {Y} (ys : list Y) p f g : (forall y, In y ys -> f y = g y) -> Ex ys p f = Ex ys p g.
Proof. intros H. apply sum_ext. intros y I. rewrite H by exact I. reflexivity. Qed.

Lemma Ex_sub {Y} (ys : list Y) p f g : Ex ys p f - Ex ys p g = Ex ys p (fun y => f y - g y).
Proof. unfold Ex. rewrite <- sum_minus. apply sum_ext. intros; ring. Qed.

Lemma Ex_swap {Y Z} (ys : list Y) (zs : list Z) p q f :
  Ex ys p (fun y => Ex zs q (fun z => f y z)) = Ex zs q (fun z => Ex ys p (fun y => f y z)).
Proof.
  unfold Ex.
  rewrite (sum_ext ys _ (fun y => sum zs (fun z => p y * (q z * f y z)))) by (intros; symmetry; apply sum_scale).
  rewrite sum_swap. apply sum_ext. intros z _. rewrite <- sum_scale. apply sum_ext. intros; ring.
Qed.

(** The record number [i] of a list. *)
Definition record {X} (d : X) (z : list X) (i : nat) : X := nth i z d.

Lemma record_split {X} (d : X) l x r : record d (l ++ x :: r) (length l) = x.
Proof. unfold record. rewrite app_nth2 by lia. rewrite Nat.sub_diag. reflexivity. Qed.

Lemma sum_records {X} (d : X) z f : sum z f = sum (seq 0 (length z)) (fun i => f (record d z i)).
Proof.
  induction z as [|x z IH]; [reflexivity|]. simpl length. simpl seq. cbn [sum]. f_equal.
  rewrite <- seq_shift, sum_map, IH. reflexivity.
Qed.

(** The data [z] with [w] in place of record [i]. *)
Definition with_record {X} (z : list X) (i : nat) (w : X) : list X := firstn i z ++ w :: skipn (S i) z.

Lemma with_record_split {X} (l r : list X) x w : with_record (l ++ x :: r) (length l) w = l ++ w :: r.
Proof.
  unfold with_record. rewrite firstn_app, firstn_all, Nat.sub_diag. simpl firstn. rewrite app_nil_r. f_equal. f_equal.
  induction l as [|a l IH]; [reflexivity|exact IH].
Qed.

(** book: lem-privacy-is-stability-exchange -- finitely many records and hypotheses; the records outside of the sample are drawn one at a time *)
Theorem exchanging_a_record {X Y} (xs : list X) p (ys : list Y) (A : list X -> Y -> R) loss m (d : X) :
  law xs p -> (0 < m)%nat ->
  gap xs p ys A loss m =
  sum (seq 0 m) (fun i => Ex_sample xs p m (fun z => Ex xs p (fun w =>
    mean_loss ys A loss z w - mean_loss ys A loss (with_record z i w) w))) / INR m.
Proof.
  intros L M. assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  assert (G := iid_law xs p m L).
  (* The loss on record i of the sample is the loss on a fresh record of the learner that has seen it. *)
  assert (Own : forall i, (i < m)%nat ->
    Ex_sample xs p m (fun z => mean_loss ys A loss z (record d z i)) =
    Ex_sample xs p m (fun z => Ex xs p (fun w => mean_loss ys A loss (with_record z i w) w))).
  { intros i Hi. rewrite !(Ex_split xs p m i) by exact Hi.
    apply Ex_ext. intros l Il. apply lists_length in Il. apply Ex_ext. intros r _.
    transitivity (Ex xs p (fun x => mean_loss ys A loss (l ++ x :: r) x)).
    - apply Ex_ext. intros x _. rewrite <- Il, record_split. reflexivity.
    - rewrite <- (Ex_const xs p (Ex xs p (fun x => mean_loss ys A loss (l ++ x :: r) x)) L) at 1.
      apply Ex_ext. intros x _. apply Ex_ext. intros w _. rewrite <- Il, with_record_split. reflexivity. }
  assert (E1 : gap xs p ys A loss m =
    Ex_sample xs p m (fun z => Ex xs p (mean_loss ys A loss z)) -
    sum (seq 0 m) (fun i => Ex_sample xs p m (fun z => mean_loss ys A loss z (record d z i))) / INR m).
  { unfold gap. transitivity (Ex_sample xs p m (fun z => Ex xs p (mean_loss ys A loss z) -
      sum (seq 0 m) (fun i => mean_loss ys A loss z (record d z i)) * / INR m)).
    - apply Ex_ext. intros z Iz. apply lists_length in Iz. rewrite <- Ex_sub. f_equal.
      + unfold mean_loss. rewrite Ex_swap. reflexivity.
      + unfold mean, mean_loss, Ex. unfold Rdiv. rewrite sum_swap, <- sum_scale_r. apply sum_ext. intros y _.
        rewrite (sum_records d z (loss y)), Iz, sum_scale. ring.
    - unfold Ex_sample. rewrite <- Ex_sub. f_equal. unfold Rdiv, Ex.
      rewrite (sum_ext (lists xs m) _ (fun z => sum (seq 0 m) (fun i => iid p z * mean_loss ys A loss z (record d z i)) * / INR m))
        by (intros; rewrite sum_scale; ring).
      rewrite sum_scale_r, sum_swap. reflexivity. }
  rewrite E1. rewrite (sum_ext (seq 0 m) (fun i => Ex_sample xs p m (fun z => mean_loss ys A loss z (record d z i)))
    (fun i => Ex_sample xs p m (fun z => Ex xs p (fun w => mean_loss ys A loss (with_record z i w) w))))
    by (intros i Hi; apply Own; apply in_seq in Hi; lia).
  rewrite (sum_ext (seq 0 m) (fun i => Ex_sample xs p m (fun z => Ex xs p (fun w =>
      mean_loss ys A loss z w - mean_loss ys A loss (with_record z i w) w)))
    (fun i => Ex_sample xs p m (fun z => Ex xs p (mean_loss ys A loss z)) -
      Ex_sample xs p m (fun z => Ex xs p (fun w => mean_loss ys A loss (with_record z i w) w)))).
  - rewrite sum_minus, sum_const, seq_length. field. lra.
  - intros i _. unfold Ex_sample. rewrite Ex_sub. apply Ex_ext. intros z _. symmetry. apply Ex_sub.
Qed.

Lemma Ex_bound {Y} (ys : list Y) p f c :
  law ys p -> (forall y, In y ys -> Rabs (f y) <= c) -> Rabs (Ex ys p f) <= c.
Proof.
  intros L B. apply Rabs_le. split.
  - rewrite <- (Ex_const ys p (- c) L). apply Ex_le; [apply L|]. intros y I. specialize (B y I).
    unfold Rabs in B. destruct (Rcase_abs _); lra.
  - rewrite <- (Ex_const ys p c L). apply Ex_le; [apply L|]. intros y I. specialize (B y I).
    unfold Rabs in B. destruct (Rcase_abs _); lra.
Qed.

(** book: thm-privacy-is-stability-generalisation -- finitely many records and hypotheses *)
Theorem stable_generalises {X Y} (eq_dec : forall a b : X, {a = b} + {a <> b})
    (xs : list X) p (ys : list Y) (A : list X -> Y -> R) loss m s :
  law xs p -> (0 < m)%nat -> 0 <= s -> stable ys A loss m s -> Rabs (gap xs p ys A loss m) <= s.
Proof.
  intros L M S0 S. assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  destruct xs as [|d xs'] eqn:Exs.
  { destruct L as [_ T]. simpl in T. lra. }
  rewrite <- Exs in *. clear Exs xs'.
  rewrite (exchanging_a_record xs p ys A loss m d L M).
  unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ INR m)) by (left; apply Rinv_0_lt_compat; exact I).
  apply Rmult_le_reg_r with (INR m); [exact I|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (s * INR m) with (sum (seq 0 m) (fun _ => s)) by (rewrite sum_const, seq_length; ring).
  assert (B : forall i, In i (seq 0 m) -> Rabs (Ex_sample xs p m (fun z => Ex xs p (fun w =>
    mean_loss ys A loss z w - mean_loss ys A loss (with_record z i w) w))) <= s).
  { intros i Hi. apply in_seq in Hi. apply Ex_bound; [apply iid_law; exact L|]. intros z Iz.
    apply lists_length in Iz. apply Ex_bound; [exact L|]. intros w _.
    assert (Z : z = firstn i z ++ record d z i :: skipn (Datatypes.S i) z).
    { unfold record. rewrite <- (firstn_skipn i z) at 1. f_equal.
      assert (Hl : (i < length z)%nat) by lia. clear - Hl. revert i Hl. induction z as [|a z IH]; intros [|i] Hl; simpl in *; try lia; [reflexivity|].
      apply IH. lia. }
    destruct (eq_dec (record d z i) w) as [e|N].
    - replace (with_record z i w) with z by (unfold with_record; rewrite <- e; exact Z).
      replace (mean_loss ys A loss z w - mean_loss ys A loss z w) with 0 by ring. rewrite Rabs_R0. exact S0.
    - apply S. split; [exact Iz|]. exists (firstn i z), (record d z i), w, (skipn (Datatypes.S i) z). auto. }
  revert B. generalize (seq 0 m). intros l B. induction l as [|i l IH]; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [apply B; left; reflexivity|].
  apply IH. intros j J. apply B. right. exact J.
Qed.

(** ** Generalisation in expectation *)

(** book: lem-privacy-is-stability-odds -- for two numbers a and p in the place of the two probabilities; with c in the place of $e^{c / 2}$, so that the bound reads $\frac{c - 1}{c + 1}$; without the last inequality *)
Lemma from_odds_to_differences a p c :
  0 <= a <= 1 -> 0 <= p <= 1 -> 1 <= c -> a * (1 - p) <= c * c * (p * (1 - a)) ->
  a - p <= (c - 1) / (c + 1).
Proof.
  intros A P C H.
  set (x := sqrt (a * (1 - p))). set (y := sqrt (p * (1 - a))).
  assert (X0 : 0 <= x) by apply sqrt_pos. assert (Y0 : 0 <= y) by apply sqrt_pos.
  assert (X2 : x * x = a * (1 - p)) by (apply sqrt_sqrt; nra).
  assert (Y2 : y * y = p * (1 - a)) by (apply sqrt_sqrt; nra).
  assert (XY : x <= c * y).
  { apply Rsqr_incr_0_var; [unfold Rsqr; nra|nra]. }
  assert (S1 : x + y <= 1).
  { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
    (* x y is at most the geometric mean of a (1 - a) and p (1 - p), hence at most their mean *)
    assert (V : 0 <= (a * (1 - a) - p * (1 - p)) * (a * (1 - a) - p * (1 - p))) by apply Rle_0_sqr.
    assert (W : 2 * (x * y) <= a * (1 - a) + p * (1 - p)).
    { apply Rsqr_incr_0_var; [unfold Rsqr|nra].
      replace (2 * (x * y) * (2 * (x * y))) with (4 * ((x * x) * (y * y))) by ring. rewrite X2, Y2. lra. }
    replace ((x + y) * (x + y)) with (x * x + y * y + 2 * (x * y)) by ring. rewrite X2, Y2.
    assert (0 <= (a - p) * (a - p)) by apply Rle_0_sqr.
    assert (0 <= (1 - a - p) * (1 - a - p)) by apply Rle_0_sqr. nra. }
  apply Rmult_le_reg_r with (c + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (a - p) with ((x - y) * (x + y)) by (replace ((x - y) * (x + y)) with (x * x - y * y) by ring; rewrite X2, Y2; ring).
  assert ((x - y) * (c + 1) <= (c - 1) * (x + y)) by nra.
  assert ((x - y) * (c + 1) * (x + y) <= (c - 1) * (x + y) * (x + y)) by (apply Rmult_le_compat_r; lra).
  assert ((x + y) * (x + y) <= 1) by nra. nra.
Qed.

Section OneOutput.
Variables (X : Type) (eq_dec : forall a b : X, {a = b} + {a <> b}).
Variables (xs : list X) (p : X -> R) (m i : nat) (d : X) (a : list X -> R) (phi : X -> R) (eps : R).
Hypotheses (L : law xs p) (I : (i < m)%nat) (E0 : 0 <= eps).
Hypothesis a0 : forall z, 0 <= a z.
Hypothesis near_a : forall z z', replace_one_of m z z' -> a z <= exp eps * a z'.
Hypothesis phi01 : forall x, 0 <= phi x <= 1.

(** [a z] is the probability of one output.  [seen] is its mean, and [seen_phi] its mean together with the
    query at record [i], so that their ratio is the mean of the query given the output. *)
Let seen := Ex_sample xs p m a.
Let seen_phi := Ex_sample xs p m (fun z => a z * phi (record d z i)).
Let pop := Ex xs p phi.

Lemma a_exchange l x w r :
  length (l ++ x :: r) = m -> a (l ++ x :: r) <= exp eps * a (l ++ w :: r).
Proof.
  intros M. destruct (eq_dec x w) as [->|N].
  - assert (G := exp_ge_1 eps E0). specialize (a0 (l ++ w :: r)). nra.
  - apply near_a. split; [exact M|]. exists l, x, w, r. auto.
Qed.

Lemma odds_of f g : (forall x, 0 <= f x) -> (forall x, 0 <= g x) ->
  Ex_sample xs p m (fun z => a z * f (record d z i)) * Ex xs p g <=
  exp eps * (Ex xs p f * Ex_sample xs p m (fun z => a z * g (record d z i))).
Proof.
  intros F G. rewrite !(Ex_split xs p m i) by exact I.
  set (lhs := fun l r => Ex xs p (fun x => a (l ++ x :: r) * f (record d (l ++ x :: r) i))).
  set (rhs := fun l r => Ex xs p (fun x => a (l ++ x :: r) * g (record d (l ++ x :: r) i))).
  rewrite (Rmult_comm _ (Ex xs p g)). rewrite <- (Rmult_assoc (exp eps)).
  unfold Ex_sample. rewrite <- !Ex_scale. apply Ex_le; [apply (iid_law xs p i L)|]. intros l Il.
  apply lists_length in Il. rewrite <- !Ex_scale. apply Ex_le; [apply (iid_law xs p (m - S i) L)|]. intros r Ir.
  apply lists_length in Ir.
  rewrite (Ex_ext xs p (fun x => a (l ++ x :: r) * f (record d (l ++ x :: r) i)) (fun x => a (l ++ x :: r) * f x))
    by (intros; rewrite <- Il, record_split; reflexivity).
  rewrite (Ex_ext xs p (fun x => a (l ++ x :: r) * g (record d (l ++ x :: r) i)) (fun x => a (l ++ x :: r) * g x))
    by (intros; rewrite <- Il, record_split; reflexivity).
  (* Both sides are sums over two records, one read and one not. *)
  apply Rle_trans with (Ex xs p (fun x => Ex xs p (fun w => g w * (a (l ++ x :: r) * f x)))).
  { right. rewrite <- Ex_scale. apply Ex_ext. intros x _. unfold Ex. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext. intros w _. ring. }
  apply Rle_trans with (Ex xs p (fun x => Ex xs p (fun w => exp eps * (f x * (a (l ++ w :: r) * g w))))).
  { apply Ex_le; [apply L|]. intros x _. apply Ex_le; [apply L|]. intros w _.
    assert (M : length (l ++ x :: r) = m) by (rewrite app_length; simpl; lia).
    assert (Q := a_exchange l x w r M). specialize (F x). specialize (G w).
    assert (0 <= f x * g w) by nra. nra. }
  right. rewrite (Ex_ext xs p (fun x => Ex xs p (fun w => exp eps * (f x * (a (l ++ w :: r) * g w))))
    (fun x => exp eps * Ex xs p (fun w => a (l ++ w :: r) * g w) * f x))
    by (intros x _; rewrite !(Ex_scale xs p); ring).
  rewrite !(Ex_scale xs p). ring.
Qed.

(** The odds of [seen_phi / seen] and of the population mean differ by a factor of at most $e^{\varepsilon}$. *)
Lemma odds_given_output :
  seen_phi * (1 - pop) <= exp eps * (pop * (seen - seen_phi)) /\
  pop * (seen - seen_phi) <= exp eps * (seen_phi * (1 - pop)).
Proof.
  assert (A := odds_of phi (fun x => 1 - phi x) ltac:(intros x; apply phi01) ltac:(intros x; specialize (phi01 x); lra)).
  assert (B := odds_of (fun x => 1 - phi x) phi ltac:(intros x; specialize (phi01 x); lra) ltac:(intros x; apply phi01)).
  rewrite Ex_complement in A, B by exact L. fold pop in A, B. fold seen_phi in A, B.
  assert (C : Ex_sample xs p m (fun z => a z * (1 - phi (record d z i))) = seen - seen_phi).
  { unfold seen, seen_phi, Ex_sample. rewrite Ex_sub. apply Ex_ext. intros; ring. }
  rewrite C in A, B. lra.
Qed.

Lemma one_output : Rabs (seen_phi - pop * seen) <= (exp (eps / 2) - 1) / (exp (eps / 2) + 1) * seen.
Proof.
  assert (G := iid_law xs p m L).
  assert (S0 : 0 <= seen) by (apply Ex_nonneg; [apply G|intros; apply a0]).
  assert (P01 : 0 <= pop <= 1).
  { split; [apply Ex_nonneg; [apply L|intros; apply phi01]|].
    rewrite <- (Ex_const xs p 1 L). apply Ex_le; [apply L|intros; apply phi01]. }
  assert (T0 : 0 <= seen_phi).
  { apply Ex_nonneg; [apply G|]. intros. apply Rmult_le_pos; [apply a0|apply phi01]. }
  assert (T1 : seen_phi <= seen).
  { apply Ex_le; [apply G|]. intros z _. specialize (phi01 (record d z i)). specialize (a0 z). nra. }
  destruct S0 as [S0|S0].
  2: { rewrite <- S0 in *. assert (Z : seen_phi = 0) by lra. rewrite Z.
       replace (0 - pop * 0) with 0 by ring. rewrite Rabs_R0. lra. }
  set (b := seen_phi / seen).
  assert (Eb : seen_phi = b * seen) by (unfold b; field; lra).
  assert (B01 : 0 <= b <= 1).
  { split; [apply Rmult_le_pos; [exact T0|left; apply Rinv_0_lt_compat; exact S0]|].
    apply Rmult_le_reg_r with seen; [exact S0|]. rewrite <- Eb. lra. }
  destruct odds_given_output as [O1 O2]. rewrite Eb in O1, O2.
  assert (Ee : exp eps = exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; field).
  set (c := exp (eps / 2)) in *.
  assert (C1 : 1 <= c) by (apply exp_ge_1; lra). rewrite Ee in O1, O2.
  assert (D1 : b - pop <= (c - 1) / (c + 1)).
  { apply from_odds_to_differences; auto. apply Rmult_le_reg_r with seen; [exact S0|]. lra. }
  assert (D2 : pop - b <= (c - 1) / (c + 1)).
  { apply from_odds_to_differences; auto. apply Rmult_le_reg_r with seen; [exact S0|]. lra. }
  rewrite Eb. replace (b * seen - pop * seen) with ((b - pop) * seen) by ring.
  rewrite Rabs_mult, (Rabs_right seen) by lra. apply Rmult_le_compat_r; [lra|].
  unfold Rabs. destruct (Rcase_abs _); lra.
Qed.
End OneOutput.

Lemma tanh_half eps : tanh (eps / 4) = (exp (eps / 2) - 1) / (exp (eps / 2) + 1).
Proof.
  unfold tanh, sinh, cosh. assert (P := exp_pos (eps / 4)).
  assert (E2 : exp (eps / 2) = exp (eps / 4) * exp (eps / 4)) by (rewrite <- exp_plus; f_equal; field).
  assert (V : exp (- (eps / 4)) = / exp (eps / 4)) by apply exp_Ropp.
  rewrite E2, V. field. split; nra.
Qed.

(** book: thm-generalisation-for-free-average -- finitely many records and queries *)
Theorem privacy_generalises {X Y} (eq_dec : forall a b : X, {a = b} + {a <> b})
    (eq_dec_Y : forall a b : Y, {a = b} + {a <> b}) (xs : list X) p (ys : list Y) (A : list X -> Y -> R) (phi : Y -> X -> R) m eps :
  law xs p -> algorithm ys A -> (0 < m)%nat -> 0 <= eps ->
  private (replace_one_of m) ys eps 0 A -> (forall y x, 0 <= phi y x <= 1) ->
  Rabs (Ex_sample xs p m (fun z => Ex ys (A z) (fun y => mean m (phi y) z - Ex xs p (phi y)))) <= tanh (eps / 4) /\
  tanh (eps / 4) <= eps / 4.
Proof.
  intros L LA M E0 H F. split; [|rewrite tanh_half; replace (eps / 4) with (eps / 2 / 2) by field; apply ratio_bound; lra].
  assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  assert (G := iid_law xs p m L).
  destruct xs as [|d xs'] eqn:Exs.
  { destruct L as [_ T]. simpl in T. lra. }
  rewrite <- Exs in *. clear Exs xs'. rewrite tanh_half. set (t := (exp (eps / 2) - 1) / (exp (eps / 2) + 1)).
  (* Exchange the sums: first the outputs, then the records of the sample. *)
  assert (X1 : Ex_sample xs p m (fun z => Ex ys (A z) (fun y => mean m (phi y) z - Ex xs p (phi y))) =
    sum ys (fun y => sum (seq 0 m) (fun i =>
      Ex_sample xs p m (fun z => A z y * phi y (record d z i)) - Ex xs p (phi y) * Ex_sample xs p m (fun z => A z y))) / INR m).
  { unfold Rdiv. rewrite <- sum_scale_r.
    transitivity (sum ys (fun y => Ex_sample xs p m (fun z => A z y * (mean m (phi y) z - Ex xs p (phi y))))).
    - unfold Ex_sample, Ex at 1 2. unfold Ex at 2. rewrite sum_swap.
      rewrite (sum_ext (lists xs m) _ (fun z => sum ys (fun y => iid p z * (A z y * (mean m (phi y) z - Ex xs p (phi y))))))
        by (intros; symmetry; apply sum_scale).
      reflexivity.
    - apply sum_ext. intros y _. rewrite sum_minus, sum_const, seq_length.
      transitivity (Ex_sample xs p m (fun z => sum (seq 0 m) (fun i => A z y * phi y (record d z i)) * / INR m
        + - Ex xs p (phi y) * A z y)).
      + apply Ex_ext. intros z Iz. apply lists_length in Iz. unfold mean, Rdiv.
        rewrite (sum_records d z (phi y)), Iz, sum_scale. ring.
      + unfold Ex_sample. rewrite Ex_plus, Ex_scale.
        replace (Ex (lists xs m) (iid p) (fun z => sum (seq 0 m) (fun i => A z y * phi y (record d z i)) * / INR m))
          with (sum (seq 0 m) (fun i => Ex (lists xs m) (iid p) (fun z => A z y * phi y (record d z i))) * / INR m).
        * field. lra.
        * unfold Ex. rewrite sum_swap, <- sum_scale_r. apply sum_ext. intros z _. rewrite sum_scale. ring. }
  rewrite X1. unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ INR m)) by (left; apply Rinv_0_lt_compat; exact I).
  apply Rmult_le_reg_r with (INR m); [exact I|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (Tot : sum ys (fun y => Ex_sample xs p m (fun z => A z y)) = 1).
  { unfold Ex_sample, Ex. rewrite sum_swap. destruct G as [_ T]. rewrite <- T. apply sum_ext. intros z _.
    rewrite sum_scale. destruct (LA z) as [_ Tz]. rewrite Tz. ring. }
  replace (t * INR m) with (sum ys (fun y => INR m * (t * Ex_sample xs p m (fun z => A z y)))).
  2: { rewrite sum_scale, sum_scale, Tot. ring. }
  assert (Tri : forall {B} (l : list B) f g, (forall b, In b l -> Rabs (f b) <= g b) -> Rabs (sum l f) <= sum l g).
  { clear. intros B l f g H. induction l as [|b l IH]; simpl; [rewrite Rabs_R0; lra|].
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto with datatypes. }
  apply Tri. intros y Iy.
  replace (INR m * (t * Ex_sample xs p m (fun z => A z y)))
    with (sum (seq 0 m) (fun _ => t * Ex_sample xs p m (fun z => A z y))) by (rewrite sum_const, seq_length; ring).
  apply Tri. intros i Hi. apply in_seq in Hi.
  apply (one_output X eq_dec xs p m i d (fun z => A z y) (phi y) eps L ltac:(lia) E0).
  - intros z. apply LA.
  - intros z z' R. apply (outputs_of_within eq_dec_Y ys); [exact Iy|apply H; exact R].
  - apply F.
Qed.
