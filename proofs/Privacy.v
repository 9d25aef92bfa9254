(** * The language of privacy

    Differential privacy for algorithms with finitely many outputs, and the theorems that every course
    proves first.  Each theorem is preceded by a line that names the statement of the book to which it
    belongs; after two dashes the line says where the two differ. *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)

(** The outputs of an algorithm are listed in [ys], and a distribution assigns a probability to each. *)
Definition law {Y} (ys : list Y) (p : Y -> R) : Prop :=
  (forall y, 0 <= p y) /\ sum ys p = 1.

(** A set of outputs, or event, is a test with answer yes or no. *)
Definition Pr {Y} (ys : list Y) (p : Y -> R) (E : Y -> bool) : R :=
  sum ys (fun y => if E y then p y else 0).

Definition Ex {Y} (ys : list Y) (p : Y -> R) (f : Y -> R) : R :=
  sum ys (fun y => p y * f y).

(** An algorithm assigns to each data set the distribution of its output. *)
Definition algorithm {D Y} (ys : list Y) (M : D -> Y -> R) : Prop :=
  forall d, law ys (M d).

(** $P(E) \le e^{\varepsilon} Q(E) + \delta$ for all sets $E$ of outputs. *)
Definition within {Y} (ys : list Y) (eps delta : R) (p q : Y -> R) : Prop :=
  forall E, Pr ys p E <= exp eps * Pr ys q E + delta.

(** book: wlf16-def-27 -- finitely many outputs; $\varepsilon$ and $\delta$ may be any real numbers, and that each output has a distribution is a condition of its own *)
Definition private {D Y} (adj : D -> D -> Prop) (ys : list Y) (eps delta : R)
    (M : D -> Y -> R) : Prop :=
  forall d d', adj d d' -> within ys eps delta (M d) (M d').

(** book: wlf16-eq-3 -- the neighbours; the Hamming distance has no definition of its own, since the theorems count steps between neighbours *)
Definition replace_one {X} (z z' : list X) : Prop :=
  exists l x x' r, z = l ++ x :: r /\ z' = l ++ x' :: r /\ x <> x'.

(** [steps adj k z z'] says that [k] steps between neighbours lead from [z] to [z']. *)
Inductive steps {D} (adj : D -> D -> Prop) : nat -> D -> D -> Prop :=
| stay d : steps adj 0 d d
| move k d e f : adj d e -> steps adj k e f -> steps adj (S k) d f.

(** ** Rules of probability *)

Lemma Pr_Ex {Y} (ys : list Y) p E :
  Pr ys p E = Ex ys p (fun y => if E y then 1 else 0).
Proof. apply sum_ext. intros y _. destruct (E y); ring. Qed.

Lemma Pr_nonneg {Y} (ys : list Y) p E : (forall y, 0 <= p y) -> 0 <= Pr ys p E.
Proof. intros P. apply sum_nonneg. intros y _. destruct (E y); [apply P|lra]. Qed.

Lemma Pr_le_1 {Y} (ys : list Y) p E : law ys p -> Pr ys p E <= 1.
Proof.
  intros [P T]. rewrite <- T. apply sum_le. intros y _. specialize (P y).
  destruct (E y); lra.
Qed.

Lemma Pr_not {Y} (ys : list Y) p E :
  law ys p -> Pr ys p (fun y => negb (E y)) = 1 - Pr ys p E.
Proof.
  intros [P T]. unfold Pr. rewrite <- T, <- sum_minus. apply sum_ext.
  intros y _. destruct (E y); simpl; ring.
Qed.

Lemma Pr_mono {Y} (ys : list Y) p E F :
  (forall y, 0 <= p y) -> (forall y, In y ys -> E y = true -> F y = true) ->
  Pr ys p E <= Pr ys p F.
Proof.
  intros P H. apply sum_le. intros y I. specialize (P y). specialize (H y I).
  destruct (E y); [rewrite H by reflexivity; lra|destruct (F y); lra].
Qed.

Lemma Ex_le {Y} (ys : list Y) p f g :
  (forall y, 0 <= p y) -> (forall y, In y ys -> f y <= g y) ->
  Ex ys p f <= Ex ys p g.
Proof. intros P H. apply sum_le. intros y I. apply Rmult_le_compat_l; auto. Qed.

Lemma Ex_const {Y} (ys : list Y) p c : law ys p -> Ex ys p (fun _ => c) = c.
Proof. intros [P T]. unfold Ex. rewrite sum_scale_r, T. ring. Qed.

Lemma Ex_plus {Y} (ys : list Y) p f g :
  Ex ys p (fun y => f y + g y) = Ex ys p f + Ex ys p g.
Proof.
  unfold Ex. rewrite <- sum_plus. apply sum_ext. intros; ring.
Qed.

Lemma Ex_scale {Y} (ys : list Y) p c f :
  Ex ys p (fun y => c * f y) = c * Ex ys p f.
Proof. unfold Ex. rewrite <- sum_scale. apply sum_ext. intros; ring. Qed.

(** ** From events to outputs and to tests *)

(** For pure privacy it is enough to look at single outputs. *)
Lemma within_of_outputs {Y} (ys : list Y) eps p q :
  (forall y, p y <= exp eps * q y) -> within ys eps 0 p q.
Proof.
  intros H E. unfold Pr. rewrite Rplus_0_r, <- sum_scale. apply sum_le.
  intros y _. destruct (E y); [apply H|lra].
Qed.

(** And single outputs are events, if we can tell outputs apart. *)
Lemma outputs_of_within {Y} (eq_dec : forall a b : Y, {a = b} + {a <> b}) (ys : list Y) eps p q y :
  In y ys -> within ys eps 0 p q -> p y <= exp eps * q y.
Proof.
  intros I H. specialize (H (fun x => if eq_dec x y then true else false)).
  assert (C : exists n, 1 <= n /\ forall r : Y -> R,
    Pr ys r (fun x => if eq_dec x y then true else false) = n * r y).
  { clear H. induction ys as [|a ys IH]; [contradiction|].
    assert (G : exists n, 0 <= n /\ forall r : Y -> R,
      Pr ys r (fun x => if eq_dec x y then true else false) = n * r y).
    { clear. induction ys as [|b ys [n [N E]]].
      - exists 0. split; [lra|]. intros. unfold Pr. simpl. ring.
      - exists (n + if eq_dec b y then 1 else 0). split; [destruct (eq_dec b y); lra|].
        intros r. unfold Pr in *. simpl. rewrite E. destruct (eq_dec b y); [subst|]; ring. }
    destruct G as [n [N E]]. destruct (eq_dec a y) as [->|D].
    - exists (n + 1). split; [lra|]. intros r. unfold Pr in *. simpl. rewrite E.
      destruct (eq_dec y y); [ring|congruence].
    - destruct I as [->|I]; [congruence|]. destruct (IH I) as [k [K F]]. exists k. split; [exact K|].
      intros r. unfold Pr in *. simpl. rewrite F. destruct (eq_dec a y); [congruence|ring]. }
  destruct C as [n [N E]]. rewrite !E in H.
  assert (0 < n) by lra. apply Rmult_le_reg_l with n; [assumption|]. lra.
Qed.

(** book: lem-what-privacy-promises-tests -- the factor is written $e^{\varepsilon}$, so that it is not 0; finitely many outputs *)
Theorem events_to_tests {Y} (ys : list Y) eps delta p q phi :
  within ys eps delta p q -> (forall y, 0 <= phi y <= 1) ->
  Ex ys p phi <= exp eps * Ex ys q phi + delta.
Proof.
  intros H F.
  (* The event on which p is the larger has the largest excess. *)
  pose (E := fun y => if Rlt_dec (exp eps * q y) (p y) then true else false).
  specialize (H E).
  assert (Ex ys p phi - exp eps * Ex ys q phi <= Pr ys p E - exp eps * Pr ys q E); [|lra].
  unfold Ex, Pr. rewrite <- !sum_scale, <- !sum_minus. apply sum_le. intros y _.
  specialize (F y). unfold E. destruct (Rlt_dec (exp eps * q y) (p y)); nra.
Qed.

(** The hockey-stick divergence, $\sum_y (P(y) - e^{\varepsilon} Q(y))_+$. *)
Definition hockey_stick {Y} (ys : list Y) (eps : R) (p q : Y -> R) : R :=
  sum ys (fun y => Rmax (p y - exp eps * q y) 0).

(** book: thm-what-privacy-promises-hockey-stick -- parts 1 and 2 for two distributions, finitely many outputs; that some set attains the largest excess, not that it is $E^*$; without the second sentence of part 2 *)
Theorem hockey_stick_is_exact {Y} (ys : list Y) eps p q :
  (forall E, Pr ys p E - exp eps * Pr ys q E <= hockey_stick ys eps p q) /\
  (exists E, Pr ys p E - exp eps * Pr ys q E = hockey_stick ys eps p q) /\
  (forall delta, within ys eps delta p q <-> hockey_stick ys eps p q <= delta).
Proof.
  assert (U : forall E, Pr ys p E - exp eps * Pr ys q E <= hockey_stick ys eps p q).
  { intros E. unfold Pr, hockey_stick. rewrite <- sum_scale, <- sum_minus. apply sum_le. intros y _.
    assert (L := Rmax_l (p y - exp eps * q y) 0). assert (M := Rmax_r (p y - exp eps * q y) 0).
    destruct (E y); lra. }
  assert (A : exists E, Pr ys p E - exp eps * Pr ys q E = hockey_stick ys eps p q).
  { exists (fun y => if Rlt_dec (exp eps * q y) (p y) then true else false).
    unfold Pr, hockey_stick. rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros y _.
    destruct (Rlt_dec (exp eps * q y) (p y)).
    - rewrite Rmax_left; lra.
    - rewrite Rmax_right; lra. }
  split; [exact U|]. split; [exact A|]. intros delta. split.
  - intros W. destruct A as [E A]. specialize (W E). lra.
  - intros W E. specialize (U E). lra.
Qed.

(** ** Post-processing, groups, composition *)

(** A map with random choices of its own: [K y] is the distribution of what becomes of the output [y]. *)
Definition process {D Y Z} (ys : list Y) (M : D -> Y -> R) (K : Y -> Z -> R) : D -> Z -> R :=
  fun d z => sum ys (fun y => M d y * K y z).

(** book: lzcw21-lem-40 -- finitely many outputs *)
Theorem post_processing {D Y Z} (adj : D -> D -> Prop) (ys : list Y) (zs : list Z) eps delta M K :
  algorithm zs K -> private adj ys eps delta M ->
  private adj zs eps delta (process ys M K).
Proof.
  intros HK H d d' A E.
  assert (X : forall e, Pr zs (process ys M K e) E = Ex ys (M e) (fun y => Pr zs (K y) E)).
  { intros e. unfold Pr, Ex, process.
    transitivity (sum zs (fun z => sum ys (fun y => M e y * if E z then K y z else 0))).
    - apply sum_ext. intros z _. destruct (E z); [reflexivity|]. symmetry.
      transitivity (sum ys (fun _ => 0)); [apply sum_ext; intros; ring|apply sum_zero].
    - rewrite sum_swap. apply sum_ext. intros y _. apply sum_scale. }
  rewrite !X. apply events_to_tests; [apply H; exact A|].
  intros y. split; [apply Pr_nonneg; apply HK | apply Pr_le_1; apply HK].
Qed.

(** book: lem-what-privacy-promises-chain -- finitely many outputs *)
Theorem two_steps {Y} (ys : list Y) e1 e2 d1 d2 p q r :
  within ys e1 d1 p q -> within ys e2 d2 q r ->
  within ys (e1 + e2) (d1 + exp e1 * d2) p r.
Proof.
  intros H K E. specialize (H E). specialize (K E). rewrite exp_plus.
  assert (0 < exp e1) by apply exp_pos. nra.
Qed.

(** book: wlf16-eq-group-privacy -- finitely many outputs *)
Theorem group_privacy {D Y} (adj : D -> D -> Prop) (ys : list Y) eps delta M k d d' :
  private adj ys eps delta M -> steps adj k d d' ->
  within ys (INR k * eps) (sum (seq 0 k) (fun j => exp (INR j * eps)) * delta) (M d) (M d').
Proof.
  intros H S. induction S as [d|k d e f A S IH].
  - intros E. simpl. rewrite Rmult_0_l, exp_0. lra.
  - assert (G := two_steps _ _ _ _ _ _ _ _ (H d e A) IH).
    replace (INR (Datatypes.S k) * eps) with (eps + INR k * eps) by (rewrite S_INR; ring).
    replace (sum (seq 0 (Datatypes.S k)) (fun j => exp (INR j * eps)) * delta)
      with (delta + exp eps * (sum (seq 0 k) (fun j => exp (INR j * eps)) * delta)); [exact G|].
    change (seq 0 (Datatypes.S k)) with (0%nat :: seq 1 k). rewrite <- seq_shift.
    cbn [sum]. rewrite sum_map. replace (INR 0 * eps) with 0 by (simpl; ring). rewrite exp_0.
    rewrite (sum_ext (seq 0 k) (fun j => exp (INR (Datatypes.S j) * eps)) (fun j => exp eps * exp (INR j * eps))).
    + rewrite sum_scale. ring.
    + intros j _. rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.

(** A step of an adaptive composition knows the earlier answers, in their order: [A h d] is the
    distribution of its answer.  [run A h d t] is the probability that the steps after [h] give the
    answers [t], one after the other. *)
Fixpoint run {D Y} (A : list Y -> D -> Y -> R) (h : list Y) (d : D) (t : list Y) : R :=
  match t with
  | [] => 1
  | a :: t' => A h d a * run A (h ++ [a]) d t'
  end.

Lemma Pr_run {D Y} (ys : list Y) (A : list Y -> D -> Y -> R) k h d E :
  Pr (lists ys (S k)) (run A h d) E =
  Ex ys (A h d) (fun a => Pr (lists ys k) (run A (h ++ [a]) d) (fun t => E (a :: t))).
Proof.
  unfold Pr at 1. rewrite sum_lists_S. apply sum_ext. intros a _. unfold Pr.
  rewrite <- sum_scale. apply sum_ext. intros t _. simpl. destruct (E (a :: t)); ring.
Qed.

Lemma run_law {D Y} (ys : list Y) (A : list Y -> D -> Y -> R) k h d :
  (forall h, algorithm ys (A h)) -> law (lists ys k) (run A h d).
Proof.
  intros L.
  assert (P : forall t h, 0 <= run A h d t).
  { intros t. induction t; intros h'; simpl; [lra|]. apply Rmult_le_pos; [apply L|auto]. }
  split; [intros; apply P|]. revert h. induction k; intros h; [simpl; ring|].
  rewrite sum_lists_S. destruct (L h d) as [_ T]. rewrite <- T. apply sum_ext. intros a _.
  simpl. rewrite sum_scale, IHk. ring.
Qed.

(** The heart of composition: a first answer, and for each first answer the probabilities [a] and [b] of
    what follows. *)
Lemma compose_two {Y} (ys : list Y) e1 e2 d1 d2 p q a b :
  law ys p -> law ys q -> 0 <= d2 -> within ys e1 d1 p q ->
  (forall y, 0 <= a y <= 1) -> (forall y, 0 <= b y) -> (forall y, a y <= exp e2 * b y + d2) ->
  Ex ys p a <= exp (e1 + e2) * Ex ys q b + (d1 + d2).
Proof.
  intros P Q D W A B C.
  pose (c := fun y => Rmin 1 (exp e2 * b y)).
  assert (E2 : 0 < exp e2) by apply exp_pos.
  assert (c01 : forall y, 0 <= c y <= 1).
  { intros y. specialize (B y). unfold c. split; [apply Rmin_glb; nra|apply Rmin_l]. }
  apply Rle_trans with (Ex ys p (fun y => c y + d2)).
  { apply Ex_le; [apply P|]. intros y _. specialize (A y). specialize (C y). unfold c, Rmin.
    destruct (Rle_dec 1 (exp e2 * b y)); lra. }
  rewrite Ex_plus, (Ex_const ys p d2 P).
  assert (T := events_to_tests ys e1 d1 p q c W c01).
  assert (L : Ex ys q c <= exp e2 * Ex ys q b).
  { rewrite <- Ex_scale. apply Ex_le; [apply Q|]. intros y _. apply Rmin_r. }
  rewrite exp_plus. assert (0 < exp e1) by apply exp_pos. nra.
Qed.

(** book: thm-composition-basic -- all steps answer from one finite set *)
Theorem composition {D Y} (adj : D -> D -> Prop) (ys : list Y) (A : list Y -> D -> Y -> R)
    (eps delta : nat -> R) k :
  (forall h, algorithm ys (A h)) -> (forall i, 0 <= delta i) ->
  (forall h, private adj ys (eps (length h)) (delta (length h)) (A h)) ->
  private adj (lists ys k) (sum (seq 0 k) eps) (sum (seq 0 k) delta) (run A []).
Proof.
  intros L N H d d' N' E. revert E.
  change 0%nat with (length (@nil Y)). generalize (@nil Y) as h.
  induction k; intros h E.
  - simpl. rewrite exp_0. unfold Pr. simpl. lra.
  - rewrite !Pr_run. simpl seq. cbn [sum]. apply compose_two; try apply L.
    + apply sum_nonneg. intros; apply N.
    + apply H. exact N'.
    + intros y. assert (R := run_law ys A k (h ++ [y]) d L).
      split; [apply Pr_nonneg, R|apply Pr_le_1, R].
    + intros y. apply Pr_nonneg, (run_law ys A k (h ++ [y]) d' L).
    + intros y. replace (S (length h)) with (length (h ++ [y])) by (rewrite app_length; simpl; lia).
      apply IHk.
Qed.

(** ** Randomised response *)

(** The answer [y] to the bit [z] is truthful with probability $e^{\varepsilon} / (1 + e^{\varepsilon})$. *)
Definition answer (eps : R) (z y : bool) : R :=
  if eqb z y then exp eps / (1 + exp eps) else 1 / (1 + exp eps).

(** Every record answers for itself. *)
Fixpoint response (eps : R) (z y : list bool) : R :=
  match z, y with
  | [], [] => 1
  | b :: z', c :: y' => answer eps b c * response eps z' y'
  | _, _ => 0
  end.

Definition bits : list bool := [true; false].

(** Neighbours with [m] records. *)
Definition replace_one_of {X} (m : nat) (z z' : list X) : Prop :=
  length z = m /\ replace_one z z'.

Lemma answer_pos eps z y : 0 < answer eps z y.
Proof.
  assert (0 < exp eps) by apply exp_pos. unfold answer.
  destruct (eqb z y); apply Rdiv_lt_0_compat; lra.
Qed.

Lemma answer_total eps z : sum bits (answer eps z) = 1.
Proof.
  assert (0 < exp eps) by apply exp_pos.
  destruct z; unfold answer; simpl; field; lra.
Qed.

Lemma answer_odds eps z z' y : 0 <= eps -> answer eps z y <= exp eps * answer eps z' y.
Proof.
  intros H. assert (G := exp_ge_1 eps H). unfold answer.
  assert (0 < / (1 + exp eps)) by (apply Rinv_0_lt_compat; lra).
  assert (0 <= (exp eps - 1) * / (1 + exp eps)) by (apply Rmult_le_pos; lra).
  assert (0 <= exp eps * ((exp eps - 1) * / (1 + exp eps))) by (apply Rmult_le_pos; lra).
  unfold Rdiv. destruct (eqb z y), (eqb z' y); lra.
Qed.

Lemma response_law eps z : law (lists bits (length z)) (response eps z).
Proof.
  split.
  - induction z as [|b z IH]; intros [|c y]; simpl; try lra.
    apply Rmult_le_pos; [left; apply answer_pos|apply IH].
  - induction z as [|b z IH]; [simpl; ring|]. simpl length. rewrite sum_lists_S.
    rewrite <- (answer_total eps b). apply sum_ext. intros c _. simpl.
    rewrite sum_scale, IH. ring.
Qed.

(** book: prop-what-privacy-promises-response -- part 1 *)
Theorem randomised_response eps m :
  0 < eps ->
  private (replace_one_of m) (lists bits m) eps 0 (response eps) /\
  forall eps', (0 < m)%nat -> 0 <= eps' < eps ->
    ~ private (replace_one_of m) (lists bits m) eps' 0 (response eps).
Proof.
  intros H. split.
  - intros z z' [_ [l [x [x' [r [-> [-> _]]]]]]]. apply within_of_outputs.
    induction l as [|b l IH]; intros [|c y]; simpl; try lra.
    + assert (G := answer_odds eps x x' c (Rlt_le _ _ H)).
      assert (0 <= response eps r y) by apply response_law. nra.
    + assert (G := answer_pos eps b c). specialize (IH y). nra.
  - intros eps' M [E0 E1] P. destruct m as [|m]; [lia|].
    specialize (P (true :: repeat true m) (false :: repeat true m)).
    assert (A : replace_one_of (S m) (true :: repeat true m) (false :: repeat true m)).
    { split; [simpl; rewrite repeat_length; reflexivity|].
      exists [], true, false, (repeat true m). repeat split. discriminate. }
    specialize (P A (fun y => match y with b :: _ => b | [] => false end)).
    assert (X : forall b, Pr (lists bits (S m)) (response eps (b :: repeat true m))
        (fun y => match y with c :: _ => c | [] => false end) = answer eps b true).
    { intros b. unfold Pr. rewrite sum_lists_S. unfold bits at 1. cbn [sum response].
      rewrite sum_zero, sum_scale. destruct (response_law eps (repeat true m)) as [_ T].
      rewrite repeat_length in T. rewrite T. ring. }
    rewrite !X in P. unfold answer in P. simpl in P.
    assert (L := exp_increasing _ _ E1). assert (0 < exp eps) by apply exp_pos.
    assert (I : 0 < / (1 + exp eps)) by (apply Rinv_0_lt_compat; lra).
    unfold Rdiv in P. rewrite Rplus_0_r, Rmult_1_l in P.
    assert (exp eps <= exp eps'); [|lra].
    apply Rmult_le_reg_r with (/ (1 + exp eps)); assumption.
Qed.

(** The share of records that are 1, and its estimate from the answers. *)
Definition one_if (b : bool) : R := if b then 1 else 0.
Definition share (m : nat) (z : list bool) : R := sum z one_if / INR m.
Definition estimate (eps : R) (m : nat) (y : list bool) : R :=
  let p := exp eps / (1 + exp eps) in (share m y - (1 - p)) / (2 * p - 1).

(** How far the answers are from what is expected of them: a sum of independent numbers of mean 0. *)
Definition deviation (eps : R) (z y : list bool) : R :=
  let p := exp eps / (1 + exp eps) in
  sum y one_if - INR (length z) * (1 - p) - (2 * p - 1) * sum z one_if.

Lemma deviation_moments eps z :
  let p := exp eps / (1 + exp eps) in
  Ex (lists bits (length z)) (response eps z) (deviation eps z) = 0 /\
  Ex (lists bits (length z)) (response eps z) (fun y => deviation eps z y * deviation eps z y)
    = INR (length z) * (p * (1 - p)).
Proof.
  intros p. assert (D : 1 + exp eps <> 0) by (assert (0 < exp eps) by apply exp_pos; lra).
  assert (An : forall b c, answer eps b c = if eqb b c then p else 1 - p).
  { intros b c. unfold answer, p. destruct (eqb b c); field; exact D. }
  induction z as [|b z [IH1 IH2]].
  - split; unfold Ex, deviation; simpl; ring.
  - set (u := fun c => one_if c - (1 - p) - (2 * p - 1) * one_if b).
    assert (Dv : forall c t, deviation eps (b :: z) (c :: t) = u c + deviation eps z t).
    { intros c t. unfold deviation, u. fold p. cbn [sum length]. rewrite S_INR. ring. }
    assert (St : forall f, Ex (lists bits (length (b :: z))) (response eps (b :: z)) f =
      sum bits (fun c => answer eps b c * Ex (lists bits (length z)) (response eps z) (fun t => f (c :: t)))).
    { intros f. unfold Ex. simpl length. rewrite sum_lists_S. apply sum_ext. intros c _. rewrite <- sum_scale.
      apply sum_ext. intros t _. simpl. ring. }
    assert (L := response_law eps z). rewrite !St. split.
    + transitivity (sum bits (fun c => answer eps b c * u c)).
      * apply sum_ext. intros c _. f_equal.
        transitivity (Ex (lists bits (length z)) (response eps z) (fun _ => u c) +
          Ex (lists bits (length z)) (response eps z) (deviation eps z)).
        -- rewrite <- Ex_plus. apply sum_ext. intros t _. rewrite Dv. reflexivity.
        -- rewrite Ex_const, IH1 by exact L. ring.
      * unfold bits, u, one_if. cbn [sum]. rewrite !An. destruct b; simpl; ring.
    + transitivity (sum bits (fun c => answer eps b c * (u c * u c + INR (length z) * (p * (1 - p))))).
      * apply sum_ext. intros c _. f_equal.
        transitivity (Ex (lists bits (length z)) (response eps z) (fun _ => u c * u c) +
          (2 * u c * Ex (lists bits (length z)) (response eps z) (deviation eps z) +
           Ex (lists bits (length z)) (response eps z) (fun y => deviation eps z y * deviation eps z y))).
        -- rewrite <- Ex_scale, <- !Ex_plus. apply sum_ext. intros t _. rewrite Dv. ring.
        -- rewrite Ex_const, IH1, IH2 by exact L. ring.
      * cbn [length]. rewrite S_INR. unfold bits, u, one_if. cbn [sum]. rewrite !An. destruct b; simpl; ring.
Qed.

(** book: prop-what-privacy-promises-response -- part 2 *)
Theorem randomised_response_estimate eps m z :
  0 < eps -> (0 < m)%nat -> length z = m ->
  Ex (lists bits m) (response eps z) (estimate eps m) = share m z /\
  sqrt (Ex (lists bits m) (response eps z) (fun y => (estimate eps m y - share m z) * (estimate eps m y - share m z)))
    = 1 / (2 * sinh (eps / 2) * sqrt (INR m)) /\
  1 / (2 * sinh (eps / 2) * sqrt (INR m)) <= 1 / (eps * sqrt (INR m)).
Proof.
  intros E M <-. set (m := length z) in *. assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  set (p := exp eps / (1 + exp eps)).
  assert (G : 1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; exact E).
  assert (Q : 0 < 2 * p - 1).
  { unfold p. replace (2 * (exp eps / (1 + exp eps)) - 1) with ((exp eps - 1) / (1 + exp eps)) by (field; lra).
    apply Rdiv_lt_0_compat; lra. }
  destruct (deviation_moments eps z) as [M1 M2]. fold p m in M2. fold m in M1.
  assert (L := response_law eps z). fold m in L.
  set (k := / (INR m * (2 * p - 1))).
  assert (Dv : forall y, estimate eps m y = share m z + k * deviation eps z y).
  { intros y. unfold estimate, deviation, share, k. fold p m. field. lra. }
  assert (S1 : eps / 2 <= sinh (eps / 2)).
  { assert (H : sinh 0 - 0 <= sinh (eps / 2) - eps / 2).
    { apply (grows (fun x => sinh x - x) (fun x => cosh x - 1)); [lra| |].
      - intros x _. apply (derivable_pt_lim_minus sinh id); [apply derivable_pt_lim_sinh|apply derivable_pt_lim_id].
      - intros x _. unfold cosh. assert (A := exp_ineq1_le x). assert (B := exp_ineq1_le (- x)). lra. }
    rewrite sinh_0 in H. lra. }
  assert (R : 0 < sqrt (INR m)) by (apply sqrt_lt_R0; exact I).
  split; [|split].
  - transitivity (Ex (lists bits m) (response eps z) (fun _ => share m z) +
      k * Ex (lists bits m) (response eps z) (deviation eps z)).
    + rewrite <- Ex_scale, <- Ex_plus. apply sum_ext. intros y _. rewrite Dv. reflexivity.
    + rewrite Ex_const, M1 by exact L. ring.
  - replace (Ex (lists bits m) (response eps z) (fun y => (estimate eps m y - share m z) * (estimate eps m y - share m z)))
      with (1 / (2 * sinh (eps / 2) * sqrt (INR m)) * (1 / (2 * sinh (eps / 2) * sqrt (INR m)))).
    + apply sqrt_square. left. apply Rdiv_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; lra.
    + transitivity (k * k * (INR m * (p * (1 - p)))).
      * replace (1 / (2 * sinh (eps / 2) * sqrt (INR m)) * (1 / (2 * sinh (eps / 2) * sqrt (INR m))))
          with (1 / (2 * sinh (eps / 2) * (2 * sinh (eps / 2)) * (sqrt (INR m) * sqrt (INR m)))) by (field; lra).
        rewrite sqrt_sqrt by lra. unfold k, p, sinh. rewrite exp_Ropp.
        assert (E2 : exp eps = exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; field).
        rewrite E2 in *. assert (0 < exp (eps / 2)) by apply exp_pos. field. repeat split; nra.
      * rewrite <- M2, <- Ex_scale. apply sum_ext. intros y _. rewrite Dv. ring.
  - unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|].
    apply Rmult_le_compat_r; lra.
Qed.

(** book: thm-what-privacy-promises-worst-pair -- finitely many outputs *)
Theorem randomised_response_is_worst {Y} (eq_dec : forall a b : Y, {a = b} + {a <> b})
    (ys : list Y) eps p q :
  0 < eps -> law ys p -> law ys q -> (forall y, ~ In y ys -> p y = 0 /\ q y = 0) ->
  within ys eps 0 p q -> within ys eps 0 q p ->
  exists K : bool -> Y -> R, algorithm ys K /\
    (forall y, p y = sum bits (fun b => answer eps true b * K b y)) /\
    (forall y, q y = sum bits (fun b => answer eps false b * K b y)).
Proof.
  intros H [P T] [Q U] O PQ QP.
  assert (G : 1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; exact H).
  assert (I : 0 < / (exp eps - 1)) by (apply Rinv_0_lt_compat; lra).
  exists (fun (b : bool) y => if b then (exp eps * p y - q y) / (exp eps - 1)
                     else (exp eps * q y - p y) / (exp eps - 1)).
  split; [|split].
  - intros b. split.
    + intros y. assert (p y <= exp eps * q y /\ q y <= exp eps * p y) as [A B].
      { destruct (in_dec eq_dec y ys) as [J|J].
        - split; apply (outputs_of_within eq_dec ys); assumption.
        - destruct (O y J) as [-> ->]. lra. }
      unfold Rdiv. destruct b; apply Rmult_le_pos; lra.
    + unfold Rdiv. destruct b; rewrite sum_scale_r, sum_minus, sum_scale, T, U; field; lra.
  - intros y. unfold answer. simpl. field. lra.
  - intros y. unfold answer. simpl. field. lra.
Qed.
