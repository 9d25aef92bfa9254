(** * Learning one example at a time

    Weighted majority against arbitrary losses, the halving player, and the standard optimal player, whose
    number of mistakes is the Littlestone dimension. *)

From Coq Require Import Reals Lra Lia List Bool Arith.
From Privml Require Import Sums Privacy Samples.
Import ListNotations.

(** ** Randomised weighted majority *)

Section Experts.
Open Scope R_scope.
Variables (I : Type) (experts : list I) (eta : R).

(** book: dr11-alg-15 -- the probabilities, from the total losses so far *)
Definition choice (total : I -> R) (i : I) : R :=
  exp (- (eta * total i)) / sum experts (fun j => exp (- (eta * total j))).

(** The sum over the rounds of the learner's mean losses, after rounds with the given total losses. *)
Fixpoint learner_loss (total : I -> R) (rounds : list (I -> R)) : R :=
  match rounds with
  | [] => 0
  | c :: later => Ex experts (choice total) c + learner_loss (fun i => total i + c i) later
  end.

(** The total loss of one expert. *)
Definition expert_loss (rounds : list (I -> R)) (i : I) : R := sum rounds (fun c => c i).

Lemma choice_law total : experts <> [] -> law experts (choice total).
Proof.
  intros N. assert (W : 0 < sum experts (fun j => exp (- (eta * total j)))).
  { apply sum_pos; [exact N|]. intros. apply exp_pos. }
  split.
  - intros i. apply Rmult_le_pos; left; [apply exp_pos|apply Rinv_0_lt_compat; exact W].
  - unfold choice, Rdiv. rewrite sum_scale_r. field. lra.
Qed.

Lemma weights_shrink rounds total :
  experts <> [] -> (forall c i, In c rounds -> 0 <= c i <= 1) ->
  sum experts (fun i => exp (- (eta * (total i + expert_loss rounds i)))) <=
  sum experts (fun i => exp (- (eta * total i))) *
  exp (- (eta * learner_loss total rounds) + INR (length rounds) * (eta * eta / 8)).
Proof.
  intros N. revert total. induction rounds as [|c later IH]; intros total B.
  - simpl. replace (- (eta * 0) + 0 * (eta * eta / 8)) with 0 by ring. rewrite exp_0, Rmult_1_r.
    right. apply sum_ext. intros. f_equal. unfold expert_loss. simpl. ring.
  - set (total' := fun i => total i + c i).
    assert (L := choice_law total N).
    set (W := sum experts (fun j => exp (- (eta * total j)))).
    assert (W0 : 0 < W) by (apply sum_pos; [exact N|]; intros; apply exp_pos).
    set (mu := Ex experts (choice total) c).
    assert (B1 : forall i, 0 <= c i <= 1) by (intros; apply B; left; reflexivity).
    assert (H : Ex experts (choice total) (fun i => exp (- eta * (c i - mu))) <= exp (eta * eta / 8)).
    { replace (eta * eta / 8) with (- eta * - eta / 8) by field.
      apply (hoeffding_lemma experts (choice total) (fun i => c i - mu) (- mu)); [exact L| |].
      - intros i. specialize (B1 i). lra.
      - replace (Ex experts (choice total) (fun i => c i - mu)) with
          (Ex experts (choice total) c + Ex experts (choice total) (fun _ => - mu)).
        + rewrite Ex_const by exact L. fold mu. ring.
        + rewrite <- Ex_plus. reflexivity. }
    assert (One : sum experts (fun i => exp (- (eta * total' i))) <= W * exp (- (eta * mu) + eta * eta / 8)).
    { replace (sum experts (fun i => exp (- (eta * total' i))))
        with (W * (exp (- (eta * mu)) * Ex experts (choice total) (fun i => exp (- eta * (c i - mu))))).
      - apply Rmult_le_compat_l; [lra|]. rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|exact H].
      - rewrite <- Ex_scale. unfold Ex. rewrite <- sum_scale. apply sum_ext. intros i _.
        unfold choice. fold W. rewrite <- exp_plus.
        replace (- (eta * mu) + - eta * (c i - mu)) with (- (eta * c i)) by ring.
        replace (W * (exp (- (eta * total i)) / W * exp (- (eta * c i))))
          with (exp (- (eta * total i)) * exp (- (eta * c i))) by (field; lra).
        rewrite <- exp_plus. f_equal. unfold total'. ring. }
    specialize (IH total' (fun c' i I' => B c' i (or_intror I'))).
    eapply Rle_trans; [|eapply Rle_trans; [exact IH|]].
    + right. apply sum_ext. intros. f_equal. unfold total', expert_loss. simpl. ring.
    + cbn [learner_loss length]. fold mu total'. rewrite S_INR.
      replace (- (eta * (mu + learner_loss total' later)) + (INR (length later) + 1) * (eta * eta / 8))
        with ((- (eta * mu) + eta * eta / 8) + (- (eta * learner_loss total' later) + INR (length later) * (eta * eta / 8))) by ring.
      rewrite (exp_plus (- (eta * mu) + eta * eta / 8)), <- Rmult_assoc.
      apply Rmult_le_compat_r; [left; apply exp_pos|exact One].
Qed.

(** book: dr11-thm-11.1 -- part 1, for every expert; and its bound at the rate of part 2, not that its left side is the expected regret *)
Theorem weighted_majority_regret rounds i :
  0 < eta -> In i experts -> rounds <> [] -> (forall c j, In c rounds -> 0 <= c j <= 1) ->
  let T := INR (length rounds) in
  let k := INR (length experts) in
  learner_loss (fun _ => 0) rounds / T - expert_loss rounds i / T <= eta / 8 + ln k / (eta * T) /\
  (eta = sqrt (8 * ln k / T) ->
   learner_loss (fun _ => 0) rounds / T - expert_loss rounds i / T <= sqrt (ln k / (2 * T))).
Proof.
  intros E0 Ie Nr B T k.
  assert (N : experts <> []) by (intros Z; rewrite Z in Ie; contradiction).
  assert (T0 : 0 < T) by (apply lt_0_INR; destruct rounds; [congruence|simpl; lia]).
  assert (K1 : 0 < k) by (apply lt_0_INR; destruct experts; [contradiction|simpl; lia]).
  set (Ll := learner_loss (fun _ => 0) rounds).
  assert (R1 : Ll / T - expert_loss rounds i / T <= eta / 8 + ln k / (eta * T)).
  { assert (W := weights_shrink rounds (fun _ => 0) N B). fold Ll in W. fold T in W. cbv beta in W.
    rewrite (sum_ext experts (fun _ => exp (- (eta * 0))) (fun _ => 1)) in W
      by (intros; rewrite Rmult_0_r, Ropp_0; apply exp_0).
    rewrite sum_const, Rmult_1_r in W. fold k in W.
    assert (One : exp (- (eta * (0 + expert_loss rounds i))) <=
      sum experts (fun j => exp (- (eta * (0 + expert_loss rounds j))))).
    { apply (sum_member experts (fun j => exp (- (eta * (0 + expert_loss rounds j)))) i Ie).
      intros. left. apply exp_pos. }
    assert (W' : exp (- (eta * expert_loss rounds i)) <= exp (ln k + (- (eta * Ll) + T * (eta * eta / 8)))).
    { rewrite exp_plus, exp_ln by exact K1. eapply Rle_trans; [|exact W]. eapply Rle_trans; [|exact One].
      right. f_equal. ring. }
    assert (V : - (eta * expert_loss rounds i) <= ln k + (- (eta * Ll) + T * (eta * eta / 8))).
    { destruct (Rle_dec (- (eta * expert_loss rounds i)) (ln k + (- (eta * Ll) + T * (eta * eta / 8)))) as [|F]; [assumption|].
      exfalso. apply Rnot_le_lt in F. apply exp_increasing in F. lra. }
    apply Rmult_le_reg_r with (eta * T); [nra|]. field_simplify; [|lra..]. nra. }
  split; [exact R1|]. intros He. eapply Rle_trans; [exact R1|].
  assert (K2 : 0 <= ln k).
  { rewrite <- ln_1. destruct (Req_dec k 1) as [->|Nk]; [lra|]. left. apply ln_increasing; [lra|].
    assert (1 <= k); [|lra]. unfold k. change 1 with (INR 1). apply le_INR. destruct experts; [contradiction|simpl; lia]. }
  assert (Sq : eta * eta = 8 * ln k / T).
  { rewrite He. apply sqrt_sqrt. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. exact T0. }
  assert (Lk : ln k = eta * eta * T / 8) by (rewrite Sq; field; lra).
  replace (ln k / (2 * T)) with (eta / 4 * (eta / 4)) by (rewrite Lk; field; lra).
  rewrite sqrt_square by lra. rewrite Lk. right. field. lra.
Qed.
End Experts.

(** ** The game of guessing

    The opponent shows points and their labels, one after the other.  A player guesses each label from what
    was shown before. *)

Section Game.
Variable X : Type.
Definition player : Type := list (X * bool) -> X -> bool.

(** The number of mistakes in the rest of a game, after [past]. *)
Fixpoint mistakes (guess : player) (past game : list (X * bool)) : nat :=
  match game with
  | [] => 0
  | (x, y) :: later => (if eqb (guess past x) y then 0 else 1) + mistakes guess (past ++ [(x, y)]) later
  end.

(** The rule [h] is right on all points of a game. *)
Definition right_on (h : X -> bool) (game : list (X * bool)) : bool :=
  forallb (fun r => eqb (h (fst r)) (snd r)) game.

(** The rules that are still possible, and those among them with the label [y] at [x]. *)
Definition alive (hs : list (X -> bool)) (past : list (X * bool)) : list (X -> bool) :=
  filter (fun h => right_on h past) hs.
Definition restrict (hs : list (X -> bool)) (x : X) (y : bool) : list (X -> bool) :=
  filter (fun h => eqb (h x) y) hs.

Lemma filter_filter {A} (f g : A -> bool) l : filter f (filter g l) = filter (fun x => g x && f x) l.
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g a); simpl; [|exact IH].
  destruct (f a); simpl; rewrite IH; reflexivity.
Qed.

Lemma alive_nil hs : alive hs [] = hs.
Proof. unfold alive. simpl. induction hs as [|a l IH]; simpl; congruence. Qed.

Lemma alive_next hs past x y : alive hs (past ++ [(x, y)]) = restrict (alive hs past) x y.
Proof.
  unfold alive, restrict. rewrite filter_filter. apply filter_ext. intros h.
  unfold right_on. rewrite forallb_app. simpl. rewrite andb_true_r. reflexivity.
Qed.

Lemma restrict_split hs x : (length (restrict hs x false) + length (restrict hs x true) = length hs)%nat.
Proof.
  induction hs as [|h hs IH]; [reflexivity|]. unfold restrict in *. simpl. destruct (h x); simpl; lia.
Qed.

(** *** Halving: guess what most of the possible rules say. *)
Definition halving (hs : list (X -> bool)) : player := fun past x =>
  Nat.leb (length (restrict (alive hs past) x false)) (length (restrict (alive hs past) x true)).

(** checked -- the halving player: at most $\log_2 |\mathcal H|$ mistakes, if some rule of the class is always right *)
Theorem halving_mistakes hs h game :
  In h hs -> right_on h game = true -> (2 ^ mistakes (halving hs) [] game <= length hs)%nat.
Proof.
  intros J R.
  assert (G : forall game past, In h (alive hs past) -> right_on h game = true ->
    (2 ^ mistakes (halving hs) past game <= length (alive hs past))%nat).
  { clear game J R. induction game as [|[x y] later IH]; intros past J R.
    - simpl. destruct (alive hs past); [contradiction|simpl; lia].
    - simpl in R. apply andb_true_iff in R. destruct R as [Rx R].
      assert (J' : In h (alive hs (past ++ [(x, y)]))).
      { rewrite alive_next. apply filter_In. split; [exact J|exact Rx]. }
      specialize (IH _ J' R). rewrite alive_next in IH. simpl mistakes.
      assert (S := restrict_split (alive hs past) x). unfold halving at 1.
      destruct (Nat.leb_spec (length (restrict (alive hs past) x false)) (length (restrict (alive hs past) x true))),
        y; simpl eqb; cbv iota; cbn [plus Nat.pow]; lia. }
  specialize (G game []). rewrite alive_nil in G. apply G; assumption.
Qed.

(** *** Littlestone dimension *)

(** A mistake tree carries a point at each inner node, and has a branch for each label. *)
Inductive tree : Type :=
| leaf
| node (x : X) (zero one : tree).

Fixpoint complete (d : nat) (t : tree) : Prop :=
  match d, t with
  | O, leaf => True
  | S k, node _ t0 t1 => complete k t0 /\ complete k t1
  | _, _ => False
  end.

(** [h] gives each point on the path the label of the branch that the path takes there. *)
Fixpoint realises (h : X -> bool) (t : tree) (path : list bool) : Prop :=
  match t, path with
  | leaf, [] => True
  | node x t0 t1, b :: rest => h x = b /\ realises h (if b then t1 else t0) rest
  | _, _ => False
  end.

Definition shatters (hs : list (X -> bool)) (d : nat) (t : tree) : Prop :=
  complete d t /\ forall path, length path = d -> exists h, In h hs /\ realises h t path.

(** book: def-thresholds-and-littlestone-tree -- finite classes that are not empty *)
Definition littlestone (hs : list (X -> bool)) (d : nat) : Prop :=
  (exists t, shatters hs d t) /\ forall e t, shatters hs e t -> (e <= d)%nat.

(** All points. *)
Variable xs : list X.
Hypothesis all_points : forall x, In x xs.

(** Whether a tree of depth [d] is shattered, as a computation. *)
Fixpoint deep (d : nat) (hs : list (X -> bool)) : bool :=
  match d with
  | O => match hs with [] => false | _ => true end
  | S k => existsb (fun x => deep k (restrict hs x false) && deep k (restrict hs x true)) xs
  end.

Lemma in_restrict h hs x y : In h (restrict hs x y) <-> In h hs /\ h x = y.
Proof. unfold restrict. rewrite filter_In, eqb_true_iff. reflexivity. Qed.

Lemma deep_shatters d hs : deep d hs = true <-> exists t, shatters hs d t.
Proof.
  revert hs. induction d as [|d IH]; intros hs; simpl.
  - split.
    + destruct hs as [|h hs]; [discriminate|]. intros _. exists leaf. split; [exact I|].
      intros [|b path] L; [|discriminate]. exists h. split; [left; reflexivity|exact I].
    + intros [t [C R]]. destruct hs as [|h hs]; [|reflexivity]. destruct (R [] eq_refl) as [h [[] _]].
  - rewrite existsb_exists. split.
    + intros [x [_ D]]. apply andb_true_iff in D. destruct D as [D0 D1]. apply IH in D0, D1.
      destruct D0 as [t0 [C0 R0]], D1 as [t1 [C1 R1]]. exists (node x t0 t1). split; [split; assumption|].
      intros [|b path] L; [discriminate|]. injection L as L.
      destruct b; [destruct (R1 path L) as [h [J R]]|destruct (R0 path L) as [h [J R]]];
        apply in_restrict in J; exists h; simpl; tauto.
    + intros [t [C R]]. destruct t as [|x t0 t1]; [contradiction|]. destruct C as [C0 C1].
      exists x. split; [apply all_points|]. apply andb_true_iff. split; apply IH.
      * exists t0. split; [exact C0|]. intros path L. destruct (R (false :: path)) as [h [J [E K]]]; [simpl; lia|].
        exists h. split; [apply in_restrict; split; assumption|exact K].
      * exists t1. split; [exact C1|]. intros path L. destruct (R (true :: path)) as [h [J [E K]]]; [simpl; lia|].
        exists h. split; [apply in_restrict; split; assumption|exact K].
Qed.

Lemma deep_size d hs : deep d hs = true -> (2 ^ d <= length hs)%nat.
Proof.
  revert hs. induction d as [|d IH]; intros hs; simpl.
  - destruct hs; [discriminate|simpl; lia].
  - rewrite existsb_exists. intros [x [_ D]]. apply andb_true_iff in D. destruct D as [D0 D1].
    apply IH in D0, D1. assert (S := restrict_split hs x). lia.
Qed.

Lemma deep_subset d hs hs' : incl hs hs' -> deep d hs = true -> deep d hs' = true.
Proof.
  intros J D. apply deep_shatters in D. apply deep_shatters. destruct D as [t [C R]]. exists t.
  split; [exact C|]. intros path L. destruct (R path L) as [h [K P]]. exists h. split; [apply J; exact K|exact P].
Qed.

Lemma deep_less d hs : deep (S d) hs = true -> deep d hs = true.
Proof.
  simpl. rewrite existsb_exists. intros [x [_ D]]. apply andb_true_iff in D. destruct D as [D _].
  eapply deep_subset; [|exact D]. intros h J. apply in_restrict in J. tauto.
Qed.

(** The dimension, found by search: the largest depth up to [n]. *)
Fixpoint search (n : nat) (hs : list (X -> bool)) : nat :=
  match n with
  | O => 0
  | S k => if deep (S k) hs then S k else search k hs
  end.
Definition dimension (hs : list (X -> bool)) : nat := search (length hs) hs.

Lemma dimension_deep hs : hs <> [] -> deep (dimension hs) hs = true.
Proof.
  intros N. unfold dimension. generalize (length hs). intros n. induction n; simpl.
  - destruct hs; [congruence|reflexivity].
  - destruct (existsb _ xs) eqn:E; [exact E|exact IHn].
Qed.

Lemma deep_dimension d hs : deep d hs = true -> (d <= dimension hs)%nat.
Proof.
  intros D. assert (L : (d <= length hs)%nat).
  { assert (S := deep_size d hs D). assert (P := Nat.pow_gt_lin_r 2 d ltac:(lia)). lia. }
  unfold dimension. revert L. generalize (length hs). intros n. induction n; intros L; [simpl; lia|].
  cbn [search]. destruct (deep (S n) hs) eqn:E; [lia|]. apply IHn.
  destruct (Nat.eq_dec d (S n)) as [->|]; [congruence|lia].
Qed.

Lemma dimension_littlestone hs : hs <> [] -> littlestone hs (dimension hs).
Proof.
  intros N. split; [apply deep_shatters, dimension_deep; exact N|].
  intros e t S. apply deep_dimension, deep_shatters. exists t. exact S.
Qed.

(** The standard optimal player guesses the label that leaves the dimension as it is, if there is one. *)
Definition optimal (hs : list (X -> bool)) : player := fun past x =>
  deep (dimension (alive hs past)) (restrict (alive hs past) x true).

Lemma optimal_mistakes hs h game past :
  In h (alive hs past) -> right_on h game = true ->
  (mistakes (optimal hs) past game <= dimension (alive hs past))%nat.
Proof.
  revert past. induction game as [|[x y] later IH]; intros past J R; [simpl; lia|].
  simpl in R. apply andb_true_iff in R. destruct R as [Rx R].
  assert (J' : In h (alive hs (past ++ [(x, y)]))).
  { rewrite alive_next. apply filter_In. split; [exact J|exact Rx]. }
  specialize (IH _ J' R). rewrite alive_next in IH, J'. simpl mistakes.
  set (V := alive hs past) in *.
  assert (Vy : restrict V x y <> []) by (intros Z; rewrite Z in J'; contradiction).
  assert (M : (dimension (restrict V x y) <= dimension V)%nat).
  { apply deep_dimension. eapply deep_subset; [|apply dimension_deep; exact Vy].
    intros g K. apply in_restrict in K. tauto. }
  (* A wrong guess means that the label shown does not keep the dimension. *)
  destruct (eqb (optimal hs past x) y) eqn:G; [lia|].
  assert (W : deep (dimension V) (restrict V x y) = false).
  { unfold optimal in G. fold V in G.
    destruct (deep (dimension V) (restrict V x true)) eqn:D1, y; try discriminate; [|exact D1].
    destruct (deep (dimension V) (restrict V x false)) eqn:D0; [|reflexivity]. exfalso.
    assert (K : deep (S (dimension V)) V = true).
    { simpl. apply existsb_exists. exists x. split; [apply all_points|]. rewrite D0, D1. reflexivity. }
    apply deep_dimension in K. lia. }
  assert (dimension (restrict V x y) <> dimension V); [|lia].
  intros E. rewrite <- E, dimension_deep in W by exact Vy. discriminate.
Qed.

(** The opponent shows the point of the node and says the opposite of the guess. *)
Lemma opponent_forces hs guess d t past :
  shatters hs d t -> exists game h,
    In h hs /\ right_on h game = true /\ mistakes guess past game = d.
Proof.
  revert hs t past. induction d as [|d IH]; intros hs t past [C R].
  - destruct (R [] eq_refl) as [h [J _]]. exists [], h. auto.
  - destruct t as [|x t0 t1]; [contradiction|]. destruct C as [C0 C1].
    set (y := negb (guess past x)).
    assert (S : shatters (restrict hs x y) d (if y then t1 else t0)).
    { split; [destruct y; assumption|]. intros path L. destruct (R (y :: path)) as [h [J [E K]]]; [simpl; lia|].
      exists h. split; [apply in_restrict; split; assumption|exact K]. }
    destruct (IH _ _ (past ++ [(x, y)]) S) as [game [h [J [G M]]]].
    apply in_restrict in J. destruct J as [J E]. exists ((x, y) :: game), h.
    split; [exact J|]. split.
    + simpl. rewrite E, eqb_reflx. exact G.
    + simpl. rewrite M. unfold y. destruct (guess past x); reflexivity.
Qed.

(** book: thm-thresholds-and-littlestone-game -- finitely many points *)
Theorem mistakes_and_trees hs :
  hs <> [] -> exists d, littlestone hs d /\
    (forall guess : player, exists game h,
      In h hs /\ right_on h game = true /\ mistakes guess [] game = d) /\
    (forall game h, In h hs -> right_on h game = true -> (mistakes (optimal hs) [] game <= d)%nat).
Proof.
  intros N. exists (dimension hs). assert (L := dimension_littlestone hs N). split; [exact L|]. split.
  - intros guess. destruct L as [[t S] _]. apply (opponent_forces hs guess _ t [] S).
  - intros game h J R.
    assert (A := optimal_mistakes hs h game []). rewrite alive_nil in A. apply A; assumption.
Qed.
End Game.
