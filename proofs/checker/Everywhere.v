(* Upper bounds for all states that can be reached, by a list.

   Each state of the list has a number. The start is listed, and so is each successor of a listed
   state. A listed state is a goal, or some rule leads from it to one with a lesser number, less by
   at least the rule's cost. So each state that can be reached has a plan that costs at most its
   number. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Tables Step Dispatch Setting.
Import ListNotations.

(* From each state that can be reached there is a plan that costs at most the bound. *)
Definition solved_within (g : game) (start : state) (bound : nat) : Prop :=
  forall s, reaches g start s -> exists w, plan g s w /\ cost_of g w <= bound.

Section Check.
Variable p : prepared.
Variable look : state -> option nat.
Variable bound : nat.

(* The move doesn't lead to a state that is nearer to a goal by its cost. *)
Definition no_way_down (s : state) (d : nat) (m : compiled) : bool :=
  match carry_out m s with
  | Some t => match look t with
              | Some d' => negb ((d' <? d) && (d' + price m <=? d))
              | None => true
              end
  | None => true
  end.

Definition stays_listed (s : state) (m : compiled) : bool :=
  match carry_out m s with
  | Some t => match look t with Some _ => true | None => false end
  | None => true
  end.

Definition solved_entry (moves : dispatch compiled) (e : state * nat) : bool :=
  let (s, d) := e in
  (d <=? bound) && all_allowed (stays_listed s) moves s &&
  (if goal_test p s then true else negb (all_allowed (no_way_down s d) moves s)).
End Check.

Definition check_everywhere (c : setting) (room : nat) (bound : nat)
    (entries : list (state * nat)) : bool :=
  match prepare c with
  | Some p =>
      let look := entry (table_of room entries) in
      let moves := dispatch_of tests (map fst (sample entries)) (moves p) in
      match look (start c) with
      | Some _ => forallb (fun e => fits (domains c) (fst e) && solved_entry p look bound moves e)
                    entries
      | None => false
      end
  | None => false
  end.

Theorem check_everywhere_sound c room bound entries :
  check_everywhere c room bound entries = true ->
  solved_within (of_game c) (start c) bound.
Proof.
  unfold check_everywhere. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  set (look := entry (table_of room entries)).
  set (ms := dispatch_of _ _ _).
  destruct (look (start c)) as [d0|] eqn:L0; [|discriminate]. intros H.
  assert (E : forall s d, look s = Some d ->
    fits (domains c) s = true /\ solved_entry p look bound ms (s, d) = true).
  { intros s d L. apply entry_in in L. rewrite forallb_forall in H. specialize (H _ L).
    now apply andb_prop in H. }
  (* What can be reached is listed. *)
  assert (listed : forall w s t d, look s = Some d -> runs (of_game c) w s t ->
                   exists d', look t = Some d').
  { induction w as [|i w IH]; intros s t d L R; simpl in R; [subst; eauto|].
    destruct R as (u & Su & R). destruct (E _ _ L) as [F S].
    destruct (moves_complete c p P _ _ _ F Su) as (m & Em & Cm & _ & _).
    apply andb_prop in S as [S _]. apply andb_prop in S as [_ S].
    assert (Q : passes s (tests m) s = true)
      by (unfold carry_out in Cm; destruct (passes _ _ _); [reflexivity | discriminate]).
    pose proof (all_allowed_sound _ tests _ _ _ _ m S (nth_error_In _ _ Em) Q) as G.
    unfold stays_listed in G. rewrite Cm in G. destruct (look u) as [d'|] eqn:Lu; [|discriminate].
    exact (IH u t d' Lu R). }
  (* Each listed state has a plan. *)
  assert (solved : forall n s d, d < n -> look s = Some d ->
                   exists w, plan (of_game c) s w /\ cost_of (of_game c) w <= d).
  { induction n as [|n IH]; intros s d N L; [lia|]. destruct (E _ _ L) as [F S].
    apply andb_prop in S as [_ S]. destruct (goal_test p s) eqn:G.
    { exists []. split; [|apply Nat.le_0_l]. exists s. split; [reflexivity|].
      now apply (goal_test_sound c p P). }
    apply negb_true_iff, all_allowed_fails in S as (m & I & S). unfold no_way_down in S.
    destruct (carry_out m s) as [t|] eqn:C; [|discriminate].
    destruct (look t) as [d'|] eqn:Lt; [|discriminate].
    apply negb_false_iff, andb_prop in S as [D K]. apply Nat.ltb_lt in D. apply Nat.leb_le in K.
    apply In_nth_error in I as (i & I).
    destruct (moves_sound c p P i m s t F I C) as (St & Pr & _).
    destruct (IH t d') as (w & (g & R & G') & Kw); [lia | exact Lt|].
    exists (i :: w). split; [exists g; split; [now exists t | exact G']|].
    unfold cost_of in *. simpl. lia. }
  intros s (w & R). destruct (listed w _ s d0 L0 R) as (d & L).
  destruct (solved (S d) s d) as (v & V & K); [lia | exact L|]. exists v. split; auto.
  destruct (E _ _ L) as [_ S]. apply andb_prop in S as [S _]. apply andb_prop in S as [S _].
  apply Nat.leb_le in S. lia.
Qed.
