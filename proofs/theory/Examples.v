(** * Examples of the paper of 2011, by computation

    Burch & Holte 2011: Tables 2 and 3, the examples of the section "Move Pruning", the swap of
    "Mixing with Cycle Detection", and Figure 1. Positions count from 0 here, and from 1 in the
    paper. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Game Terms Composition Match.
Import ListNotations.

Definition cost_1 (p a : list term) : rule := {| pre := p; act := a; cost := 1 |}.

(** ** Composition: Table 3 *)

Definition R1_00 : rule :=
  cost_1 [Const 0; Const 0; Var 2; Var 3] [Const 1; Const 1; Var 2; Var 3].
Definition R2_11 : rule :=
  cost_1 [Var 0; Const 1; Const 1; Var 3] [Var 0; Const 0; Const 0; Var 3].

Example table_3 :
  compose R1_00 R2_11 =
    Some {| pre := [Const 0; Const 0; Const 1; Var 3]; act := [Const 1; Const 0; Const 0; Var 3];
            cost := 2 |}.
Proof. reflexivity. Qed.

(** The subcases that the text names for the four positions. *)
Example table_3_subcases :
  map (fun i => fst (decide (act R1_00) (pre R2_11) i)) [0; 1; 2; 3] =
    [Case1b; Case1a; Case2a; Case2b].
Proof. reflexivity. Qed.

(** The other three: two actions meet equal unknowns. *)
Example other_subcases :
  map (fun a => decide a [Var 0; Var 0] 1) [[Var 0; Const 5]; [Const 5; Var 1]; [Var 1; Var 0]] =
    [(Case1c, Replace 0 (Const 5)); (Case2c, Replace 1 (Const 5)); (Case2d, Replace 1 (Var 0))].
Proof. reflexivity. Qed.

(** ** Subcase 2(b), as it is printed

    "2. a_i = x_j. .. (b) p_i = x_j. In this case the precondition is guaranteed to be satisfied",
    and 2(c) and 2(d) are for p_i = x_k with k <> j. That compares names only. The precondition
    says that positions i and j are equal, so what counts is whether a_j is x_j, too. After a swap
    it isn't. *)
Definition decide_printed (a p2 : list term) (i : nat) : update :=
  match entry a i, entry p2 i with
  | Var j, Var k =>
      if j =? k then Nothing
      else match entry a k with
           | Const d => Replace j (Const d)
           | Var t => Replace (max j t) (Var (min j t))
           end
  | _, _ => snd (decide a p2 i)
  end.

Fixpoint walk_printed (p2 : list term) (positions : list nat) (p a : list term)
  : option (list term * list term) :=
  match positions with
  | [] => Some (p, a)
  | i :: rest =>
      match decide_printed a p2 i with
      | Nothing => walk_printed p2 rest p a
      | Never => None
      | Replace x e => walk_printed p2 rest (replace x e p) (replace x e a)
      end
  end.

Definition swap : rule := cost_1 [Var 0; Var 1] [Var 1; Var 0].
Definition if_equal : rule := cost_1 [Var 0; Var 0] [Const 0; Const 0].

Theorem subcase_2b_as_printed_is_wrong :
  (* As printed, the swap followed by the other rule can be used everywhere, *)
  walk_printed (pre if_equal) [0; 1] (pre swap) (act swap) = Some (pre swap, act swap) /\
  (* and so in the state 0 1, where it can't be. *)
  matches (pre swap) [0; 1] /\
  (forall m t, leads swap [0; 1] m -> ~ leads if_equal m t) /\
  (* By the position of the unknown, the two values are united. *)
  compose swap if_equal =
    Some {| pre := [Var 0; Var 0]; act := [Const 0; Const 0]; cost := 2 |}.
Proof.
  split; [reflexivity|]. split; [apply matchesb_spec; reflexivity|]. split; [|reflexivity].
  intros m t (f & [= F0 F1] & <-) (g & [= G0 G1] & _). congruence.
Qed.

(** ** Conditions (ii) and (iii): the examples of "Move Pruning" *)

(** Two swaps, one of which needs a 1: only that one can be pruned. *)
Example swaps :
  let swap_1 := cost_1 [Const 1; Var 1] [Var 1; Const 1] in
  replaces swap swap_1 = true /\ replaces swap_1 swap = false.
Proof. split; reflexivity. Qed.

(** A swap of the first two variables, and <1 2 1> -> <2 1 1>. *)
Example swap_of_constants :
  let a := cost_1 [Var 0; Var 1; Var 2] [Var 1; Var 0; Var 2] in
  let b := cost_1 [Const 1; Const 2; Const 1] [Const 2; Const 1; Const 1] in
  replaces a b = true /\ replaces b a = false.
Proof. split; reflexivity. Qed.

(** The swap does nothing in some states, but isn't redundant with the empty sequence. *)
Example serendipitous_cycle :
  leads swap [1; 1] [1; 1] /\ replaces (identity 2) swap = false.
Proof. split; [apply apply_sound|]; reflexivity. Qed.

(** ** Figure 1: R3 after R1, and R3 after R2 *)

Definition R1 : rule := cost_1 [Var 0; Var 1; Const 0; Const 0] [Var 1; Var 0; Const 1; Const 0].
Definition R2 : rule := cost_1 [Var 0; Var 1; Const 0; Const 0] [Var 0; Var 0; Const 1; Const 0].
Definition R3 : rule :=
  cost_1 [Const 0; Const 0; Const 1; Const 0] [Const 1; Const 1; Const 0; Const 1].

Example figure_1 :
  compose R1 R3 = Some {| pre := [Const 0; Const 0; Const 0; Const 0];
                          act := [Const 1; Const 1; Const 0; Const 1]; cost := 2 |} /\
  compose R2 R3 = Some {| pre := [Const 0; Var 1; Const 0; Const 0];
                          act := [Const 1; Const 1; Const 0; Const 1]; cost := 2 |}.
Proof. split; reflexivity. Qed.
