(** * PAC learning without privacy

    Samples of independent records, Hoeffding's inequality, and what follows from it for a finite class. *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums Privacy Mechanisms.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)

(** The probability of a sample of independent records. *)
Fixpoint iid {X} (p : X -> R) (z : list X) : R :=
  match z with [] => 1 | x :: z' => p x * iid p z' end.

(** Over samples of [m] records: the probability of an event, and the mean of a number. *)
Definition Pr_sample {X} (xs : list X) (p : X -> R) (m : nat) (E : list X -> bool) : R :=
  Pr (lists xs m) (iid p) E.
Definition Ex_sample {X} (xs : list X) (p : X -> R) (m : nat) (f : list X -> R) : R :=
  Ex (lists xs m) (iid p) f.

(** The mean of [f] over a data set of [m] records. *)
Definition mean {X} (m : nat) (f : X -> R) (z : list X) : R := sum z f / INR m.

(** A rule [h] is wrong on a labelled example. *)
Definition wrong {I} (h : I -> bool) (r : I * bool) : R := if eqb (h (fst r)) (snd r) then 0 else 1.

(** book: l4-def-true-error -- a population with finitely many labelled examples; the empirical error is defined beside it *)
Definition err {I} (rs : list (I * bool)) (p : I * bool -> R) (h : I -> bool) : R :=
  Ex rs p (wrong h).
Definition training_err {I} (m : nat) (z : list (I * bool)) (h : I -> bool) : R :=
  mean m (wrong h) z.

Lemma wrong_range {I} (h : I -> bool) r : 0 <= wrong h r <= 1.
Proof. unfold wrong. destruct (eqb _ _); lra. Qed.

(** ** Samples *)

Lemma iid_law {X} (xs : list X) p m : law xs p -> law (lists xs m) (iid p).
Proof.
  intros [P T]. split.
  - intros z. induction z; simpl; [lra|]. apply Rmult_le_pos; auto.
  - induction m; [simpl; ring|]. rewrite sum_lists_S. rewrite <- T. apply sum_ext.
    intros x _. simpl. rewrite sum_scale, IHm. ring.
Qed.

(** The records are independent: the mean of a product is the product of the means. *)
Lemma Ex_sample_exp {X} (xs : list X) p m f :
  Ex_sample xs p m (fun z => exp (sum z f)) = Ex xs p (fun x => exp (f x)) ^ m.
Proof.
  unfold Ex_sample, Ex. induction m; [simpl; rewrite exp_0; ring|].
  rewrite sum_lists_S. simpl pow. rewrite <- IHm, <- sum_scale_r. apply sum_ext. intros x _.
  rewrite <- sum_scale. apply sum_ext. intros z _. simpl. rewrite exp_plus. ring.
Qed.

Lemma Ex_nonneg {Y} (ys : list Y) p f :
  (forall y, 0 <= p y) -> (forall y, In y ys -> 0 <= f y) -> 0 <= Ex ys p f.
Proof. intros P F. apply sum_nonneg. intros y I. apply Rmult_le_pos; auto. Qed.

(** book: lem-learning-without-privacy-union-bound -- finitely many outcomes *)
Theorem union_bound {Y H} (ys : list Y) p (hs : list H) (E : H -> Y -> bool) :
  (forall y, 0 <= p y) ->
  Pr ys p (fun y => existsb (fun h => E h y) hs) <= sum hs (fun h => Pr ys p (E h)).
Proof.
  intros P. unfold Pr. rewrite sum_swap. apply sum_le. intros y _.
  induction hs as [|h hs IH]; simpl; [lra|]. specialize (P y).
  assert (0 <= sum hs (fun h => if E h y then p y else 0)).
  { apply sum_nonneg. intros g _. destruct (E g y); lra. }
  destruct (E h y); simpl; lra.
Qed.

(** Markov's inequality, in the form that Chernoff bounds need. *)
Lemma markov {Y} (ys : list Y) p E f :
  (forall y, 0 <= p y) -> (forall y, 0 <= f y) -> (forall y, E y = true -> 1 <= f y) ->
  Pr ys p E <= Ex ys p f.
Proof.
  intros P F H. unfold Pr, Ex. apply sum_le. intros y _. specialize (P y). specialize (F y).
  specialize (H y). destruct (E y); [specialize (H eq_refl)|]; nra.
Qed.

(** ** Hoeffding *)

(** The exponential lies below its chord. *)
Lemma exp_chord s y : 0 <= y <= 1 -> exp (s * y) <= 1 - y + y * exp s.
Proof.
  intros Y. assert (P : 0 < exp (s * y)) by apply exp_pos.
  assert (A := exp_ineq1_le (0 - s * y)). assert (B := exp_ineq1_le (s - s * y)).
  assert (A' : exp (s * y) * (1 + (0 - s * y)) <= 1).
  { replace 1 with (exp (s * y) * exp (0 - s * y)) at 2 by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    apply Rmult_le_compat_l; lra. }
  assert (B' : exp (s * y) * (1 + (s - s * y)) <= exp s).
  { replace (exp s) with (exp (s * y) * exp (s - s * y)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; lra. }
  assert ((1 - y) * (exp (s * y) * (1 + (0 - s * y))) <= (1 - y) * 1) by (apply Rmult_le_compat_l; lra).
  assert (y * (exp (s * y) * (1 + (s - s * y))) <= y * exp s) by (apply Rmult_le_compat_l; lra).
  nra.
Qed.

Lemma derivative_is f x l l' : derivable_pt_lim f x l -> l = l' -> derivable_pt_lim f x l'.
Proof. intros H <-. exact H. Qed.

(** The calculus behind Hoeffding's lemma: the difference of the two exponents has a derivative that does not
    fall, because $w (1 - w) \le \frac14$. *)
Lemma two_point_bound mu s :
  0 <= mu <= 1 -> 0 <= s -> 1 - mu + mu * exp s <= exp (s * mu + s * s / 8).
Proof.
  intros M S.
  set (D := fun x => 1 - mu + mu * exp x). set (w := fun x => mu * exp x / D x).
  assert (DP : forall x, 0 < D x).
  { intros x. unfold D. assert (0 < exp x) by apply exp_pos. destruct (Req_dec mu 0) as [->|]; nra. }
  assert (dD : forall x, derivable_pt_lim D x (mu * exp x)).
  { intros x. unfold D. replace (mu * exp x) with (0 + mu * exp x) by ring.
    apply (derivable_pt_lim_plus (fun _ => 1 - mu) (fun y => mu * exp y)); [apply derivable_pt_lim_const|].
    apply (derivable_pt_lim_scal exp), derivable_pt_lim_exp. }
  set (g1 := fun x => mu + x * / 4 - w x).
  set (g := fun x => x * mu + x * x / 8 - ln (D x)).
  assert (dg1 : forall x, derivable_pt_lim g1 x (/ 4 - w x * (1 - w x))).
  { intros x. unfold g1.
    apply (derivable_pt_lim_minus (fun y => mu + y * / 4) w).
    - apply (derivative_is _ x (0 + (1 * / 4 + x * 0))); [|ring].
      apply (derivable_pt_lim_plus (fun _ => mu) (fun y => y * / 4)); [apply derivable_pt_lim_const|].
      apply (derivable_pt_lim_mult id (fun _ => / 4)); [apply derivable_pt_lim_id|apply derivable_pt_lim_const].
    - apply (derivative_is _ x ((mu * exp x * D x - mu * exp x * (mu * exp x)) / Rsqr (D x))).
      + apply (derivable_pt_lim_div (fun y => mu * exp y) D); [|apply dD|specialize (DP x); lra].
        apply (derivable_pt_lim_scal exp), derivable_pt_lim_exp.
      + unfold w, Rsqr. specialize (DP x). field. lra. }
  assert (dg : forall x, derivable_pt_lim g x (g1 x)).
  { intros x. unfold g, g1.
    apply (derivable_pt_lim_minus (fun y => y * mu + y * y / 8) (fun y => ln (D y))).
    - apply (derivative_is _ x ((1 * mu + x * 0) + ((1 * x + x * 1) * / 8 + x * x * 0))); [|field].
      apply (derivable_pt_lim_plus (fun y => y * mu) (fun y => y * y / 8)).
      + apply (derivable_pt_lim_mult id (fun _ => mu)); [apply derivable_pt_lim_id|apply derivable_pt_lim_const].
      + apply (derivable_pt_lim_mult (fun y => y * y) (fun _ => / 8)); [|apply derivable_pt_lim_const].
        apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    - apply (derivative_is _ x (/ D x * (mu * exp x))); [|unfold w; specialize (DP x); field; lra].
      apply (derivable_pt_lim_comp D ln); [apply dD|apply derivable_pt_lim_ln; apply DP]. }
  assert (g1P : forall x, 0 <= x -> 0 <= g1 x).
  { intros x X. replace 0 with (g1 0).
    - apply (grows g1 (fun y => / 4 - w y * (1 - w y)) 0 x X); intros y _; [apply dg1|].
      assert (Q := Rle_0_sqr (w y - / 2)). unfold Rsqr in Q. lra.
    - unfold g1, w, D. rewrite exp_0. field. lra. }
  assert (G : g 0 <= g s) by (apply (grows g g1 0 s S); intros; [apply dg|apply g1P; lra]).
  unfold g in G. replace (ln (D 0)) with 0 in G.
  - fold (D s). rewrite <- (exp_ln (D s) (DP s)). apply exp_le. lra.
  - unfold D. rewrite exp_0. replace (1 - mu + mu * 1) with 1 by ring. symmetry. apply ln_1.
Qed.

(** book: lem-learning-without-privacy-hoeffding -- finitely many values *)
Theorem hoeffding_lemma {X} (xs : list X) p (Y : X -> R) a s :
  law xs p -> (forall x, a <= Y x <= a + 1) -> Ex xs p Y = 0 ->
  Ex xs p (fun x => exp (s * Y x)) <= exp (s * s / 8).
Proof.
  revert Y a s.
  assert (X1 : forall (Y : X -> R) a s, 0 <= s -> law xs p -> (forall x, a <= Y x <= a + 1) -> Ex xs p Y = 0 ->
    Ex xs p (fun x => exp (s * Y x)) <= exp (s * s / 8)).
  { intros Y a s S L B Z.
    assert (M : 0 <= - a <= 1).
    { assert (A1 : Ex xs p (fun _ => a) <= Ex xs p Y) by (apply Ex_le; [apply L|intros; apply B]).
      assert (A2 : Ex xs p Y <= Ex xs p (fun _ => a + 1)) by (apply Ex_le; [apply L|intros; apply B]).
      rewrite Ex_const in A1, A2 by exact L. lra. }
    apply Rle_trans with (Ex xs p (fun x => exp (s * a) * (1 + a - a * exp s) + exp (s * a) * (exp s - 1) * Y x)).
    - apply Ex_le; [apply L|]. intros x _. specialize (B x).
      replace (s * Y x) with (s * a + s * (Y x - a)) by ring. rewrite exp_plus.
      assert (C := exp_chord s (Y x - a)). assert (0 < exp (s * a)) by apply exp_pos.
      apply Rle_trans with (exp (s * a) * (1 - (Y x - a) + (Y x - a) * exp s)); [|right; ring].
      apply Rmult_le_compat_l; [lra|]. apply C. lra.
    - rewrite Ex_plus, Ex_const, Ex_scale, Z by exact L.
      assert (T := two_point_bound (- a) s M S).
      replace (s * s / 8) with (s * a + (s * - a + s * s / 8)) by ring. rewrite exp_plus.
      assert (0 < exp (s * a)) by apply exp_pos.
      replace (exp (s * a) * (1 + a - a * exp s) + exp (s * a) * (exp s - 1) * 0)
        with (exp (s * a) * (1 - - a + - a * exp s)) by ring.
      apply Rmult_le_compat_l; lra. }
  intros Y a s L B Z. destruct (Rle_dec 0 s) as [S|S]; [apply (X1 Y a); assumption|].
  replace (s * s / 8) with (- s * - s / 8) by field.
  replace (Ex xs p (fun x => exp (s * Y x))) with (Ex xs p (fun x => exp (- s * - Y x))).
  - apply (X1 (fun x => - Y x) (- a - 1)); [lra|exact L| |].
    + intros x. specialize (B x). lra.
    + replace (Ex xs p (fun x => - Y x)) with (-1 * Ex xs p Y); [rewrite Z; ring|].
      rewrite <- Ex_scale. apply sum_ext. intros; ring.
  - apply sum_ext. intros. f_equal. f_equal. ring.
Qed.

Lemma sum_shift {X} (z : list X) f c : sum z (fun x => f x - c) = sum z f - INR (length z) * c.
Proof. rewrite sum_minus, sum_const. reflexivity. Qed.

Lemma exp_pow x m : exp x ^ m = exp (INR m * x).
Proof.
  induction m; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|].
  rewrite S_INR. simpl pow. rewrite IHm, <- exp_plus. f_equal. ring.
Qed.

(** One tail. *)
Lemma hoeffding_upper {X} (xs : list X) p f m a :
  law xs p -> (forall x, 0 <= f x <= 1) -> (0 < m)%nat -> 0 <= a ->
  Pr_sample xs p m (fun z => above (mean m f z) (Ex xs p f + a)) <= exp (- 2 * INR m * a * a).
Proof.
  intros L F M A. set (mu := Ex xs p f). assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  set (s := 4 * a).
  apply Rle_trans with (Ex_sample xs p m (fun z => exp (sum z (fun x => s * (f x - mu) - s * a)))).
  - unfold Pr_sample, Ex_sample, Pr, Ex. apply sum_le. intros z Z. apply lists_length in Z.
    assert (0 <= iid p z) by (apply (iid_law xs p m L)).
    assert (0 < exp (sum z (fun x => s * (f x - mu) - s * a))) by apply exp_pos.
    unfold above. destruct (Rlt_dec (mu + a) (mean m f z)) as [G|]; [|nra].
    assert (1 <= exp (sum z (fun x => s * (f x - mu) - s * a))); [|nra].
    apply exp_ge_1. rewrite sum_shift, sum_scale, sum_shift, Z.
    unfold mean in G. apply Rmult_lt_compat_r with (r := INR m) in G; [|exact I].
    unfold Rdiv in G. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in G by lra. unfold s. nra.
  - rewrite Ex_sample_exp.
    assert (B : Ex xs p (fun x => exp (s * (f x - mu) - s * a)) <= exp (- 2 * a * a)).
    { replace (Ex xs p (fun x => exp (s * (f x - mu) - s * a)))
        with (exp (- (s * a)) * Ex xs p (fun x => exp (s * (f x - mu)))).
      - assert (H : Ex xs p (fun x => exp (s * (f x - mu))) <= exp (s * s / 8)).
        { apply (hoeffding_lemma xs p (fun x => f x - mu) (- mu)); [exact L| |].
          - intros x. specialize (F x). lra.
          - replace (Ex xs p (fun x => f x - mu)) with (Ex xs p f + Ex xs p (fun _ => - mu)).
            + rewrite Ex_const by exact L. fold mu. ring.
            + rewrite <- Ex_plus. reflexivity. }
        replace (- 2 * a * a) with (- (s * a) + s * s / 8) by (unfold s; field).
        rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|exact H].
      - rewrite <- Ex_scale. apply sum_ext. intros x _. f_equal.
        rewrite <- exp_plus. f_equal. ring. }
    replace (- 2 * INR m * a * a) with (INR m * (- 2 * a * a)) by ring. rewrite <- exp_pow.
    apply pow_incr. split; [|exact B]. apply Ex_nonneg; [apply L|]. intros. left. apply exp_pos.
Qed.

(** book: l4-lem-hoeffding -- for any mean of numbers in $[0, 1]$, finitely many records *)
Theorem hoeffding {X} (xs : list X) p f m a :
  law xs p -> (forall x, 0 <= f x <= 1) -> (0 < m)%nat -> 0 < a ->
  Pr_sample xs p m (fun z => above (mean m f z - Ex xs p f) a) <= exp (- 2 * INR m * a * a) /\
  Pr_sample xs p m (fun z => above (Ex xs p f - mean m f z) a) <= exp (- 2 * INR m * a * a) /\
  Pr_sample xs p m (fun z => above (Rabs (mean m f z - Ex xs p f)) a) <= 2 * exp (- 2 * INR m * a * a).
Proof.
  intros L F M A. assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  assert (P := proj1 (iid_law xs p m L)).
  assert (U : Pr_sample xs p m (fun z => above (mean m f z - Ex xs p f) a) <= exp (- 2 * INR m * a * a)).
  { eapply Rle_trans; [|apply (hoeffding_upper xs p f m a); auto with real].
    apply Pr_mono; [exact P|]. intros z _. unfold above.
    destruct (Rlt_dec a _); [|discriminate]. intros _. destruct (Rlt_dec (Ex xs p f + a) _); [reflexivity|lra]. }
  assert (V : Pr_sample xs p m (fun z => above (Ex xs p f - mean m f z) a) <= exp (- 2 * INR m * a * a)).
  { eapply Rle_trans; [|apply (hoeffding_upper xs p (fun x => 1 - f x) m a); auto with real].
    - apply Pr_mono; [exact P|]. intros z Z. apply lists_length in Z.
      assert (E : Ex xs p (fun x => 1 - f x) = 1 - Ex xs p f).
      { replace (Ex xs p (fun x => 1 - f x)) with (Ex xs p (fun _ => 1) + -1 * Ex xs p f).
        - rewrite Ex_const by exact L. ring.
        - rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros; ring. }
      assert (G : mean m (fun x => 1 - f x) z = 1 - mean m f z).
      { unfold mean. rewrite sum_minus, sum_const, Z. field. lra. }
      rewrite E, G. unfold above. destruct (Rlt_dec a _); [|discriminate]. intros _.
      destruct (Rlt_dec _ _); [reflexivity|lra].
    - intros x. specialize (F x). lra. }
  split; [exact U|]. split; [exact V|].
  apply Rle_trans with (Pr_sample xs p m (fun z => above (mean m f z - Ex xs p f) a) +
    Pr_sample xs p m (fun z => above (Ex xs p f - mean m f z) a)); [|lra].
  unfold Pr_sample, Pr. rewrite <- sum_plus. apply sum_le. intros z _. specialize (P z).
  unfold above, Rabs. destruct (Rcase_abs _);
    repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y) end; lra.
Qed.

(** ** A finite class *)

(** Some mean over the sample is off by more than [a]. *)
Definition off {X H} (xs : list X) p (hs : list H) (f : H -> X -> R) (m : nat) (a : R) (z : list X) : bool :=
  existsb (fun h => above (Rabs (mean m (f h) z - Ex xs p (f h))) a) hs.

Lemma not_off {X H} (xs : list X) p (hs : list H) f m a z h :
  off xs p hs f m a z = false -> In h hs -> Rabs (mean m (f h) z - Ex xs p (f h)) <= a.
Proof.
  intros O I. destruct (Rle_dec (Rabs (mean m (f h) z - Ex xs p (f h))) a) as [|N]; [assumption|].
  exfalso. unfold off in O. rewrite <- not_true_iff_false in O. apply O. apply existsb_exists.
  exists h. split; [exact I|]. unfold above. destruct (Rlt_dec _ _); [reflexivity|lra].
Qed.

(** book: l4-thm-uniform-convergence -- for any losses in $[0, 1]$, finitely many records *)
Theorem uniform_convergence {X H} (xs : list X) p (hs : list H) (f : H -> X -> R) m a beta :
  law xs p -> (forall h x, 0 <= f h x <= 1) -> hs <> [] -> 0 < a -> 0 < beta < 1 ->
  ln (2 * INR (length hs) / beta) / (2 * (a * a)) <= INR m ->
  Pr_sample xs p m (off xs p hs f m a) <= beta.
Proof.
  intros L F N A B M.
  assert (K : 1 <= INR (length hs)).
  { change 1 with (INR 1). apply le_INR. destruct hs; [congruence|simpl; lia]. }
  assert (Q : 0 < 2 * INR (length hs) / beta) by (apply Rdiv_lt_0_compat; lra).
  assert (AA : 0 < 2 * (a * a)) by nra.
  assert (LP : 0 < ln (2 * INR (length hs) / beta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|]. field_simplify; lra. }
  assert (I : 0 < INR m) by (eapply Rlt_le_trans; [|exact M]; apply Rdiv_lt_0_compat; assumption).
  assert (M' : (0 < m)%nat) by (destruct m; [simpl in I; lra|lia]).
  eapply Rle_trans; [apply union_bound; apply (iid_law xs p m L)|].
  apply Rle_trans with (sum hs (fun _ => 2 * exp (- 2 * INR m * a * a))).
  { apply sum_le. intros h _. apply (hoeffding xs p (f h) m a); auto. }
  rewrite sum_const.
  assert (E : exp (- 2 * INR m * a * a) <= beta / (2 * INR (length hs))).
  { replace (beta / (2 * INR (length hs))) with (exp (- ln (2 * INR (length hs) / beta))).
    - apply exp_le. apply Rmult_le_compat_r with (r := 2 * (a * a)) in M; [|lra].
      unfold Rdiv at 1 in M. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in M by lra. lra.
    - rewrite exp_Ropp, exp_ln by exact Q. field. lra. }
  apply Rmult_le_compat_l with (r := 2 * INR (length hs)) in E; [|lra].
  replace (2 * INR (length hs) * (beta / (2 * INR (length hs)))) with beta in E by (field; lra). lra.
Qed.

(** book: thm-learning-without-privacy-best-fit -- a population with finitely many labelled examples *)
Theorem best_fit_is_nearly_best {I} (rs : list (I * bool)) p (hs : list (I -> bool)) m z a h' :
  (forall h, In h hs -> Rabs (training_err m z h - err rs p h) <= a) ->
  In h' hs -> (forall h, In h hs -> training_err m z h' <= training_err m z h) ->
  forall h, In h hs -> err rs p h' <= err rs p h + 2 * a.
Proof.
  intros C J B h K. assert (C1 := C h' J). assert (C2 := C h K). specialize (B h K).
  unfold Rabs in C1, C2. destruct (Rcase_abs _), (Rcase_abs _); lra.
Qed.

(** book: l4-thm-uc-implies-agnostic -- part 2, for finitely many labelled examples; ties are broken by a fixed rule *)
Theorem erm_learns {I} (rs : list (I * bool)) p (hs : list (I -> bool)) (erm : list (I * bool) -> I -> bool)
    m alpha beta h :
  law rs p -> In h hs -> 0 < alpha -> 0 < beta < 1 ->
  (forall z, In (erm z) hs /\ forall g, In g hs -> training_err m z (erm z) <= training_err m z g) ->
  2 * ln (2 * INR (length hs) / beta) / (alpha * alpha) <= INR m ->
  1 - beta <= Pr_sample rs p m (fun z => at_most (err rs p (erm z)) (err rs p h + alpha)).
Proof.
  intros L J A B R M.
  assert (U := uniform_convergence rs p hs wrong m (alpha / 2) beta L (fun h r => wrong_range h r)).
  assert (N : hs <> []) by (destruct hs; [contradiction|discriminate]).
  specialize (U N). assert (A2 : 0 < alpha / 2) by lra. specialize (U A2 B).
  replace (ln (2 * INR (length hs) / beta) / (2 * (alpha / 2 * (alpha / 2))))
    with (2 * ln (2 * INR (length hs) / beta) / (alpha * alpha)) in U by (field; lra).
  specialize (U M). assert (G := iid_law rs p m L).
  apply Rle_trans with (Pr_sample rs p m (fun z => negb (off rs p hs wrong m (alpha / 2) z))).
  { unfold Pr_sample in *. rewrite Pr_not by exact G. lra. }
  apply Pr_mono; [apply G|]. intros z _ O. apply negb_true_iff in O. unfold at_most.
  destruct (Rle_dec _ _) as [|F]; [reflexivity|]. exfalso. apply F.
  replace alpha with (2 * (alpha / 2)) by field.
  apply (best_fit_is_nearly_best rs p hs m z (alpha / 2) (erm z)); try apply R; [|exact J].
  intros g K. apply (not_off rs p hs wrong m (alpha / 2) z g O K).
Qed.

(** ** The best fit is not private *)

(** An algorithm that chooses among the rules of least training error, in whatever way it breaks ties. *)
Definition fits_best {I} (hs : list (I -> bool)) (m : nat) (A : list (I * bool) -> (I -> bool) -> R) : Prop :=
  algorithm hs A /\ forall z h g, length z = m -> In h hs -> In g hs -> 0 < A z h ->
    training_err m z h <= training_err m z g.

(** [k] examples that say no at [x], and [l] that say yes. *)
Definition divided {I} (x : I) (k l : nat) : list (I * bool) := repeat (x, false) k ++ repeat (x, true) l.

Lemma divided_mistakes {I} (x : I) k l (h : I -> bool) :
  sum (divided x k l) (wrong h) = if h x then INR k else INR l.
Proof.
  assert (Rep : forall (r : I * bool) n f, sum (repeat r n) f = INR n * f r).
  { intros r n f. induction n; [simpl; ring|]. rewrite S_INR. simpl. rewrite IHn. ring. }
  unfold divided. rewrite sum_app, !Rep. unfold wrong. simpl. destruct (h x); simpl; ring.
Qed.

(** The majority decides. *)
Lemma divided_majority {I} (hs : list (I -> bool)) (x : I) m A k l (y : bool) g :
  fits_best hs m A -> (k + l = m)%nat -> In g hs -> g x = y ->
  (if y then (k < l)%nat else (l < k)%nat) ->
  Pr hs (A (divided x k l)) (fun h => eqb (h x) y) = 1.
Proof.
  intros [L F] S J Gy Mj. set (z := divided x k l).
  assert (Len : length z = m) by (unfold z, divided; rewrite app_length, !repeat_length; exact S).
  destruct (L z) as [P T]. rewrite <- T. apply sum_ext. intros h K.
  destruct (eqb (h x) y) eqn:E; [reflexivity|]. destruct (P h) as [Pos|Z]; [|exact Z]. exfalso.
  specialize (F z h g Len K J Pos). unfold training_err, mean in F.
  assert (M0 : 0 < INR m) by (apply lt_0_INR; destruct y; lia).
  apply Rmult_le_compat_r with (r := INR m) in F; [|lra]. unfold Rdiv in F.
  rewrite !Rmult_assoc, Rinv_l, !Rmult_1_r in F by lra. unfold z in F. rewrite !divided_mistakes in F.
  apply eqb_false_iff in E. destruct (h x) eqn:Hx, y; try congruence; rewrite Gy in F; cbv iota in F;
    apply INR_le in F; lia.
Qed.

Lemma divided_neighbours {I} (x : I) k l : replace_one (divided x (S k) l) (divided x k (S l)).
Proof.
  exists (repeat (x, false) k), (x, false), (x, true), (repeat (x, true) l).
  split; [|split; [reflexivity|congruence]]. unfold divided.
  change (repeat (x, false) (S k)) with ((x, false) :: repeat (x, false) k).
  rewrite repeat_cons, <- app_assoc. reflexivity.
Qed.

(** book: prop-learning-without-privacy-erm -- the claim on pure privacy is the case of $\delta = 0$; privacy is assumed for every number of records, not only for m; $\delta$ may be any number, so that $\delta \ge 1$ stands for $\delta = 1$ *)
Theorem erm_not_private {I} (hs : list (I -> bool)) (x : I) g0 g1 (A : list (I * bool) -> (I -> bool) -> R) m eps delta :
  In g0 hs -> In g1 hs -> g0 x = false -> g1 x = true -> fits_best hs m A -> (0 < m)%nat ->
  private replace_one hs eps delta A ->
  if Nat.odd m then 1 <= delta else 1 / 2 <= delta.
Proof.
  intros J0 J1 G0 G1 F M H.
  assert (H' : forall z z' : list (I * bool), replace_one z z' -> within hs eps delta (A z') (A z)).
  { intros z z' [l [r [r' [t [-> [-> N]]]]]]. apply H. exists l, r', r, t. auto. }
  assert (No : forall k l, (k + l = m)%nat -> (l < k)%nat -> Pr hs (A (divided x k l)) (fun h => eqb (h x) false) = 1)
    by (intros; apply (divided_majority hs x m A k l false g0); auto).
  assert (Yes : forall k l, (k + l = m)%nat -> (k < l)%nat -> Pr hs (A (divided x k l)) (fun h => eqb (h x) true) = 1)
    by (intros; apply (divided_majority hs x m A k l true g1); auto).
  assert (Flip : forall z, Pr hs (A z) (fun h => eqb (h x) false) = 1 - Pr hs (A z) (fun h => eqb (h x) true)).
  { intros z. rewrite <- Pr_not by apply F. apply sum_ext. intros h _. destruct (h x); reflexivity. }
  destruct (Nat.odd m) eqn:O.
  - apply Nat.odd_spec in O. destruct O as [k O].
    assert (N := H _ _ (divided_neighbours x k k) (fun h => eqb (h x) false)).
    rewrite (No (S k) k) in N by lia. rewrite Flip, (Yes k (S k)) in N by lia. lra.
  - assert (V : Nat.even m = true) by (rewrite <- Nat.negb_odd, O; reflexivity).
    apply Nat.even_spec in V. destruct V as [[|k] V]; [lia|].
    (* On a tie one of the two answers has at least half of the probability. *)
    set (tie := divided x (S k) (S k)).
    assert (N1 := H' _ _ (divided_neighbours x (S k) k) (fun h => eqb (h x) true)).
    assert (N2 := H _ _ (divided_neighbours x k (S k)) (fun h => eqb (h x) false)).
    fold tie in N1, N2.
    assert (Z1 : Pr hs (A (divided x (S (S k)) k)) (fun h => eqb (h x) true) = 0).
    { assert (Q := Flip (divided x (S (S k)) k)). rewrite (No (S (S k)) k) in Q by lia. lra. }
    assert (Z2 : Pr hs (A (divided x k (S (S k)))) (fun h => eqb (h x) false) = 0).
    { rewrite Flip, (Yes k (S (S k))) by lia. ring. }
    rewrite Z1 in N1. rewrite Z2 in N2. assert (Q := Flip tie). lra.
Qed.
