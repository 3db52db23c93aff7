(* Certificates, what they claim, and the theorem that accepted claims are true. *)
From Coq Require Import List Arith.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step Setting Plan ClosedList Abstraction Heuristic Potential NoSolution
  Search.
Import ListNotations.

(* What a heuristic is the greatest of. *)
Record evidence := { groups : list group; sums_of_weights : list potential }.

(* [radix] and [per] only say how states are packed into keys; [depth] and [fuel] bound the steps of
   searches, which fail beyond. Entries come last one first. *)
Inductive certificate :=
| Plan (w : word) (claimed : nat)
| BoundByList (radix per : nat) (e : evidence) (bound : nat) (entries : list (state * nat))
| NoneByList (radix per : nat) (ms : abstraction) (entries : list (list nat * nat))
| NoneBySums (modulus : nat) (ws : list (list nat))
| BoundBySearch (radix per depth fuel : nat) (e : evidence) (bound : nat) (x : machine)
| Machine (fuel : nat) (x : machine).

Definition claim (c : setting) (x : certificate) : Prop :=
  match x with
  | Plan w claimed => plan (of_game c) (start c) w /\ cost_of (of_game c) w = claimed
  | BoundByList _ _ _ bound _ => lower_bound (of_game c) (start c) bound
  | NoneByList _ _ _ _ | NoneBySums _ _ => no_solution (of_game c) (start c)
  | BoundBySearch _ _ _ _ _ bound _ => lower_bound (of_game c) (start c) bound
  | Machine _ x => machine_claim c x
  end.

(* A check that may use a heuristic, once that is proved consistent. *)
Definition with_heuristic (c : setting) (radix per : nat) (e : evidence)
    (check : (state -> nat) -> bool) : bool :=
  match prepare c with
  | Some p =>
      match prepare_heuristic radix per (domains c) p (groups e) with
      | Some rs =>
          if forallb (check_potential (domains c) p) (sums_of_weights e)
          then check (fun s => Nat.max (greatest radix per rs s) (highest_of (sums_of_weights e) s))
          else false
      | None => false
      end
  | None => false
  end.

Lemma with_heuristic_sound c radix per e check :
  with_heuristic c radix per e check = true -> exists h, consistent c h /\ check h = true.
Proof.
  unfold with_heuristic. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (prepare_heuristic _ _ _ _ _) as [rs|] eqn:R; [|discriminate].
  destruct (forallb _ _) eqn:Q; [|discriminate]. intros H. eexists. split; [|exact H].
  apply max_consistent; [eapply heuristic_consistent | eapply highest_of_consistent]; eauto.
Qed.

Definition accept (c : setting) (x : certificate) : bool :=
  match x with
  | Plan w claimed => check_plan c w claimed
  | BoundByList radix per e bound entries =>
      with_heuristic c radix per e (fun h => check_closed_list c radix per h bound entries)
  | NoneByList radix per ms entries => check_exhausted c radix per ms entries
  | NoneBySums modulus ws => check_sums c modulus ws
  | BoundBySearch radix per depth fuel e bound x =>
      with_heuristic c radix per e (fun h => check_search c depth fuel h x bound)
  | Machine fuel x => check_machine c fuel x
  end.

Theorem accept_sound c x : accept c x = true -> claim c x.
Proof.
  destruct x; simpl.
  - apply check_plan_sound.
  - intros H. apply with_heuristic_sound in H as (h & K & H).
    eapply check_closed_list_sound; eauto.
  - apply check_exhausted_sound.
  - apply check_sums_sound.
  - intros H. apply with_heuristic_sound in H as (h & K & H).
    eapply check_search_sound; eauto.
  - apply check_machine_sound.
Qed.
