(* Lists that the program keeps as arrays: an item is found by its number in one step. Extract.v
   names the three functions of arrays.ml that stand for those here. *)
From Coq Require Import List Arith.
Import ListNotations.

Definition vector (A : Type) := list A.

Definition vector_of {A} (l : list A) : vector A := l.

(* Item [i], from 0, or [d] beyond the last one. *)
Definition item {A} (d : A) (l : vector A) (i : nat) : A := nth i l d.

(* For each number below [n] the items of a list that have it, in order. *)
Definition grouped {A} (n : nat) (number : A -> nat) (l : list A) : vector (list A) :=
  map (fun i => filter (fun a => number a =? i) l) (seq 0 n).

Lemma item_grouped {A} n (number : A -> nat) l i a :
  In a (item [] (grouped n number l) i) -> In a l.
Proof.
  unfold item, grouped. intros I.
  destruct (nth_in_or_default i (map (fun j => filter (fun a => number a =? j) l) (seq 0 n)) [])
    as [H | E]; [|rewrite E in I; destruct I].
  apply in_map_iff in H as (j & E & _). rewrite <- E in I. now apply filter_In in I as [I _].
Qed.
