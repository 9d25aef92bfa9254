(** * Finite sums

    Everything in these files is about finitely many outcomes.  A finite set of outcomes is a list, and
    a probability, an expectation or a normaliser is a sum over a list.  This file defines that sum and
    proves the few rules of calculation that the proofs use, with a word on derivatives at the end.  A reader
    who believes that sums behave as sums do may skip it. *)

From Coq Require Import Reals Lra Lia List Bool.
Import ListNotations.
Open Scope R_scope.

(** [sum l f] is the sum of [f x] over the members [x] of the list [l]. *)
Fixpoint sum {A} (l : list A) (f : A -> R) : R :=
  match l with
  | [] => 0
  | x :: t => f x + sum t f
  end.

Lemma sum_ext {A} (l : list A) f g :
  (forall x, In x l -> f x = g x) -> sum l f = sum l g.
Proof.
  induction l as [|a l IH]; intros H; simpl; [reflexivity|].
  rewrite (H a), IH; auto with datatypes.
Qed.

Lemma sum_le {A} (l : list A) f g :
  (forall x, In x l -> f x <= g x) -> sum l f <= sum l g.
Proof.
  induction l as [|a l IH]; intros H; simpl; [lra|].
  apply Rplus_le_compat; auto with datatypes.
Qed.

Lemma sum_plus {A} (l : list A) f g :
  sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. induction l; simpl; lra. Qed.

Lemma sum_minus {A} (l : list A) f g :
  sum l (fun x => f x - g x) = sum l f - sum l g.
Proof. induction l; simpl; lra. Qed.

Lemma sum_scale {A} (l : list A) c f :
  sum l (fun x => c * f x) = c * sum l f.
Proof. induction l; simpl; lra. Qed.

Lemma sum_scale_r {A} (l : list A) c f :
  sum l (fun x => f x * c) = sum l f * c.
Proof. induction l; simpl; lra. Qed.

Lemma sum_const {A} (l : list A) c :
  sum l (fun _ => c) = INR (length l) * c.
Proof.
  induction l; simpl length; [simpl; ring|]. rewrite S_INR. simpl. lra.
Qed.

Lemma sum_zero {A} (l : list A) : sum l (fun _ => 0) = 0.
Proof. induction l; simpl; lra. Qed.

Lemma sum_nonneg {A} (l : list A) f :
  (forall x, In x l -> 0 <= f x) -> 0 <= sum l f.
Proof.
  intros H. rewrite <- (sum_zero l). apply sum_le. exact H.
Qed.

Lemma sum_pos {A} (l : list A) f :
  l <> [] -> (forall x, 0 < f x) -> 0 < sum l f.
Proof.
  intros N P. destruct l as [|a l]; [congruence|]. simpl.
  assert (0 <= sum l f) by (apply sum_nonneg; intros; left; apply P).
  specialize (P a). lra.
Qed.

Lemma sum_app {A} (l l' : list A) f : sum (l ++ l') f = sum l f + sum l' f.
Proof. induction l; simpl; lra. Qed.

Lemma sum_map {A B} (l : list A) (g : A -> B) f :
  sum (map g l) f = sum l (fun x => f (g x)).
Proof. induction l; simpl; lra. Qed.

Lemma sum_flat_map {A B} (l : list A) (g : A -> list B) f :
  sum (flat_map g l) f = sum l (fun x => sum (g x) f).
Proof. induction l; simpl; [reflexivity|]. rewrite sum_app. lra. Qed.

Lemma sum_swap {A B} (la : list A) (lb : list B) f :
  sum la (fun a => sum lb (fun b => f a b)) =
  sum lb (fun b => sum la (fun a => f a b)).
Proof.
  induction la as [|a la IH]; simpl; [symmetry; apply sum_zero|].
  rewrite IH, sum_plus. reflexivity.
Qed.

(** One member contributes no more than all of them, if no contribution is negative. *)
Lemma sum_member {A} (l : list A) f x :
  In x l -> (forall y, In y l -> 0 <= f y) -> f x <= sum l f.
Proof.
  induction l as [|a l IH]; intros I P; [contradiction|]. simpl.
  assert (0 <= f a) by auto with datatypes.
  assert (0 <= sum l f) by (apply sum_nonneg; auto with datatypes).
  destruct I as [->|I]; [lra|].
  assert (f x <= sum l f) by auto with datatypes. lra.
Qed.

(** ** Lists of a given length

    [lists xs m] lists all sequences of [m] members of [xs]: the possible samples of [m] records, or the
    possible answers to [m] questions. *)
Fixpoint lists {A} (xs : list A) (m : nat) : list (list A) :=
  match m with
  | O => [[]]
  | S k => flat_map (fun x => map (cons x) (lists xs k)) xs
  end.

Lemma sum_lists_S {A} (xs : list A) m f :
  sum (lists xs (S m)) f = sum xs (fun x => sum (lists xs m) (fun t => f (x :: t))).
Proof.
  simpl. rewrite sum_flat_map. apply sum_ext. intros x _. apply sum_map.
Qed.

Lemma lists_length {A} (xs : list A) m z : In z (lists xs m) -> length z = m.
Proof.
  revert z. induction m; simpl; intros z H.
  - destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H. destruct H as [x [_ H]]. apply in_map_iff in H.
    destruct H as [t [<- H]]. simpl. f_equal. auto.
Qed.

(** ** Powers of e *)

Lemma exp_ge_1 x : 0 <= x -> 1 <= exp x.
Proof.
  intros H. destruct H as [H|<-]; [|rewrite exp_0; lra].
  rewrite <- exp_0. left. apply exp_increasing. exact H.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H|<-]; [left; apply exp_increasing; exact H|lra]. Qed.

(** ** Derivatives *)

Lemma scale_derivative c x : derivable_pt_lim (fun y => c * y) x c.
Proof.
  assert (X := derivable_pt_lim_scal id c x 1 (derivable_pt_lim_id x)).
  rewrite Rmult_1_r in X. exact X.
Qed.

Lemma sum_derivative {A} (l : list A) (F : A -> R -> R) f x :
  (forall a, derivable_pt_lim (F a) x (f a)) ->
  derivable_pt_lim (fun y => sum l (fun a => F a y)) x (sum l f).
Proof.
  intros H. induction l as [|a l IH]; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (F a) (fun y => sum l (fun a => F a y))); auto.
Qed.

(** A function whose derivative is not negative does not fall. *)
Lemma grows f f' a b :
  a <= b -> (forall x, a <= x <= b -> derivable_pt_lim f x (f' x)) ->
  (forall x, a <= x <= b -> 0 <= f' x) -> f a <= f b.
Proof.
  intros [L|<-] Df P; [|lra]. destruct (MVT_cor2 f f' a b L Df) as [c [E I]].
  assert (0 <= f' c) by (apply P; lra). nra.
Qed.
