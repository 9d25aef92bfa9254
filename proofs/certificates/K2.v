(** Made by [certificates.py]: the column K = 2 of the table of least sample sizes.

    For each entry: numerators of the probabilities of the answers on each data set (its mirror image has the
    mirror image of the row), and weights and multipliers against one record fewer. *)

From Coq Require Import Reals List ZArith Lia.
From Privml Require Import SampleSize.
Import ListNotations.
Open Scope Z_scope.

(** 2 numbers, beta = 1/4, delta = 0: 1 records. *)
Definition beta_1_4_delta_0_rows : list (list nat * list Z) := [
([1]%nat, [3;1])].
Theorem beta_1_4_delta_0 : least_records 2 (ln 3) (0 / 1) (1 / 4) 1.
Proof.
  apply (certified 2 0 0 1 1 4 4
    beta_1_4_delta_0_rows [] []);
    [vm_compute; reflexivity | left; split; [reflexivity | lia] | lia].
Qed.

(** 2 numbers, beta = 1/4, delta = 1/100: 1 records. *)
Definition beta_1_4_delta_1_100_rows : list (list nat * list Z) := [
([1]%nat, [3;1])].
Theorem beta_1_4_delta_1_100 : least_records 2 (ln 3) (1 / 100) (1 / 4) 1.
Proof.
  apply (certified 2 0 1 100 1 4 4
    beta_1_4_delta_1_100_rows [] []);
    [vm_compute; reflexivity | left; split; [reflexivity | lia] | lia].
Qed.

(** 2 numbers, beta = 1/4, delta = 1/10: 1 records. *)
Definition beta_1_4_delta_1_10_rows : list (list nat * list Z) := [
([1]%nat, [3;1])].
Theorem beta_1_4_delta_1_10 : least_records 2 (ln 3) (1 / 10) (1 / 4) 1.
Proof.
  apply (certified 2 0 1 10 1 4 4
    beta_1_4_delta_1_10_rows [] []);
    [vm_compute; reflexivity | left; split; [reflexivity | lia] | lia].
Qed.

(** 2 numbers, beta = 1/10, delta = 0: 3 records. *)
Definition beta_1_10_delta_0_rows : list (list nat * list Z) := [
([1;1;1]%nat, [9;1]);
([1;1;2]%nat, [7;3])].
Definition beta_1_10_delta_0_weights : list (list nat * Z) := [
([2;2]%nat, 9)].
Definition beta_1_10_delta_0_multipliers : list multiplier := [
pair_of [1]%nat 2 1 [0;3]].
Theorem beta_1_10_delta_0 : least_records 2 (ln 3) (0 / 1) (1 / 10) 3.
Proof.
  apply (certified 2 2 0 1 1 10 10
    beta_1_10_delta_0_rows beta_1_10_delta_0_weights beta_1_10_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 2 numbers, beta = 1/10, delta = 1/100: 3 records. *)
Definition beta_1_10_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1]%nat, [9;1]);
([1;1;2]%nat, [7;3])].
Definition beta_1_10_delta_1_100_weights : list (list nat * Z) := [
([1;1]%nat, 9)].
Definition beta_1_10_delta_1_100_multipliers : list multiplier := [
pair_of [1]%nat 2 1 [0;3]].
Theorem beta_1_10_delta_1_100 : least_records 2 (ln 3) (1 / 100) (1 / 10) 3.
Proof.
  apply (certified 2 2 1 100 1 10 10
    beta_1_10_delta_1_100_rows beta_1_10_delta_1_100_weights beta_1_10_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 2 numbers, beta = 1/10, delta = 1/10: 3 records. *)
Definition beta_1_10_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1]%nat, [10;1]);
([1;1;2]%nat, [8;3])].
Definition beta_1_10_delta_1_10_weights : list (list nat * Z) := [
([1;1]%nat, 9)].
Definition beta_1_10_delta_1_10_multipliers : list multiplier := [
pair_of [1]%nat 2 1 [0;3]].
Theorem beta_1_10_delta_1_10 : least_records 2 (ln 3) (1 / 10) (1 / 10) 3.
Proof.
  apply (certified 2 2 1 10 1 10 11
    beta_1_10_delta_1_10_rows beta_1_10_delta_1_10_weights beta_1_10_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 2 numbers, beta = 1/20, delta = 0: 5 records. *)
Definition beta_1_20_delta_0_rows : list (list nat * list Z) := [
([1;1;1;1;1]%nat, [19;1]);
([1;1;1;1;2]%nat, [18;2]);
([1;1;1;2;2]%nat, [15;5])].
Definition beta_1_20_delta_0_weights : list (list nat * Z) := [
([1;1;1;1]%nat, 9)].
Definition beta_1_20_delta_0_multipliers : list multiplier := [
pair_of [1;1;1]%nat 2 1 [0;3];
pair_of [1;1;2]%nat 2 1 [0;1]].
Theorem beta_1_20_delta_0 : least_records 2 (ln 3) (0 / 1) (1 / 20) 5.
Proof.
  apply (certified 2 4 0 1 1 20 20
    beta_1_20_delta_0_rows beta_1_20_delta_0_weights beta_1_20_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 2 numbers, beta = 1/20, delta = 1/100: 5 records. *)
Definition beta_1_20_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1;1;1]%nat, [19;1]);
([1;1;1;1;2]%nat, [17;3]);
([1;1;1;2;2]%nat, [11;9])].
Definition beta_1_20_delta_1_100_weights : list (list nat * Z) := [
([1;1;1;1]%nat, 9)].
Definition beta_1_20_delta_1_100_multipliers : list multiplier := [
pair_of [1;1;1]%nat 2 1 [0;3];
pair_of [1;1;2]%nat 2 1 [0;1]].
Theorem beta_1_20_delta_1_100 : least_records 2 (ln 3) (1 / 100) (1 / 20) 5.
Proof.
  apply (certified 2 4 1 100 1 20 20
    beta_1_20_delta_1_100_rows beta_1_20_delta_1_100_weights beta_1_20_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 2 numbers, beta = 1/20, delta = 1/10: 3 records. *)
Definition beta_1_20_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1]%nat, [19;1]);
([1;1;2]%nat, [15;5])].
Definition beta_1_20_delta_1_10_weights : list (list nat * Z) := [
([1;1]%nat, 9)].
Definition beta_1_20_delta_1_10_multipliers : list multiplier := [
pair_of [1]%nat 2 1 [0;3]].
Theorem beta_1_20_delta_1_10 : least_records 2 (ln 3) (1 / 10) (1 / 20) 3.
Proof.
  apply (certified 2 2 1 10 1 20 20
    beta_1_20_delta_1_10_rows beta_1_20_delta_1_10_weights beta_1_20_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.
