(* Certificates, what they claim, and the theorem that accepted claims are true. *)
From Coq Require Import List Arith.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step Setting Plan ClosedList.
Import ListNotations.

(* [radix] and [per] only say how states are packed into keys. Entries come last one first. *)
Inductive certificate :=
| Plan (w : word) (claimed : nat)
| BoundByList (radix per bound : nat) (entries : list (state * nat)).

Definition claim (c : setting) (x : certificate) : Prop :=
  match x with
  | Plan w claimed => plan (of_game c) (start c) w /\ cost_of (of_game c) w = claimed
  | BoundByList _ _ bound _ => lower_bound (of_game c) (start c) bound
  end.

Definition accept (c : setting) (x : certificate) : bool :=
  match x with
  | Plan w claimed => check_plan c w claimed
  | BoundByList radix per bound entries =>
      check_closed_list c radix per (fun _ => 0) bound entries
  end.

Theorem accept_sound c x : accept c x = true -> claim c x.
Proof.
  destruct x as [w claimed | radix per bound entries]; simpl.
  - apply check_plan_sound.
  - apply check_closed_list_sound, blind_consistent.
Qed.
