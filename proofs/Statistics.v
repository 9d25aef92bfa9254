(** * Sensitivity of sums and of clipped means *)

From Coq Require Import Reals Lra Lia List Bool.
From Privml Require Import Sums Privacy Samples.
Import ListNotations.
Open Scope R_scope.

(** A statistic with one coordinate for each member of [ks]; the L1 distance of two of its values. *)
Definition distance {K} (ks : list K) (a b : K -> R) : R := sum ks (fun k => Rabs (a k - b k)).

(** book: lzcw21-def-41 -- a bound on the supremum *)
Definition L1_sensitivity {D K} (adj : D -> D -> Prop) (ks : list K) (f : D -> K -> R) (c : R) : Prop :=
  forall z z', adj z z' -> distance ks (f z) (f z') <= c.

(** book: def-what-privacy-promises-add-or-remove *)
Definition add_or_remove {X} (z z' : list X) : Prop :=
  exists l x r, (z = l ++ x :: r /\ z' = l ++ r) \/ (z = l ++ r /\ z' = l ++ x :: r).

(** The sum over the records of the vectors [g x]. *)
Definition total {X K} (g : X -> K -> R) (z : list X) (k : K) : R := sum z (fun x => g x k).

(** book: prop-noise-sums -- the bounds on both sides are the same numbers; under replace-one for two different records x and x' *)
Theorem sensitivity_of_sums {X K} (ks : list K) (g : X -> K -> R) c :
  (L1_sensitivity add_or_remove ks (total g) c <-> forall x, sum ks (fun k => Rabs (g x k)) <= c) /\
  (L1_sensitivity replace_one ks (total g) c <-> forall x x', x <> x' -> distance ks (g x) (g x') <= c).
Proof.
  split; split.
  - intros H x. specialize (H [x] []). unfold distance, total in H. simpl in H.
    rewrite (sum_ext ks _ (fun k => Rabs (g x k))) in H by (intros; f_equal; ring).
    apply H. exists [], x, []. left. auto.
  - intros H z z' [l [x [r [[-> ->]|[-> ->]]]]]; specialize (H x); unfold distance, total.
    + rewrite (sum_ext ks _ (fun k => Rabs (g x k))); [exact H|]. intros k _. f_equal.
      rewrite !sum_app. simpl. ring.
    + rewrite (sum_ext ks _ (fun k => Rabs (g x k))); [exact H|]. intros k _. rewrite <- Rabs_Ropp. f_equal.
      rewrite !sum_app. simpl. ring.
  - intros H x x' N. specialize (H [x] [x']). unfold distance, total in *. simpl in H.
    rewrite (sum_ext ks _ (fun k => Rabs (g x k - g x' k))) in H by (intros; f_equal; ring).
    apply H. exists [], x, x', []. auto.
  - intros H z z' [l [x [x' [r [-> [-> N]]]]]]. specialize (H x x' N). unfold distance, total in *.
    rewrite (sum_ext ks _ (fun k => Rabs (g x k - g x' k))); [exact H|]. intros k _. f_equal.
    rewrite !sum_app. simpl. ring.
Qed.

(** A number is moved to the nearest point of the interval from [a] to [b]. *)
Definition clip (a b x : R) : R := Rmax a (Rmin b x).

Lemma clip_range a b x : a <= b -> a <= clip a b x <= b.
Proof.
  intros H. unfold clip. split; [apply Rmax_l|]. apply Rmax_lub; [exact H|apply Rmin_l].
Qed.

(** checked -- the mean of m clipped numbers moves by at most (b - a) / m, and for some neighbours by as much *)
Theorem clipped_mean_sensitivity a b m :
  a <= b -> (0 < m)%nat ->
  (forall z z', replace_one_of m z z' ->
    Rabs (mean m (clip a b) z - mean m (clip a b) z') <= (b - a) / INR m) /\
  (a < b -> exists z z', replace_one_of m z z' /\
    Rabs (mean m (clip a b) z - mean m (clip a b) z') = (b - a) / INR m).
Proof.
  intros H M. assert (I : 0 < INR m) by (apply lt_0_INR; exact M).
  assert (X : forall l x x' r, mean m (clip a b) (l ++ x :: r) - mean m (clip a b) (l ++ x' :: r)
    = (clip a b x - clip a b x') * / INR m).
  { intros. unfold mean, Rdiv. rewrite !sum_app. simpl. ring. }
  assert (Y : forall t, Rabs (t * / INR m) = Rabs t * / INR m).
  { intros t. rewrite Rabs_mult, (Rabs_right (/ INR m)); [reflexivity|].
    left. apply Rinv_0_lt_compat. exact I. }
  split.
  - intros z z' [_ [l [x [x' [r [-> [-> _]]]]]]]. rewrite X, Y.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact I|].
    assert (A := clip_range a b x H). assert (B := clip_range a b x' H).
    unfold Rabs. destruct (Rcase_abs _); lra.
  - intros S. destruct m as [|k]; [lia|]. exists (b :: repeat a k), (a :: repeat a k). split.
    + split; [simpl; rewrite repeat_length; reflexivity|]. exists [], b, a, (repeat a k). repeat split. lra.
    + assert (Z := X [] b a (repeat a k)). simpl app in Z. rewrite Z, Y. unfold Rdiv. f_equal. unfold clip.
      rewrite (Rmin_left b b), (Rmin_right b a), (Rmax_right a b), (Rmax_left a a) by lra.
      apply Rabs_right. lra.
Qed.
