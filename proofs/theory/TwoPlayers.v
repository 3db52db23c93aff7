(** * Move pruning isn't safe in games of two players

    docs/safety.md, "Games of two players". One player who makes all moves chooses a whole path, and
    another path may replace it. In a game tree the opponent chooses between: pruning takes away a
    reply that a player needs, and the value of the game changes. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Composition Match.
Import ListNotations.

(** ** Who can force a goal *)

Section Forcing.

Variable g : game.
Variable forbidden : word -> bool.

(** The first player is to move in these states. *)
Variable first_to_move : state -> bool.

Definition allowed_moves (w : word) (s : state) : list (word * state) :=
  flat_map
    (fun i => match step_fun g i s with
              | Some t => if cleanb forbidden (w ++ [i]) then [(w ++ [i], t)] else []
              | None => []
              end)
    (seq 0 (length (rules g))).

(** The first player can force a goal within [depth] moves after word [w] has led to [s]. *)
Fixpoint can_force (depth : nat) (w : word) (s : state) : bool :=
  is_goalb g s ||
  match depth with
  | 0 => false
  | S d =>
      let moves := allowed_moves w s in
      if first_to_move s
      then existsb (fun '(v, t) => can_force d v t) moves
      else negb (length moves =? 0) && forallb (fun '(v, t) => can_force d v t) moves
  end.

End Forcing.

(** ** A game of one move each

    The first variable says whose move it is (2: the game is over). The first player chooses 1 or 2;
    the second player may always answer with 0, or with 3 if 2 was chosen. The first player wins
    if the answer is 3. *)
Definition duel : game :=
  {| rules :=
       [ {| pre := [Const 0; Var 1]; act := [Const 1; Const 1]; cost := 1 |};
         {| pre := [Const 0; Var 1]; act := [Const 1; Const 2]; cost := 1 |};
         {| pre := [Const 1; Var 1]; act := [Const 2; Const 0]; cost := 1 |};
         {| pre := [Const 1; Const 2]; act := [Const 2; Const 3]; cost := 1 |} ];
     goals := [ [Const 2; Const 3] ] |}.

Definition duel_start : state := [0; 0].
Definition duel_first (s : state) : bool := nth 0 s 0 =? 0.

(** Both choices and the answer 0 lead to the same state. *)
Definition duel_pruned : list (word * word) := [([1; 2], [0; 2])].

(** With the pruning the first player seems to win: after 2, only the losing answer is left. *)
Theorem pruning_changes_values_of_two_players :
  certified duel 2 duel_pruned = true /\
  can_force duel (fun _ => false) duel_first 2 [] duel_start = false /\
  can_force duel (forbids duel_pruned) duel_first 2 [] duel_start = true.
Proof. repeat split; reflexivity. Qed.
