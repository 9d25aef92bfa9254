(** * Statistical queries that a private oracle answers

    The book adds Laplace noise, which has infinitely many values.  Here the counts are whole numbers, the
    noise is discrete Laplace noise, and an answer below 0 or above [n] is moved to 0 or to [n].  The result
    has finitely many values, and the theorems about privacy and accuracy can be proved for it in full. *)

From Coq Require Import Reals Lra Lia List Bool Arith.
From Privml Require Import Sums Privacy Mechanisms Samples.
Import ListNotations.
Open Scope R_scope.

(** ** Noisy counts *)

(** The distance of two whole numbers. *)
Definition apart (y c : nat) : nat := ((y - c) + (c - y))%nat.

(** The probability of the answer [y] to a count [c] from 0 to [n], where $r = e^{- \varepsilon}$: the discrete
    Laplace probability $\frac{1 - r}{1 + r} r^{|y - c|}$, and at the two ends all that lies beyond them. *)
Definition noisy_count (eps : R) (n c y : nat) : R :=
  let r := exp (- eps) in
  (if (Nat.eqb y 0 || Nat.eqb y n)%bool then 1 / (1 + r) else (1 - r) / (1 + r)) * r ^ apart y c.

Definition answers (n : nat) : list nat := seq 0 (S n).

Lemma r_range eps : 0 < eps -> 0 < exp (- eps) < 1.
Proof. intros E. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma pow_pos r k : 0 < r -> 0 < r ^ k.
Proof. intros R. apply pow_lt. exact R. Qed.

Lemma noisy_count_pos eps n c y : 0 < eps -> 0 < noisy_count eps n c y.
Proof.
  intros E. assert (R := r_range eps E). unfold noisy_count. cbv zeta.
  apply Rmult_lt_0_compat; [|apply pow_pos; lra].
  destruct (_ || _)%bool; apply Rdiv_lt_0_compat; lra.
Qed.

(** The probability of an answer of at least [j]. *)
Definition upper (eps : R) (n c j : nat) : R :=
  let r := exp (- eps) in
  if Nat.eqb j 0 then 1 else if Nat.ltb n j then 0
  else if Nat.leb j c then 1 - r ^ (S c - j) / (1 + r) else r ^ (j - c) / (1 + r).

Lemma noisy_count_upper eps n c y :
  0 < eps -> (0 < n)%nat -> (c <= n)%nat -> (y <= n)%nat ->
  noisy_count eps n c y = upper eps n c y - upper eps n c (S y).
Proof.
  intros E N C Y. assert (R := r_range eps E). unfold noisy_count, upper. cbv zeta.
  set (r := exp (- eps)) in *. clearbody r.
  assert (D : 1 + r <> 0) by lra.
  change (Nat.eqb (S y) 0) with false. cbv iota.
  destruct (Nat.eqb_spec y 0) as [Y0|Y0]; [subst y|].
  - rewrite orb_true_l. destruct (Nat.ltb_spec n 1); [lia|].
    destruct (Nat.leb_spec 1 c).
    + replace (apart 0 c) with c by (unfold apart; lia). replace (S c - 1)%nat with c by lia. field. exact D.
    + replace c with 0%nat by lia. simpl. field. exact D.
  - rewrite orb_false_l. destruct (Nat.ltb_spec n y); [lia|].
    destruct (Nat.eqb_spec y n) as [Yn|Yn].
    + subst y. destruct (Nat.ltb_spec n (S n)); [|lia]. destruct (Nat.leb_spec n c).
      * replace c with n by lia. replace (apart n n) with 0%nat by (unfold apart; lia).
        replace (S n - n)%nat with 1%nat by lia. simpl. field. exact D.
      * replace (apart n c) with (n - c)%nat by (unfold apart; lia). field. exact D.
    + destruct (Nat.ltb_spec n (S y)); [lia|].
      destruct (Nat.leb_spec y c), (Nat.leb_spec (S y) c); try lia.
      * replace (S c - y)%nat with (S (c - y)) by lia. replace (S c - S y)%nat with (c - y)%nat by lia.
        replace (apart y c) with (c - y)%nat by (unfold apart; lia). simpl. field. exact D.
      * replace y with c by lia. replace (S c - c)%nat with 1%nat by lia.
        replace (apart c c) with 0%nat by (unfold apart; lia). simpl. field. exact D.
      * replace (S y - c)%nat with (S (y - c)) by lia.
        replace (apart y c) with (y - c)%nat by (unfold apart; lia). simpl. field. exact D.
Qed.

(** A sum of differences of neighbours is the difference of the ends. *)
Lemma telescope f a k : sum (seq a k) (fun y => f y - f (S y)) = f a - f (a + k)%nat.
Proof.
  revert a. induction k; intros a; simpl; [rewrite Nat.add_0_r; ring|]. rewrite IHk.
  replace (S a + k)%nat with (a + S k)%nat by lia. ring.
Qed.

Lemma noisy_count_law eps n c : 0 < eps -> (0 < n)%nat -> (c <= n)%nat -> law (answers n) (noisy_count eps n c).
Proof.
  intros E N C. split; [intros; left; apply noisy_count_pos; exact E|].
  transitivity (sum (seq 0 (S n)) (fun y => upper eps n c y - upper eps n c (S y))).
  - apply sum_ext. intros y I. apply in_seq in I. apply noisy_count_upper; auto; lia.
  - rewrite telescope. unfold upper. simpl Nat.eqb. cbv iota zeta.
    destruct (Nat.ltb_spec n (0 + S n)); [ring|lia].
Qed.

Lemma noisy_count_near eps n c c' y :
  0 < eps -> (apart c c' <= 1)%nat -> noisy_count eps n c y <= exp eps * noisy_count eps n c' y.
Proof.
  intros E A. assert (R := r_range eps E). unfold noisy_count. cbv zeta.
  set (k := if (_ || _)%bool then _ else _).
  assert (K : 0 <= k).
  { unfold k. destruct (_ || _)%bool; left; apply Rdiv_lt_0_compat; lra. }
  assert (V : exp (- eps) ^ apart y c <= exp eps * exp (- eps) ^ apart y c').
  { rewrite !exp_pow, <- exp_plus. apply exp_le.
    assert (T : (apart y c' <= S (apart y c))%nat) by (unfold apart in *; lia).
    apply le_INR in T. rewrite S_INR in T. nra. }
  replace (exp eps * (k * exp (- eps) ^ apart y c')) with (k * (exp eps * exp (- eps) ^ apart y c')) by ring.
  apply Rmult_le_compat_l; assumption.
Qed.

(** An answer is off by at least [t] with probability at most $2 r^t / (1 + r)$. *)
Lemma noisy_count_tail eps n c t :
  0 < eps -> (0 < n)%nat -> (c <= n)%nat -> (0 < t)%nat ->
  Pr (answers n) (noisy_count eps n c) (fun y => Nat.leb t (apart y c)) <=
  2 * exp (- eps) ^ t / (1 + exp (- eps)).
Proof.
  intros E N C T. assert (R := r_range eps E).
  assert (Q : 0 < exp (- eps) ^ t / (1 + exp (- eps))) by (apply Rdiv_lt_0_compat; [apply pow_pos|]; lra).
  (* The answers below, and those above. *)
  set (lo := if Nat.leb t c then S (c - t) else 0%nat).
  set (hi := if Nat.leb (c + t) n then (c + t)%nat else S n).
  assert (Split : Pr (answers n) (noisy_count eps n c) (fun y => Nat.leb t (apart y c)) =
    (1 - upper eps n c lo) + upper eps n c hi).
  { assert (Lh : (lo <= hi <= S n)%nat).
    { unfold lo, hi. destruct (Nat.leb_spec t c), (Nat.leb_spec (c + t) n); lia. }
    unfold Pr, answers.
    assert (Parts : seq 0 (S n) = seq 0 lo ++ seq lo (hi - lo) ++ seq hi (S n - hi)).
    { replace (S n) with (lo + ((hi - lo) + (S n - hi)))%nat at 1 by lia. rewrite !seq_app. simpl.
      replace (lo + (hi - lo))%nat with hi by lia. reflexivity. }
    rewrite Parts, !sum_app.
    assert (S1 : sum (seq 0 lo) (fun y => if Nat.leb t (apart y c) then noisy_count eps n c y else 0) = 1 - upper eps n c lo).
    { transitivity (sum (seq 0 lo) (fun y => upper eps n c y - upper eps n c (S y))).
      - apply sum_ext. intros y I. apply in_seq in I. rewrite noisy_count_upper by (auto; lia).
        destruct (Nat.leb_spec t (apart y c)) as [|F]; [reflexivity|]. exfalso.
        unfold lo, apart in *. destruct (Nat.leb_spec t c); lia.
      - rewrite telescope. reflexivity. }
    assert (S2 : sum (seq lo (hi - lo)) (fun y => if Nat.leb t (apart y c) then noisy_count eps n c y else 0) = 0).
    { transitivity (sum (seq lo (hi - lo)) (fun _ => 0)); [|apply sum_zero]. apply sum_ext. intros y I.
      apply in_seq in I. destruct (Nat.leb_spec t (apart y c)) as [F|]; [|reflexivity]. exfalso.
      unfold lo, hi, apart in *. destruct (Nat.leb_spec t c), (Nat.leb_spec (c + t) n); lia. }
    assert (S3 : sum (seq hi (S n - hi)) (fun y => if Nat.leb t (apart y c) then noisy_count eps n c y else 0) = upper eps n c hi).
    { transitivity (sum (seq hi (S n - hi)) (fun y => upper eps n c y - upper eps n c (S y))).
      - apply sum_ext. intros y I. apply in_seq in I. rewrite noisy_count_upper by (auto; lia).
        destruct (Nat.leb_spec t (apart y c)) as [|F]; [reflexivity|]. exfalso.
        unfold hi, apart in *. destruct (Nat.leb_spec (c + t) n); lia.
      - rewrite telescope. replace (hi + (S n - hi))%nat with (S n) by lia.
        replace (upper eps n c (S n)) with 0; [ring|]. unfold upper. change (Nat.eqb (S n) 0) with false.
        destruct (Nat.ltb_spec n (S n)); [reflexivity|lia]. }
    rewrite S1, S2, S3. ring. }
  rewrite Split. unfold Rdiv in *. rewrite Rmult_assoc.
  assert (A : 1 - upper eps n c lo <= exp (- eps) ^ t * / (1 + exp (- eps))).
  { unfold lo, upper. destruct (Nat.leb_spec t c); [|simpl; lra].
    change (Nat.eqb (S (c - t)) 0) with false. cbv iota zeta.
    destruct (Nat.ltb_spec n (S (c - t))); [lia|]. destruct (Nat.leb_spec (S (c - t)) c); [|lia].
    replace (S c - S (c - t))%nat with t by lia. unfold Rdiv. lra. }
  assert (B : upper eps n c hi <= exp (- eps) ^ t * / (1 + exp (- eps))).
  { unfold hi, upper. destruct (Nat.leb_spec (c + t) n).
    - destruct (Nat.eqb_spec (c + t) 0); [lia|]. destruct (Nat.ltb_spec n (c + t)); [lia|].
      destruct (Nat.leb_spec (c + t) c); [lia|]. replace (c + t - c)%nat with t by lia. unfold Rdiv. lra.
    - change (Nat.eqb (S n) 0) with false. destruct (Nat.ltb_spec n (S n)); [lra|lia]. }
  lra.
Qed.

(** ** A private oracle *)

(** A query asks how many records have a property. *)
Definition count {X} (f : X -> bool) (z : list X) : nat := length (filter f z).

(** The number 1 or 0 that a query assigns to a record. *)
Definition bit {X} (f : X -> bool) (x : X) : R := if f x then 1 else 0.

Lemma count_mean {X} (f : X -> bool) m z : mean m (bit f) z = INR (count f z) / INR m.
Proof.
  unfold mean. f_equal. unfold count, bit. induction z as [|x z IH]; [reflexivity|].
  cbn [sum]. rewrite IH. simpl. destruct (f x); cbn [length]; [rewrite S_INR|]; ring.
Qed.

Lemma count_le {X} (f : X -> bool) z : (count f z <= length z)%nat.
Proof. unfold count. induction z as [|x z IH]; simpl; [lia|]. destruct (f x); simpl; lia. Qed.

Lemma count_near {X} (f : X -> bool) z z' : replace_one z z' -> (apart (count f z) (count f z') <= 1)%nat.
Proof.
  intros [l [x [x' [r [-> [-> _]]]]]]. unfold count, apart. rewrite !filter_app, !app_length. simpl.
  destruct (f x), (f x'); simpl; lia.
Qed.

(** An oracle for [k] queries with the budget [eps]: every query, which may depend on the earlier answers, is
    answered by a noisy count with the parameter [eps / k].  Data with another number of records than [m]
    are not of interest; the count is then cut off at [m]. *)
Definition oracle {X} (m k : nat) (eps : R) (ask : list nat -> X -> bool)
    (h : list nat) (z : list X) (y : nat) : R :=
  noisy_count (eps / INR k) m (Nat.min m (count (ask h) z)) y.

(** book: thm-statistical-queries-privacy -- reuse; queries with values 0 and 1, chosen by a fixed rule from the earlier answers; discrete Laplace noise that is cut off at 0 and m; without the last sentence *)
Theorem oracle_private {X} (m k : nat) eps (ask : list nat -> X -> bool) :
  0 < eps -> (0 < m)%nat -> (0 < k)%nat ->
  private replace_one (lists (answers m) k) eps 0 (run (oracle m k eps ask) []).
Proof.
  intros E M K. assert (K0 : 0 < INR k) by (apply lt_0_INR; exact K).
  assert (Ek : 0 < eps / INR k) by (apply Rdiv_lt_0_compat; assumption).
  assert (H := composition replace_one (answers m) (oracle m k eps ask) (fun _ => eps / INR k) (fun _ => 0) k).
  rewrite !sum_const, seq_length in H. replace (INR k * (eps / INR k)) with eps in H by (field; lra).
  rewrite Rmult_0_r in H. apply H.
  - intros h z. apply noisy_count_law; [exact Ek|exact M|apply Nat.le_min_l].
  - intros. lra.
  - intros h z z' A. apply within_of_outputs. intros y. apply noisy_count_near; [exact Ek|].
    assert (N := count_near (ask h) z z' A). unfold apart in *. lia.
Qed.

(** If every answer misses with probability at most [b], whatever was answered before, then some of [k]
    answers misses with probability at most [k b].  [miss i y] says that [y] misses as answer number [i]. *)
Lemma some_miss {D Y} (ys : list Y) (A : list Y -> D -> Y -> R) (miss : nat -> Y -> bool) d b k h :
  (forall h, algorithm ys (A h)) -> 0 <= b ->
  (forall h, Pr ys (A h d) (miss (length h)) <= b) ->
  Pr (lists ys k) (run A h d)
    (fun t => existsb (fun iy => miss (length h + fst iy)%nat (snd iy)) (combine (seq 0 k) t)) <= INR k * b.
Proof.
  intros L B H. revert h. induction k as [|k IH]; intros h.
  - unfold Pr. simpl. lra.
  - rewrite Pr_run, S_INR.
    apply Rle_trans with (Ex ys (A h d) (fun a => (if miss (length h) a then 1 else 0) + INR k * b)).
    + apply Ex_le; [apply L|]. intros a _. specialize (IH (h ++ [a])).
      rewrite app_length in IH. simpl in IH.
      apply Rle_trans with (Pr (lists ys k) (run A (h ++ [a]) d) (fun t => (miss (length h) a ||
        existsb (fun iy => miss (length h + 1 + fst iy)%nat (snd iy)) (combine (seq 0 k) t))%bool)).
      * right. apply sum_ext. intros t _. simpl. rewrite Nat.add_0_r.
        assert (Sh : forall a0 t, existsb (fun iy => miss (length h + fst iy)%nat (snd iy)) (combine (seq (S a0) k) t) =
          existsb (fun iy => miss (length h + 1 + fst iy)%nat (snd iy)) (combine (seq a0 k) t)).
        { clear. induction k as [|k IH]; intros a0 t; [reflexivity|]. destruct t as [|y t]; [reflexivity|].
          simpl. rewrite IH. replace (length h + S a0)%nat with (length h + 1 + a0)%nat by lia. reflexivity. }
        rewrite Sh. reflexivity.
      * destruct (miss (length h) a); simpl.
        -- assert (0 <= INR k * b) by (apply Rmult_le_pos; [apply pos_INR|exact B]).
           apply Rle_trans with 1; [|lra]. apply (Pr_le_1 _ _ _ (run_law ys A k (h ++ [a]) d L)).
        -- rewrite Rplus_0_l. exact IH.
    + rewrite Ex_plus, Ex_const by apply L. rewrite <- Pr_Ex. specialize (H h). lra.
Qed.

(** The [i]-th of [k] answers to queries that are fixed in advance, divided by [m], is further than [alpha]
    from the mean over the population. *)
Definition misses {X} (xs : list X) p (m : nat) (alpha : R) (queries : nat -> X -> bool) (t : list nat) (k : nat) : bool :=
  existsb (fun iy => above (Rabs (INR (snd iy) / INR m - Ex xs p (bit (queries (fst iy))))) alpha) (combine (seq 0 k) t).

(** book: dr11-thm-private-sq-sample-complexity -- part 1, its last formula, for finitely many records; queries with values 0 and 1, and discrete Laplace noise cut off at 0 and m, which has 4k in the place of 2k in the second logarithm *)
Theorem oracle_accurate {X} (xs : list X) p (m k : nat) eps alpha beta (queries : nat -> X -> bool) :
  law xs p -> 0 < eps -> 0 < alpha -> 0 < beta < 1 -> (0 < k)%nat ->
  2 * ln (4 * INR k / beta) / (alpha * alpha) <= INR m ->
  2 * INR k * ln (4 * INR k / beta) / (eps * alpha) <= INR m ->
  1 - beta <= Ex_sample xs p m (fun z =>
    Pr (lists (answers m) k) (run (oracle m k eps (fun h => queries (length h))) [] z)
      (fun t => negb (misses xs p m alpha queries t k))).
Proof.
  intros L E A B K M1 M2.
  assert (K1 : 1 <= INR k) by (change 1 with (INR 1); apply le_INR; exact K).
  assert (Q : 0 < 4 * INR k / beta) by (apply Rdiv_lt_0_compat; lra).
  assert (LP : 0 < ln (4 * INR k / beta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|]. field_simplify; lra. }
  assert (M0 : 0 < INR m).
  { eapply Rlt_le_trans; [|exact M1]. apply Rdiv_lt_0_compat; [lra|nra]. }
  assert (M : (0 < m)%nat) by (destruct m; [simpl in M0; lra|lia]).
  assert (Ek : 0 < eps / INR k) by (apply Rdiv_lt_0_compat; lra).
  assert (G := iid_law xs p m L).
  set (O := oracle m k eps (fun h => queries (length h))).
  assert (LO : forall h, algorithm (answers m) (O h)).
  { intros h z. apply noisy_count_law; [exact Ek|exact M|apply Nat.le_min_l]. }
  (* The means over the sample are good. *)
  assert (U := uniform_convergence xs p (seq 0 k) (fun i => bit (queries i)) m (alpha / 2) (beta / 2) L).
  assert (U' : Pr_sample xs p m (off xs p (seq 0 k) (fun i => bit (queries i)) m (alpha / 2)) <= beta / 2).
  { apply U; try lra.
    - intros i x. unfold bit. destruct (queries i x); lra.
    - destruct k; [lia|discriminate].
    - rewrite seq_length. replace (2 * INR k / (beta / 2)) with (4 * INR k / beta) by (field; lra).
      replace (ln (4 * INR k / beta) / (2 * (alpha / 2 * (alpha / 2)))) with (2 * ln (4 * INR k / beta) / (alpha * alpha)) by (field; lra).
      exact M1. }
  clear U.
  (* The noise is small: it reaches t, the first whole number above m alpha / 2, rarely. *)
  set (T := Z.to_nat (up (INR m * alpha / 2))).
  assert (Tp : INR m * alpha / 2 < INR T).
  { destruct (archimed (INR m * alpha / 2)) as [Up _]. unfold T. rewrite (INR_IZR_INZ (Z.to_nat (up (INR m * alpha / 2)))), Z2Nat.id; [lra|].
    apply le_IZR. assert (0 < INR m * alpha / 2) by nra. lra. }
  assert (T0 : (0 < T)%nat).
  { apply INR_lt. simpl. assert (0 < INR m * alpha / 2) by nra. lra. }
  assert (Tail : 2 * exp (- (eps / INR k)) ^ T / (1 + exp (- (eps / INR k))) <= beta / (2 * INR k)).
  { assert (R := r_range _ Ek). assert (P := pow_pos _ T (proj1 R)).
    apply Rle_trans with (2 * exp (- (eps / INR k)) ^ T).
    - unfold Rdiv. rewrite <- (Rmult_1_r (2 * exp (- (eps * / INR k)) ^ T)) at 2.
      apply Rmult_le_compat_l; [fold (eps / INR k); lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|].
      fold (eps / INR k). lra.
    - rewrite exp_pow. replace (beta / (2 * INR k)) with (2 * exp (- ln (4 * INR k / beta))).
      + apply Rmult_le_compat_l; [lra|]. apply exp_le.
        assert (V : ln (4 * INR k / beta) <= INR m * alpha / 2 * (eps / INR k)).
        { apply Rmult_le_compat_r with (r := eps * alpha / (2 * INR k)) in M2.
          - replace (2 * INR k * ln (4 * INR k / beta) / (eps * alpha) * (eps * alpha / (2 * INR k)))
              with (ln (4 * INR k / beta)) in M2 by (field; lra).
            replace (INR m * (eps * alpha / (2 * INR k))) with (INR m * alpha / 2 * (eps / INR k)) in M2 by (field; lra).
            exact M2.
          - left. apply Rdiv_lt_0_compat; nra. }
        assert (INR m * alpha / 2 * (eps / INR k) <= INR T * (eps / INR k)) by (apply Rmult_le_compat_r; lra). lra.
      + rewrite exp_Ropp, exp_ln by exact Q. field. lra. }
  assert (Fail : forall z, In z (lists xs m) ->
    off xs p (seq 0 k) (fun i => bit (queries i)) m (alpha / 2) z = false ->
    Pr (lists (answers m) k) (run O [] z) (fun t => misses xs p m alpha queries t k) <= beta / 2).
  { intros z Iz Of. apply lists_length in Iz.
    set (miss := fun (i y : nat) => Nat.leb T (apart y (Nat.min m (count (queries i) z)))).
    assert (Sm := some_miss (answers m) O miss z (beta / (2 * INR k)) k [] LO).
    assert (Sm' : Pr (lists (answers m) k) (run O [] z) (fun t => existsb (fun iy => miss (0 + fst iy)%nat (snd iy)) (combine (seq 0 k) t))
      <= INR k * (beta / (2 * INR k))).
    { apply Sm.
      - left. apply Rdiv_lt_0_compat; lra.
      - intros h. eapply Rle_trans; [|exact Tail]. unfold O, oracle, miss.
        apply noisy_count_tail; [exact Ek|exact M|apply Nat.le_min_l|exact T0]. }
    replace (INR k * (beta / (2 * INR k))) with (beta / 2) in Sm' by (field; lra).
    eapply Rle_trans; [|exact Sm']. apply Pr_mono; [apply (run_law (answers m) O k [] z LO)|].
    intros t _ Mi. unfold misses in Mi. apply existsb_exists in Mi. destruct Mi as [[i y] [Ii Mi]].
    apply existsb_exists. exists (i, y). split; [exact Ii|]. simpl in *. unfold miss.
    apply in_combine_l in Ii.
    assert (C := not_off xs p (seq 0 k) (fun i => bit (queries i)) m _ z i Of Ii). cbv beta in C. rewrite count_mean in C.
    apply Nat.leb_le. apply Nat.nlt_ge. intros Lt.
    unfold above in Mi. destruct (Rlt_dec _ _) as [F|]; [|discriminate].
    assert (Cm : (count (queries i) z <= m)%nat) by (rewrite <- Iz; apply count_le).
    rewrite Nat.min_r in Lt by exact Cm. set (c := count (queries i) z) in *.
    (* An answer that is off by less than T is off by at most m alpha / 2. *)
    assert (N : Rabs (INR y - INR c) <= INR m * alpha / 2).
    { assert (W : INR (apart y c) <= INR m * alpha / 2).
      { destruct (archimed (INR m * alpha / 2)) as [_ Up]. assert (Lt' : (S (apart y c) <= T)%nat) by lia.
        apply le_INR in Lt'. rewrite S_INR in Lt'. unfold T in Lt'. rewrite (INR_IZR_INZ (Z.to_nat (up (INR m * alpha / 2)))), Z2Nat.id in Lt'; [lra|].
        apply le_IZR. destruct (archimed (INR m * alpha / 2)) as [Up' _]. assert (0 < INR m * alpha / 2) by nra. lra. }
      eapply Rle_trans; [|exact W]. unfold apart. rewrite plus_INR.
      destruct (Nat.le_ge_cases y c).
      - replace (y - c)%nat with 0%nat by lia. rewrite minus_INR by lia. apply le_INR in H. simpl.
        unfold Rabs. destruct (Rcase_abs _); lra.
      - replace (c - y)%nat with 0%nat by lia. rewrite minus_INR by lia. apply le_INR in H. simpl.
        unfold Rabs. destruct (Rcase_abs _); lra. }
    assert (N' : Rabs (INR y / INR m - INR c / INR m) <= alpha / 2).
    { replace (INR y / INR m - INR c / INR m) with ((INR y - INR c) * / INR m) by (field; lra).
      rewrite Rabs_mult, (Rabs_right (/ INR m)) by (left; apply Rinv_0_lt_compat; exact M0).
      apply Rmult_le_reg_r with (INR m); [exact M0|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra. }
    assert (Tri := Rabs_triang (INR y / INR m - INR c / INR m) (INR c / INR m - Ex xs p (bit (queries i)))).
    replace (INR y / INR m - INR c / INR m + (INR c / INR m - Ex xs p (bit (queries i))))
      with (INR y / INR m - Ex xs p (bit (queries i))) in Tri by ring. lra. }
  apply Rle_trans with (Ex_sample xs p m (fun z => 1 + (-1 * (if off xs p (seq 0 k) (fun i => bit (queries i)) m (alpha / 2) z then 1 else 0) + - (beta / 2)))).
  - unfold Ex_sample. rewrite !Ex_plus, Ex_scale, !Ex_const by exact G. rewrite <- Pr_Ex. unfold Pr_sample in U'. lra.
  - apply Ex_le; [apply G|]. intros z Iz. assert (R := run_law (answers m) O k [] z LO).
    rewrite (Pr_not _ _ _ R). assert (P1 := Pr_le_1 _ _ (fun t => misses xs p m alpha queries t k) R).
    destruct (off _ _ _ _ _ _ z) eqn:Of; [lra|]. specialize (Fail z Iz Of). lra.
Qed.

(** book: prop-statistical-queries-stumps -- the error of the choice, without the last sentence; a population with finitely many examples *)
Theorem learning_from_queries {I} (rs : list (I * bool)) p (hs : list (I -> bool)) (ans : (I -> bool) -> R) tau h' :
  law rs p ->
  (forall h, In h hs -> Rabs (ans h - Ex rs p (fun r => if eqb (h (fst r)) (snd r) then 1 else 0)) <= tau) ->
  In h' hs -> (forall h, In h hs -> ans h <= ans h') ->
  forall h, In h hs -> err rs p h' <= err rs p h + 2 * tau.
Proof.
  intros L T J B h K.
  assert (X : forall g, err rs p g = 1 - Ex rs p (fun r => if eqb (g (fst r)) (snd r) then 1 else 0)).
  { intros g. unfold err. transitivity (Ex rs p (fun _ => 1) + -1 * Ex rs p (fun r => if eqb (g (fst r)) (snd r) then 1 else 0)).
    - rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros r _. unfold wrong. destruct (eqb _ _); ring.
    - rewrite Ex_const by exact L. ring. }
  rewrite !X. assert (C1 := T h' J). assert (C2 := T h K). specialize (B h K).
  unfold Rabs in C1, C2. destruct (Rcase_abs (ans h' - _)), (Rcase_abs (ans h - _)); lra.
Qed.
