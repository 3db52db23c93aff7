(* Certificates, what they claim, and the theorem that accepted claims are true. *)
From Coq Require Import List Arith.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step Setting Plan ClosedList Abstraction Heuristic Potential NoSolution
  Search Everywhere.
Import ListNotations.

(* What a heuristic is the greatest of. *)
Record evidence := { groups : list group; sums_of_weights : list potential }.

(* One claim with its proof. [depth] and [fuel] bound the steps of searches, which fail beyond.
   Entries come last one first. A search has the number of its machine. *)
Inductive part :=
| Plan (w : word) (claimed : nat)
| BoundByList (bound : nat) (entries : list (state * nat))
| NoneByList (ms : abstraction) (entries : list (list nat * nat))
| NoneBySums (modulus : nat) (ws : list (list nat))
| EverywhereByList (bound : nat) (entries : list (state * nat))
| BoundBySearch (depth : nat) (bound : nat) (pruned_by : nat)
| Machine (fuel : nat) (x : machine).

Definition claim_of_part (c : setting) (x : part) : Prop :=
  match x with
  | Plan w claimed => plan (of_game c) (start c) w /\ cost_of (of_game c) w = claimed
  | BoundByList bound _ => lower_bound (of_game c) (start c) bound
  | NoneByList _ _ | NoneBySums _ _ => no_solution (of_game c) (start c)
  | EverywhereByList bound _ => solved_within (of_game c) (start c) bound
  | BoundBySearch _ bound _ => lower_bound (of_game c) (start c) bound
  | Machine _ x => machine_claim c x
  end.

(* Claims whose bounds use the same heuristic, which is checked once. Each has a start of its own. *)
Record chapter := { known : evidence; parts : list (state * part) }.

Definition from_start (c : setting) (s : state) : setting :=
  {| domains := domains c; of_game := of_game c; start := s |}.

Definition claim_of_chapter (c : setting) (x : chapter) : Prop :=
  Forall (fun e => claim_of_part (from_start c (fst e)) (snd e)) (parts x).

(* The proved heuristic, if the evidence proves one. *)
Definition heuristic_of (c : setting) (room : nat) (e : evidence) : option (state -> nat) :=
  match prepare c with
  | Some p =>
      match prepare_heuristic room (domains c) p (groups e) with
      | Some rs =>
          if forallb (check_potential (domains c) p) (sums_of_weights e)
          then Some (fun s => Nat.max (greatest rs s) (highest_of (sums_of_weights e) s))
          else None
      | None => None
      end
  | None => None
  end.

Lemma heuristic_of_sound c room e h : heuristic_of c room e = Some h -> consistent c h.
Proof.
  unfold heuristic_of. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (prepare_heuristic _ _ _ _) as [rs|] eqn:R; [|discriminate].
  destruct (forallb _ _) eqn:Q; [|discriminate]. intros [= <-].
  apply max_consistent; [eapply heuristic_consistent | eapply highest_of_consistent]; eauto.
Qed.

(* [rs] are the machines of the certificate, each of which keeps least costs. *)
Definition accept_part (room : nat) (h : state -> nat) (rs : list pruning) (c : setting) (x : part)
  : bool :=
  match x with
  | Plan w claimed => check_plan c w claimed
  | BoundByList bound entries => check_closed_list c room h bound entries
  | NoneByList ms entries => check_exhausted c room ms entries
  | NoneBySums modulus ws => check_sums c modulus ws
  | EverywhereByList bound entries => check_everywhere c room bound entries
  | BoundBySearch depth bound k =>
      match nth_error rs k with Some r => check_search c depth h r bound | None => false end
  | Machine fuel x => check_machine c fuel x
  end.

Lemma accept_part_sound room h rs c x :
  consistent c h -> Forall (keeps_least_costs c) rs -> accept_part room h rs c x = true ->
  claim_of_part c x.
Proof.
  intros K R. destruct x; simpl.
  - apply check_plan_sound.
  - now apply check_closed_list_sound.
  - apply check_exhausted_sound.
  - apply check_sums_sound.
  - apply check_everywhere_sound.
  - destruct (nth_error rs pruned_by) as [r|] eqn:E; [|discriminate].
    apply check_search_sound; auto. rewrite Forall_forall in R. apply R. eapply nth_error_In; eauto.
  - apply check_machine_sound.
Qed.

Definition accept_chapter (room : nat) (c : setting) (rs : list pruning) (x : chapter) : bool :=
  match heuristic_of c room (known x) with
  | Some h => forallb (fun e => accept_part room h rs (from_start c (fst e)) (snd e)) (parts x)
  | None => false
  end.

Lemma accept_chapter_sound room c rs x :
  Forall (keeps_least_costs c) rs -> accept_chapter room c rs x = true -> claim_of_chapter c x.
Proof.
  unfold accept_chapter, claim_of_chapter. intros R.
  destruct (heuristic_of _ _ _) as [h|] eqn:H; [|discriminate].
  apply heuristic_of_sound in H. rewrite forallb_forall, Forall_forall. intros A e I.
  now apply (accept_part_sound room h rs); auto.
Qed.

(* A certificate has machines for its searches, with the steps that their proofs may take, and
   chapters of claims. [room] bounds the numbers that keys of tables are made of. *)
Record certificate := { room : nat; machines : list (nat * machine); chapters : list chapter }.

Definition claim (c : setting) (x : certificate) : Prop :=
  Forall (claim_of_chapter c) (chapters x).

Definition accept (c : setting) (x : certificate) : bool :=
  match all_some (fun e => prepare_machine c (fst e) (snd e)) (machines x) with
  | Some rs => forallb (accept_chapter (room x) c rs) (chapters x)
  | None => false
  end.

Theorem accept_sound c x : accept c x = true -> claim c x.
Proof.
  unfold accept, claim. destruct (all_some _ _) as [rs|] eqn:E; [|discriminate].
  assert (R : Forall (keeps_least_costs c) rs).
  { rewrite Forall_forall. intros r I. apply In_nth_error in I as [k I].
    destruct (all_some_nth_back _ _ _ E _ _ I) as (e & _ & P). eapply prepare_machine_sound, P. }
  rewrite forallb_forall, Forall_forall. intros H k I. now apply (accept_chapter_sound (room x) c rs), H.
Qed.

(* The claims about a start. *)
Definition claimed_of (x : certificate) (s : state) (y : part) : Prop :=
  exists k, In k (chapters x) /\ In (s, y) (parts k).

Lemma accepted_claim c x s y :
  accept c x = true -> claimed_of x s y -> claim_of_part (from_start c s) y.
Proof.
  intros A (k & Ik & Ix). apply accept_sound in A. unfold claim in A. rewrite Forall_forall in A.
  specialize (A k Ik). unfold claim_of_chapter in A. rewrite Forall_forall in A.
  exact (A _ Ix).
Qed.

(* A lower bound that a part claims. *)
Definition bound_of_part (x : part) : option nat :=
  match x with
  | BoundByList b _ | BoundBySearch _ b _ => Some b
  | _ => None
  end.

(* A plan, and a bound that it meets, in one certificate: that is the least cost. *)
Theorem accepted_cost_is_least c x s w k y : accept c x = true ->
  claimed_of x s (Plan w k) -> claimed_of x s y -> bound_of_part y = Some k ->
  optimal (of_game c) s w /\ cost_of (of_game c) w = k.
Proof.
  intros A P B E. destruct (accepted_claim _ _ _ _ A P) as [Pw K]. simpl in Pw, K.
  pose proof (accepted_claim _ _ _ _ A B) as L. split; [|exact K].
  apply (plan_meets_bound _ _ _ k); auto. now destruct y; try discriminate; injection E as ->.
Qed.
