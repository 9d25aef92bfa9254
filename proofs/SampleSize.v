(** * How many records an interior point needs

    A data set consists of [n] of the numbers 1, ..., [K], and an answer is an interior point if it lies between
    the smallest and the largest of them.  The chapter on thresholds and Littlestone dimension has a table of the least number of records with which some
    $(\ln 3, \delta)$-differentially private algorithm fails with probability at most $\beta$.  This file says
    what an entry of the table means, and proves that two checks in whole numbers establish it: one of a table
    of probabilities, and one of multipliers.  The numbers themselves are in the folder [certificates]. *)

From Coq Require Import Reals Lra Lia List Bool Arith ZArith Permutation.
From Privml Require Import Sums Privacy.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)

Definition points (K : nat) : list nat := seq 1 K.

(** book: def-thresholds-and-littlestone-interior -- the least failure is at most beta if [possible] holds; that there is a least failure is not proved; the records have an order *)
Definition inside (z : list nat) (c : nat) : bool :=
  (existsb (fun v => Nat.leb v c) z && existsb (fun v => Nat.leb c v) z)%bool.

Definition data_set (K n : nat) (z : list nat) : Prop :=
  length z = n /\ forall v, In v z -> In v (points K).

Definition neighbours (K n : nat) (z z' : list nat) : Prop :=
  data_set K n z /\ data_set K n z' /\ replace_one z z'.

Definition failure (K : nat) (A : list nat -> nat -> R) (z : list nat) : R :=
  Pr (points K) (A z) (fun c => negb (inside z c)).

(** Some private algorithm fails with probability at most [beta] on every data set of [n] records. *)
Definition possible (K n : nat) (eps delta beta : R) : Prop :=
  exists A : list nat -> nat -> R,
    (forall z, data_set K n z -> law (points K) (A z)) /\
    private (neighbours K n) (points K) eps delta A /\
    (forall z, data_set K n z -> failure K A z <= beta).

(** [n] is the least number of records. *)
Definition least_records (K : nat) (eps delta beta : R) (n : nat) : Prop :=
  forall m, possible K m eps delta beta <-> (n <= m)%nat.

(** ** More records do no harm *)

Lemma inside_cons x z c : inside z c = true -> inside (x :: z) c = true.
Proof.
  unfold inside. simpl. intros H. apply andb_true_iff in H. destruct H as [-> ->].
  rewrite !orb_true_r. reflexivity.
Qed.

Lemma within_refl {Y} (ys : list Y) eps delta p :
  0 <= eps -> 0 <= delta -> (forall y, 0 <= p y) -> within ys eps delta p p.
Proof.
  intros E D P F. assert (G := exp_ge_1 eps E). assert (0 <= Pr ys p F) by (apply Pr_nonneg; exact P). nra.
Qed.

Lemma more_records K n eps delta beta :
  0 <= eps -> 0 <= delta -> possible K n eps delta beta -> possible K (S n) eps delta beta.
Proof.
  intros E D [A [L [P F]]]. exists (fun z => A (tl z)).
  assert (T : forall z, data_set K (S n) z -> data_set K n (tl z)).
  { intros [|x z] [Len V]; [discriminate|]. split; [simpl in *; lia|]. intros v I. apply V. right. exact I. }
  split; [intros z Z; apply L, T, Z|]. split.
  - intros z z' [Z [Z' [l [x [x' [r [-> [-> N]]]]]]]]. destruct l as [|a l]; simpl.
    + apply within_refl; [exact E|exact D|]. apply (L r). apply (T (x :: r)). exact Z.
    + apply P. split; [apply (T _ Z)|]. split; [apply (T _ Z')|]. exists l, x, x', r. auto.
  - intros z Z. eapply Rle_trans; [|apply (F (tl z)), T, Z]. apply Pr_mono; [apply (L (tl z)), T, Z|].
    intros c _. destruct z as [|x z]; [destruct Z; discriminate|]. simpl tl.
    destruct (inside z c) eqn:I; [rewrite (inside_cons x z c I); discriminate|reflexivity].
Qed.

(** book: lem-thresholds-and-littlestone-monotone -- said of the existence of an algorithm with a failure of at most beta; K and n grow by one at a time *)
Theorem monotone K n eps delta beta :
  0 <= eps -> 0 <= delta ->
  ((0 < K)%nat -> possible (S K) n eps delta beta -> possible K n eps delta beta) /\
  (possible K n eps delta beta -> possible K (S n) eps delta beta) /\
  (forall eps' delta', eps <= eps' -> delta <= delta' ->
    possible K n eps delta beta -> possible K n eps' delta' beta).
Proof.
  intros E D. split; [|split; [apply more_records; assumption|]].
  - intros K0 [A [L [P F]]].
    (* The answer K + 1 becomes K. *)
    set (B := fun z c => if Nat.eqb c K then A z K + A z (S K) else A z c). exists B.
    assert (W : forall z, data_set K n z -> data_set (S K) n z).
    { intros z [Len V]. split; [exact Len|]. intros v I. specialize (V v I). unfold points in *. rewrite in_seq in *. lia. }
    assert (Sum : forall z f, f (S K) = f K -> Pr (points K) (B z) f = Pr (points (S K)) (A z) f).
    { intros z f Sf. unfold Pr, points. destruct K as [|k]; [lia|].
      rewrite (seq_S (S k) 1), (seq_S k 1), !sum_app. simpl sum.
      replace (sum (seq 1 k) (fun y => if f y then B z y else 0)) with (sum (seq 1 k) (fun y => if f y then A z y else 0)).
      - unfold B. rewrite Nat.eqb_refl. rewrite Sf. destruct (f (S k)); ring.
      - apply sum_ext. intros c I. apply in_seq in I. unfold B. destruct (Nat.eqb_spec c (S k)); [lia|reflexivity]. }
    assert (Tr : forall f, exists g : nat -> bool, g (S K) = g K /\ forall c, In c (points K) -> g c = f c).
    { intros f. exists (fun c => if Nat.leb c K then f c else f K). split.
      - rewrite Nat.leb_refl. destruct (Nat.leb_spec (S K) K); [lia|reflexivity].
      - intros c I. apply in_seq in I. destruct (Nat.leb_spec c K); [reflexivity|lia]. }
    assert (Pr_ext : forall z f g, (forall c, In c (points K) -> g c = f c) -> Pr (points K) (B z) f = Pr (points K) (B z) g).
    { intros z f g Eq. apply sum_ext. intros c I. rewrite (Eq c I). reflexivity. }
    split; [|split].
    + intros z Z. destruct (L z (W z Z)) as [P0 T]. split.
      * intros c. unfold B. destruct (Nat.eqb c K); [|apply P0]. assert (A1 := P0 K). assert (A2 := P0 (S K)). lra.
      * assert (X := Sum z (fun _ => true) eq_refl). unfold Pr in X. transitivity (sum (points (S K)) (A z)); [exact X|exact T].
    + intros z z' [Z [Z' R]] f. destruct (Tr f) as [g [Gk Gf]].
      rewrite !(Pr_ext _ f g Gf), !(Sum _ g Gk). apply P. split; [apply W, Z|]. split; [apply W, Z'|exact R].
    + intros z Z. unfold failure.
      set (f := fun c => negb (inside z c)). set (g := fun c => if Nat.leb c K then f c else f K).
      rewrite (Pr_ext z f g); [|intros c I; apply in_seq in I; unfold g; destruct (Nat.leb_spec c K); [reflexivity|lia]].
      rewrite Sum; [|unfold g; rewrite Nat.leb_refl; destruct (Nat.leb_spec (S K) K); [lia|reflexivity]].
      eapply Rle_trans; [|apply (F z (W z Z))]. apply Pr_mono; [apply (L z (W z Z))|].
      intros c I G. apply in_seq in I. unfold g in G. destruct (Nat.leb_spec c K); [exact G|].
      (* K + 1 lies above all the numbers. *)
      unfold inside. replace (existsb (fun v => Nat.leb c v) z) with false; [rewrite andb_false_r; reflexivity|].
      symmetry. rewrite <- not_true_iff_false. intros X. apply existsb_exists in X. destruct X as [v [Iv X]].
      apply Nat.leb_le in X. destruct Z as [_ V]. specialize (V v Iv). apply in_seq in V. lia.
  - intros eps' delta' E' D' [A [L [P F]]]. exists A. split; [exact L|]. split; [|exact F].
    intros z z' N f. specialize (P z z' N f).
    assert (0 <= Pr (points K) (A z') f) by (apply Pr_nonneg; apply (L z'), N).
    assert (exp eps <= exp eps') by (apply exp_le; exact E'). nra.
Qed.

Lemma possible_zero K eps delta beta : beta < 1 -> ~ possible K 0 eps delta beta.
Proof.
  intros B [A [L [_ F]]]. assert (Z : data_set K 0 []) by (split; [reflexivity|contradiction]).
  specialize (F [] Z). destruct (L [] Z) as [_ T]. unfold failure in F.
  assert (X : Pr (points K) (A []) (fun c => negb (inside [] c)) = sum (points K) (A [])) by (apply sum_ext; reflexivity).
  rewrite X, T in F. lra.
Qed.

Lemma least_records_of K eps delta beta n :
  0 <= eps -> 0 <= delta -> possible K (S n) eps delta beta -> ~ possible K n eps delta beta ->
  least_records K eps delta beta (S n).
Proof.
  intros E D Yes No m. split.
  - intros P. destruct (le_lt_dec (S n) m) as [|Lt]; [assumption|]. exfalso. apply No.
    assert (X : forall j, possible K (m + j) eps delta beta).
    { induction j; [rewrite Nat.add_0_r; exact P|]. rewrite Nat.add_succ_r. apply more_records; assumption. }
    replace n with (m + (n - m))%nat by lia. apply X.
  - intros Le. replace m with (S n + (m - S n))%nat by lia.
    generalize (m - S n)%nat. intros j. induction j; [rewrite Nat.add_0_r; exact Yes|].
    rewrite Nat.add_succ_r. apply more_records; assumption.
Qed.

(** ** Tables that are indexed by data sets

    A sorted data set is coded as a binary number, and a table is a tree whose paths are codes. *)

Fixpoint code_one (v : nat) (rest : positive) : positive :=
  match v with O => xI rest | S k => xO (code_one k rest) end.
Fixpoint code (z : list nat) : positive :=
  match z with [] => xH | v :: t => code_one v (code t) end.
Fixpoint decode_from (zeros : nat) (p : positive) : list nat :=
  match p with xH => [] | xO q => decode_from (S zeros) q | xI q => zeros :: decode_from 0 q end.
Definition decode (p : positive) : list nat := decode_from 0 p.

Lemma decode_code z : decode (code z) = z.
Proof.
  assert (O : forall v n p, decode_from n (code_one v p) = (n + v)%nat :: decode p).
  { induction v; intros n p; simpl; [rewrite Nat.add_0_r; reflexivity|].
    rewrite IHv. rewrite Nat.add_succ_r. reflexivity. }
  unfold decode in *. induction z; simpl; [reflexivity|]. rewrite O, IHz. reflexivity.
Qed.

Inductive table : Type :=
| Empty
| Fork (l : table) (v : list Z) (r : table).

Fixpoint vadd (u v : list Z) : list Z :=
  match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u', b :: v' => (a + b)%Z :: vadd u' v'
  end.

(** Add a vector to what stands at a place. *)
Fixpoint add (p : positive) (v : list Z) (t : table) : table :=
  match p, t with
  | xH, Empty => Fork Empty v Empty
  | xH, Fork l u r => Fork l (vadd u v) r
  | xO q, Empty => Fork (add q v Empty) [] Empty
  | xO q, Fork l u r => Fork (add q v l) u r
  | xI q, Empty => Fork Empty [] (add q v Empty)
  | xI q, Fork l u r => Fork l u (add q v r)
  end.

Fixpoint find (p : positive) (t : table) : list Z :=
  match p, t with
  | _, Empty => []
  | xH, Fork _ v _ => v
  | xO q, Fork l _ _ => find q l
  | xI q, Fork _ _ r => find q r
  end.

Fixpoint insert (a : nat) (z : list nat) : list nat :=
  match z with
  | [] => [a]
  | b :: t => if Nat.leb a b then a :: z else b :: insert a t
  end.
Fixpoint sort (z : list nat) : list nat :=
  match z with [] => [] | a :: t => insert a (sort t) end.

Lemma insert_perm a z : Permutation (a :: z) (insert a z).
Proof.
  induction z as [|b t IH]; simpl; [reflexivity|]. destruct (Nat.leb a b); [reflexivity|].
  rewrite perm_swap. constructor. exact IH.
Qed.

Lemma sort_perm z : Permutation z (sort z).
Proof. induction z as [|a t IH]; simpl; [reflexivity|]. rewrite <- insert_perm. constructor. exact IH. Qed.

Lemma insert_comm a b z : insert a (insert b z) = insert b (insert a z).
Proof.
  induction z as [|c t IH]; simpl.
  - destruct (Nat.leb_spec a b), (Nat.leb_spec b a); try reflexivity; [replace a with b by lia; reflexivity|lia].
  - destruct (Nat.leb_spec b c), (Nat.leb_spec a c); simpl;
      destruct (Nat.leb_spec a b), (Nat.leb_spec b a); simpl;
      repeat match goal with |- context [Nat.leb ?x ?y] => destruct (Nat.leb_spec x y); simpl end;
      try lia; try rewrite IH; try reflexivity; replace a with b by lia; reflexivity.
Qed.

Lemma sort_of_perm z z' : Permutation z z' -> sort z = sort z'.
Proof.
  induction 1; simpl; [reflexivity|rewrite IHPermutation; reflexivity|apply insert_comm|congruence].
Qed.

Lemma inside_perm z z' c : Permutation z z' -> inside z c = inside z' c.
Proof.
  intros P. assert (X : forall f, existsb f z = existsb f z').
  { intros f. induction P; simpl; [reflexivity|rewrite IHP; reflexivity| |congruence].
    destruct (f x), (f y); reflexivity. }
  unfold inside. rewrite !X. reflexivity.
Qed.

Lemma data_set_perm K n z z' : Permutation z z' -> data_set K n z -> data_set K n z'.
Proof.
  intros P [L V]. split; [rewrite <- L; symmetry; apply Permutation_length; exact P|].
  intros v I. apply V. apply Permutation_in with z'; [symmetry; exact P|exact I].
Qed.

(** All sorted data sets of [n] records from [lo] on, out of [k] numbers. *)
Fixpoint sorted_sets (n lo k : nat) : list (list nat) :=
  match n with
  | O => [[]]
  | S m => flat_map (fun i => map (cons (lo + i)%nat) (sorted_sets m (lo + i) (k - i))) (seq 0 k)
  end.

Fixpoint sorted_from (lo : nat) (z : list nat) : Prop :=
  match z with [] => True | v :: t => (lo <= v)%nat /\ sorted_from v t end.

Lemma insert_sorted a z lo : (lo <= a)%nat -> sorted_from lo z -> sorted_from lo (insert a z).
Proof.
  revert lo. induction z as [|b t IH]; intros lo L S; simpl in *; [auto|].
  destruct (Nat.leb_spec a b); simpl; [tauto|]. split; [tauto|]. apply IH; [lia|tauto].
Qed.

Lemma sort_sorted z lo : (forall v, In v z -> (lo <= v)%nat) -> sorted_from lo (sort z).
Proof.
  induction z as [|a t IH]; intros H; simpl; [exact I|]. apply insert_sorted; [apply H; left; reflexivity|].
  apply IH. intros v J. apply H. right. exact J.
Qed.

Lemma in_sorted_sets n lo k z :
  length z = n -> sorted_from lo z -> (forall v, In v z -> (v < lo + k)%nat) -> In z (sorted_sets n lo k).
Proof.
  revert lo k z. induction n as [|n IH]; intros lo k [|v z] L S B; try discriminate; [left; reflexivity|].
  simpl in *. destruct S as [S1 S2]. assert (Bv := B v (or_introl eq_refl)).
  apply in_flat_map. exists (v - lo)%nat. split; [apply in_seq; lia|]. replace (lo + (v - lo))%nat with v by lia.
  apply in_map. apply IH; [lia|exact S2|]. intros w I. specialize (B w (or_intror I)). lia.
Qed.

Lemma sort_in_sets K n z : data_set K n z -> In (sort z) (sorted_sets n 1 K).
Proof.
  intros [L V]. assert (P := sort_perm z). apply in_sorted_sets.
  - rewrite <- L. symmetry. apply Permutation_length. exact P.
  - apply sort_sorted. intros v I. specialize (V v I). apply in_seq in V. lia.
  - intros v I. apply Permutation_in with (l' := z) in I; [|symmetry; exact P]. specialize (V v I).
    apply in_seq in V. lia.
Qed.

(** ** So many records are enough

    A certificate is a denominator and, for data sets up to reflection, the numerators of the probabilities
    of the answers 1, ..., [K]. *)

Definition mirror (K : nat) (z : list nat) : list nat := rev (map (fun v => S K - v)%nat z).

Definition set (p : positive) (v : list Z) (t : table) : table :=
  match find p t with [] => add p v t | _ => t end.

Definition with_mirror (K : nat) (rows : list (list nat * list Z)) : table :=
  fold_right (fun row t => set (code (mirror K (fst row))) (rev (snd row)) (set (code (fst row)) (snd row) t)) Empty rows.

(** The entry for the answer [c]. *)
Definition entry (v : list Z) (c : nat) : Z := nth (c - 1) v 0%Z.

Fixpoint zsum (l : list nat) (f : nat -> Z) : Z :=
  match l with [] => 0%Z | x :: t => (f x + zsum t f)%Z end.

(** $\beta = b / b'$ and $\delta = d / d'$. *)
Definition check_enough (K n : nat) (d d' b b' : Z) (den : Z) (t : table) : bool :=
  (Z.ltb 0 den && Z.ltb 0 d' && Z.ltb 0 b' &&
  forallb (fun z => let v := find (code z) t in
    forallb (fun c => Z.leb 0 (entry v c)) (points K) &&
    Z.eqb (zsum (points K) (entry v)) den &&
    Z.leb (zsum (points K) (fun c => if inside z c then 0%Z else entry v c) * b') (b * den)) (sorted_sets n 1 K) &&
  forallb (fun w => forallb (fun x => forallb (fun y =>
      let u := find (code (insert x w)) t in let v := find (code (insert y w)) t in
      Z.leb (zsum (points K) (fun c => Z.max (entry u c - 3 * entry v c) 0) * d') (d * den))
    (points K)) (points K)) (sorted_sets (n - 1) 1 K))%bool.

Lemma zsum_IZR l f : IZR (zsum l f) = sum l (fun c => IZR (f c)).
Proof. induction l; simpl; [reflexivity|]. rewrite plus_IZR, IHl. reflexivity. Qed.

Lemma exp_ln_3 : exp (ln 3) = 3.
Proof. apply exp_ln. lra. Qed.

(** checked -- a table of numerators that passes the check is a $(\ln 3, \delta)$-differentially private algorithm that fails with probability at most $\beta$ *)
Theorem enough_sound K n d d' b b' den t :
  (0 < n)%nat -> check_enough K n d d' b b' den t = true ->
  possible K n (ln 3) (IZR d / IZR d') (IZR b / IZR b').
Proof.
  intros N C. unfold check_enough in C. repeat rewrite andb_true_iff in C.
  destruct C as [[[[C1 C2] C3] C4] C5]. apply Z.ltb_lt in C1, C2, C3.
  apply IZR_lt in C1, C2, C3. rewrite forallb_forall in C4, C5.
  set (A := fun z c => IZR (entry (find (code (sort z)) t) c) / IZR den).
  (* Outside of 1, ..., K the probability is 0. *)
  exists (fun z c => if in_dec Nat.eq_dec c (points K) then A z c else 0).
  assert (R : forall z, data_set K n z ->
    (forall c, In c (points K) -> 0 <= A z c) /\ sum (points K) (A z) = 1 /\
    Pr (points K) (A z) (fun c => negb (inside z c)) <= IZR b / IZR b').
  { intros z Z. specialize (C4 _ (sort_in_sets K n z Z)). cbv zeta in C4.
    repeat rewrite andb_true_iff in C4. destruct C4 as [[P T] F]. rewrite forallb_forall in P.
    apply Z.eqb_eq in T. apply Z.leb_le in F. split; [|split].
    - intros c I. specialize (P c I). apply Z.leb_le in P. apply IZR_le in P.
      unfold A. apply Rmult_le_pos; [exact P|]. left. apply Rinv_0_lt_compat. exact C1.
    - unfold A, Rdiv. rewrite sum_scale_r, <- zsum_IZR, T. field. lra.
    - apply IZR_le in F. rewrite !mult_IZR, zsum_IZR in F.
      apply Rmult_le_reg_r with (IZR den * IZR b'); [nra|].
      replace (IZR b / IZR b' * (IZR den * IZR b')) with (IZR b * IZR den) by (field; lra).
      eapply Rle_trans; [|exact F]. right.
      replace (Pr (points K) (A z) (fun c => negb (inside z c)) * (IZR den * IZR b'))
        with (Pr (points K) (A z) (fun c => negb (inside z c)) * IZR den * IZR b') by ring.
      f_equal. unfold Pr. rewrite <- sum_scale_r. apply sum_ext. intros c _.
      rewrite (inside_perm z (sort z) c (sort_perm z)). unfold A. destruct (inside (sort z) c); simpl; [ring|field; lra]. }
  assert (Ext : forall z f, Pr (points K) (fun c => if in_dec Nat.eq_dec c (points K) then A z c else 0) f = Pr (points K) (A z) f).
  { intros z f. apply sum_ext. intros c I. destruct (in_dec Nat.eq_dec c (points K)); [reflexivity|contradiction]. }
  split; [|split].
  - intros z Z. destruct (R z Z) as [P [T _]]. split.
    + intros c. destruct (in_dec Nat.eq_dec c (points K)); [apply P; assumption|lra].
    + assert (X := Ext z (fun _ => true)). unfold Pr in X. transitivity (sum (points K) (A z)); [exact X|exact T].
  - intros z z' [Z [Z' [l [x [x' [r [-> [-> Ne]]]]]]]] f. rewrite !Ext. revert f.
    apply (proj2 (proj2 (hockey_stick_is_exact (points K) (ln 3) (A (l ++ x :: r)) (A (l ++ x' :: r))))).
    assert (W : data_set K (n - 1) (l ++ r)).
    { destruct Z as [Len V]. split; [rewrite app_length in *; simpl in Len; lia|].
      intros v I. apply V. apply in_app_iff in I. apply in_app_iff. simpl. tauto. }
    specialize (C5 _ (sort_in_sets K (n - 1) _ W)). rewrite forallb_forall in C5.
    assert (Ix : In x (points K)) by (apply Z; apply in_app_iff; right; left; reflexivity).
    assert (Ix' : In x' (points K)) by (apply Z'; apply in_app_iff; right; left; reflexivity).
    specialize (C5 x Ix). rewrite forallb_forall in C5. specialize (C5 x' Ix'). cbv zeta in C5.
    apply Z.leb_le in C5. apply IZR_le in C5. rewrite !mult_IZR, zsum_IZR in C5.
    assert (Sx : forall a, sort (l ++ a :: r) = insert a (sort (l ++ r))).
    { intros a. change (insert a (sort (l ++ r))) with (sort (a :: l ++ r)). apply sort_of_perm.
      symmetry. apply Permutation_middle. }
    apply Rmult_le_reg_r with (IZR den * IZR d'); [nra|].
    replace (IZR d / IZR d' * (IZR den * IZR d')) with (IZR d * IZR den) by (field; lra).
    eapply Rle_trans; [|exact C5]. right. rewrite <- Rmult_assoc. f_equal. unfold hockey_stick.
    rewrite <- sum_scale_r. apply sum_ext. intros c _. unfold A. rewrite !Sx, exp_ln_3.
    set (u := entry (find (code (insert x (sort (l ++ r)))) t) c).
    set (v := entry (find (code (insert x' (sort (l ++ r)))) t) c).
    replace (IZR u / IZR den - 3 * (IZR v / IZR den)) with (IZR (u - 3 * v) * / IZR den)
      by (rewrite minus_IZR, mult_IZR; field; lra).
    assert (Pi : 0 < / IZR den) by (apply Rinv_0_lt_compat; exact C1).
    destruct (Z.max_spec (u - 3 * v) 0) as [[S ->]|[S ->]].
    + apply IZR_lt in S. rewrite Rmax_right; [ring|]. nra.
    + apply IZR_le in S. rewrite Rmax_left; [field; lra|]. nra.
  - intros z Z. unfold failure. rewrite Ext. apply (R z Z).
Qed.

(** ** Fewer records are not enough

    A certificate consists of weights of data sets, and of multipliers: each belongs to a data set [w] of one
    record fewer, two records [a] and [b] that complete it to neighbours, and has one number for each answer.
    Any multipliers prove something, by weak duality. *)

(** *** The order of the records does not matter *)

Fixpoint inserts (x : nat) (l : list nat) : list (list nat) :=
  match l with
  | [] => [[x]]
  | y :: t => (x :: l) :: map (cons y) (inserts x t)
  end.
Fixpoint shuffles (z : list nat) : list (list nat) :=
  match z with [] => [[]] | x :: t => flat_map (inserts x) (shuffles t) end.

Lemma inserts_comm x y s f :
  sum (inserts y s) (fun t => sum (inserts x t) f) = sum (inserts x s) (fun t => sum (inserts y t) f).
Proof.
  revert f. induction s as [|a s IH]; intros f; simpl; [ring|].
  rewrite !sum_map. simpl.
  rewrite (sum_ext (inserts y s) (fun x0 => f (x :: a :: x0) + sum (map (cons a) (inserts x x0)) f)
    (fun x0 => f (x :: a :: x0) + sum (inserts x x0) (fun u => f (a :: u)))) by (intros; rewrite sum_map; reflexivity).
  rewrite (sum_ext (inserts x s) (fun x0 => f (y :: a :: x0) + sum (map (cons a) (inserts y x0)) f)
    (fun x0 => f (y :: a :: x0) + sum (inserts y x0) (fun u => f (a :: u)))) by (intros; rewrite sum_map; reflexivity).
  rewrite !sum_plus, (IH (fun u => f (a :: u))). ring.
Qed.

Lemma shuffles_perm z z' : Permutation z z' -> forall f, sum (shuffles z) f = sum (shuffles z') f.
Proof.
  induction 1 as [|x l l' P IH|x y l|l l' l'' P IH P' IH']; intros f; simpl; [reflexivity| | |].
  - rewrite !sum_flat_map. apply IH.
  - rewrite !sum_flat_map. apply sum_ext. intros s _. apply inserts_comm.
  - rewrite IH. apply IH'.
Qed.

Lemma inserts_in x l s : In s (inserts x l) -> Permutation (x :: l) s.
Proof.
  revert s. induction l as [|y t IH]; intros s; simpl.
  - intros [<-|[]]. reflexivity.
  - intros [<-|I]; [reflexivity|]. apply in_map_iff in I. destruct I as [u [<- I]].
    rewrite perm_swap. constructor. apply IH. exact I.
Qed.

Lemma shuffles_in z s : In s (shuffles z) -> Permutation z s.
Proof.
  revert s. induction z as [|x t IH]; intros s; simpl.
  - intros [<-|[]]. reflexivity.
  - intros I. apply in_flat_map in I. destruct I as [u [Iu I]]. apply inserts_in in I.
    rewrite <- I. constructor. apply IH. exact Iu.
Qed.

Lemma inserts_length x l : length (inserts x l) = S (length l).
Proof. induction l; simpl; [reflexivity|]. rewrite map_length, IHl. reflexivity. Qed.

Lemma shuffles_length z : length (shuffles z) = fact (length z).
Proof.
  induction z as [|x t IH]; [reflexivity|].
  assert (L : forall ls, (forall s, In s ls -> length s = length t) ->
    length (flat_map (inserts x) ls) = (S (length t) * length ls)%nat).
  { induction ls as [|s ls IHl]; intros H; simpl; [lia|]. rewrite app_length, inserts_length, IHl by auto with datatypes.
    rewrite (H s) by (left; reflexivity). lia. }
  simpl shuffles. rewrite L.
  - rewrite IH. simpl. lia.
  - intros s I. symmetry. apply Permutation_length. apply shuffles_in. exact I.
Qed.

(** *** The check *)

Definition vscale (k : Z) (v : list Z) : list Z := map (Z.mul k) v.

(** The least of the [k] first entries, and the largest of all. *)
Fixpoint vmin (k : nat) (v : list Z) : Z :=
  match k with
  | O => 0%Z
  | S O => hd 0%Z v
  | S j => Z.min (hd 0%Z v) (vmin j (tl v))
  end.
Fixpoint vmax (v : list Z) : Z := match v with [] => 0%Z | x :: t => Z.max x (vmax t) end.

Fixpoint total_min (K : nat) (t : table) : Z :=
  match t with Empty => 0%Z | Fork l v r => (total_min K l + vmin K v + total_min K r)%Z end.

Record multiplier := pair_of { rest : list nat; one : nat; other : nat; numbers : list Z }.

Definition reflected (K : nat) (y : multiplier) : multiplier :=
  {| rest := mirror K (rest y); one := (S K - one y)%nat; other := (S K - other y)%nat; numbers := rev (numbers y) |}.

Definition out_vector (K : nat) (z : list nat) (k : Z) : list Z :=
  map (fun c => if inside z c then 0%Z else k) (points K).

Definition add_weights (K : nat) (ws : list (list nat * Z)) (t : table) : table :=
  fold_right (fun w => add (code (fst w)) (out_vector K (fst w) (snd w))) t ws.
Definition add_multipliers (ys : list multiplier) (t : table) : table :=
  fold_right (fun y t => add (code (insert (one y) (rest y))) (numbers y)
    (add (code (insert (other y) (rest y))) (vscale (-3) (numbers y)) t)) t ys.

Definition is_data (K n : nat) (z : list nat) : bool :=
  (Nat.eqb (length z) n && forallb (fun v => Nat.leb 1 v && Nat.leb v K) z)%bool.
Definition good_multiplier (K n : nat) (y : multiplier) : bool :=
  (is_data K n (one y :: rest y) && is_data K n (other y :: rest y) &&
   negb (Nat.eqb (one y) (other y)) && forallb (Z.leb 0) (numbers y))%bool.

Fixpoint zsum_of {A} (l : list A) (f : A -> Z) : Z :=
  match l with [] => 0%Z | x :: t => (f x + zsum_of t f)%Z end.

Definition check_short (K n : nat) (d d' b b' : Z) (ws : list (list nat * Z)) (ys : list multiplier) : bool :=
  (Nat.ltb 0 K && Z.ltb 0 d' && Z.ltb 0 b' && Z.leb 0 d &&
  forallb (fun w => is_data K n (fst w) && Z.leb 0 (snd w)) ws && forallb (good_multiplier K n) ys &&
  Z.ltb (b * d' * zsum_of ws snd)
    (b' * (d' * total_min K (add_weights K ws (add_multipliers ys Empty)) - d * zsum_of ys (fun y => vmax (numbers y)))))%bool.

(** *** It is sound *)

(** The scalar product of the [k] first numbers with the values of [q] from [c] on. *)
Fixpoint dot (k : nat) (v : list Z) (c : nat) (q : nat -> R) : R :=
  match k with O => 0 | S j => IZR (hd 0%Z v) * q c + dot j (tl v) (S c) q end.

Lemma dot_vadd k u v c q : dot k (vadd u v) c q = dot k u c q + dot k v c q.
Proof.
  revert u v c. induction k as [|k IH]; intros u v c; simpl; [ring|].
  assert (H : hd 0%Z (vadd u v) = (hd 0 u + hd 0 v)%Z) by (destruct u, v; simpl; lia).
  assert (T : tl (vadd u v) = vadd (tl u) (tl v)) by (destruct u as [|? [|? ?]], v as [|? [|? ?]]; reflexivity).
  rewrite H, T, IH, plus_IZR. ring.
Qed.

Lemma dot_nil k c q : dot k [] c q = 0.
Proof. revert c. induction k; intros c; simpl; [reflexivity|]. rewrite IHk. ring. Qed.

Lemma dot_vscale k a v c q : dot k (vscale a v) c q = IZR a * dot k v c q.
Proof.
  revert v c. induction k as [|k IH]; intros [|x v] c; simpl; try ring.
  - rewrite dot_nil. ring.
  - rewrite IH, mult_IZR. ring.
Qed.

Lemma dot_min k v c q :
  (forall i, 0 <= q i) -> IZR (vmin k v) * sum (seq c k) q <= dot k v c q.
Proof.
  intros Q. revert v c. induction k as [|k IH]; intros v c; [simpl; lra|].
  destruct k as [|k]; [simpl; lra|].
  change (vmin (S (S k)) v) with (Z.min (hd 0%Z v) (vmin (S k) (tl v))).
  change (dot (S (S k)) v c q) with (IZR (hd 0%Z v) * q c + dot (S k) (tl v) (S c) q).
  change (seq c (S (S k))) with (c :: seq (S c) (S k)). cbn [sum]. specialize (IH (tl v) (S c)).
  assert (Sp : 0 <= sum (seq (S c) (S k)) q) by (apply sum_nonneg; intros; apply Q).
  assert (L1 : IZR (Z.min (hd 0%Z v) (vmin (S k) (tl v))) <= IZR (hd 0%Z v)) by (apply IZR_le; lia).
  assert (L2 : IZR (Z.min (hd 0%Z v) (vmin (S k) (tl v))) <= IZR (vmin (S k) (tl v))) by (apply IZR_le; lia).
  specialize (Q c). nra.
Qed.

Lemma dot_sum k v c q : dot k v c q = sum (seq c k) (fun i => IZR (nth (i - c) v 0%Z) * q i).
Proof.
  revert v c. induction k as [|k IH]; intros v c; simpl; [reflexivity|]. rewrite Nat.sub_diag, IH. f_equal.
  - destruct v; reflexivity.
  - apply sum_ext. intros i I. apply in_seq in I. f_equal. f_equal.
    replace (i - c)%nat with (S (i - S c)) by lia. destruct v; simpl; [destruct (i - S c)%nat|]; reflexivity.
Qed.

(** The value of a table: each vector times what stands for its data set. *)
Fixpoint val (t : table) (f : positive -> list Z -> R) : R :=
  match t with
  | Empty => 0
  | Fork l v r => val l (fun p => f (xO p)) + f xH v + val r (fun p => f (xI p))
  end.

Lemma val_add p v t f :
  (forall q, f q [] = 0) -> (forall q u w, f q (vadd u w) = f q u + f q w) ->
  val (add p v t) f = val t f + f p v.
Proof.
  revert t f. induction p as [p IH|p IH|]; intros t f Z A; destruct t as [|l u r]; simpl;
    rewrite ?IH by auto; rewrite ?Z, ?A; simpl; ring.
Qed.

Lemma val_min K t f : (forall p v, IZR (vmin K v) <= f p v) -> IZR (total_min K t) <= val t f.
Proof.
  revert f. induction t as [|l IHl v r IHr]; intros f H; simpl; [lra|]. rewrite !plus_IZR.
  assert (A := IHl (fun p => f (xO p)) (fun p => H (xO p))). assert (B := IHr (fun p => f (xI p)) (fun p => H (xI p))).
  specialize (H xH v). lra.
Qed.

Lemma is_data_spec K n z : is_data K n z = true <-> data_set K n z.
Proof.
  unfold is_data, data_set. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. split; intros [L V]; (split; [exact L|]).
  - intros v I. specialize (V v I). apply andb_true_iff in V. destruct V as [V1 V2].
    apply Nat.leb_le in V1, V2. apply in_seq. lia.
  - intros v I. specialize (V v I). apply in_seq in V. apply andb_true_iff. split; apply Nat.leb_le; lia.
Qed.

Lemma vmax_nth v i : IZR (nth i v 0%Z) <= IZR (vmax v) /\ 0 <= IZR (vmax v).
Proof.
  assert (P : forall u, (0 <= vmax u)%Z) by (induction u; simpl; lia).
  split; [|apply IZR_le, P]. apply IZR_le. revert i. induction v as [|x v IH]; intros [|i]; simpl; try lia.
  specialize (IH i). lia.
Qed.

Section Soundness.
Variables (K n : nat) (delta beta : R) (A : list nat -> nat -> R).
Hypothesis K0 : (0 < K)%nat.
Hypothesis L : forall z, data_set K n z -> law (points K) (A z).
Hypothesis H : private (neighbours K n) (points K) (ln 3) delta A.
Hypothesis F : forall z, data_set K n z -> failure K A z <= beta.

(** The algorithm that puts its records into a random order first. *)
Let B (z : list nat) (c : nat) : R := sum (shuffles z) (fun s => A s c) / INR (fact n).

(** The same, but for a list that is no data set it answers 1. *)
Let P (z : list nat) (c : nat) : R := if is_data K n z then B z c else if Nat.eqb c 1 then 1 else 0.

Lemma fact_pos : 0 < INR (fact n).
Proof. apply lt_0_INR. apply lt_O_fact. Qed.

Lemma shuffled z s : data_set K n z -> In s (shuffles z) -> data_set K n s.
Proof. intros Z I. apply data_set_perm with z; [apply shuffles_in; exact I|exact Z]. Qed.

Lemma average z f c : data_set K n z -> (forall s, In s (shuffles z) -> f s <= c) ->
  sum (shuffles z) f / INR (fact n) <= c.
Proof.
  intros [Z _] G. assert (Q := fact_pos). apply Rmult_le_reg_r with (INR (fact n)); [exact Q|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (c * INR (fact n)) with (sum (shuffles z) (fun _ => c)) by (rewrite sum_const, shuffles_length, Z; ring).
  apply sum_le. exact G.
Qed.

Lemma P_law z : law (points K) (P z).
Proof.
  unfold P. destruct (is_data K n z) eqn:E.
  - apply is_data_spec in E. assert (Q := fact_pos). split.
    + intros c. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Q].
      apply sum_nonneg. intros s I. apply (L s (shuffled z s E I)).
    + unfold B, Rdiv. rewrite sum_scale_r, sum_swap.
      rewrite (sum_ext (shuffles z) _ (fun _ => 1)) by (intros s I; apply (L s (shuffled z s E I))).
      rewrite sum_const, shuffles_length. destruct E as [-> _]. field. lra.
  - split; [intros c; destruct (Nat.eqb c 1); lra|]. unfold points. destruct K as [|k]; [lia|]. simpl.
    rewrite (sum_ext (seq 2 k) _ (fun _ => 0)).
    + rewrite sum_zero. ring.
    + intros c I. apply in_seq in I. destruct (Nat.eqb_spec c 1); [lia|reflexivity].
Qed.

Lemma P_insert a w c : data_set K n (a :: w) -> P (insert a w) c = B (a :: w) c.
Proof.
  intros Z. unfold P. assert (Q : is_data K n (insert a w) = true).
  { apply is_data_spec. apply data_set_perm with (a :: w); [apply insert_perm|exact Z]. }
  rewrite Q. unfold B. rewrite (shuffles_perm (insert a w) (a :: w)); [reflexivity|]. symmetry. apply insert_perm.
Qed.

Lemma P_failure z : data_set K n z ->
  sum (points K) (fun c => (if inside z c then 0 else 1) * P z c) <= beta.
Proof.
  intros Z. unfold P. rewrite (proj2 (is_data_spec K n z) Z). unfold B.
  rewrite (sum_ext (points K) _ (fun c => sum (shuffles z) (fun s => (if inside z c then 0 else 1) * A s c) * / INR (fact n)))
    by (intros; rewrite sum_scale; unfold Rdiv; ring).
  rewrite sum_scale_r, sum_swap. apply average; [exact Z|]. intros s I.
  eapply Rle_trans; [|apply (F s (shuffled z s Z I))]. right. unfold failure, Pr. apply sum_ext. intros c _.
  rewrite (inside_perm z s c (shuffles_in z s I)). destruct (inside s c); simpl; ring.
Qed.

(** What a multiplier of a pair of neighbours adds up to is at most delta times its largest number. *)
Lemma pair_bound s s' v :
  neighbours K n s s' -> (forall i, 0 <= IZR (nth i v 0%Z)) ->
  dot K v 1 (A s) - 3 * dot K v 1 (A s') <= delta * IZR (vmax v).
Proof.
  intros N V. assert (Hs := proj1 (proj2 (proj2 (hockey_stick_is_exact (points K) (ln 3) (A s) (A s'))) delta) (H s s' N)).
  unfold hockey_stick in Hs. rewrite exp_ln_3 in Hs. rewrite !dot_sum. fold (points K).
  rewrite <- sum_scale, <- sum_minus.
  apply Rle_trans with (sum (points K) (fun c => IZR (vmax v) * Rmax (A s c - 3 * A s' c) 0)).
  - apply sum_le. intros c _. destruct (vmax_nth v (c - 1)) as [M M0]. specialize (V (c - 1)%nat).
    assert (R1 := Rmax_l (A s c - 3 * A s' c) 0). assert (R2 := Rmax_r (A s c - 3 * A s' c) 0). nra.
  - rewrite sum_scale. destruct (vmax_nth v 0) as [_ M0]. nra.
Qed.

Lemma dot_B v z :
  dot K v 1 (B z) = sum (shuffles z) (fun s => dot K v 1 (A s)) / INR (fact n).
Proof.
  rewrite dot_sum. unfold B, Rdiv.
  rewrite (sum_ext (seq 1 K) _ (fun i => sum (shuffles z) (fun s => IZR (nth (i - 1) v 0%Z) * A s i) * / INR (fact n)))
    by (intros; rewrite sum_scale; ring).
  rewrite sum_scale_r, sum_swap. f_equal. apply sum_ext. intros s _. symmetry. apply dot_sum.
Qed.

Lemma inserts_pairs a b w (f g : list nat -> R) c :
  (forall s s', (exists l r, s = l ++ a :: r /\ s' = l ++ b :: r /\ Permutation (l ++ r) w) -> f s - g s' <= c) ->
  sum (inserts a w) f - sum (inserts b w) g <= INR (S (length w)) * c.
Proof.
  revert f g. induction w as [|y t IH]; intros f g Q.
  - simpl. assert (G := Q [a] [b]). specialize (G ltac:(exists [], []; auto)). lra.
  - cbn [inserts sum]. rewrite !sum_map.
    assert (G := IH (fun s => f (y :: s)) (fun s => g (y :: s))). cbv beta in G.
    assert (G' : sum (inserts a t) (fun s => f (y :: s)) - sum (inserts b t) (fun s => g (y :: s)) <= INR (S (length t)) * c).
    { apply G. intros s s' [l [r [-> [-> Pm]]]]. apply Q. exists (y :: l), r. repeat split. simpl. constructor. exact Pm. }
    assert (G0 : f (a :: y :: t) - g (b :: y :: t) <= c) by (apply Q; exists [], (y :: t); auto).
    simpl length. rewrite (S_INR (S (length t))). lra.
Qed.

Lemma multiplier_bound y : good_multiplier K n y = true ->
  dot K (numbers y) 1 (P (insert (one y) (rest y))) - 3 * dot K (numbers y) 1 (P (insert (other y) (rest y)))
  <= delta * IZR (vmax (numbers y)).
Proof.
  intros G. unfold good_multiplier in G. repeat rewrite andb_true_iff in G. destruct G as [[[G1 G2] G3] G4].
  apply is_data_spec in G1, G2. apply negb_true_iff in G3. apply Nat.eqb_neq in G3. rewrite forallb_forall in G4.
  assert (V : forall i, 0 <= IZR (nth i (numbers y) 0%Z)).
  { intros i. destruct (nth_in_or_default i (numbers y) 0%Z) as [J| ->]; [|lra].
    specialize (G4 _ J). apply Z.leb_le in G4. apply IZR_le. exact G4. }
  assert (X : forall a, data_set K n (a :: rest y) ->
    dot K (numbers y) 1 (P (insert a (rest y))) = sum (shuffles (a :: rest y)) (fun s => dot K (numbers y) 1 (A s)) / INR (fact n)).
  { intros a Z. rewrite <- dot_B, !dot_sum. apply sum_ext. intros c _. rewrite P_insert by exact Z. reflexivity. }
  rewrite !X by assumption. assert (Q := fact_pos).
  apply Rmult_le_reg_r with (INR (fact n)); [exact Q|].
  replace ((sum (shuffles (one y :: rest y)) (fun s => dot K (numbers y) 1 (A s)) / INR (fact n) -
    3 * (sum (shuffles (other y :: rest y)) (fun s => dot K (numbers y) 1 (A s)) / INR (fact n))) * INR (fact n))
    with (sum (shuffles (one y :: rest y)) (fun s => dot K (numbers y) 1 (A s)) -
      3 * sum (shuffles (other y :: rest y)) (fun s => dot K (numbers y) 1 (A s))) by (field; lra).
  simpl shuffles. rewrite !sum_flat_map, <- sum_scale, <- sum_minus.
  assert (N1 : n = S (length (rest y))) by (destruct G1 as [<- _]; reflexivity).
  apply Rle_trans with (sum (shuffles (rest y)) (fun _ => INR n * (delta * IZR (vmax (numbers y))))).
  - apply sum_le. intros w Iw. assert (Pw := shuffles_in _ _ Iw).
    rewrite <- (sum_scale (inserts (other y) w)). rewrite N1, (Permutation_length Pw).
    apply inserts_pairs. intros s s' [l [r [-> [-> Pm]]]]. apply pair_bound; [|exact V].
    assert (Dz : forall a, data_set K n (a :: rest y) -> data_set K n (l ++ a :: r)).
    { intros a Z. apply data_set_perm with (a :: rest y); [|exact Z].
      rewrite <- Permutation_middle. constructor. rewrite Pm. exact Pw. }
    split; [apply Dz; exact G1|]. split; [apply Dz; exact G2|]. exists l, (one y), (other y), r. auto.
  - rewrite sum_const, shuffles_length. replace (fact n) with (n * fact (length (rest y)))%nat.
    + rewrite mult_INR. right. ring.
    + rewrite N1 at 2. simpl. rewrite N1. simpl. lia.
Qed.

(** The value of the whole table, collected by data sets. *)
Let f (p : positive) (v : list Z) : R := dot K v 1 (P (decode p)).

Lemma dot_out z k : dot K (out_vector K z k) 1 (P z) = IZR k * sum (points K) (fun c => (if inside z c then 0 else 1) * P z c).
Proof.
  rewrite dot_sum, <- sum_scale. apply sum_ext. intros c I. apply in_seq in I. unfold out_vector, points.
  assert (E : nth (c - 1) (map (fun c => if inside z c then 0%Z else k) (seq 1 K)) 0%Z = if inside z c then 0%Z else k).
  { set (g := fun c => if inside z c then 0%Z else k). change (nth (c - 1) (map g (seq 1 K)) 0%Z = g c).
    rewrite (nth_indep _ 0%Z (g 0%nat)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by lia. replace (1 + (c - 1))%nat with c by lia. reflexivity. }
  rewrite E. destruct (inside z c); ring.
Qed.

Lemma val_multipliers ys : forallb (good_multiplier K n) ys = true ->
  val (add_multipliers ys Empty) f <= delta * IZR (zsum_of ys (fun y => vmax (numbers y))).
Proof.
  assert (Fz : forall q, f q [] = 0) by (intros; apply dot_nil).
  assert (Fa : forall q u w, f q (vadd u w) = f q u + f q w) by (intros; apply dot_vadd).
  induction ys as [|y ys IH]; intros G; simpl; [lra|]. simpl in G. apply andb_true_iff in G. destruct G as [G1 G2].
  rewrite !val_add by assumption. specialize (IH G2). assert (M := multiplier_bound y G1).
  unfold f at 2 3. rewrite !decode_code, dot_vscale, plus_IZR. lra.
Qed.

Lemma val_weights ws t : (forall w, In w ws -> data_set K n (fst w) /\ (0 <= snd w)%Z) ->
  val (add_weights K ws t) f <= val t f + beta * IZR (zsum_of ws snd).
Proof.
  assert (Fz : forall q, f q [] = 0) by (intros; apply dot_nil).
  assert (Fa : forall q u w, f q (vadd u w) = f q u + f q w) by (intros; apply dot_vadd).
  induction ws as [|w ws IH]; intros G; simpl; [lra|]. rewrite val_add by assumption.
  assert (IH' := IH (fun w I => G w (or_intror I))). destruct (G w (or_introl eq_refl)) as [G1 G2].
  unfold f at 2. rewrite decode_code, dot_out, plus_IZR. assert (M := P_failure (fst w) G1).
  apply IZR_le in G2. nra.
Qed.

Lemma multipliers_prove ws ys :
  (forall w, In w ws -> data_set K n (fst w) /\ (0 <= snd w)%Z) -> forallb (good_multiplier K n) ys = true ->
  IZR (total_min K (add_weights K ws (add_multipliers ys Empty))) <=
  beta * IZR (zsum_of ws snd) + delta * IZR (zsum_of ys (fun y => vmax (numbers y))).
Proof.
  intros G1 G2. assert (V1 := val_multipliers ys G2). assert (V2 := val_weights ws (add_multipliers ys Empty) G1).
  assert (M := val_min K (add_weights K ws (add_multipliers ys Empty)) f).
  assert (M' : IZR (total_min K (add_weights K ws (add_multipliers ys Empty))) <= val (add_weights K ws (add_multipliers ys Empty)) f).
  { apply M. intros p v. destruct (P_law (decode p)) as [P0 T].
    assert (D := dot_min K v 1 (P (decode p)) P0). fold (points K) in D. rewrite T, Rmult_1_r in D. exact D. }
  lra.
Qed.
End Soundness.

(** book: prop-thresholds-and-littlestone-certificate -- $e^{\varepsilon} = 3$, multipliers in whole numbers, and weights that need not add up to 1: what passes the check shows that $\beta^*$ is above beta *)
Theorem short_sound K n d d' b b' ws ys :
  check_short K n d d' b b' ws ys = true -> ~ possible K n (ln 3) (IZR d / IZR d') (IZR b / IZR b').
Proof.
  intros C [A [L [H F]]]. unfold check_short in C. repeat rewrite andb_true_iff in C.
  destruct C as [[[[[[C1 C2] C3] C4] C5] C6] C7].
  apply Nat.ltb_lt in C1. apply Z.ltb_lt in C2, C3, C7. apply Z.leb_le in C4. rewrite forallb_forall in C5.
  assert (G : forall w, In w ws -> data_set K n (fst w) /\ (0 <= snd w)%Z).
  { intros w I. specialize (C5 w I). apply andb_true_iff in C5. destruct C5 as [X Y].
    split; [apply is_data_spec; exact X|apply Z.leb_le; exact Y]. }
  assert (M := multipliers_prove K n (IZR d / IZR d') (IZR b / IZR b') A C1 L H F ws ys G C6).
  apply IZR_lt in C2, C3, C7. rewrite !mult_IZR, minus_IZR, !mult_IZR in C7.
  set (t := IZR (total_min K (add_weights K ws (add_multipliers ys Empty)))) in *.
  set (w := IZR (zsum_of ws snd)) in *. set (y := IZR (zsum_of ys (fun y => vmax (numbers y)))) in *.
  apply Rmult_le_compat_r with (r := IZR b' * IZR d') in M; [|nra].
  replace ((IZR b / IZR b' * w + IZR d / IZR d' * y) * (IZR b' * IZR d'))
    with (IZR b * IZR d' * w + IZR b' * (IZR d * y)) in M by (field; lra).
  lra.
Qed.

(** Each multiplier stands for its mirror image as well. *)
Definition both (K : nat) (ys : list multiplier) : list multiplier := ys ++ map (reflected K) ys.
Definition both_weights (K : nat) (ws : list (list nat * Z)) : list (list nat * Z) :=
  ws ++ map (fun w => (mirror K (fst w), snd w)) ws.

(** checked -- an entry of the table follows from its two certificates *)
Theorem certified K n d d' b b' den rows ws ys :
  check_enough K (S n) d d' b b' den (with_mirror K rows) = true ->
  (n = 0%nat /\ (b < b')%Z \/ check_short K n d d' b b' (both_weights K ws) (both K ys) = true) ->
  (0 <= d)%Z ->
  least_records K (ln 3) (IZR d / IZR d') (IZR b / IZR b') (S n).
Proof.
  intros E S D. assert (E' := E). unfold check_enough in E'. repeat rewrite andb_true_iff in E'.
  destruct E' as [[[[_ D'] B'] _] _]. apply Z.ltb_lt in D', B'. apply IZR_lt in D', B'.
  apply least_records_of.
  - left. rewrite <- ln_1. apply ln_increasing; lra.
  - apply Rmult_le_pos; [apply IZR_le; exact D|left; apply Rinv_0_lt_compat; exact D'].
  - apply (enough_sound K (Datatypes.S n) d d' b b' den (with_mirror K rows)); [lia|exact E].
  - destruct S as [[-> B]|S].
    + apply possible_zero. apply IZR_lt in B. apply Rmult_lt_reg_r with (IZR b'); [exact B'|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + apply (short_sound _ _ _ _ _ _ _ _ S).
Qed.
