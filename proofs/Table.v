(** Made by [certificates.py]: the table of least sample sizes as one theorem. *)

From Coq Require Import Reals.
From Privml Require Import SampleSize.
From Privml.certificates Require K2 K3 K4 K5 K6 K7 K8.
Open Scope R_scope.

(** checked -- the table of least sample sizes, all 58 numbers that it has *)
Theorem table_of_sample_sizes :
  least_records 2 (ln 3) (0 / 1) (1 / 4) 1 /\
  least_records 3 (ln 3) (0 / 1) (1 / 4) 2 /\
  least_records 4 (ln 3) (0 / 1) (1 / 4) 3 /\
  least_records 5 (ln 3) (0 / 1) (1 / 4) 3 /\
  least_records 6 (ln 3) (0 / 1) (1 / 4) 3 /\
  least_records 7 (ln 3) (0 / 1) (1 / 4) 4 /\
  least_records 8 (ln 3) (0 / 1) (1 / 4) 4 /\
  least_records 2 (ln 3) (1 / 100) (1 / 4) 1 /\
  least_records 3 (ln 3) (1 / 100) (1 / 4) 2 /\
  least_records 4 (ln 3) (1 / 100) (1 / 4) 3 /\
  least_records 5 (ln 3) (1 / 100) (1 / 4) 3 /\
  least_records 6 (ln 3) (1 / 100) (1 / 4) 3 /\
  least_records 7 (ln 3) (1 / 100) (1 / 4) 3 /\
  least_records 8 (ln 3) (1 / 100) (1 / 4) 4 /\
  least_records 2 (ln 3) (1 / 10) (1 / 4) 1 /\
  least_records 3 (ln 3) (1 / 10) (1 / 4) 2 /\
  least_records 4 (ln 3) (1 / 10) (1 / 4) 2 /\
  least_records 5 (ln 3) (1 / 10) (1 / 4) 3 /\
  least_records 6 (ln 3) (1 / 10) (1 / 4) 3 /\
  least_records 7 (ln 3) (1 / 10) (1 / 4) 3 /\
  least_records 8 (ln 3) (1 / 10) (1 / 4) 3 /\
  least_records 2 (ln 3) (0 / 1) (1 / 10) 3 /\
  least_records 3 (ln 3) (0 / 1) (1 / 10) 4 /\
  least_records 4 (ln 3) (0 / 1) (1 / 10) 5 /\
  least_records 5 (ln 3) (0 / 1) (1 / 10) 5 /\
  least_records 6 (ln 3) (0 / 1) (1 / 10) 5 /\
  least_records 7 (ln 3) (0 / 1) (1 / 10) 6 /\
  least_records 2 (ln 3) (1 / 100) (1 / 10) 3 /\
  least_records 3 (ln 3) (1 / 100) (1 / 10) 4 /\
  least_records 4 (ln 3) (1 / 100) (1 / 10) 5 /\
  least_records 5 (ln 3) (1 / 100) (1 / 10) 5 /\
  least_records 6 (ln 3) (1 / 100) (1 / 10) 5 /\
  least_records 7 (ln 3) (1 / 100) (1 / 10) 5 /\
  least_records 8 (ln 3) (1 / 100) (1 / 10) 5 /\
  least_records 2 (ln 3) (1 / 10) (1 / 10) 3 /\
  least_records 3 (ln 3) (1 / 10) (1 / 10) 3 /\
  least_records 4 (ln 3) (1 / 10) (1 / 10) 3 /\
  least_records 5 (ln 3) (1 / 10) (1 / 10) 4 /\
  least_records 6 (ln 3) (1 / 10) (1 / 10) 4 /\
  least_records 7 (ln 3) (1 / 10) (1 / 10) 4 /\
  least_records 8 (ln 3) (1 / 10) (1 / 10) 4 /\
  least_records 2 (ln 3) (0 / 1) (1 / 20) 5 /\
  least_records 3 (ln 3) (0 / 1) (1 / 20) 6 /\
  least_records 4 (ln 3) (0 / 1) (1 / 20) 6 /\
  least_records 5 (ln 3) (0 / 1) (1 / 20) 6 /\
  least_records 2 (ln 3) (1 / 100) (1 / 20) 5 /\
  least_records 3 (ln 3) (1 / 100) (1 / 20) 5 /\
  least_records 4 (ln 3) (1 / 100) (1 / 20) 6 /\
  least_records 5 (ln 3) (1 / 100) (1 / 20) 6 /\
  least_records 6 (ln 3) (1 / 100) (1 / 20) 6 /\
  least_records 7 (ln 3) (1 / 100) (1 / 20) 6 /\
  least_records 2 (ln 3) (1 / 10) (1 / 20) 3 /\
  least_records 3 (ln 3) (1 / 10) (1 / 20) 4 /\
  least_records 4 (ln 3) (1 / 10) (1 / 20) 4 /\
  least_records 5 (ln 3) (1 / 10) (1 / 20) 4 /\
  least_records 6 (ln 3) (1 / 10) (1 / 20) 4 /\
  least_records 7 (ln 3) (1 / 10) (1 / 20) 4 /\
  least_records 8 (ln 3) (1 / 10) (1 / 20) 4.
Proof.
  split; [exact K2.beta_1_4_delta_0|].
  split; [exact K3.beta_1_4_delta_0|].
  split; [exact K4.beta_1_4_delta_0|].
  split; [exact K5.beta_1_4_delta_0|].
  split; [exact K6.beta_1_4_delta_0|].
  split; [exact K7.beta_1_4_delta_0|].
  split; [exact K8.beta_1_4_delta_0|].
  split; [exact K2.beta_1_4_delta_1_100|].
  split; [exact K3.beta_1_4_delta_1_100|].
  split; [exact K4.beta_1_4_delta_1_100|].
  split; [exact K5.beta_1_4_delta_1_100|].
  split; [exact K6.beta_1_4_delta_1_100|].
  split; [exact K7.beta_1_4_delta_1_100|].
  split; [exact K8.beta_1_4_delta_1_100|].
  split; [exact K2.beta_1_4_delta_1_10|].
  split; [exact K3.beta_1_4_delta_1_10|].
  split; [exact K4.beta_1_4_delta_1_10|].
  split; [exact K5.beta_1_4_delta_1_10|].
  split; [exact K6.beta_1_4_delta_1_10|].
  split; [exact K7.beta_1_4_delta_1_10|].
  split; [exact K8.beta_1_4_delta_1_10|].
  split; [exact K2.beta_1_10_delta_0|].
  split; [exact K3.beta_1_10_delta_0|].
  split; [exact K4.beta_1_10_delta_0|].
  split; [exact K5.beta_1_10_delta_0|].
  split; [exact K6.beta_1_10_delta_0|].
  split; [exact K7.beta_1_10_delta_0|].
  split; [exact K2.beta_1_10_delta_1_100|].
  split; [exact K3.beta_1_10_delta_1_100|].
  split; [exact K4.beta_1_10_delta_1_100|].
  split; [exact K5.beta_1_10_delta_1_100|].
  split; [exact K6.beta_1_10_delta_1_100|].
  split; [exact K7.beta_1_10_delta_1_100|].
  split; [exact K8.beta_1_10_delta_1_100|].
  split; [exact K2.beta_1_10_delta_1_10|].
  split; [exact K3.beta_1_10_delta_1_10|].
  split; [exact K4.beta_1_10_delta_1_10|].
  split; [exact K5.beta_1_10_delta_1_10|].
  split; [exact K6.beta_1_10_delta_1_10|].
  split; [exact K7.beta_1_10_delta_1_10|].
  split; [exact K8.beta_1_10_delta_1_10|].
  split; [exact K2.beta_1_20_delta_0|].
  split; [exact K3.beta_1_20_delta_0|].
  split; [exact K4.beta_1_20_delta_0|].
  split; [exact K5.beta_1_20_delta_0|].
  split; [exact K2.beta_1_20_delta_1_100|].
  split; [exact K3.beta_1_20_delta_1_100|].
  split; [exact K4.beta_1_20_delta_1_100|].
  split; [exact K5.beta_1_20_delta_1_100|].
  split; [exact K6.beta_1_20_delta_1_100|].
  split; [exact K7.beta_1_20_delta_1_100|].
  split; [exact K2.beta_1_20_delta_1_10|].
  split; [exact K3.beta_1_20_delta_1_10|].
  split; [exact K4.beta_1_20_delta_1_10|].
  split; [exact K5.beta_1_20_delta_1_10|].
  split; [exact K6.beta_1_20_delta_1_10|].
  split; [exact K7.beta_1_20_delta_1_10|].
  exact K8.beta_1_20_delta_1_10.
Qed.
