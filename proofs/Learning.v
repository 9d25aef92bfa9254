(** * What can be learned privately

    The private learner of a finite class and its sample sizes; the packing bound and what follows from it;
    statistical queries that a private oracle answers. *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums Privacy Mechanisms Samples.
Import ListNotations.
Open Scope R_scope.

(** ** The private learner *)

(** The score of a rule is minus the number of its mistakes. *)
Definition score {I} (z : list (I * bool)) (h : I -> bool) : R := - sum z (wrong h).

(** book: l4-private-erm -- the score is minus the number of mistakes, not the number of correct labels: all scores differ by m, which changes no probability *)
Definition learner {I} (hs : list (I -> bool)) (eps : R) : list (I * bool) -> (I -> bool) -> R :=
  exponential hs score eps 1.

Lemma score_sensitivity {I} : sensitivity replace_one (@score I) 1.
Proof.
  intros z z' h [l [x [x' [r [-> [-> _]]]]]]. unfold score. rewrite !sum_app. simpl.
  assert (A := wrong_range h x). assert (B := wrong_range h x').
  unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

(** book: prop-private-pac-learning-privacy -- the first sentence, on replace-one *)
Theorem learner_private {I} (hs : list (I -> bool)) eps :
  0 <= eps -> hs <> [] -> private replace_one hs eps 0 (learner hs eps).
Proof.
  intros E N. apply (exponential_private replace_one hs score eps 1); [exact E|lra|exact N|].
  apply score_sensitivity.
Qed.

(** book: l4-private-erm-gap -- without the last sentence *)
Theorem learner_fits {I} (hs : list (I -> bool)) eps beta m z g :
  0 < eps -> 0 < beta -> (0 < m)%nat -> In g hs ->
  (forall h, In h hs -> training_err m z g <= training_err m z h) ->
  1 - beta <= Pr hs (learner hs eps z) (fun h =>
    above (training_err m z g + 2 / (INR m * eps) * ln (INR (length hs) / beta)) (training_err m z h)).
Proof.
  intros E B M J L. assert (P : 0 < INR m) by (apply lt_0_INR; exact M).
  assert (S : forall h, score z h = - (INR m * training_err m z h)).
  { intros h. unfold score, training_err, mean. field. lra. }
  assert (O : best hs (score z) (score z g)).
  { split; [exists g; split; [exact J|reflexivity]|]. intros h K. rewrite !S. specialize (L h K). nra. }
  assert (T := proj2 (exponential_accurate hs score eps 1 z _ E Rlt_0_1 O) beta B).
  eapply Rle_trans; [exact T|]. apply Pr_mono.
  { apply exponential_law. intros ->. contradiction. }
  intros h _. unfold above. destruct (Rlt_dec _ (score z h)) as [R|]; [intros _|discriminate].
  destruct (Rlt_dec _ _) as [|F]; [reflexivity|]. exfalso. apply F. rewrite !S in R.
  apply Rmult_lt_reg_l with (INR m); [exact P|]. field_simplify; [|lra]. field_simplify in R; [|lra].
  apply Rmult_lt_reg_r with eps; [exact E|]. apply Rmult_lt_compat_r with (r := eps) in R; [|exact E].
  field_simplify in R; [|lra]. field_simplify; [|lra]. lra.
Qed.

(** The probability that the learner succeeds, over the sample and its own choice. *)
Definition success {I} (rs : list (I * bool)) p (hs : list (I -> bool)) eps m (good : (I -> bool) -> bool) : R :=
  Ex_sample rs p m (fun z => Pr hs (learner hs eps z) good).

Lemma failure_success {I} (rs : list (I * bool)) p (hs : list (I -> bool)) eps m good :
  law rs p -> hs <> [] ->
  success rs p hs eps m good = 1 - Ex_sample rs p m (fun z => Pr hs (learner hs eps z) (fun h => negb (good h))).
Proof.
  intros L N. unfold success, Ex_sample. assert (G := iid_law rs p m L).
  rewrite <- (Ex_const _ _ 1 G) at 1.
  replace (Ex (lists rs m) (iid p) (fun z => Pr hs (learner hs eps z) good))
    with (Ex (lists rs m) (iid p) (fun z => 1 + -1 * Pr hs (learner hs eps z) (fun h => negb (good h)))).
  - rewrite Ex_plus, Ex_scale. ring.
  - apply sum_ext. intros z _. rewrite Pr_not by (apply exponential_law; exact N). ring.
Qed.

(** book: l4-private-agnostic-pac -- finitely many labelled examples *)
Theorem private_agnostic_learning {I} (rs : list (I * bool)) p (hs : list (I -> bool)) eps alpha beta m g :
  law rs p -> 0 < eps -> 0 < alpha < 1 -> 0 < beta < 1 -> In g hs ->
  8 / (alpha * alpha) * ln (4 * INR (length hs) / beta) <= INR m ->
  4 / (alpha * eps) * ln (2 * INR (length hs) / beta) <= INR m ->
  private replace_one hs eps 0 (learner hs eps) /\
  1 - beta <= success rs p hs eps m (fun h => at_most (err rs p h) (err rs p g + alpha)).
Proof.
  intros L E A B J M1 M2. assert (N : hs <> []) by (intros ->; contradiction).
  split; [apply learner_private; [lra|exact N]|].
  rewrite failure_success by assumption.
  assert (K : 1 <= INR (length hs)).
  { change 1 with (INR 1). apply le_INR. destruct hs; [congruence|simpl; lia]. }
  assert (U := uniform_convergence rs p hs wrong m (alpha / 4) (beta / 2) L (fun h r => wrong_range h r) N).
  assert (U' : Pr_sample rs p m (off rs p hs wrong m (alpha / 4)) <= beta / 2).
  { apply U; [lra|lra|]. replace (2 * INR (length hs) / (beta / 2)) with (4 * INR (length hs) / beta) by (field; lra).
    replace (ln (4 * INR (length hs) / beta) / (2 * (alpha / 4 * (alpha / 4))))
      with (8 / (alpha * alpha) * ln (4 * INR (length hs) / beta)) by (field; lra). exact M1. }
  clear U. assert (G := iid_law rs p m L).
  assert (LP : 0 < ln (2 * INR (length hs) / beta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|]. field_simplify; lra. }
  assert (MP : 0 < INR m).
  { eapply Rlt_le_trans; [|exact M2]. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; nra|exact LP]. }
  assert (M' : (0 < m)%nat) by (destruct m; [simpl in MP; lra|lia]).
  assert (X : Ex_sample rs p m (fun z => Pr hs (learner hs eps z)
      (fun h => negb (at_most (err rs p h) (err rs p g + alpha))))
    <= Ex_sample rs p m (fun z => (if off rs p hs wrong m (alpha / 4) z then 1 else 0) + beta / 2)).
  { apply Ex_le; [apply G|]. intros z _.
    assert (Lz := exponential_law hs score eps 1 N z). fold (learner hs eps) in Lz.
    destruct (off rs p hs wrong m (alpha / 4) z) eqn:O.
    { apply Rle_trans with 1; [apply Pr_le_1; exact Lz|lra]. }
    rewrite Rplus_0_l.
    (* The best fit among the rules. *)
    assert (F : exists f, In f hs /\ forall h, In h hs -> training_err m z f <= training_err m z h).
    { clear - N. induction hs as [|a l IH]; [congruence|]. destruct l as [|b l].
      - exists a. split; [left; reflexivity|]. intros h [->|[]]. lra.
      - destruct IH as [f [If Mf]]; [discriminate|].
        destruct (Rle_dec (training_err m z a) (training_err m z f)).
        + exists a. split; [left; reflexivity|]. intros h [->|Ih]; [lra|]. specialize (Mf h Ih). lra.
        + exists f. split; [right; exact If|]. intros h [->|Ih]; [lra|]. apply Mf. exact Ih. }
    destruct F as [f [If Mf]].
    assert (T := learner_fits hs eps (beta / 2) m z f E ltac:(lra) M' If Mf).
    assert (Q := Pr_not hs (learner hs eps z) (fun h => above (training_err m z f +
      2 / (INR m * eps) * ln (INR (length hs) / (beta / 2))) (training_err m z h)) Lz).
    apply Rle_trans with (Pr hs (learner hs eps z) (fun h => negb (above (training_err m z f +
      2 / (INR m * eps) * ln (INR (length hs) / (beta / 2))) (training_err m z h)))); [|lra].
    apply Pr_mono; [apply Lz|]. intros h Ih. unfold at_most, above.
    destruct (Rle_dec _ _) as [|W]; [discriminate|]. intros _. destruct (Rlt_dec _ _) as [R|]; [|reflexivity].
    exfalso. apply W.
    assert (C1 := not_off rs p hs wrong m _ z h O Ih). assert (C2 := not_off rs p hs wrong m _ z g O J).
    fold (err rs p h) (err rs p g) in C1, C2. fold (training_err m z h) in C1. fold (training_err m z g) in C2.
    specialize (Mf g J).
    assert (2 / (INR m * eps) * ln (INR (length hs) / (beta / 2)) <= alpha / 2).
    { replace (INR (length hs) / (beta / 2)) with (2 * INR (length hs) / beta) by (field; lra).
      apply Rmult_le_compat_l with (r := alpha / 2 * / INR m) in M2.
      - replace (alpha / 2 * / INR m * INR m) with (alpha / 2) in M2 by (field; lra).
        replace (alpha / 2 * / INR m * (4 / (alpha * eps) * ln (2 * INR (length hs) / beta)))
          with (2 / (INR m * eps) * ln (2 * INR (length hs) / beta)) in M2 by (field; lra). exact M2.
      - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. exact MP. }
    unfold Rabs in C1, C2. destruct (Rcase_abs (training_err m z h - err rs p h)),
      (Rcase_abs (training_err m z g - err rs p g)); lra. }
  assert (Y : Ex_sample rs p m (fun z => (if off rs p hs wrong m (alpha / 4) z then 1 else 0) + beta / 2) <= beta).
  { unfold Ex_sample. rewrite Ex_plus, Ex_const by exact G. rewrite <- Pr_Ex.
    unfold Pr_sample in U'. lra. }
  lra.
Qed.

(** The learner chooses the rule [h] with probability at most $e^{- \lambda (k_h - k_g)}$, where [k] counts
    mistakes and $\lambda \le \varepsilon / 2$. *)
Lemma learner_le {I} (hs : list (I -> bool)) eps lambda z h g :
  0 <= lambda <= eps / 2 -> In g hs -> In h hs ->
  learner hs eps z h <= exp (- (lambda * (sum z (wrong h) - sum z (wrong g)))).
Proof.
  intros E J K. unfold learner.
  assert (N : hs <> []) by (intros ->; contradiction).
  set (x := sum z (wrong h) - sum z (wrong g)).
  destruct (Rle_dec x 0) as [X|X].
  - apply Rle_trans with 1.
    + destruct (exponential_law hs score eps 1 N z) as [P T].
      apply Rle_trans with (sum hs (exponential hs score eps 1 z)); [|rewrite T; lra].
      apply (sum_member hs (exponential hs score eps 1 z) h K). intros; apply P.
    + apply exp_ge_1. nra.
  - apply Rle_trans with (exp (- (eps / 2 * x))); [|apply exp_le; nra].
    unfold exponential. assert (W : 0 < weight score eps 1 z g) by apply weight_pos.
    assert (S : weight score eps 1 z g <= sum hs (weight score eps 1 z)).
    { apply (sum_member hs (weight score eps 1 z) g J). intros. left. apply weight_pos. }
    apply Rmult_le_reg_r with (sum hs (weight score eps 1 z)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (exp (- (eps * / 2 * x)) * weight score eps 1 z g).
    + right. unfold weight, score, x. rewrite <- exp_plus. f_equal. field.
    + apply Rmult_le_compat_l; [left; apply exp_pos|exact S].
Qed.

(** If every rule of error above [alpha] has a sample mean of $e^{- \lambda Y}$ of at most [c], where [Y] is
    its mistake minus that of [g], then [m] records fail with probability at most $|\mathcal H| c^m$. *)
Lemma one_moment {I} (rs : list (I * bool)) p (hs : list (I -> bool)) eps lambda m g v c :
  law rs p -> 0 <= lambda <= eps / 2 -> In g hs -> 0 <= c ->
  (forall h, In h hs -> v < err rs p h ->
    Ex rs p (fun r => exp (- (lambda * (wrong h r - wrong g r)))) <= c) ->
  1 - INR (length hs) * c ^ m <= success rs p hs eps m (fun h => at_most (err rs p h) v).
Proof.
  intros L E J C0 C. assert (N : hs <> []) by (intros ->; contradiction).
  rewrite failure_success by assumption. assert (G := iid_law rs p m L).
  assert (X : Ex_sample rs p m (fun z => Pr hs (learner hs eps z) (fun h => negb (at_most (err rs p h) v)))
    <= sum hs (fun _ => c ^ m)); [|rewrite sum_const in X; lra].
  unfold Ex_sample, Ex, Pr.
  rewrite (sum_ext (lists rs m) _ (fun z => sum hs (fun h =>
    iid p z * if negb (at_most (err rs p h) v) then learner hs eps z h else 0)))
    by (intros; symmetry; apply sum_scale).
  rewrite sum_swap. apply sum_le. intros h K. unfold at_most.
  destruct (Rle_dec (err rs p h) v) as [R|R]; simpl.
  - rewrite sum_scale_r, Rmult_0_r. apply pow_le. exact C0.
  - apply Rle_trans with (Ex_sample rs p m (fun z => exp (sum z (fun r => - (lambda * (wrong h r - wrong g r)))))).
    + unfold Ex_sample, Ex. apply sum_le. intros z _. apply Rmult_le_compat_l; [apply G|].
      eapply Rle_trans; [apply (learner_le hs eps lambda z h g E J K)|]. right. f_equal.
      clear. induction z as [|r z IH]; simpl; [ring|]. rewrite <- IH. ring.
    + rewrite Ex_sample_exp. apply pow_incr. split.
      * apply Ex_nonneg; [apply L|]. intros. left. apply exp_pos.
      * apply C; [exact K|lra].
Qed.

(** book: thm-private-pac-learning-one-moment -- finitely many labelled examples; without the simpler sample sizes that each part names at its end *)
Theorem private_learning_by_one_moment {I} (rs : list (I * bool)) p (hs : list (I -> bool)) eps alpha beta m g :
  law rs p -> 0 < eps -> 0 < alpha < 1 -> 0 < beta < 1 -> In g hs ->
  (let lambda := Rmin (eps / 2) alpha in
   ln (INR (length hs) / beta) / (lambda * alpha - lambda * lambda / 2) <= INR m ->
   1 - beta <= success rs p hs eps m (fun h => at_most (err rs p h) (err rs p g + alpha))) /\
  (err rs p g = 0 ->
   INR (length hs) * (1 - alpha * (1 - exp (- (eps / 2)))) ^ m <= beta ->
   1 - beta <= success rs p hs eps m (fun h => at_most (err rs p h) (err rs p g + alpha))).
Proof.
  intros L E A B J. assert (N : hs <> []) by (intros ->; contradiction).
  assert (K : 1 <= INR (length hs)).
  { change 1 with (INR 1). apply le_INR. destruct hs; [congruence|simpl; lia]. }
  split.
  - intros lambda M.
    assert (Lr : 0 < lambda <= eps / 2 /\ lambda <= alpha).
    { unfold lambda. repeat split; [apply Rmin_glb_lt; lra|apply Rmin_l|apply Rmin_r]. }
    assert (Q : 0 < lambda * alpha - lambda * lambda / 2) by nra.
    set (c := exp (- (lambda * alpha - lambda * lambda / 2))).
    assert (H := one_moment rs p hs eps lambda m g (err rs p g + alpha) c L ltac:(lra) J ltac:(left; apply exp_pos)).
    assert (H' : 1 - INR (length hs) * c ^ m <= success rs p hs eps m (fun h => at_most (err rs p h) (err rs p g + alpha))).
    { apply H. intros h Ih V.
      set (d := err rs p h - err rs p g).
      assert (D : Ex rs p (fun r => wrong h r - wrong g r) = d).
      { unfold d, err. rewrite <- (Rmult_1_l (Ex rs p (wrong g))).
        replace (Ex rs p (wrong h) - 1 * Ex rs p (wrong g)) with (Ex rs p (wrong h) + -1 * Ex rs p (wrong g)) by ring.
        rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros; ring. }
      assert (F := hoeffding_lemma rs p (fun r => (wrong h r - wrong g r - d) / 2) (- (1 + d) / 2) (- (2 * lambda)) L).
      assert (F' : Ex rs p (fun r => exp (- (2 * lambda) * ((wrong h r - wrong g r - d) / 2)))
        <= exp (- (2 * lambda) * - (2 * lambda) / 8)).
      { apply F.
        - intros r. assert (R1 := wrong_range h r). assert (R2 := wrong_range g r). lra.
        - replace (Ex rs p (fun r => (wrong h r - wrong g r - d) / 2))
            with (/ 2 * (Ex rs p (fun r => wrong h r - wrong g r) + Ex rs p (fun _ => - d))).
          + rewrite D, Ex_const by exact L. ring.
          + rewrite <- Ex_plus, <- Ex_scale. apply sum_ext. intros. field. }
      apply Rle_trans with (exp (- (lambda * d)) * Ex rs p (fun r => exp (- (2 * lambda) * ((wrong h r - wrong g r - d) / 2)))).
      - right. rewrite <- Ex_scale. apply sum_ext. intros r _. f_equal. rewrite <- exp_plus. f_equal. field.
      - apply Rle_trans with (exp (- (lambda * d)) * exp (- (2 * lambda) * - (2 * lambda) / 8)).
        + apply Rmult_le_compat_l; [left; apply exp_pos|exact F'].
        + rewrite <- exp_plus. apply exp_le. unfold d. nra. }
    assert (INR (length hs) * c ^ m <= beta); [|lra].
    unfold c. rewrite exp_pow.
    assert (M1 : ln (INR (length hs) / beta) <= INR m * (lambda * alpha - lambda * lambda / 2)).
    { apply Rmult_le_compat_r with (r := lambda * alpha - lambda * lambda / 2) in M; [|lra].
      unfold Rdiv at 1 in M. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in M by lra. exact M. }
    assert (P : 0 < INR (length hs) / beta) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (INR (length hs) * exp (- ln (INR (length hs) / beta))).
    + apply Rmult_le_compat_l; [lra|]. apply exp_le. lra.
    + rewrite exp_Ropp, exp_ln by exact P. right. field. lra.
  - intros Z M.
    set (c := 1 - alpha * (1 - exp (- (eps / 2)))) in *.
    assert (X : 0 < exp (- (eps / 2)) < 1).
    { split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. }
    assert (H := one_moment rs p hs eps (eps / 2) m g (err rs p g + alpha) c L ltac:(lra) J ltac:(unfold c; nra)).
    assert (H' : 1 - INR (length hs) * c ^ m <= success rs p hs eps m (fun h => at_most (err rs p h) (err rs p g + alpha)));
      [|lra].
    apply H. intros h Ih V. rewrite Z in V.
    (* Nothing of positive probability is labelled wrongly by g. *)
    assert (W : forall r, In r rs -> p r * wrong g r = 0).
    { intros r Ir. apply Rle_antisym.
      - rewrite <- Z. unfold err, Ex. apply (sum_member rs (fun r => p r * wrong g r) r Ir).
        intros y _. apply Rmult_le_pos; [apply L|apply wrong_range].
      - apply Rmult_le_pos; [apply L|apply wrong_range]. }
    apply Rle_trans with (Ex rs p (fun r => 1 + - (1 - exp (- (eps / 2))) * wrong h r)).
    + unfold Ex. apply sum_le. intros r Ir. specialize (W r Ir). unfold wrong in *.
      destruct (eqb (h (fst r)) (snd r)), (eqb (g (fst r)) (snd r)); simpl;
        try (assert (Pz : p r = 0) by lra; rewrite Pz, !Rmult_0_l; lra).
      * replace (- (eps / 2 * (0 - 0))) with 0 by ring. rewrite exp_0. lra.
      * replace (- (eps / 2 * (1 - 0))) with (- (eps / 2)) by ring. lra.
    + rewrite Ex_plus, Ex_scale, Ex_const by exact L. fold (err rs p h). unfold c. nra.
Qed.

(** ** What cannot be learned *)

(** [near adj d z z'] says that at most [d] steps lead from [z] to [z']. *)
Definition near {D} (adj : D -> D -> Prop) (d : nat) (z z' : D) : Prop :=
  exists k, (k <= d)%nat /\ steps adj k z z'.

Lemma private_near {D Y} (adj : D -> D -> Prop) (ys : list Y) eps M d z z' E :
  0 <= eps -> algorithm ys M -> private adj ys eps 0 M -> near adj d z z' ->
  Pr ys (M z) E <= exp (INR d * eps) * Pr ys (M z') E.
Proof.
  intros P A H [k [K S]]. assert (G := group_privacy adj ys eps 0 M k z z' H S E).
  rewrite Rmult_0_r, Rplus_0_r in G. eapply Rle_trans; [exact G|].
  apply Rmult_le_compat_r; [apply Pr_nonneg; apply A|]. apply exp_le.
  apply Rmult_le_compat_r; [exact P|]. apply le_INR. exact K.
Qed.

(** At most one of the events happens at a time. *)
Definition disjoint {Y} (K : nat) (G : nat -> Y -> bool) : Prop :=
  forall i j y, (i < K)%nat -> (j < K)%nat -> G i y = true -> G j y = true -> i = j.

Lemma disjoint_total {Y} (ys : list Y) p K G :
  law ys p -> disjoint K G -> sum (seq 0 K) (fun i => Pr ys p (G i)) <= 1.
Proof.
  intros L D. unfold Pr. rewrite sum_swap. destruct L as [P T]. rewrite <- T. apply sum_le. intros y _.
  specialize (P y). clear T. induction K as [|K IH]; [simpl; exact P|].
  rewrite seq_S, sum_app. simpl. rewrite Rplus_0_r.
  assert (I : disjoint K G) by (intros i j x; intros; apply (D i j x); auto; lia).
  destruct (G K y) eqn:E; [|specialize (IH I); lra].
  assert (Z : sum (seq 0 K) (fun i => if G i y then p y else 0) = 0); [|lra].
  transitivity (sum (seq 0 K) (fun _ => 0)); [|apply sum_zero]. apply sum_ext. intros i Ii.
  apply in_seq in Ii. destruct (G i y) eqn:F; [|reflexivity]. exfalso.
  assert (i = K) by (apply (D i K y); auto; lia). lia.
Qed.

(** book: thm-what-cannot-be-learned-packing -- finitely many outputs; the average, for any excess that is not negative; any neighbouring relation, whose steps count the distance *)
Theorem packing_bound {D Y} (adj : D -> D -> Prop) (ys : list Y) eps M (K d : nat) (r : R)
    (z : nat -> D) (G : nat -> Y -> bool) (excess : D -> Y -> R) :
  algorithm ys M -> 0 <= eps -> private adj ys eps 0 M -> (0 < K)%nat -> 0 <= r ->
  (forall i j, (i < K)%nat -> (j < K)%nat -> near adj d (z i) (z j)) -> disjoint K G ->
  (forall i y, (i < K)%nat -> 0 <= excess (z i) y) ->
  (forall i y, (i < K)%nat -> G i y = false -> r <= excess (z i) y) ->
  r * ((INR K - 1) / (exp (INR d * eps) + INR K - 1)) <=
  sum (seq 0 K) (fun i => Ex ys (M (z i)) (excess (z i))) / INR K.
Proof.
  intros A E0 H K0 R0 N Dj X0 Xr.
  set (a := exp (INR d * eps)).
  assert (A1 : 1 <= a) by (apply exp_ge_1; apply Rmult_le_pos; [apply pos_INR|exact E0]).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; lia).
  set (s := fun i => Pr ys (M (z i)) (G i)). set (S := sum (seq 0 K) s).
  assert (s1 : forall i, 0 <= s i) by (intros; apply Pr_nonneg; apply A).
  (* For each data set: its own event, and those of the others, are disjoint. *)
  assert (Q : forall j, (j < K)%nat -> S + (a - 1) * s j <= a).
  { intros j J. assert (T := disjoint_total ys (M (z j)) K G (A (z j)) Dj).
    assert (U : S + (a - 1) * s j <= sum (seq 0 K) (fun i => a * Pr ys (M (z j)) (G i))).
    { assert (V : forall l, NoDup l -> (forall i, In i l -> (i < K)%nat) ->
        sum l s + (if in_dec Nat.eq_dec j l then (a - 1) * s j else 0) <= sum l (fun i => a * Pr ys (M (z j)) (G i))).
      { induction l as [|i l IH]; intros Nd B; simpl; [lra|]. inversion Nd as [|? ? Ni Nl]. subst.
        specialize (IH Nl (fun k Ik => B k (or_intror Ik))).
        assert (W : s i <= a * Pr ys (M (z j)) (G i)).
        { apply (private_near adj ys eps M d); auto. apply N; auto. apply B. left. reflexivity. }
        destruct (Nat.eq_dec i j) as [->|Ne].
        - destruct (in_dec Nat.eq_dec j l); [contradiction|]. fold (s j). fold (s j) in W. lra.
        - destruct (in_dec Nat.eq_dec j l); lra. }
      specialize (V (seq 0 K) (seq_NoDup K 0) ltac:(intros i I; apply in_seq in I; lia)).
      destruct (in_dec Nat.eq_dec j (seq 0 K)) as [_|F]; [exact V|]. exfalso. apply F. apply in_seq. lia. }
    rewrite sum_scale in U. assert (0 < a) by lra. nra. }
  assert (Tot : INR K * S + (a - 1) * S <= INR K * a).
  { assert (V : sum (seq 0 K) (fun j => S + (a - 1) * s j) <= sum (seq 0 K) (fun _ => a)).
    { apply sum_le. intros j J. apply Q. apply in_seq in J. lia. }
    rewrite sum_plus, sum_scale, !sum_const, seq_length in V. fold S in V. lra. }
  assert (Low : r * (INR K - S) <= sum (seq 0 K) (fun i => Ex ys (M (z i)) (excess (z i)))).
  { replace (r * (INR K - S)) with (sum (seq 0 K) (fun i => r * (1 - s i))).
    - apply sum_le. intros i I. assert (I' : (i < K)%nat) by (apply in_seq in I; lia).
      unfold s. rewrite <- (Pr_not ys (M (z i)) (G i) (A (z i))), Pr_Ex, <- Ex_scale.
      apply Ex_le; [apply A|]. intros y _. specialize (X0 i y I'). specialize (Xr i y I').
      destruct (G i y); simpl; [lra|]. specialize (Xr eq_refl). lra.
    - rewrite sum_scale, sum_minus, sum_const, seq_length. fold S. ring. }
  apply Rmult_le_reg_r with (INR K); [lra|].
  apply Rle_trans with (r * (INR K - S)).
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact R0|].
    apply Rmult_le_reg_r with (a + INR K - 1); [lra|]. fold a. field_simplify; [|lra]. nra.
  - unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact Low.
Qed.

(** book: lem-private-pac-learning-packing -- finitely many outputs; any neighbouring relation, whose steps count the distance *)
Theorem packing_outputs {D Y} (eq_dec : forall a b : Y, {a = b} + {a <> b}) (adj : D -> D -> Prop)
    (ys : list Y) eps M (T d : nat) q (z0 : D) (z : nat -> D) (h : nat -> Y) :
  algorithm ys M -> 0 <= eps -> private adj ys eps 0 M ->
  (forall i j, (i < T)%nat -> (j < T)%nat -> h i = h j -> i = j) ->
  (forall t, (t < T)%nat -> near adj d (z t) z0) ->
  (forall t, (t < T)%nat -> q <= Pr ys (M (z t)) (fun y => if eq_dec y (h t) then true else false)) ->
  INR T * q <= exp (INR d * eps).
Proof.
  intros A E0 H Dh N Q.
  assert (V := disjoint_total ys (M z0) T (fun t y => if eq_dec y (h t) then true else false) (A z0)).
  assert (V' : sum (seq 0 T) (fun i => Pr ys (M z0) (fun y => if eq_dec y (h i) then true else false)) <= 1).
  { apply V. intros i j y I J. destruct (eq_dec y (h i)), (eq_dec y (h j)); try discriminate.
    intros _ _. apply Dh; congruence. }
  assert (W : sum (seq 0 T) (fun _ => q) <=
    sum (seq 0 T) (fun i => exp (INR d * eps) * Pr ys (M z0) (fun y => if eq_dec y (h i) then true else false))).
  { apply sum_le. intros t I. assert (I' : (t < T)%nat) by (apply in_seq in I; lia).
    eapply Rle_trans; [apply Q; exact I'|]. apply (private_near adj ys eps M d); auto. }
  rewrite sum_const, seq_length, sum_scale in W. assert (0 < exp (INR d * eps)) by apply exp_pos. nra.
Qed.

(** *** Thresholds

    The threshold [t] says yes at the instance [x] if [t <= x]. *)
Definition threshold (t x : nat) : bool := Nat.leb t x.

(** [d / 2] records on each side of the [i]-th gap, and a common rest at the instance 0. *)
Definition at_gap (d m i : nat) : list (nat * bool) :=
  repeat (S i, false) (d / 2) ++ repeat (S (S i), true) (d / 2) ++ repeat (0%nat, false) (m - 2 * (d / 2)).

Lemma steps_trans {D} (adj : D -> D -> Prop) j k a b c :
  steps adj j a b -> steps adj k b c -> steps adj (j + k) a c.
Proof. intros S. induction S; intros T; simpl; [exact T|]. econstructor; [eassumption|auto]. Qed.

Lemma steps_repeat {X} (l r : list X) x x' n :
  x <> x' -> steps replace_one n (l ++ repeat x n ++ r) (l ++ repeat x' n ++ r).
Proof.
  intros N. revert l. induction n; intros l; simpl; [constructor|].
  apply (move _ n _ (l ++ x' :: repeat x n ++ r)).
  - exists l, x, x', (repeat x n ++ r). auto.
  - replace (l ++ x' :: repeat x n ++ r) with ((l ++ [x']) ++ repeat x n ++ r) by (rewrite <- app_assoc; reflexivity).
    replace (l ++ x' :: repeat x' n ++ r) with ((l ++ [x']) ++ repeat x' n ++ r) by (rewrite <- app_assoc; reflexivity).
    apply IHn.
Qed.

Lemma at_gap_near d m i j : near replace_one d (at_gap d m i) (at_gap d m j).
Proof.
  destruct (Nat.eq_dec i j) as [->|N].
  - exists 0%nat. split; [lia|constructor].
  - exists (d / 2 + d / 2)%nat. split.
    + assert (H := Nat.div_mod d 2 ltac:(lia)). lia.
    + apply steps_trans with (repeat (S j, false) (d / 2) ++ repeat (S (S i), true) (d / 2) ++ repeat (0%nat, false) (m - 2 * (d / 2))).
      * apply (steps_repeat [] _ (S i, false) (S j, false)). congruence.
      * apply steps_repeat. congruence.
Qed.

Lemma sum_repeat {X} (x : X) n f : sum (repeat x n) f = INR n * f x.
Proof. induction n; [simpl; ring|]. rewrite S_INR. simpl. rewrite IHn. ring. Qed.

Lemma at_gap_mistakes d m i t :
  sum (at_gap d m i) (wrong (threshold t)) =
  INR (d / 2) * (if Nat.leb t (S i) then 1 else 0) + INR (d / 2) * (if Nat.leb t (S (S i)) then 0 else 1)
  + INR (m - 2 * (d / 2)) * (if Nat.leb t 0 then 1 else 0).
Proof.
  unfold at_gap. rewrite !sum_app, !sum_repeat. unfold wrong, threshold. cbn [fst snd].
  destruct (Nat.leb t (S i)), (Nat.leb t (S (S i))), (Nat.leb t 0); simpl; ring.
Qed.

(** book: prop-what-cannot-be-learned-grid -- thresholds on whole numbers, finitely many outputs; a threshold says yes at its own place as well; privacy is assumed for every number of records *)
Theorem thresholds_cannot_be_learned (ts : list nat) eps (M : list (nat * bool) -> nat -> R) (K d m : nat) :
  algorithm ts M -> 0 <= eps -> private replace_one ts eps 0 M ->
  (2 <= K)%nat -> Nat.even d = true -> (d <= m)%nat -> (0 < m)%nat ->
  exists i, (i < K)%nat /\ length (at_gap d m i) = m /\
    training_err m (at_gap d m i) (threshold (S (S i))) = 0 /\
    INR d / (2 * INR m) * ((INR K - 1) / (exp (INR d * eps) + INR K - 1)) <=
    Ex ts (M (at_gap d m i)) (fun t => training_err m (at_gap d m i) (threshold t)) /\
    (INR d * eps <= ln (INR K - 1) ->
     INR d / (4 * INR m) <= Ex ts (M (at_gap d m i)) (fun t => training_err m (at_gap d m i) (threshold t))).
Proof.
  intros A E0 H K2 Ev Dm M0.
  assert (Dd : (d = 2 * (d / 2))%nat).
  { apply Nat.even_spec in Ev. destruct Ev as [k ->]. rewrite (Nat.mul_comm 2 k), Nat.div_mul by lia. lia. }
  assert (Mp : 0 < INR m) by (apply lt_0_INR; exact M0).
  assert (KR : 2 <= INR K) by (change 2 with (INR 2); apply le_INR; exact K2).
  assert (D2 : INR d = 2 * INR (d / 2)) by (rewrite Dd at 1; rewrite mult_INR; reflexivity).
  assert (P0 := pos_INR (d / 2)).
  set (b := (INR K - 1) / (exp (INR d * eps) + INR K - 1)).
  assert (B := packing_bound replace_one ts eps M K d (INR d / (2 * INR m)) (at_gap d m)
    (fun i t => Nat.eqb t (S (S i))) (fun z t => training_err m z (threshold t)) A E0 H ltac:(lia)).
  assert (Rp : 0 <= INR d / (2 * INR m)) by (apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat; lra]).
  specialize (B Rp (fun i j _ _ => at_gap_near d m i j)).
  assert (Dj : disjoint K (fun i t => Nat.eqb t (S (S i)))).
  { intros i j t _ _ Ei Ej. apply Nat.eqb_eq in Ei, Ej. lia. }
  specialize (B Dj).
  assert (X0 : forall i t, (i < K)%nat -> 0 <= training_err m (at_gap d m i) (threshold t)).
  { intros i t _. unfold training_err, mean. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Mp].
    apply sum_nonneg. intros; apply wrong_range. }
  specialize (B X0).
  assert (Xr : forall i t, (i < K)%nat -> Nat.eqb t (S (S i)) = false ->
    INR d / (2 * INR m) <= training_err m (at_gap d m i) (threshold t)).
  { intros i t _ F. apply Nat.eqb_neq in F. unfold training_err, mean. rewrite at_gap_mistakes.
    replace (INR d / (2 * INR m)) with (INR (d / 2) / INR m) by (rewrite D2; field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Mp|].
    assert (Q := pos_INR (m - 2 * (d / 2))).
    assert (0 <= INR (m - 2 * (d / 2)) * (if Nat.leb t 0 then 1 else 0)) by (destruct (Nat.leb t 0); lra).
    destruct (Nat.leb_spec t (S i)), (Nat.leb_spec t (S (S i))); try lia; lra. }
  specialize (B Xr). fold b in B.
  (* On at least one data set the excess is at least the average. *)
  assert (Ex1 : exists i, (i < K)%nat /\ INR d / (2 * INR m) * b <=
    Ex ts (M (at_gap d m i)) (fun t => training_err m (at_gap d m i) (threshold t))).
  { set (f := fun i => Ex ts (M (at_gap d m i)) (fun t => training_err m (at_gap d m i) (threshold t))) in *.
    destruct (existsb (fun i => at_most (INR d / (2 * INR m) * b) (f i)) (seq 0 K)) eqn:Q.
    - apply existsb_exists in Q. destruct Q as [i [I Q]]. exists i. apply in_seq in I. split; [lia|].
      unfold at_most in Q. destruct (Rle_dec _ _); [assumption|discriminate].
    - exfalso. assert (Lt : forall k, (0 < k <= K)%nat -> sum (seq 0 k) f < INR k * (INR d / (2 * INR m) * b)).
      { assert (One : forall i, (i < K)%nat -> f i < INR d / (2 * INR m) * b).
        { intros i I. rewrite <- not_true_iff_false in Q. destruct (Rlt_dec (f i) (INR d / (2 * INR m) * b)); [assumption|].
          exfalso. apply Q. apply existsb_exists. exists i. split; [apply in_seq; lia|].
          unfold at_most. destruct (Rle_dec _ _); [reflexivity|lra]. }
        intros k. induction k as [|k IH]; intros [Z W]; [lia|]. rewrite seq_S, sum_app, S_INR. simpl.
        specialize (One k ltac:(lia)). destruct k; [simpl; lra|]. specialize (IH ltac:(lia)). lra. }
      specialize (Lt K ltac:(lia)).
      assert (B' : INR d / (2 * INR m) * b <= sum (seq 0 K) f / INR K) by exact B.
      apply Rmult_le_compat_r with (r := INR K) in B'; [|lra].
      replace (sum (seq 0 K) f / INR K * INR K) with (sum (seq 0 K) f) in B' by (field; lra). lra. }
  destruct Ex1 as [i [I L]]. exists i. split; [exact I|]. split; [|split; [|split]].
  - unfold at_gap. rewrite !app_length, !repeat_length. lia.
  - unfold training_err, mean. rewrite at_gap_mistakes.
    destruct (Nat.leb_spec (S (S i)) (S i)), (Nat.leb_spec (S (S i)) (S (S i))); try lia. simpl. field. lra.
  - exact L.
  - intros Le. eapply Rle_trans; [|exact L].
    assert (Ea : exp (INR d * eps) <= INR K - 1) by (rewrite <- (exp_ln (INR K - 1)) by lra; apply exp_le; exact Le).
    assert (0 < exp (INR d * eps)) by apply exp_pos.
    assert (Hb : / 2 <= b).
    { unfold b. apply Rmult_le_reg_r with (exp (INR d * eps) + INR K - 1); [lra|]. field_simplify; lra. }
    replace (INR d / (4 * INR m)) with (INR d / (2 * INR m) * / 2) by (field; lra).
    apply Rmult_le_compat_l; assumption.
Qed.

(** book: wlf16-prop-12 -- part 1, for finitely many thresholds on whole numbers and $K \ge 2$; a threshold says yes at its own place as well; privacy is assumed for every number of records *)
Corollary thresholds_cannot_be_fitted (ts : list nat) eps (M : list (nat * bool) -> nat -> R) (K m : nat) :
  algorithm ts M -> 0 <= eps -> private replace_one ts eps 0 M ->
  (2 <= K)%nat -> Nat.even m = true -> (0 < m)%nat ->
  exists z t, length z = m /\ training_err m z (threshold t) = 0 /\
    (INR K - 1) / (2 * (exp (INR m * eps) + INR K - 1)) <=
    Ex ts (M z) (fun t => training_err m z (threshold t)).
Proof.
  intros A E H K2 Ev M0.
  destruct (thresholds_cannot_be_learned ts eps M K m m A E H K2 Ev ltac:(lia) M0) as [i [_ [Le [Z [L _]]]]].
  exists (at_gap m m i), (S (S i)). split; [exact Le|]. split; [exact Z|]. eapply Rle_trans; [|exact L].
  assert (0 < INR m) by (apply lt_0_INR; exact M0).
  assert (0 < exp (INR m * eps)) by apply exp_pos.
  assert (2 <= INR K) by (change 2 with (INR 2); apply le_INR; exact K2).
  right. field. lra.
Qed.

(** *** Thresholds on a population *)

Lemma Ex_sample_sum {X} (xs : list X) p m f :
  law xs p -> Ex_sample xs p m (fun z => sum z f) = INR m * Ex xs p f.
Proof.
  intros L. induction m as [|m IH].
  - unfold Ex_sample, Ex. simpl. ring.
  - assert (G := iid_law xs p m L). unfold Ex_sample, Ex in *. rewrite sum_lists_S, S_INR.
    transitivity (sum xs (fun x => p x * f x + p x * (INR m * sum xs (fun x => p x * f x)))).
    + apply sum_ext. intros x _.
      transitivity (sum (lists xs m) (fun z => p x * (iid p z * f x) + p x * (iid p z * sum z f))).
      * apply sum_ext. intros z _. simpl. ring.
      * rewrite sum_plus, !sum_scale, sum_scale_r, IH, (proj2 G). ring.
    + rewrite sum_plus, sum_scale_r. destruct L as [_ ->]. ring.
Qed.

(** The number of records other than [c], and that many steps to the data set that has [c] only. *)
Definition is_record (c r : nat * bool) : bool := (Nat.eqb (fst r) (fst c) && eqb (snd r) (snd c))%bool.
Definition strangers (c : nat * bool) (z : list (nat * bool)) : nat := length (filter (fun r => negb (is_record c r)) z).

Lemma is_record_spec c r : is_record c r = true <-> r = c.
Proof.
  unfold is_record. destruct c, r. rewrite andb_true_iff, Nat.eqb_eq, eqb_true_iff. simpl. split.
  - intros [-> ->]. reflexivity.
  - intros E. injection E. auto.
Qed.

Lemma strangers_steps c z : steps replace_one (strangers c z) z (repeat c (length z)).
Proof.
  assert (X : forall l, steps replace_one (strangers c z) (l ++ z) (l ++ repeat c (length z))).
  { unfold strangers. induction z as [|r z IH]; intros l; simpl; [constructor|].
    assert (Y : steps replace_one (length (filter (fun r => negb (is_record c r)) z)) (l ++ c :: z) (l ++ c :: repeat c (length z))).
    { specialize (IH (l ++ [c])). rewrite <- !app_assoc in IH. exact IH. }
    destruct (is_record c r) eqn:E; simpl.
    - apply is_record_spec in E. subst r. exact Y.
    - apply (move _ _ _ (l ++ c :: z)); [|exact Y]. exists l, r, c, z. split; [reflexivity|]. split; [reflexivity|].
      intros ->. assert (is_record c c = true) by (apply is_record_spec; reflexivity). congruence. }
  apply (X []).
Qed.

Lemma strangers_sum c z : INR (strangers c z) = sum z (fun r => if is_record c r then 0 else 1).
Proof.
  unfold strangers. induction z as [|r z IH]; [reflexivity|]. cbn [sum]. rewrite <- IH. simpl.
  destruct (is_record c r); cbn [negb length]; [|rewrite S_INR]; ring.
Qed.

(** If at least half of all samples are near, and all samples fail rarely, then some near sample fails rarely. *)
Lemma near_and_good {X} (zs : list X) p (near_by : X -> bool) (fail : X -> R) beta :
  law zs p -> 1 / 2 <= Pr zs p near_by -> (forall z, 0 <= fail z) -> Ex zs p fail <= beta ->
  exists z, In z zs /\ near_by z = true /\ fail z <= 2 * beta.
Proof.
  intros L H F E.
  destruct (existsb (fun z => (near_by z && at_most (fail z) (2 * beta))%bool) zs) eqn:Q.
  - apply existsb_exists in Q. destruct Q as [z [I Q]]. apply andb_true_iff in Q. destruct Q as [Q1 Q2].
    exists z. split; [exact I|]. split; [exact Q1|]. unfold at_most in Q2. destruct (Rle_dec _ _); [assumption|discriminate].
  - exfalso.
    assert (All : forall z, In z zs -> near_by z = true -> 2 * beta < fail z).
    { intros z I N. destruct (Rlt_dec (2 * beta) (fail z)); [assumption|]. exfalso.
      rewrite <- not_true_iff_false in Q. apply Q. apply existsb_exists. exists z. split; [exact I|].
      rewrite N. unfold at_most. destruct (Rle_dec _ _); [reflexivity|lra]. }
    set (g := fun z => if near_by z then p z * (fail z - 2 * beta) else 0).
    assert (P := proj1 L).
    assert (g0 : forall z, In z zs -> 0 <= g z).
    { intros z I. unfold g. destruct (near_by z) eqn:N; [|lra]. apply Rmult_le_pos; [apply P|]. specialize (All z I N). lra. }
    assert (B0 : 0 <= beta).
    { eapply Rle_trans; [|exact E]. apply Ex_nonneg; [exact P|intros; apply F]. }
    assert (S : sum zs g <= 0).
    { apply Rle_trans with (sum zs (fun z => p z * fail z) - 2 * beta * Pr zs p near_by).
      - unfold Pr. rewrite <- sum_scale, <- sum_minus. apply sum_le. intros z _. unfold g.
        destruct (near_by z); [lra|]. specialize (P z). specialize (F z). nra.
      - unfold Ex in E. nra. }
    assert (Z : forall z, In z zs -> near_by z = true -> p z = 0).
    { intros z I N. assert (M := sum_member zs g z I g0). specialize (All z I N). unfold g in M at 1. rewrite N in M.
      specialize (P z). destruct P as [P|P]; [|auto]. exfalso.
      assert (0 < p z * (fail z - 2 * beta)) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (Pr zs p near_by = 0); [|lra]. transitivity (sum zs (fun _ => 0)); [|apply sum_zero].
    apply sum_ext. intros z I. destruct (near_by z) eqn:N; [apply Z; assumption|reflexivity].
Qed.

(** The population of the threshold [t]: two rare records on its two sides, and a common one. *)
Definition side_records (T t : nat) : list (nat * bool) := [((t - 1)%nat, false); (t, true); (S T, true)].
Definition side_law (alpha : R) (T : nat) (r : nat * bool) : R :=
  if is_record (S T, true) r then 1 - 2 * alpha else alpha.

(** book: prop-private-pac-learning-packing -- privacy is assumed for every number of records, and for all whole numbers as instances *)
Theorem thresholds_need_records (T m : nat) eps alpha beta (M : list (nat * bool) -> nat -> R) :
  (1 <= T)%nat -> 0 < alpha < 1 / 2 -> 0 < beta < 1 / 2 -> 0 < eps ->
  algorithm (seq 1 T) M -> private replace_one (seq 1 T) eps 0 M ->
  (forall rs p, law rs p -> (forall r, In r rs -> (fst r <= S T)%nat) ->
    (exists t, In t (seq 1 T) /\ err rs p (threshold t) = 0) ->
    1 - beta <= Ex_sample rs p m (fun z => Pr (seq 1 T) (M z) (fun t => above alpha (err rs p (threshold t))))) ->
  ln (INR T * (1 - 2 * beta)) / (4 * alpha * eps) <= INR m.
Proof.
  intros T1 A B E LM H Learns.
  set (c := (S T, true)). set (am := 4 * alpha * INR m).
  assert (m0 : 0 <= INR m) by apply pos_INR.
  assert (am0 : 0 <= am) by (unfold am; nra).
  set (d := Z.to_nat (up am - 1)).
  assert (Up := archimed am).
  assert (U1 : (0 <= up am - 1)%Z) by (assert (0 < up am)%Z by (apply lt_IZR; lra); lia).
  assert (Dd : INR d <= am).
  { unfold d. rewrite INR_IZR_INZ, Z2Nat.id by exact U1. rewrite minus_IZR. lra. }
  assert (Dn : forall n, INR n <= am -> (n <= d)%nat).
  { intros n Hn. apply Nat2Z.inj_le. unfold d. rewrite Z2Nat.id by exact U1.
    assert (Z.of_nat n < up am)%Z; [|lia]. apply lt_IZR. rewrite <- INR_IZR_INZ. lra. }
  (* A sample for each threshold. *)
  assert (Sample : forall t, In t (seq 1 T) -> exists z, length z = m /\ (strangers c z <= d)%nat /\
    1 - 2 * beta <= Pr (seq 1 T) (M z) (fun s => Nat.eqb s t)).
  { intros t It. apply in_seq in It. set (rs := side_records T t). set (p := side_law alpha T).
    assert (Kt : is_record c ((t - 1)%nat, false) = false) by (unfold is_record, c; simpl; apply andb_false_r).
    assert (Kt' : is_record c (t, true) = false).
    { unfold is_record, c. simpl. destruct (Nat.eqb_spec t (S T)); [lia|reflexivity]. }
    assert (Kc : is_record c c = true) by (apply is_record_spec; reflexivity).
    assert (L : law rs p).
    { split.
      - intros r. unfold p, side_law. destruct (is_record _ r); lra.
      - unfold rs, side_records, p, side_law. fold c. cbn [sum]. rewrite Kt, Kt', Kc. lra. }
    assert (Er : forall s, In s (seq 1 T) -> err rs p (threshold s) =
      (if Nat.leb s (t - 1) then alpha else 0) + (if Nat.leb s t then 0 else alpha)).
    { intros s Is. apply in_seq in Is. unfold err, Ex, rs, side_records, p, side_law. fold c. cbn [sum].
      rewrite Kt, Kt', Kc. unfold wrong, threshold, c. cbn [fst snd].
      replace (Nat.leb s (S T)) with true by (symmetry; apply Nat.leb_le; lia).
      destruct (Nat.leb s (t - 1)), (Nat.leb s t); simpl; ring. }
    assert (G := iid_law rs p m L).
    assert (Ok := Learns rs p L).
    assert (Few : forall r, In r rs -> (fst r <= S T)%nat) by (intros r [<-|[<-|[<-|[]]]]; simpl; lia).
    specialize (Ok Few).
    assert (Zero : exists s, In s (seq 1 T) /\ err rs p (threshold s) = 0).
    { exists t. split; [apply in_seq; exact It|]. rewrite Er by (apply in_seq; exact It).
      destruct (Nat.leb_spec t (t - 1)), (Nat.leb_spec t t); try lia. ring. }
    specialize (Ok Zero).
    (* Only t itself has an error below alpha. *)
    assert (Hit : forall z, Pr (seq 1 T) (M z) (fun s => above alpha (err rs p (threshold s))) <= Pr (seq 1 T) (M z) (fun s => Nat.eqb s t)).
    { intros z. apply Pr_mono; [apply LM|]. intros s Is Ab. rewrite Er in Ab by exact Is. unfold above in Ab.
      destruct (Rlt_dec _ _) as [Lt|]; [|discriminate]. apply Nat.eqb_eq.
      destruct (Nat.leb_spec s (t - 1)), (Nat.leb_spec s t); try lia; lra. }
    set (fail := fun z => 1 - Pr (seq 1 T) (M z) (fun s => Nat.eqb s t)).
    assert (F : Ex (lists rs m) (iid p) fail <= beta).
    { unfold fail. replace (Ex (lists rs m) (iid p) (fun z => 1 - Pr (seq 1 T) (M z) (fun s => Nat.eqb s t)))
        with (Ex (lists rs m) (iid p) (fun _ => 1) + -1 * Ex (lists rs m) (iid p) (fun z => Pr (seq 1 T) (M z) (fun s => Nat.eqb s t))).
      - rewrite Ex_const by exact G.
        assert (Q : Ex_sample rs p m (fun z => Pr (seq 1 T) (M z) (fun s => above alpha (err rs p (threshold s))))
          <= Ex (lists rs m) (iid p) (fun z => Pr (seq 1 T) (M z) (fun s => Nat.eqb s t))).
        { apply Ex_le; [apply G|]. intros z _. apply Hit. }
        lra.
      - rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros; ring. }
    (* Markov's inequality: at least half of the samples are near. *)
    assert (Nr : 1 / 2 <= Pr (lists rs m) (iid p) (fun z => at_most (INR (strangers c z)) am)).
    { assert (Mk : am * Pr (lists rs m) (iid p) (fun z => negb (at_most (INR (strangers c z)) am)) <= 2 * alpha * INR m).
      { replace (2 * alpha * INR m) with (Ex_sample rs p m (fun z => sum z (fun r => if is_record c r then 0 else 1))).
        - rewrite Pr_Ex, <- Ex_scale. apply Ex_le; [apply G|]. intros z _. rewrite <- strangers_sum. unfold at_most.
          destruct (Rle_dec _ _); simpl; [assert (0 <= INR (strangers c z)) by apply pos_INR|]; lra.
        - rewrite Ex_sample_sum by exact L. unfold Ex, rs, side_records, p, side_law. fold c. cbn [sum].
          rewrite Kt, Kt', Kc. ring. }
      rewrite Pr_not in Mk by exact G. unfold am in Mk at 1.
      destruct (Req_dec (INR m) 0) as [Zm|Nm].
      - replace (Pr (lists rs m) (iid p) (fun z => at_most (INR (strangers c z)) am)) with 1; [lra|].
        destruct G as [_ Tot]. rewrite <- Tot. apply sum_ext. intros z Iz. apply lists_length in Iz.
        assert (m = 0)%nat by (apply INR_eq; simpl; exact Zm). subst m. destruct z; [|discriminate].
        unfold at_most. destruct (Rle_dec _ _) as [|Nle]; [reflexivity|]. exfalso. apply Nle. exact am0.
      - assert (0 < alpha * INR m) by (apply Rmult_lt_0_compat; lra). nra. }
    destruct (near_and_good (lists rs m) (iid p) _ fail beta G Nr) as [z [Iz [Nz Fz]]].
    - intros z. unfold fail. assert (Q := Pr_le_1 (seq 1 T) (M z) (fun s => Nat.eqb s t) (LM z)). lra.
    - exact F.
    - exists z. split; [apply lists_length in Iz; exact Iz|]. split.
      + apply Dn. unfold at_most in Nz. destruct (Rle_dec _ _); [assumption|discriminate].
      + unfold fail in Fz. lra. }
  (* One sample for each threshold, as a function; the packing lemma does the rest. *)
  assert (Choice : forall k, (k <= T)%nat -> exists z : nat -> list (nat * bool), forall i, (i < k)%nat ->
    length (z i) = m /\ (strangers c (z i) <= d)%nat /\ 1 - 2 * beta <= Pr (seq 1 T) (M (z i)) (fun s => Nat.eqb s (S i))).
  { induction k as [|k IH]; intros Kk; [exists (fun _ => []); intros; lia|].
    destruct (IH ltac:(lia)) as [z Hz]. destruct (Sample (S k) ltac:(apply in_seq; lia)) as [w Hw].
    exists (fun i => if Nat.eqb i k then w else z i). intros i Hi. destruct (Nat.eqb_spec i k) as [->|Ne]; [exact Hw|].
    apply Hz. lia. }
  destruct (Choice T ltac:(lia)) as [z Hz].
  assert (Pk := packing_outputs Nat.eq_dec replace_one (seq 1 T) eps M T d (1 - 2 * beta) (repeat c m) z S LM ltac:(lra) H).
  assert (Bound : INR T * (1 - 2 * beta) <= exp (INR d * eps)).
  { apply Pk.
    - intros i j _ _ Eq. congruence.
    - intros t Ht. destruct (Hz t Ht) as [Len [St _]]. exists (strangers c (z t)). split; [exact St|].
      rewrite <- Len. apply strangers_steps.
    - intros t Ht. destruct (Hz t Ht) as [_ [_ Q]]. eapply Rle_trans; [exact Q|]. apply Pr_mono; [apply LM|].
      intros y _ Ey. apply Nat.eqb_eq in Ey. destruct (Nat.eq_dec y (S t)); [reflexivity|contradiction]. }
  assert (TR : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; exact T1).
  assert (Pos : 0 < INR T * (1 - 2 * beta)) by (apply Rmult_lt_0_compat; lra).
  assert (Ln : ln (INR T * (1 - 2 * beta)) <= am * eps).
  { assert (Le : INR d * eps <= am * eps) by (apply Rmult_le_compat_r; lra).
    eapply Rle_trans; [|exact Le]. rewrite <- (ln_exp (INR d * eps)).
    destruct Bound as [Lt|Eq]; [left; apply ln_increasing; assumption|rewrite Eq; lra]. }
  apply Rmult_le_reg_r with (4 * alpha * eps); [nra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra. unfold am in Ln. lra.
Qed.
