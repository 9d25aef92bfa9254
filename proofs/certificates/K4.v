(** Made by [certificates.py]: the column K = 4 of the table of least sample sizes.

    For each entry: numerators of the probabilities of the answers on each data set (its mirror image has the
    mirror image of the row), and weights and multipliers against one record fewer. *)

From Coq Require Import Reals List ZArith Lia.
From Privml Require Import SampleSize.
Import ListNotations.
Open Scope Z_scope.

(** 4 numbers, beta = 1/4, delta = 0: 3 records. *)
Definition beta_1_4_delta_0_rows : list (list nat * list Z) := [
([1;1;1]%nat, [19;2;2;2]);
([1;1;2]%nat, [14;6;3;2]);
([1;1;3]%nat, [11;6;4;4]);
([1;1;4]%nat, [11;6;4;4]);
([1;2;2]%nat, [5;15;3;2]);
([1;2;3]%nat, [7;5;8;5]);
([1;2;4]%nat, [5;9;6;5]);
([1;3;3]%nat, [4;5;11;5]);
([2;2;2]%nat, [2;19;2;2]);
([2;2;3]%nat, [3;14;5;3])].
Definition beta_1_4_delta_0_weights : list (list nat * Z) := [
([1;1]%nat, 10);
([1;2]%nat, 3);
([2;2]%nat, 9);
([2;3]%nat, 2)].
Definition beta_1_4_delta_0_multipliers : list multiplier := [
pair_of [1]%nat 1 3 [1;0;0;0];
pair_of [2]%nat 1 2 [3;0;0;0];
pair_of [3]%nat 1 3 [3;0;0;0];
pair_of [1]%nat 2 1 [0;3;0;0];
pair_of [1]%nat 4 1 [0;0;3;3];
pair_of [2]%nat 3 2 [0;0;3;0]].
Theorem beta_1_4_delta_0 : least_records 4 (ln 3) (0 / 1) (1 / 4) 3.
Proof.
  apply (certified 4 2 0 1 1 4 25
    beta_1_4_delta_0_rows beta_1_4_delta_0_weights beta_1_4_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/4, delta = 1/100: 3 records. *)
Definition beta_1_4_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1]%nat, [75;5;4;16]);
([1;1;2]%nat, [60;15;7;18]);
([1;1;3]%nat, [47;15;13;25]);
([1;1;4]%nat, [26;15;13;46]);
([1;2;2]%nat, [38;37;7;18]);
([1;2;3]%nat, [25;46;21;8]);
([1;2;4]%nat, [25;38;21;16]);
([1;3;3]%nat, [18;19;38;25]);
([2;2;2]%nat, [13;75;6;6]);
([2;2;3]%nat, [17;56;19;8])].
Definition beta_1_4_delta_1_100_weights : list (list nat * Z) := [
([1;1]%nat, 10);
([1;2]%nat, 3);
([2;2]%nat, 9);
([2;3]%nat, 2)].
Definition beta_1_4_delta_1_100_multipliers : list multiplier := [
pair_of [1]%nat 1 3 [1;0;0;0];
pair_of [2]%nat 1 2 [3;0;0;0];
pair_of [3]%nat 1 3 [3;0;0;0];
pair_of [1]%nat 2 1 [0;3;0;0];
pair_of [1]%nat 4 1 [0;0;3;3];
pair_of [2]%nat 3 2 [0;0;3;0]].
Theorem beta_1_4_delta_1_100 : least_records 4 (ln 3) (1 / 100) (1 / 4) 3.
Proof.
  apply (certified 4 2 1 100 1 4 100
    beta_1_4_delta_1_100_rows beta_1_4_delta_1_100_weights beta_1_4_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/4, delta = 1/10: 2 records. *)
Definition beta_1_4_delta_1_10_rows : list (list nat * list Z) := [
([1;1]%nat, [15;2;2;1]);
([1;2]%nat, [7;8;3;2]);
([1;3]%nat, [5;5;7;3]);
([1;4]%nat, [5;5;5;5]);
([2;2]%nat, [2;15;2;1]);
([2;3]%nat, [2;8;8;2])].
Definition beta_1_4_delta_1_10_weights : list (list nat * Z) := [
([1]%nat, 5);
([2]%nat, 3)].
Definition beta_1_4_delta_1_10_multipliers : list multiplier := [
pair_of []%nat 1 4 [1;0;0;0];
pair_of []%nat 2 4 [0;1;0;0];
pair_of []%nat 2 1 [0;1;0;0]].
Theorem beta_1_4_delta_1_10 : least_records 4 (ln 3) (1 / 10) (1 / 4) 2.
Proof.
  apply (certified 4 1 1 10 1 4 20
    beta_1_4_delta_1_10_rows beta_1_4_delta_1_10_weights beta_1_4_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/10, delta = 0: 5 records. *)
Definition beta_1_10_delta_0_rows : list (list nat * list Z) := [
([1;1;1;1;1]%nat, [68;3;2;2]);
([1;1;1;1;2]%nat, [61;7;4;3]);
([1;1;1;1;3]%nat, [59;7;5;4]);
([1;1;1;1;4]%nat, [59;7;5;4]);
([1;1;1;2;2]%nat, [47;21;4;3]);
([1;1;1;2;3]%nat, [37;21;11;6]);
([1;1;1;2;4]%nat, [37;21;11;6]);
([1;1;1;3;3]%nat, [34;21;14;6]);
([1;1;1;3;4]%nat, [34;17;14;10]);
([1;1;1;4;4]%nat, [30;21;14;10]);
([1;1;2;2;2]%nat, [16;52;4;3]);
([1;1;2;2;3]%nat, [17;41;11;6]);
([1;1;2;2;4]%nat, [16;42;11;6]);
([1;1;2;3;3]%nat, [17;21;31;6]);
([1;1;2;3;4]%nat, [30;14;21;10]);
([1;1;2;4;4]%nat, [13;14;30;18]);
([1;1;3;3;3]%nat, [12;17;40;6]);
([1;1;3;3;4]%nat, [17;30;18;10]);
([1;2;2;2;2]%nat, [6;63;4;2]);
([1;2;2;2;3]%nat, [6;52;11;6]);
([1;2;2;2;4]%nat, [7;52;10;6]);
([1;2;2;3;3]%nat, [6;32;31;6]);
([1;2;2;3;4]%nat, [16;18;24;17]);
([1;2;3;3;3]%nat, [6;11;52;6]);
([1;3;3;3;3]%nat, [4;6;62;3]);
([2;2;2;2;2]%nat, [2;69;2;2]);
([2;2;2;2;3]%nat, [4;63;6;2]);
([2;2;2;3;3]%nat, [4;51;18;2])].
Definition beta_1_10_delta_0_weights : list (list nat * Z) := [
([1;1;1;1]%nat, 60);
([1;1;2;2]%nat, 6);
([2;2;2;2]%nat, 54);
([2;2;3;3]%nat, 3)].
Definition beta_1_10_delta_0_multipliers : list multiplier := [
pair_of [1;1;3]%nat 1 3 [2;0;0;0];
pair_of [1;2;2]%nat 1 2 [6;0;0;0];
pair_of [1;3;3]%nat 1 3 [6;0;0;0];
pair_of [2;2;2]%nat 1 2 [18;0;0;0];
pair_of [3;3;3]%nat 1 3 [18;0;0;0];
pair_of [1;1;1]%nat 2 1 [0;18;0;0];
pair_of [1;1;1]%nat 3 1 [0;2;2;2];
pair_of [1;1;1]%nat 4 1 [0;0;18;18];
pair_of [1;1;2]%nat 2 1 [0;6;0;0];
pair_of [1;1;4]%nat 4 1 [0;0;6;6];
pair_of [2;2;2]%nat 3 2 [0;0;18;0];
pair_of [2;2;3]%nat 3 2 [0;0;6;0]].
Theorem beta_1_10_delta_0 : least_records 4 (ln 3) (0 / 1) (1 / 10) 5.
Proof.
  apply (certified 4 4 0 1 1 10 75
    beta_1_10_delta_0_rows beta_1_10_delta_0_weights beta_1_10_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/10, delta = 1/100: 5 records. *)
Definition beta_1_10_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1;1;1]%nat, [102;7;3;1]);
([1;1;1;1;2]%nat, [82;20;7;4]);
([1;1;1;1;3]%nat, [82;20;7;4]);
([1;1;1;1;4]%nat, [82;20;7;4]);
([1;1;1;2;2]%nat, [42;60;7;4]);
([1;1;1;2;3]%nat, [27;60;21;5]);
([1;1;1;2;4]%nat, [42;38;21;12]);
([1;1;1;3;3]%nat, [57;31;21;4]);
([1;1;1;3;4]%nat, [27;60;21;5]);
([1;1;1;4;4]%nat, [27;53;21;12]);
([1;1;2;2;2]%nat, [42;60;6;5]);
([1;1;2;2;3]%nat, [42;52;14;5]);
([1;1;2;2;4]%nat, [14;73;14;12]);
([1;1;2;3;3]%nat, [40;20;42;11]);
([1;1;2;3;4]%nat, [19;60;20;14]);
([1;1;2;4;4]%nat, [14;60;20;19]);
([1;1;3;3;3]%nat, [19;19;64;11]);
([1;1;3;3;4]%nat, [35;42;25;11]);
([1;2;2;2;2]%nat, [14;88;5;6]);
([1;2;2;2;3]%nat, [14;80;14;5]);
([1;2;2;2;4]%nat, [33;52;14;14]);
([1;2;2;3;3]%nat, [14;46;42;11]);
([1;2;2;3;4]%nat, [30;27;42;14]);
([1;2;3;3;3]%nat, [14;38;50;11]);
([1;3;3;3;3]%nat, [6;13;83;11]);
([2;2;2;2;2]%nat, [5;102;4;2]);
([2;2;2;2;3]%nat, [5;89;13;6]);
([2;2;2;3;3]%nat, [6;76;26;5])].
Definition beta_1_10_delta_1_100_weights : list (list nat * Z) := [
([1;1;1;1]%nat, 60);
([1;1;2;2]%nat, 6);
([2;2;2;2]%nat, 54);
([2;2;3;3]%nat, 3)].
Definition beta_1_10_delta_1_100_multipliers : list multiplier := [
pair_of [1;1;3]%nat 1 3 [2;0;0;0];
pair_of [1;2;2]%nat 1 2 [6;0;0;0];
pair_of [1;3;3]%nat 1 3 [6;0;0;0];
pair_of [2;2;2]%nat 1 2 [18;0;0;0];
pair_of [3;3;3]%nat 1 3 [18;0;0;0];
pair_of [1;1;1]%nat 2 1 [0;18;0;0];
pair_of [1;1;1]%nat 3 1 [0;2;2;2];
pair_of [1;1;1]%nat 4 1 [0;0;18;18];
pair_of [1;1;2]%nat 2 1 [0;6;0;0];
pair_of [1;1;4]%nat 4 1 [0;0;6;6];
pair_of [2;2;2]%nat 3 2 [0;0;18;0];
pair_of [2;2;3]%nat 3 2 [0;0;6;0]].
Theorem beta_1_10_delta_1_100 : least_records 4 (ln 3) (1 / 100) (1 / 10) 5.
Proof.
  apply (certified 4 4 1 100 1 10 113
    beta_1_10_delta_1_100_rows beta_1_10_delta_1_100_weights beta_1_10_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/10, delta = 1/10: 3 records. *)
Definition beta_1_10_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1]%nat, [126;6;4;4]);
([1;1;2]%nat, [95;31;10;4]);
([1;1;3]%nat, [86;18;25;11]);
([1;1;4]%nat, [86;18;12;24]);
([1;2;2]%nat, [27;99;9;5]);
([1;2;3]%nat, [34;52;40;14]);
([1;2;4]%nat, [38;48;30;24]);
([1;3;3]%nat, [24;15;87;14]);
([2;2;2]%nat, [5;126;5;4]);
([2;2;3]%nat, [7;98;28;7])].
Definition beta_1_10_delta_1_10_weights : list (list nat * Z) := [
([1;1]%nat, 3);
([1;2]%nat, 1);
([2;2]%nat, 3);
([2;3]%nat, 1)].
Definition beta_1_10_delta_1_10_multipliers : list multiplier := [
pair_of [2]%nat 1 2 [1;0;0;0];
pair_of [3]%nat 1 3 [1;0;0;0];
pair_of [1]%nat 2 1 [0;1;0;0];
pair_of [1]%nat 4 1 [0;0;1;1];
pair_of [2]%nat 3 2 [0;0;1;0]].
Theorem beta_1_10_delta_1_10 : least_records 4 (ln 3) (1 / 10) (1 / 10) 3.
Proof.
  apply (certified 4 2 1 10 1 10 140
    beta_1_10_delta_1_10_rows beta_1_10_delta_1_10_weights beta_1_10_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/20, delta = 0: 6 records. *)
Definition beta_1_20_delta_0_rows : list (list nat * list Z) := [
([1;1;1;1;1;1]%nat, [204;5;3;2]);
([1;1;1;1;1;2]%nat, [190;14;6;4]);
([1;1;1;1;1;3]%nat, [187;14;7;6]);
([1;1;1;1;1;4]%nat, [187;14;7;6]);
([1;1;1;1;2;2]%nat, [163;41;6;4]);
([1;1;1;1;2;3]%nat, [145;41;18;10]);
([1;1;1;1;2;4]%nat, [145;41;18;10]);
([1;1;1;1;3;3]%nat, [142;41;21;10]);
([1;1;1;1;3;4]%nat, [142;41;21;10]);
([1;1;1;1;4;4]%nat, [136;41;21;16]);
([1;1;1;2;2;2]%nat, [81;123;6;4]);
([1;1;1;2;2;3]%nat, [64;123;17;10]);
([1;1;1;2;2;4]%nat, [81;105;18;10]);
([1;1;1;2;3;3]%nat, [85;70;49;10]);
([1;1;1;2;3;4]%nat, [51;123;30;10]);
([1;1;1;2;4;4]%nat, [50;82;53;29]);
([1;1;1;3;3;3]%nat, [48;96;61;9]);
([1;1;1;3;3;4]%nat, [48;95;61;10]);
([1;1;1;3;4;4]%nat, [48;76;61;29]);
([1;1;1;4;4;4]%nat, [46;61;61;46]);
([1;1;2;2;2;2]%nat, [27;177;6;4]);
([1;1;2;2;2;3]%nat, [40;146;18;10]);
([1;1;2;2;2;4]%nat, [27;159;18;10]);
([1;1;2;2;3;3]%nat, [29;126;49;10]);
([1;1;2;2;3;4]%nat, [51;123;30;10]);
([1;1;2;2;4;4]%nat, [27;118;53;16]);
([1;1;2;3;3;3]%nat, [29;47;129;9]);
([1;1;2;3;3;4]%nat, [29;78;90;17]);
([1;1;2;3;4;4]%nat, [29;78;78;29]);
([1;1;3;3;3;3]%nat, [16;32;156;10]);
([1;1;3;3;3;4]%nat, [29;53;123;9]);
([1;2;2;2;2;2]%nat, [9;195;6;4]);
([1;2;2;2;2;3]%nat, [18;169;17;10]);
([1;2;2;2;2;4]%nat, [9;177;18;10]);
([1;2;2;2;3;3]%nat, [14;141;49;10]);
([1;2;2;2;3;4]%nat, [17;157;30;10]);
([1;2;2;3;3;3]%nat, [10;47;147;10]);
([1;2;2;3;3;4]%nat, [17;90;90;17]);
([1;2;3;3;3;3]%nat, [10;16;179;9]);
([1;3;3;3;3;3]%nat, [6;12;187;9]);
([2;2;2;2;2;2]%nat, [4;204;4;2]);
([2;2;2;2;2;3]%nat, [6;192;12;4]);
([2;2;2;2;3;3]%nat, [6;170;34;4]);
([2;2;2;3;3;3]%nat, [5;102;102;5])].
Definition beta_1_20_delta_0_weights : list (list nat * Z) := [
([1;1;1;1;1]%nat, 72);
([1;1;1;2;2]%nat, 3);
([1;1;1;3;3]%nat, 3);
([1;1;3;3;3]%nat, 1);
([2;2;2;2;2]%nat, 85);
([2;2;2;3;3]%nat, 2)].
Definition beta_1_20_delta_0_multipliers : list multiplier := [
pair_of [1;1;2;2]%nat 1 2 [3;0;0;0];
pair_of [1;1;3;3]%nat 1 3 [3;0;0;0];
pair_of [1;1;4;4]%nat 1 4 [2;0;0;0];
pair_of [1;2;2;2]%nat 1 2 [9;0;0;0];
pair_of [1;3;3;3]%nat 1 3 [9;1;0;0];
pair_of [2;2;2;2]%nat 1 2 [28;0;0;0];
pair_of [3;3;3;3]%nat 1 3 [28;3;0;0];
pair_of [2;2;3;3]%nat 2 3 [0;2;0;0];
pair_of [1;1;1;1]%nat 2 1 [0;9;0;0];
pair_of [1;1;1;1]%nat 3 1 [0;8;18;0];
pair_of [1;1;1;1]%nat 4 1 [0;6;6;24];
pair_of [1;1;1;2]%nat 2 1 [0;3;0;0];
pair_of [1;1;1;3]%nat 3 1 [0;3;6;0];
pair_of [1;1;1;4]%nat 4 1 [0;2;2;8];
pair_of [1;1;3;3]%nat 3 1 [0;0;1;0];
pair_of [2;2;2;2]%nat 3 2 [0;0;25;0];
pair_of [2;2;2;3]%nat 3 2 [0;0;8;0]].
Theorem beta_1_20_delta_0 : least_records 4 (ln 3) (0 / 1) (1 / 20) 6.
Proof.
  apply (certified 4 5 0 1 1 20 214
    beta_1_20_delta_0_rows beta_1_20_delta_0_weights beta_1_20_delta_0_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/20, delta = 1/100: 6 records. *)
Definition beta_1_20_delta_1_100_rows : list (list nat * list Z) := [
([1;1;1;1;1;1]%nat, [119;2;2;2]);
([1;1;1;1;1;2]%nat, [113;6;4;2]);
([1;1;1;1;1;3]%nat, [107;6;6;6]);
([1;1;1;1;1;4]%nat, [107;6;6;6]);
([1;1;1;1;2;2]%nat, [102;17;4;2]);
([1;1;1;1;2;3]%nat, [99;12;11;3]);
([1;1;1;1;2;4]%nat, [93;17;12;3]);
([1;1;1;1;3;3]%nat, [83;17;19;6]);
([1;1;1;1;3;4]%nat, [80;17;19;9]);
([1;1;1;1;4;4]%nat, [80;17;19;9]);
([1;1;1;2;2;2]%nat, [68;51;4;2]);
([1;1;1;2;2;3]%nat, [71;36;12;6]);
([1;1;1;2;2;4]%nat, [56;51;12;6]);
([1;1;1;2;3;3]%nat, [53;36;33;3]);
([1;1;1;2;3;4]%nat, [47;36;33;9]);
([1;1;1;2;4;4]%nat, [31;49;36;9]);
([1;1;1;3;3;3]%nat, [28;36;55;6]);
([1;1;1;3;3;4]%nat, [48;12;56;9]);
([1;1;1;3;4;4]%nat, [27;35;36;27]);
([1;1;1;4;4;4]%nat, [27;36;35;27]);
([1;1;2;2;2;2]%nat, [23;96;4;2]);
([1;1;2;2;2;3]%nat, [24;86;12;3]);
([1;1;2;2;2;4]%nat, [53;54;12;6]);
([1;1;2;2;3;3]%nat, [24;59;36;6]);
([1;1;2;2;3;4]%nat, [27;53;36;9]);
([1;1;2;2;4;4]%nat, [27;46;36;16]);
([1;1;2;3;3;3]%nat, [18;20;81;6]);
([1;1;2;3;3;4]%nat, [27;36;53;9]);
([1;1;2;3;4;4]%nat, [27;36;35;27]);
([1;1;3;3;3;3]%nat, [9;20;90;6]);
([1;1;3;3;3;4]%nat, [18;35;54;18]);
([1;2;2;2;2;2]%nat, [8;111;4;2]);
([1;2;2;2;2;3]%nat, [9;98;12;6]);
([1;2;2;2;2;4]%nat, [18;89;12;6]);
([1;2;2;2;3;3]%nat, [8;75;36;6]);
([1;2;2;2;3;4]%nat, [18;62;36;9]);
([1;2;2;3;3;3]%nat, [9;59;51;6]);
([1;2;2;3;3;4]%nat, [18;45;44;18]);
([1;2;3;3;3;3]%nat, [6;20;93;6]);
([1;3;3;3;3;3]%nat, [3;7;109;6]);
([2;2;2;2;2;2]%nat, [3;119;2;1]);
([2;2;2;2;2;3]%nat, [4;112;7;2]);
([2;2;2;2;3;3]%nat, [3;99;20;3]);
([2;2;2;3;3;3]%nat, [3;60;59;3])].
Definition beta_1_20_delta_1_100_weights : list (list nat * Z) := [
([1;1;1;1;1]%nat, 385);
([1;1;1;2;2]%nat, 17);
([1;1;1;3;3]%nat, 15);
([1;1;3;3;3]%nat, 6);
([2;2;2;2;2]%nat, 458);
([2;2;2;3;3]%nat, 11)].
Definition beta_1_20_delta_1_100_multipliers : list multiplier := [
pair_of [1;1;2;2]%nat 1 2 [17;0;0;0];
pair_of [1;1;3;3]%nat 1 3 [15;0;0;0];
pair_of [1;1;4;4]%nat 1 4 [11;0;0;0];
pair_of [1;2;2;2]%nat 1 2 [51;0;0;0];
pair_of [1;3;3;3]%nat 1 3 [51;6;0;0];
pair_of [2;2;2;2]%nat 1 2 [153;0;0;0];
pair_of [3;3;3;3]%nat 1 3 [153;17;0;0];
pair_of [2;2;3;3]%nat 2 3 [0;11;0;0];
pair_of [1;1;1;1]%nat 2 1 [0;51;0;0];
pair_of [1;1;1;1]%nat 3 1 [0;45;96;0];
pair_of [1;1;1;1]%nat 4 1 [0;32;32;128];
pair_of [1;1;1;2]%nat 2 1 [0;17;0;0];
pair_of [1;1;1;3]%nat 3 1 [0;15;32;0];
pair_of [1;1;1;4]%nat 4 1 [0;11;11;43];
pair_of [1;1;3;3]%nat 3 1 [0;0;6;0];
pair_of [2;2;2;2]%nat 3 2 [0;0;136;0];
pair_of [2;2;2;3]%nat 3 2 [0;0;45;0]].
Theorem beta_1_20_delta_1_100 : least_records 4 (ln 3) (1 / 100) (1 / 20) 6.
Proof.
  apply (certified 4 5 1 100 1 20 125
    beta_1_20_delta_1_100_rows beta_1_20_delta_1_100_weights beta_1_20_delta_1_100_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.

(** 4 numbers, beta = 1/20, delta = 1/10: 4 records. *)
Definition beta_1_20_delta_1_10_rows : list (list nat * list Z) := [
([1;1;1;1]%nat, [40;1;1;0]);
([1;1;1;2]%nat, [34;6;1;1]);
([1;1;1;3]%nat, [33;3;5;1]);
([1;1;1;4]%nat, [33;3;3;3]);
([1;1;2;2]%nat, [19;21;1;1]);
([1;1;2;3]%nat, [21;12;7;2]);
([1;1;2;4]%nat, [22;12;4;4]);
([1;1;3;3]%nat, [14;9;17;2]);
([1;1;3;4]%nat, [16;8;12;6]);
([1;1;4;4]%nat, [13;8;8;13]);
([1;2;2;2]%nat, [5;35;1;1]);
([1;2;2;3]%nat, [6;27;7;2]);
([1;2;2;4]%nat, [6;27;5;4]);
([1;2;3;3]%nat, [6;12;22;2]);
([1;2;3;4]%nat, [9;12;12;9]);
([1;3;3;3]%nat, [4;3;34;1]);
([2;2;2;2]%nat, [1;40;1;0]);
([2;2;2;3]%nat, [1;34;6;1]);
([2;2;3;3]%nat, [1;20;20;1])].
Definition beta_1_20_delta_1_10_weights : list (list nat * Z) := [
([1;1;1]%nat, 22);
([1;1;2]%nat, 3);
([1;3;3]%nat, 1);
([2;2;2]%nat, 30);
([2;2;3]%nat, 2)].
Definition beta_1_20_delta_1_10_multipliers : list multiplier := [
pair_of [1;2]%nat 1 2 [3;0;0;0];
pair_of [1;3]%nat 1 3 [3;0;0;0];
pair_of [1;4]%nat 1 4 [1;0;0;0];
pair_of [2;2]%nat 1 2 [10;0;0;0];
pair_of [3;3]%nat 1 3 [10;1;0;0];
pair_of [2;3]%nat 2 3 [0;2;0;0];
pair_of [1;1]%nat 2 1 [0;3;0;0];
pair_of [1;1]%nat 3 1 [0;3;6;3];
pair_of [1;1]%nat 4 1 [0;1;1;4];
pair_of [1;3]%nat 3 1 [0;0;1;0];
pair_of [2;2]%nat 3 2 [0;0;9;0]].
Theorem beta_1_20_delta_1_10 : least_records 4 (ln 3) (1 / 10) (1 / 20) 4.
Proof.
  apply (certified 4 3 1 10 1 20 42
    beta_1_20_delta_1_10_rows beta_1_20_delta_1_10_weights beta_1_20_delta_1_10_multipliers);
    [vm_compute; reflexivity | right; vm_compute; reflexivity | lia].
Qed.
