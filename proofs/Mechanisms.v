(** * Private choices

    The exponential mechanism chooses one of finitely many options by their scores: it is private, and it
    chooses well.  Permute-and-flip is private as well. *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums Privacy.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)

(** book: l4-def-sensitivity -- a bound on the supremum, for all options, listed or not *)
Definition sensitivity {D H} (adj : D -> D -> Prop) (u : D -> H -> R) (Delta : R) : Prop :=
  forall d d' h, adj d d' -> Rabs (u d h - u d' h) <= Delta.

(** [best hs f v] says that [v] is the largest value of [f] on the list [hs]. *)
Definition best {H} (hs : list H) (f : H -> R) (v : R) : Prop :=
  (exists h, In h hs /\ f h = v) /\ forall h, In h hs -> f h <= v.

(** Comparisons of numbers as answers yes or no. *)
Definition at_most (x y : R) : bool := if Rle_dec x y then true else false.
Definition above (x y : R) : bool := if Rlt_dec y x then true else false.

(** The weight of an option. *)
Definition weight {D H} (u : D -> H -> R) (eps Delta : R) (d : D) (h : H) : R :=
  exp (eps * u d h / (2 * Delta)).

(** book: l4-exp-mech *)
Definition exponential {D H} (hs : list H) (u : D -> H -> R) (eps Delta : R) (d : D) (h : H) : R :=
  weight u eps Delta d h / sum hs (weight u eps Delta d).

(** ** The exponential mechanism is private *)

Lemma weight_pos {D H} u eps Delta (d : D) (h : H) : 0 < weight u eps Delta d h.
Proof. apply exp_pos. Qed.

Lemma sensitivity_le {D H} adj (u : D -> H -> R) Delta d d' h :
  sensitivity adj u Delta -> adj d d' ->
  u d h - Delta <= u d' h <= u d h + Delta.
Proof.
  intros S A. specialize (S d d' h A). unfold Rabs in S.
  destruct (Rcase_abs (u d h - u d' h)); lra.
Qed.

Lemma weight_le {D H} adj (u : D -> H -> R) eps Delta d d' h :
  0 <= eps -> 0 < Delta -> sensitivity adj u Delta -> adj d d' ->
  weight u eps Delta d h <= exp (eps / 2) * weight u eps Delta d' h /\
  weight u eps Delta d' h <= exp (eps / 2) * weight u eps Delta d h.
Proof.
  intros E P S A. assert (B := sensitivity_le adj u Delta d d' h S A).
  unfold weight. rewrite <- !exp_plus.
  assert (X : forall x y, x <= y + Delta -> eps * x / (2 * Delta) <= eps / 2 + eps * y / (2 * Delta)).
  { intros x y L. apply Rmult_le_reg_r with (2 * Delta); [lra|]. field_simplify; nra. }
  split; apply exp_le, X; lra.
Qed.

Lemma exponential_law {D H} (hs : list H) (u : D -> H -> R) eps Delta :
  hs <> [] -> algorithm hs (exponential hs u eps Delta).
Proof.
  intros N d. assert (W : 0 < sum hs (weight u eps Delta d)) by (apply sum_pos; [exact N|apply weight_pos]).
  split.
  - intros h. unfold exponential, Rdiv. apply Rmult_le_pos; [left; apply weight_pos|].
    left. apply Rinv_0_lt_compat. exact W.
  - unfold exponential, Rdiv. rewrite sum_scale_r. field. lra.
Qed.

(** book: l4-exp-mech-privacy *)
Theorem exponential_private {D H} (adj : D -> D -> Prop) (hs : list H) (u : D -> H -> R) eps Delta :
  0 <= eps -> 0 < Delta -> hs <> [] -> sensitivity adj u Delta ->
  (forall d d' h, adj d d' ->
    exponential hs u eps Delta d h <= exp eps * exponential hs u eps Delta d' h) /\
  private adj hs eps 0 (exponential hs u eps Delta).
Proof.
  intros E P N S.
  assert (X : forall d d' h, adj d d' ->
    exponential hs u eps Delta d h <= exp eps * exponential hs u eps Delta d' h).
  { intros d d' h A. unfold exponential.
    assert (W : forall e, 0 < sum hs (weight u eps Delta e)) by (intros; apply sum_pos; [exact N|apply weight_pos]).
    assert (W1 := W d). assert (W2 := W d').
    assert (V := proj1 (weight_le adj u eps Delta d d' h E P S A)).
    assert (Z : sum hs (weight u eps Delta d') <= exp (eps / 2) * sum hs (weight u eps Delta d)).
    { rewrite <- sum_scale. apply sum_le. intros x _.
      apply (weight_le adj u eps Delta d d' x); assumption. }
    assert (Q : 0 < exp (eps / 2)) by apply exp_pos.
    replace (exp eps) with (exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; lra).
    set (g := exp (eps / 2)) in *.
    assert (I : / sum hs (weight u eps Delta d) <= g * / sum hs (weight u eps Delta d')).
    { apply Rmult_le_reg_r with (sum hs (weight u eps Delta d) * sum hs (weight u eps Delta d')); [nra|].
      field_simplify; lra. }
    unfold Rdiv.
    apply Rle_trans with ((g * weight u eps Delta d' h) * (g * / sum hs (weight u eps Delta d'))); [|right; ring].
    apply Rmult_le_compat; [left; apply weight_pos|left; apply Rinv_0_lt_compat; lra|exact V|exact I]. }
  split; [exact X|]. intros d d' A. apply within_of_outputs. intros h. apply X. exact A.
Qed.

(** ** It chooses well *)

(** The number of options that have the score [v]. *)
Definition ties {H} (hs : list H) (f : H -> R) (v : R) : R :=
  sum hs (fun h => if Req_EM_T (f h) v then 1 else 0).

Lemma ties_ge_1 {H} (hs : list H) f v : best hs f v -> 1 <= ties hs f v.
Proof.
  intros [[h [I E]] _]. unfold ties.
  apply Rle_trans with (if Req_EM_T (f h) v then 1 else 0); [destruct (Req_EM_T (f h) v); lra|].
  apply (sum_member hs (fun h => if Req_EM_T (f h) v then 1 else 0) h I).
  intros y _. destruct (Req_EM_T (f y) v); lra.
Qed.

(** book: thm-exponential-mechanism-ties *)
Theorem exponential_accurate_with_ties {D H} (hs : list H) (u : D -> H -> R) eps Delta d opt t :
  0 < eps -> 0 < Delta -> best hs (u d) opt ->
  Pr hs (exponential hs u eps Delta d)
    (fun h => at_most (u d h) (opt - 2 * Delta / eps * (ln (INR (length hs) / ties hs (u d) opt) + t)))
  <= exp (- t).
Proof.
  intros E P B. assert (T := ties_ge_1 hs (u d) opt B). set (k := ties hs (u d) opt) in *.
  assert (N : hs <> []) by (intros ->; destruct B as [[h [[] _]] _]).
  assert (L : 0 < INR (length hs)) by (apply lt_0_INR; destruct hs; [congruence|simpl; lia]).
  set (top := exp (eps * opt / (2 * Delta))). assert (Q : 0 < top) by apply exp_pos.
  assert (W : k * top <= sum hs (weight u eps Delta d)).
  { unfold k, ties. rewrite <- sum_scale_r. apply sum_le. intros h _.
    assert (0 < weight u eps Delta d h) by apply weight_pos.
    destruct (Req_EM_T (u d h) opt) as [e|_]; [unfold weight; rewrite e; fold top; lra|lra]. }
  assert (W0 : 0 < sum hs (weight u eps Delta d)) by nra.
  set (W' := sum hs (weight u eps Delta d)) in *.
  (* Each option with such a poor score weighs little beside the best ones. *)
  apply Rle_trans with (sum hs (fun _ => k * top * exp (- t) / INR (length hs) / W')).
  { unfold Pr. apply sum_le. intros h _. unfold at_most.
    assert (0 <= k * top * exp (- t) / INR (length hs) / W').
    { assert (0 < exp (- t)) by apply exp_pos. unfold Rdiv.
      repeat apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra. }
    destruct (Rle_dec _ _) as [R|_]; [|assumption].
    unfold exponential. fold W'. 
    apply (Rmult_le_compat_r (/ W') (weight u eps Delta d h) (k * top * exp (- t) / INR (length hs))); [left; apply Rinv_0_lt_compat; exact W0|].
    replace (k * top * exp (- t) / INR (length hs)) with (exp (eps * opt / (2 * Delta) + - (ln (INR (length hs) / k) + t))).
    - apply exp_le. apply Rmult_le_compat_l with (r := eps / (2 * Delta)) in R; [|left; apply Rdiv_lt_0_compat; lra].
      replace (eps * u d h / (2 * Delta)) with (eps / (2 * Delta) * u d h) by (field; lra).
      eapply Rle_trans; [exact R|]. right. field. lra.
    - rewrite exp_plus, Ropp_plus_distr, exp_plus, exp_Ropp with (x := ln _), exp_ln by (apply Rdiv_lt_0_compat; lra).
      fold top. field. lra. }
  rewrite sum_const. apply Rmult_le_reg_r with W'; [exact W0|].
  assert (0 < exp (- t)) by apply exp_pos. field_simplify; [|lra..]. nra.
Qed.

(** book: l4-exp-mech-utility *)
Theorem exponential_accurate {D H} (hs : list H) (u : D -> H -> R) eps Delta d opt :
  0 < eps -> 0 < Delta -> best hs (u d) opt ->
  (forall t, Pr hs (exponential hs u eps Delta d)
      (fun h => at_most (u d h) (opt - 2 * Delta / eps * (ln (INR (length hs)) + t)))
    <= exp (- t)) /\
  (forall beta, 0 < beta ->
    1 - beta <= Pr hs (exponential hs u eps Delta d)
      (fun h => above (u d h) (opt - 2 * Delta / eps * ln (INR (length hs) / beta)))).
Proof.
  intros E P B.
  assert (N : hs <> []) by (intros ->; destruct B as [[h [[] _]] _]).
  assert (L : 0 < INR (length hs)) by (apply lt_0_INR; destruct hs; [congruence|simpl; lia]).
  assert (T := ties_ge_1 hs (u d) opt B).
  assert (X : forall t, Pr hs (exponential hs u eps Delta d)
      (fun h => at_most (u d h) (opt - 2 * Delta / eps * (ln (INR (length hs)) + t))) <= exp (- t)).
  { intros t. eapply Rle_trans; [|apply (exponential_accurate_with_ties hs u eps Delta d opt t E P B)].
    apply Pr_mono; [apply exponential_law; exact N|]. intros h _. unfold at_most.
    destruct (Rle_dec (u d h) _) as [R|]; [intros _|discriminate].
    destruct (Rle_dec _ _) as [|F]; [reflexivity|]. exfalso. apply F. eapply Rle_trans; [exact R|].
    assert (ln (INR (length hs) / ties hs (u d) opt) <= ln (INR (length hs))).
    { unfold Rdiv. assert (0 < / ties hs (u d) opt <= 1).
      { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
      destruct (Req_dec (INR (length hs) * / ties hs (u d) opt) (INR (length hs))) as [->|]; [lra|].
      left. apply ln_increasing; nra. }
    assert (0 < 2 * Delta / eps) by (apply Rdiv_lt_0_compat; lra). nra. }
  split; [exact X|]. intros beta Hb. specialize (X (- ln beta)).
  rewrite Ropp_involutive, exp_ln in X by exact Hb.
  assert (G := exponential_law hs u eps Delta N d).
  assert (Y := Pr_not hs _ (fun h => at_most (u d h) (opt - 2 * Delta / eps * (ln (INR (length hs)) + - ln beta))) G).
  apply Rle_trans with (1 - Pr hs (exponential hs u eps Delta d)
    (fun h => at_most (u d h) (opt - 2 * Delta / eps * (ln (INR (length hs)) + - ln beta)))); [lra|].
  rewrite <- Y. right. apply sum_ext. intros h _. unfold at_most, above.
  replace (ln (INR (length hs) / beta)) with (ln (INR (length hs)) + - ln beta)
    by (unfold Rdiv; rewrite ln_mult, ln_Rinv; [reflexivity|exact Hb|lra|apply Rinv_0_lt_compat; lra]).
  destruct (Rle_dec _ _), (Rlt_dec _ _); simpl; lra.
Qed.

(** ** Permute-and-flip

    Options are visited in random order, and the option [h] is accepted with probability [flip h], which is
    1 for a best option.  Averaged over the orders, [h] is chosen with probability

        $q_h \int_0^1 \prod_{j \ne h} (1 - q_j t) dt$.

    The integrand is a polynomial, which is kept as the list of its coefficients, and its integral from 0 to
    [x] is the polynomial [area]. *)

Fixpoint value (i : nat) (c : list R) (x : R) : R :=
  match c with [] => 0 | a :: c' => a * x ^ i + value (S i) c' x end.

Fixpoint area (i : nat) (c : list R) (x : R) : R :=
  match c with [] => 0 | a :: c' => a / INR (S i) * x ^ (S i) + area (S i) c' x end.

Fixpoint plus_poly (c d : list R) : list R :=
  match c, d with
  | [], _ => d
  | _, [] => c
  | a :: c', b :: d' => (a + b) :: plus_poly c' d'
  end.

(** The coefficients of the product of all $1 - q t$ for [q] in a list. *)
Definition product (qs : list R) : list R :=
  fold_right (fun q c => plus_poly c (0 :: map (fun a => - q * a) c)) [1] qs.

(** The integral over the unit interval. *)
Definition integral (qs : list R) : R := area 0 (product qs) 1.

Section PermuteAndFlip.
Variables (D H : Type) (eq_dec : forall a b : H, {a = b} + {a <> b}).
Variables (adj : D -> D -> Prop) (hs : list H) (u : D -> H -> R) (opt : D -> R) (eps Delta : R).

Definition flip (d : D) (h : H) : R := exp (eps * (u d h - opt d) / (2 * Delta)).

Definition permute_and_flip (d : D) (h : H) : R :=
  flip d h * integral (map (flip d) (remove eq_dec h hs)).
End PermuteAndFlip.

Lemma value_plus i c d x : value i (plus_poly c d) x = value i c x + value i d x.
Proof.
  revert i d. induction c as [|a c IH]; intros i [|b d]; simpl; try lra. rewrite IH. ring.
Qed.

Lemma value_scale i c q x : value i (map (fun a => q * a) c) x = q * value i c x.
Proof. revert i. induction c; intros i; simpl; [ring|]. rewrite IHc. ring. Qed.

Lemma value_shift i c x : value (S i) c x = x * value i c x.
Proof. revert i. induction c; intros i; simpl; [ring|]. rewrite IHc. simpl. ring. Qed.

(** The value of the product is the product of the factors. *)
Fixpoint factors (qs : list R) (x : R) : R :=
  match qs with [] => 1 | q :: t => (1 - q * x) * factors t x end.

Lemma value_product qs x : value 0 (product qs) x = factors qs x.
Proof.
  induction qs as [|q qs IH]; simpl; [ring|]. unfold product in *. simpl.
  rewrite value_plus. simpl. rewrite value_shift, value_scale, IH. ring.
Qed.

Lemma area_derivative i c x : derivable_pt_lim (area i c) x (value i c x).
Proof.
  revert i. induction c as [|a c IH]; intros i.
  - apply derivable_pt_lim_const.
  - change (derivable_pt_lim (plus_fct (fun y => a / INR (S i) * y ^ S i) (area (S i) c)) x (a * x ^ i + value (S i) c x)).
    apply derivable_pt_lim_plus; [|apply IH].
    replace (a * x ^ i) with (a / INR (S i) * (INR (S i) * x ^ pred (S i))).
    + apply (derivable_pt_lim_scal (fun y => y ^ S i) (a / INR (S i)) x _ (derivable_pt_lim_pow x (S i))).
    + simpl pred. field. apply not_0_INR. discriminate.
Qed.

Lemma area_0 i c : area i c 0 = 0.
Proof. revert i. induction c; intros i; simpl; [reflexivity|]. rewrite IHc. ring. Qed.

Lemma factors_nonneg qs x :
  0 <= x <= 1 -> (forall q, In q qs -> 0 <= q <= 1) -> 0 <= factors qs x <= 1.
Proof.
  intros X. induction qs as [|q qs IH]; intros Q; simpl; [lra|].
  assert (0 <= q <= 1) by (apply Q; left; reflexivity).
  assert (0 <= factors qs x <= 1) by (apply IH; intros; apply Q; right; assumption).
  assert (0 <= 1 - q * x <= 1) by nra. nra.
Qed.

(** If one list of acceptance probabilities is at least [theta] times the other, its integral times [theta]
    is the smaller: substitute [theta t]. *)
Lemma integral_scaled {H} (l : list H) (p q : H -> R) theta :
  0 < theta <= 1 -> (forall h, In h l -> 0 <= q h <= 1) ->
  (forall h, In h l -> theta * q h <= p h <= 1) ->
  theta * integral (map p l) <= integral (map q l).
Proof.
  intros T Q P. unfold integral.
  set (cp := product (map p l)). set (cq := product (map q l)).
  assert (Q' : forall r, In r (map q l) -> 0 <= r <= 1).
  { intros r I. apply in_map_iff in I. destruct I as [h [<- I]]. auto. }
  apply Rle_trans with (area 0 cq theta).
  - set (G := fun x => area 0 cq (theta * x) - theta * area 0 cp x).
    assert (G 0 <= G 1).
    { apply (grows G (fun x => theta * (value 0 cq (theta * x) - value 0 cp x))); [lra| |].
      - intros x _. unfold G.
        replace (theta * (value 0 cq (theta * x) - value 0 cp x))
          with (value 0 cq (theta * x) * theta - theta * value 0 cp x) by ring.
        apply (derivable_pt_lim_minus (fun y => area 0 cq (theta * y)) (fun y => theta * area 0 cp y)).
        + apply (derivable_pt_lim_comp (fun y => theta * y) (area 0 cq)); [|apply area_derivative].
          apply scale_derivative.
        + apply (derivable_pt_lim_scal (area 0 cp)), area_derivative.
      - intros x X. apply Rmult_le_pos; [lra|]. unfold cp, cq. rewrite !value_product.
        assert (factors (map p l) x <= factors (map q l) (theta * x)); [|lra].
        clear cp cq Q' G. induction l as [|h l IH]; simpl; [lra|].
        assert (0 <= q h <= 1) by (apply Q; left; reflexivity).
        assert (theta * q h <= p h <= 1) by (apply P; left; reflexivity).
        assert (0 <= factors (map p l) x <= 1).
        { apply factors_nonneg; [lra|]. intros r I. apply in_map_iff in I. destruct I as [g [<- I]].
          assert (0 <= q g <= 1) by (apply Q; right; exact I).
          assert (theta * q g <= p g <= 1) by (apply P; right; exact I). nra. }
        assert (factors (map p l) x <= factors (map q l) (theta * x))
          by (apply IH; intros; [apply Q|apply P]; right; assumption).
        assert (0 <= 1 - p h * x) by nra. assert (1 - p h * x <= 1 - q h * (theta * x)) by nra.
        apply Rmult_le_compat; lra. }
    unfold G in *. rewrite Rmult_0_r, Rmult_1_r, !area_0 in *. lra.
  - apply (grows (area 0 cq) (value 0 cq)); [lra|intros; apply area_derivative|].
    intros x X. unfold cq. rewrite value_product. apply factors_nonneg; [lra|exact Q'].
Qed.

Lemma integral_nonneg qs : (forall q, In q qs -> 0 <= q <= 1) -> 0 <= integral qs.
Proof.
  intros Q. unfold integral. rewrite <- (area_0 0 (product qs)).
  apply (grows _ (value 0 (product qs))); [lra|intros; apply area_derivative|].
  intros x X. rewrite value_product. apply factors_nonneg; assumption.
Qed.

Section PermuteAndFlipProofs.
Variables (D H : Type) (eq_dec : forall a b : H, {a = b} + {a <> b}).
Variables (adj : D -> D -> Prop) (hs : list H) (u : D -> H -> R) (opt : D -> R) (eps Delta : R).
Hypotheses (E : 0 <= eps) (P : 0 < Delta).
Hypothesis B : forall d, best hs (u d) (opt d).

Let q := flip D H u opt eps Delta.

Lemma flip_range d h : In h hs -> 0 < q d h <= 1.
Proof.
  intros I. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_le.
  assert (u d h <= opt d) by (apply B; exact I).
  apply Rmult_le_reg_r with (2 * Delta); [lra|]. field_simplify; nra.
Qed.

(** The derivative of the product of all factors. *)
Lemma factors_derivative (p : H -> R) l x : NoDup l ->
  derivable_pt_lim (factors (map p l)) x
    (- sum l (fun h => p h * factors (map p (remove eq_dec h l)) x)).
Proof.
  induction l as [|a l IH]; intros N.
  - simpl. rewrite Ropp_0. apply derivable_pt_lim_const.
  - inversion N as [|? ? Na Nl]. subst. specialize (IH Nl). cbn [map factors sum].
    rewrite (remove_cons eq_dec a l), notin_remove by exact Na.
    replace (- (p a * factors (map p l) x + sum l (fun h => p h * factors (map p (remove eq_dec h (a :: l))) x)))
      with (- p a * factors (map p l) x
            + (1 - p a * x) * - sum l (fun h => p h * factors (map p (remove eq_dec h l)) x)).
    + apply (derivable_pt_lim_mult (fun y => 1 - p a * y) (factors (map p l))); [|exact IH].
      replace (- p a) with (0 - p a) by ring.
      apply (derivable_pt_lim_minus (fun _ => 1) (fun y => p a * y)).
      * apply derivable_pt_lim_const.
      * apply scale_derivative.
    + rewrite (sum_ext l (fun h => p h * factors (map p (remove eq_dec h (a :: l))) x)
        (fun h => (1 - p a * x) * (p h * factors (map p (remove eq_dec h l)) x))).
      * rewrite sum_scale. ring.
      * intros h I. simpl. destruct (eq_dec h a) as [->|]; [contradiction|]. simpl. ring.
Qed.

(** The probabilities add up to 1. *)
Lemma permute_and_flip_total d : NoDup hs ->
  sum hs (permute_and_flip D H eq_dec hs u opt eps Delta d) = 1.
Proof.
  intros N.
  set (J := fun x => sum hs (fun h => q d h * area 0 (product (map (q d) (remove eq_dec h hs))) x)).
  set (G := fun x => J x + factors (map (q d) hs) x).
  assert (DJ : forall x, derivable_pt_lim J x
      (sum hs (fun h => q d h * factors (map (q d) (remove eq_dec h hs)) x))).
  { intros x. unfold J.
    apply (sum_derivative hs (fun h y => q d h * area 0 (product (map (q d) (remove eq_dec h hs))) y)).
    intros h. rewrite <- value_product.
    apply (derivable_pt_lim_scal (area 0 (product (map (q d) (remove eq_dec h hs))))), area_derivative. }
  assert (DG : forall x, derivable_pt_lim G x 0).
  { intros x. unfold G.
    replace 0 with (sum hs (fun h => q d h * factors (map (q d) (remove eq_dec h hs)) x)
      + - sum hs (fun h => q d h * factors (map (q d) (remove eq_dec h hs)) x)) by ring.
    apply (derivable_pt_lim_plus J (factors (map (q d) hs))); [apply DJ|].
    apply factors_derivative. exact N. }
  destruct (MVT_cor2 G (fun _ => 0) 0 1 Rlt_0_1 (fun c _ => DG c)) as [c [C _]].
  assert (F0 : factors (map (q d) hs) 0 = 1).
  { induction hs as [|a l IH]; simpl; [reflexivity|]. clear - l. induction l; simpl; [ring|].
    rewrite Rmult_0_r in *. lra. }
  assert (F1 : factors (map (q d) hs) 1 = 0).
  { destruct (B d) as [[h [I V]] _]. assert (Z : q d h = 1).
    { unfold q, flip. rewrite V. replace (eps * (opt d - opt d) / (2 * Delta)) with 0 by (field; lra). apply exp_0. }
    clear - I Z. induction hs as [|a l IH]; [contradiction|]. simpl. destruct I as [->|I].
    - rewrite Z. ring.
    - rewrite IH by exact I. ring. }
  assert (J0 : J 0 = 0).
  { unfold J. transitivity (sum hs (fun _ => 0)); [|apply sum_zero]. apply sum_ext. intros. rewrite area_0. ring. }
  unfold G in C. rewrite F0, F1, J0 in C. unfold permute_and_flip. fold q.
  change (sum hs (fun h => q d h * integral (map (q d) (remove eq_dec h hs)))) with (J 1). lra.
Qed.

Lemma permute_and_flip_nonneg d h : 0 <= permute_and_flip D H eq_dec hs u opt eps Delta d h.
Proof.
  apply Rmult_le_pos; [left; apply exp_pos|]. apply integral_nonneg.
  intros r I. apply in_map_iff in I. destruct I as [g [<- I]]. apply in_remove in I.
  destruct (flip_range d g (proj1 I)). fold q. lra.
Qed.

Lemma permute_and_flip_outputs d d' h : sensitivity adj u Delta -> adj d' d ->
  permute_and_flip D H eq_dec hs u opt eps Delta d' h <=
  exp eps * permute_and_flip D H eq_dec hs u opt eps Delta d h.
Proof.
  intros S A. set (r := opt d' - opt d).
  assert (C : forall g, u d' g - Delta <= u d g <= u d' g + Delta)
    by (intros g; apply (sensitivity_le adj); assumption).
  assert (R : - Delta <= r <= Delta).
  { destruct (B d) as [[g [Ig Vg]] Mg]. destruct (B d') as [[g' [Ig' Vg']] Mg'].
    assert (G := C g). assert (G' := C g'). specialize (Mg g' Ig'). specialize (Mg' g Ig).
    unfold r. lra. }
  set (k := eps / (2 * Delta)). assert (K : 0 <= k) by (unfold k, Rdiv; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (F : forall e g, q e g = exp (k * (u e g - opt e))).
  { intros e g. unfold q, flip, k. f_equal. field. lra. }
  set (theta := exp (- (k * (Delta + r)))).
  assert (T : 0 < theta <= 1).
  { split; [apply exp_pos|]. rewrite <- exp_0. apply exp_le. nra. }
  assert (I : theta * integral (map (q d') (remove eq_dec h hs)) <= integral (map (q d) (remove eq_dec h hs))).
  { apply integral_scaled; [exact T| |].
    - intros g Ig. apply in_remove in Ig. destruct (flip_range d g (proj1 Ig)). lra.
    - intros g Ig. apply in_remove in Ig. split; [|apply flip_range; apply Ig].
      rewrite !F. unfold theta. rewrite <- exp_plus. apply exp_le.
      specialize (C g). unfold r. nra. }
  unfold permute_and_flip. fold q.
  assert (N : 0 <= integral (map (q d') (remove eq_dec h hs))).
  { apply integral_nonneg. intros s Is. apply in_map_iff in Is. destruct Is as [g [<- Ig]].
    apply in_remove in Ig. destruct (flip_range d' g (proj1 Ig)). lra. }
  assert (V : q d' h <= exp eps * theta * q d h).
  { rewrite !F. unfold theta. rewrite <- !exp_plus. apply exp_le. specialize (C h).
    assert (eps = k * (2 * Delta)) by (unfold k; field; lra). unfold r. nra. }
  assert (0 < q d h) by apply exp_pos. assert (0 < exp eps) by apply exp_pos.
  apply Rle_trans with (exp eps * theta * q d h * integral (map (q d') (remove eq_dec h hs))).
  { apply Rmult_le_compat_r; assumption. }
  apply Rle_trans with (exp eps * q d h * (theta * integral (map (q d') (remove eq_dec h hs)))); [right; ring|].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
End PermuteAndFlipProofs.

(** book: thm-exponential-mechanism-permute-and-flip -- part 3, for the probabilities of part 1, whose integral is that of a polynomial; not that a visit in random order has these probabilities *)
Theorem permute_and_flip_private {D H} (eq_dec : forall a b : H, {a = b} + {a <> b})
    (adj : D -> D -> Prop) (hs : list H) (u : D -> H -> R) (opt : D -> R) eps Delta :
  0 <= eps -> 0 < Delta -> NoDup hs -> (forall d, best hs (u d) (opt d)) -> sensitivity adj u Delta ->
  algorithm hs (permute_and_flip D H eq_dec hs u opt eps Delta) /\
  private adj hs eps 0 (permute_and_flip D H eq_dec hs u opt eps Delta).
Proof.
  intros E P N B S. split.
  - intros d. split; [apply (permute_and_flip_nonneg D H eq_dec hs u opt eps Delta E P B)|].
    apply permute_and_flip_total; assumption.
  - intros d d' A. apply within_of_outputs. intros h.
    apply (permute_and_flip_outputs D H eq_dec adj hs u opt eps Delta E P B); assumption.
Qed.
