(** Made by [certificates.py]: the column K = 3 of the table of least sample sizes.

    For each entry: numerators of the probabilities of the answers on each data set (its mirror image has the
    mirror image of the row), and weights and multipliers against one record fewer. *)

From Coq Require Import Reals List ZArith Lia.
From Privml Require Import SampleSize.
Import ListNotations.
Open Scope Z_scope.

(** 3 numbers, beta = 1/4, delta = 0: 2 records. *)
Definition beta_1_4_delta_0_rows : list (list nat * list Z) := [
([1;1]%nat, [6;1;1]);
([1;2]%nat, [3;3;2]);
([1;3]%nat, [3;3;2]);
([2;2]%nat, [1;6;1])].
Definition beta_1_4_delta_0_weights : list (list nat * Z) := [
([1]%nat, 3);
([2]%nat, 5)].
Definition beta_1_4_delta_0_multipliers : list multiplier := [
pair_of []%nat 1 2 [3;0;0]].
Theorem beta_1_4_delta_0 : least_records 3 (ln 3) (0 / 1) (1 / 4) 2.
Proof.
  apply (certified 3 1 0 1 1 4 8
    beta_1_4_delta_0_rows beta_1_4_delta_0_weights beta_1_4_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/4, delta = 1/100: 2 records. *)
Definition beta_1_4_delta_1_100_rows : list (list nat * list Z) := [
([1;1]%nat, [6;1;1]);
([1;2]%nat, [3;3;2]);
([1;3]%nat, [3;2;3]);
([2;2]%nat, [1;6;1])].
Definition beta_1_4_delta_1_100_weights : list (list nat * Z) := [
([1]%nat, 7);
([2]%nat, 2)].
Definition beta_1_4_delta_1_100_multipliers : list multiplier := [
pair_of []%nat 1 3 [2;0;0];
pair_of []%nat 2 1 [0;2;0]].
Theorem beta_1_4_delta_1_100 : least_records 3 (ln 3) (1 / 100) (1 / 4) 2.
Proof.
  apply (certified 3 1 1 100 1 4 8
    beta_1_4_delta_1_100_rows beta_1_4_delta_1_100_weights beta_1_4_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/4, delta = 1/10: 2 records. *)
Definition beta_1_4_delta_1_10_rows : list (list nat * list Z) := [
([1;1]%nat, [6;1;1]);
([1;2]%nat, [3;3;2]);
([1;3]%nat, [3;3;2]);
([2;2]%nat, [1;6;1])].
Definition beta_1_4_delta_1_10_weights : list (list nat * Z) := [
([1]%nat, 7);
([2]%nat, 2)].
Definition beta_1_4_delta_1_10_multipliers : list multiplier := [
pair_of []%nat 1 3 [2;0;0];
pair_of []%nat 2 1 [0;2;0]].
Theorem beta_1_4_delta_1_10 : least_records 3 (ln 3) (1 / 10) (1 / 4) 2.
Proof.
  apply (certified 3 1 1 10 1 4 8
    beta_1_4_delta_1_10_rows beta_1_4_delta_1_10_weights beta_1_4_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/10, delta = 0: 4 records. *)
Definition beta_1_10_delta_0_rows : list (list nat * list Z) := [
([1;1;1;1]%nat, [54;4;2]);
([1;1;1;2]%nat, [44;11;5]);
([1;1;1;3]%nat, [44;11;5]);
([1;1;2;2]%nat, [23;31;6]);
([1;1;2;3]%nat, [36;12;12]);
([1;1;3;3]%nat, [15;30;15]);
([1;2;2;2]%nat, [8;46;6]);
([1;2;2;3]%nat, [12;36;12]);
([2;2;2;2]%nat, [3;54;3])].
Definition beta_1_10_delta_0_weights : list (list nat * Z) := [
([1;1;1]%nat, 12);
([1;1;2]%nat, 3);
([2;2;2]%nat, 13)].
Definition beta_1_10_delta_0_multipliers : list multiplier := [
pair_of [1;2]%nat 1 2 [3;0;0];
pair_of [1;3]%nat 1 3 [1;0;0];
pair_of [2;2]%nat 1 2 [9;0;0];
pair_of [1;1]%nat 2 1 [0;3;0];
pair_of [1;1]%nat 3 1 [0;1;4]].
Theorem beta_1_10_delta_0 : least_records 3 (ln 3) (0 / 1) (1 / 10) 4.
Proof.
  apply (certified 3 3 0 1 1 10 60
    beta_1_10_delta_0_rows beta_1_10_delta_0_weights beta_1_10_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/10, delta = 1/100: 4 records. *)
Definition beta_1_10_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1;1]%nat, [18;1;1]);
([1;1;1;2]%nat, [15;3;2]);
([1;1;1;3]%nat, [15;3;2]);
([1;1;2;2]%nat, [9;9;2]);
([1;1;2;3]%nat, [8;9;3]);
([1;1;3;3]%nat, [6;9;5]);
([1;2;2;2]%nat, [3;15;2]);
([1;2;2;3]%nat, [6;8;6]);
([2;2;2;2]%nat, [1;18;1])].
Definition beta_1_10_delta_1_100_weights : list (list nat * Z) := [
([1;1;1]%nat, 12);
([1;1;2]%nat, 3);
([2;2;2]%nat, 13)].
Definition beta_1_10_delta_1_100_multipliers : list multiplier := [
pair_of [1;2]%nat 1 2 [3;0;0];
pair_of [1;3]%nat 1 3 [1;0;0];
pair_of [2;2]%nat 1 2 [9;0;0];
pair_of [1;1]%nat 2 1 [0;3;0];
pair_of [1;1]%nat 3 1 [0;1;4]].
Theorem beta_1_10_delta_1_100 : least_records 3 (ln 3) (1 / 100) (1 / 10) 4.
Proof.
  apply (certified 3 3 1 100 1 10 20
    beta_1_10_delta_1_100_rows beta_1_10_delta_1_100_weights beta_1_10_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/10, delta = 1/10: 3 records. *)
Definition beta_1_10_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1]%nat, [18;1;1]);
([1;1;2]%nat, [14;4;2]);
([1;1;3]%nat, [13;3;4]);
([1;2;2]%nat, [4;14;2]);
([1;2;3]%nat, [5;10;5]);
([2;2;2]%nat, [1;18;1])].
Definition beta_1_10_delta_1_10_weights : list (list nat * Z) := [
([1;1]%nat, 6);
([1;2]%nat, 1);
([2;2]%nat, 1)].
Definition beta_1_10_delta_1_10_multipliers : list multiplier := [
pair_of [2]%nat 1 2 [1;0;0];
pair_of [1]%nat 2 1 [0;1;0];
pair_of [1]%nat 3 1 [0;1;2]].
Theorem beta_1_10_delta_1_10 : least_records 3 (ln 3) (1 / 10) (1 / 10) 3.
Proof.
  apply (certified 3 2 1 10 1 10 20
    beta_1_10_delta_1_10_rows beta_1_10_delta_1_10_weights beta_1_10_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/20, delta = 0: 6 records. *)
Definition beta_1_20_delta_0_rows : list (list nat * list Z) := [
([1;1;1;1;1;1]%nat, [57;2;1]);
([1;1;1;1;1;2]%nat, [54;4;2]);
([1;1;1;1;1;3]%nat, [54;4;2]);
([1;1;1;1;2;2]%nat, [46;11;3]);
([1;1;1;1;2;3]%nat, [44;11;5]);
([1;1;1;1;3;3]%nat, [44;11;5]);
([1;1;1;2;2;2]%nat, [24;33;3]);
([1;1;1;2;2;3]%nat, [36;19;5]);
([1;1;1;2;3;3]%nat, [36;12;12]);
([1;1;1;3;3;3]%nat, [15;30;15]);
([1;1;2;2;2;2]%nat, [8;49;3]);
([1;1;2;2;2;3]%nat, [12;41;7]);
([1;1;2;2;3;3]%nat, [12;36;12]);
([1;2;2;2;2;2]%nat, [3;55;2]);
([1;2;2;2;2;3]%nat, [4;52;4]);
([2;2;2;2;2;2]%nat, [1;58;1])].
Definition beta_1_20_delta_0_weights : list (list nat * Z) := [
([1;1;1;1;1]%nat, 2197);
([1;1;1;2;2]%nat, 183);
([2;2;2;2;2]%nat, 2471)].
Definition beta_1_20_delta_0_multipliers : list multiplier := [
pair_of [1;1;2;2]%nat 1 2 [183;0;0];
pair_of [1;1;3;3]%nat 1 3 [61;0;0];
pair_of [1;2;2;2]%nat 1 2 [549;0;0];
pair_of [2;2;2;2]%nat 1 2 [1648;0;0];
pair_of [1;1;1;1]%nat 2 1 [0;549;0];
pair_of [1;1;1;1]%nat 3 1 [0;183;732];
pair_of [1;1;1;2]%nat 2 1 [0;183;0];
pair_of [1;1;1;3]%nat 3 1 [0;61;244]].
Theorem beta_1_20_delta_0 : least_records 3 (ln 3) (0 / 1) (1 / 20) 6.
Proof.
  apply (certified 3 5 0 1 1 20 60
    beta_1_20_delta_0_rows beta_1_20_delta_0_weights beta_1_20_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/20, delta = 1/100: 5 records. *)
Definition beta_1_20_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1;1;1]%nat, [152;5;3]);
([1;1;1;1;2]%nat, [138;14;8]);
([1;1;1;1;3]%nat, [136;14;10]);
([1;1;1;2;2]%nat, [109;43;8]);
([1;1;1;2;3]%nat, [95;42;23]);
([1;1;1;3;3]%nat, [89;41;30]);
([1;1;2;2;2]%nat, [36;116;8]);
([1;1;2;2;3]%nat, [69;68;23]);
([1;1;2;3;3]%nat, [69;23;68]);
([1;2;2;2;2]%nat, [12;140;8]);
([1;2;2;2;3]%nat, [23;114;23]);
([2;2;2;2;2]%nat, [4;152;4])].
Definition beta_1_20_delta_1_100_weights : list (list nat * Z) := [
([1;1;1;1]%nat, 18);
([1;1;2;2]%nat, 1);
([2;2;2;2]%nat, 5)].
Definition beta_1_20_delta_1_100_multipliers : list multiplier := [
pair_of [1;2;2]%nat 1 2 [1;0;0];
pair_of [2;2;2]%nat 1 2 [3;0;0];
pair_of [1;1;1]%nat 2 1 [0;3;0];
pair_of [1;1;1]%nat 3 1 [0;3;6];
pair_of [1;1;2]%nat 2 1 [0;1;0];
pair_of [1;1;3]%nat 3 1 [0;1;2]].
Theorem beta_1_20_delta_1_100 : least_records 3 (ln 3) (1 / 100) (1 / 20) 5.
Proof.
  apply (certified 3 4 1 100 1 20 160
    beta_1_20_delta_1_100_rows beta_1_20_delta_1_100_weights beta_1_20_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 3 numbers, beta = 1/20, delta = 1/10: 4 records. *)
Definition beta_1_20_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1;1]%nat, [38;1;1]);
([1;1;1;2]%nat, [33;6;1]);
([1;1;1;3]%nat, [33;3;4]);
([1;1;2;2]%nat, [18;20;2]);
([1;1;2;3]%nat, [21;13;6]);
([1;1;3;3]%nat, [15;10;15]);
([1;2;2;2]%nat, [5;33;2]);
([1;2;2;3]%nat, [8;25;7]);
([2;2;2;2]%nat, [1;38;1])].
Definition beta_1_20_delta_1_10_weights : list (list nat * Z) := [
([1;1;1]%nat, 12);
([1;1;2]%nat, 3);
([2;2;2]%nat, 13)].
Definition beta_1_20_delta_1_10_multipliers : list multiplier := [
pair_of [1;2]%nat 1 2 [3;0;0];
pair_of [1;3]%nat 1 3 [1;0;0];
pair_of [2;2]%nat 1 2 [9;0;0];
pair_of [1;1]%nat 2 1 [0;3;0];
pair_of [1;1]%nat 3 1 [0;1;4]].
Theorem beta_1_20_delta_1_10 : least_records 3 (ln 3) (1 / 10) (1 / 20) 4.
Proof.
  apply (certified 3 3 1 10 1 20 40
    beta_1_20_delta_1_10_rows beta_1_20_delta_1_10_weights beta_1_20_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.
