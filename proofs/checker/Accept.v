(* Certificates, what they claim, and the theorem that accepted claims are true. *)
From Coq Require Import List Arith.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step Setting Plan ClosedList Abstraction Heuristic Potential NoSolution
  Search.
Import ListNotations.

(* What a heuristic is the greatest of. *)
Record evidence := { groups : list group; sums_of_weights : list potential }.

(* One claim with its proof. [radix] and [per] only say how states are packed into keys; [depth] and
   [fuel] bound the steps of searches, which fail beyond. Entries come last one first. *)
Inductive part :=
| Plan (w : word) (claimed : nat)
| BoundByList (radix per : nat) (e : evidence) (bound : nat) (entries : list (state * nat))
| NoneByList (radix per : nat) (ms : abstraction) (entries : list (list nat * nat))
| NoneBySums (modulus : nat) (ws : list (list nat))
| BoundBySearch (radix per depth fuel : nat) (e : evidence) (bound : nat) (x : machine)
| Machine (fuel : nat) (x : machine).

Definition claim_of_part (c : setting) (x : part) : Prop :=
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

Definition accept_part (c : setting) (x : part) : bool :=
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

Lemma accept_part_sound c x : accept_part c x = true -> claim_of_part c x.
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

(* A certificate has a game, a start, and parts that are proved of them. *)
Definition claim (c : setting) (xs : list part) : Prop := Forall (claim_of_part c) xs.

Definition accept (c : setting) (xs : list part) : bool := forallb (accept_part c) xs.

Theorem accept_sound c xs : accept c xs = true -> claim c xs.
Proof.
  unfold accept, claim. rewrite forallb_forall, Forall_forall. intros H x I.
  now apply accept_part_sound, H.
Qed.

(* A lower bound that a part claims. *)
Definition bound_of_part (x : part) : option nat :=
  match x with
  | BoundByList _ _ _ b _ | BoundBySearch _ _ _ _ _ b _ => Some b
  | _ => None
  end.

(* A plan, and a bound that it meets, in one certificate: that is the least cost. *)
Theorem accepted_cost_is_least c xs w k x : accept c xs = true ->
  In (Plan w k) xs -> In x xs -> bound_of_part x = Some k ->
  optimal (of_game c) (start c) w /\ cost_of (of_game c) w = k.
Proof.
  intros A P B E. apply accept_sound in A. unfold claim in A. rewrite Forall_forall in A.
  destruct (A _ P) as [Pw K]. specialize (A _ B). split; [|exact K].
  apply (plan_meets_bound _ _ _ k); auto. now destruct x; try discriminate; injection E as ->.
Qed.
