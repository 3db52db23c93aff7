(* Plans are carried out. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Step Setting.
Import ListNotations.

(* The state that the moves, counted from 0, lead to, and what they cost beside [spent]. *)
Fixpoint carry_out_all (ms : list compiled) (w : word) (s : state) (spent : nat)
  : option (state * nat) :=
  match w with
  | [] => Some (s, spent)
  | i :: w' =>
      match nth_error ms i with
      | Some m =>
          match carry_out m s with
          | Some t => carry_out_all ms w' t (spent + price m)
          | None => None
          end
      | None => None
      end
  end.

Definition check_plan (c : setting) (w : word) (claimed : nat) : bool :=
  match prepare c with
  | Some p =>
      match carry_out_all (moves p) w (start c) 0 with
      | Some (t, spent) => goal_test p t && (spent =? claimed)
      | None => false
      end
  | None => false
  end.

Lemma carry_out_all_sound c p : prepare c = Some p -> forall w s spent t total,
  fits (domains c) s = true -> carry_out_all (moves p) w s spent = Some (t, total) ->
  runs (of_game c) w s t /\ total = spent + cost_of (of_game c) w /\ fits (domains c) t = true.
Proof.
  intros P. induction w as [|i w IH]; simpl; intros s spent t total F.
  - intros [= <- <-]. repeat split; auto.
  - destruct (nth_error (moves p) i) as [m|] eqn:M; [|discriminate].
    destruct (carry_out m s) as [u|] eqn:C; [|discriminate]. intros H.
    destruct (moves_sound c p P _ _ _ _ F M C) as (St & Pr & Fu).
    destruct (IH _ _ _ _ Fu H) as (R & T & Ft). repeat split; auto.
    + exists u. auto.
    + unfold cost_of in *. simpl. lia.
Qed.

Theorem check_plan_sound c w claimed :
  check_plan c w claimed = true ->
  plan (of_game c) (start c) w /\ cost_of (of_game c) w = claimed.
Proof.
  unfold check_plan. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (carry_out_all _ _ _ _) as [[t spent]|] eqn:R; [|discriminate].
  intros H. apply andb_prop in H as [G E]. apply Nat.eqb_eq in E.
  destruct (carry_out_all_sound c p P _ _ _ _ _ (start_fits c p P) R) as (Rs & T & F).
  split; [exists t; split; auto; now apply (goal_test_sound c p P) | lia].
Qed.
