(* Lower bounds by a closed list.

   Each state of the list has a number g. The start has 0; each successor of a listed state is
   listed with no greater g than on the way through that state, or a heuristic shows that no goal
   is near enough; a goal is listed only with g of at least the bound. Then each plan, followed from
   the start, leaves the list where the heuristic shows that it costs too much, or ends in a goal
   that costs enough. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Tables Step Dispatch Setting.
Import ListNotations.

(* Estimates that no move lowers by more than its cost. *)
Definition consistent (c : setting) (h : state -> nat) : Prop :=
  (forall s, fits (domains c) s = true -> is_goal (of_game c) s -> h s = 0) /\
  (forall i s t, fits (domains c) s = true -> step (of_game c) i s t ->
                 h s <= rule_cost (of_game c) i + h t).

Lemma blind_consistent c : consistent c (fun _ => 0).
Proof. split; intros; lia. Qed.

Lemma consistent_admissible c p h : prepare c = Some p -> consistent c h -> forall w s t,
  fits (domains c) s = true -> runs (of_game c) w s t -> is_goal (of_game c) t ->
  h s <= cost_of (of_game c) w.
Proof.
  intros P [Hg Hs] w. induction w as [|i w IH]; simpl; intros s t F R G.
  - simpl in R; subst. rewrite Hg; auto; lia.
  - destruct R as (u & Su & R). destruct (moves_complete c p P _ _ _ F Su) as (_ & _ & _ & _ & Fu).
    specialize (IH u t Fu R G). specialize (Hs _ _ _ F Su). unfold cost_of in *. simpl. lia.
Qed.

Section Check.
Variable p : prepared.
Variable h : state -> nat.
Variable look : state -> option nat.
Variable bound : nat.

Definition far (s : state) (g : nat) : bool := if bound <=? g then true else bound <=? g + h s.

Definition covered (s : state) (g : nat) : bool :=
  match look s with
  | Some g' => if g' <=? g then true else far s g
  | None => far s g
  end.

Lemma covered_cases s g :
  covered s g = true -> far s g = true \/ exists g', look s = Some g' /\ g' <= g.
Proof.
  unfold covered. destruct (look s) as [g'|]; auto.
  destruct (Nat.leb_spec g' g); eauto.
Qed.

Definition closed_entry (moves : dispatch compiled) (e : state * nat) : bool :=
  let (s, g) := e in
  (if goal_test p s then bound <=? g else true) &&
  all_allowed (fun m => match carry_out m s with
                        | Some t => covered t (g + price m)
                        | None => true
                        end) moves s.
End Check.

Definition check_closed_list (c : setting) (room : nat) (h : state -> nat) (bound : nat)
    (entries : list (state * nat)) : bool :=
  match prepare c with
  | Some p =>
      let t := table_of room entries in
      let moves := dispatch_of tests (map fst (sample entries)) (moves p) in
      covered h (entry t) bound (start c) 0 &&
      forallb (fun e => fits (domains c) (fst e) &&
                        closed_entry p h (entry t) bound moves e) entries
  | None => false
  end.

Theorem check_closed_list_sound c room h bound entries :
  consistent c h -> check_closed_list c room h bound entries = true ->
  lower_bound (of_game c) (start c) bound.
Proof.
  unfold check_closed_list. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  intros K H. apply andb_prop in H as [H0 H]. rewrite forallb_forall in H.
  set (look := entry (table_of room entries)) in *.
  assert (out : forall w s g t, fits (domains c) s = true -> far h bound s g = true ->
    runs (of_game c) w s t -> is_goal (of_game c) t -> bound <= g + cost_of (of_game c) w).
  { unfold far. intros w s g t F B R G.
    pose proof (consistent_admissible c p h P K w s t F R G).
    destruct (Nat.leb_spec bound g); [lia|]. apply Nat.leb_le in B. lia. }
  (* Along a path from a covered state, the cost reaches the bound. *)
  assert (main : forall w s g t, fits (domains c) s = true -> covered h look bound s g = true ->
    runs (of_game c) w s t -> is_goal (of_game c) t -> bound <= g + cost_of (of_game c) w).
  { induction w as [|i w IH]; intros s g t F C R G.
    - apply covered_cases in C as [C | (g' & L & C)]; [exact (out _ _ _ _ F C R G)|].
      apply entry_in in L. specialize (H _ L). apply andb_prop in H as [_ H].
      apply andb_prop in H as [Hg _]. simpl in R. subst.
      rewrite (goal_test_complete c p P _ F G) in Hg. apply Nat.leb_le in Hg. lia.
    - apply covered_cases in C as [C | (g' & L & C)]; [exact (out _ _ _ _ F C R G)|].
      apply entry_in in L. specialize (H _ L). apply andb_prop in H as [_ H].
      apply andb_prop in H as [_ Hm]. destruct R as (u & Su & R).
      destruct (moves_complete c p P _ _ _ F Su) as (m & Em & Cm & Pm & Fu).
      pose proof Cm as Q. unfold carry_out in Q.
      destruct (passes s (tests m) s) eqn:Q'; [clear Q | discriminate].
      apply (all_allowed_sound _ tests _ _ _ _ m) in Hm; auto; [|eapply nth_error_In; eauto].
      cbv beta in Hm. rewrite Cm in Hm.
      specialize (IH u _ t Fu Hm R G). unfold cost_of in *. simpl. rewrite Pm in IH. lia. }
  intros w (t & R & G). apply (main w (start c) 0 t); auto. now apply (start_fits c p P).
Qed.
