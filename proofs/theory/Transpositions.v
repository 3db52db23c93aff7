(** * A transposition table by state loses a goal

    Burch & Holte 2011, section "Mixing with Transposition Tables" and Figure 1; docs/safety.md,
    "What may not be combined with it". The table remembers states below which no goal was found.
    But what is below a node depends on the path to it, which decides what is pruned. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match Layers.
Import ListNotations.

(** ** Depth-first search with and without a table *)

Section Search.

Variable g : game.
Variable forbidden : word -> bool.

(** The rules, as the search tries them. *)
Variable moves : list nat.

Variable with_table : bool.

(** States, and how many moves below them were searched without finding a goal. *)
Definition table := list (state * nat).

Definition failed_before (t : table) (depth : nat) (s : state) : bool :=
  existsb (fun '(m, d) => (if state_eq_dec m s then true else false) && (depth <=? d)) t.

(** Tries one move after the other, until one finds a goal; the table is passed on. *)
Fixpoint first_that_finds (try : nat -> table -> option word * table) (l : list nat) (t : table)
  : option word * table :=
  match l with
  | [] => (None, t)
  | i :: l' =>
      match try i t with
      | (Some w, t') => (Some w, t')
      | (None, t') => first_that_finds try l' t'
      end
  end.

(** The search below the node to which word [w] led. *)
Fixpoint search (depth : nat) (w : word) (s : state) (t : table) : option word * table :=
  if is_goalb g s then (Some w, t)
  else if with_table && failed_before t depth s then (None, t)
  else match depth with
       | 0 => (None, t)
       | S d =>
           let try i t :=
             match step_fun g i s with
             | Some n => if cleanb forbidden (w ++ [i]) then search d (w ++ [i]) n t else (None, t)
             | None => (None, t)
             end in
           match first_that_finds try moves t with
           | (Some v, t') => (Some v, t')
           | (None, t') => (None, (s, depth) :: t')
           end
       end.

Definition found (depth : nat) (s : state) : option word := fst (search depth [] s []).

End Search.

(** ** The game of Figure 1

    Rule 0 is the figure's R2, rule 1 its R1, rule 2 its R3, so that R2 R3 comes before R1 R3. The
    search tries R1 first. *)
Definition ghi : game :=
  {| rules :=
       [ {| pre := [Var 0; Var 1; Const 0; Const 0]; act := [Var 0; Var 0; Const 1; Const 0];
            cost := 1 |};
         {| pre := [Var 0; Var 1; Const 0; Const 0]; act := [Var 1; Var 0; Const 1; Const 0];
            cost := 1 |};
         {| pre := [Const 0; Const 0; Const 1; Const 0];
            act := [Const 1; Const 1; Const 0; Const 1]; cost := 1 |} ];
     goals := [ [Const 1; Const 1; Const 0; Const 1] ] |}.

Definition ghi_start : state := [0; 0; 0; 0].
Definition ghi_pruned : list (word * word) := [([1; 2], [0; 2])].
Definition ghi_moves : list nat := [1; 0; 2].

Lemma ghi_deterministic : deterministic_game ghi.
Proof. apply deterministic_gameb_spec. reflexivity. Qed.

(** The pruning is safe by itself, and a table is safe by itself: each of the two searches finds a
    plan. Together they find none, however deep they go. *)
Theorem table_by_state_loses_the_goal :
  certified ghi 4 ghi_pruned = true /\
  plan ghi ghi_start [0; 2] /\ plan ghi ghi_start [1; 2] /\
  (forall d, found ghi (forbids ghi_pruned) ghi_moves false (2 + d) ghi_start = Some [0; 2]) /\
  (forall d, found ghi nothing_forbidden ghi_moves true (2 + d) ghi_start = Some [1; 2]) /\
  (forall d, found ghi (forbids ghi_pruned) ghi_moves true d ghi_start = None).
Proof.
  assert (forall w, run_fun ghi w ghi_start = Some [1; 1; 0; 1] -> plan ghi ghi_start w) as P.
  { intros w R. exists [1; 1; 0; 1].
    split; [apply run_fun_spec; [exact ghi_deterministic | exact R]|].
    apply is_goalb_spec. reflexivity. }
  split; [reflexivity|]. split; [apply P; reflexivity|]. split; [apply P; reflexivity|].
  split; [intros [|d]; reflexivity|]. split; [intros [|d]; reflexivity|].
  intros [|[|d]]; [reflexivity .. |].
  (* The node after R1 is recorded with depth [S d], and met again after R2. *)
  assert (d <=? d = true) as E by (apply Nat.leb_refl).
  unfold found. cbn. rewrite E. reflexivity.
Qed.

(** ** What a table has to know

    If the key is the state together with the state of the machine, nothing is lost: what is below
    a node depends on these two alone. More generally, a bound that was proved below one node holds
    below another one with the same state, if nothing may follow there that may not follow at the
    first one. *)
Section Machine.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Variable forbidden : list Letter -> bool.

(** Words that may follow a word. *)
Definition may_follow (u v : list Letter) : Prop := clean forbidden (u ++ v).

Theorem bound_carries_over (goal : State -> Prop) u u' s b :
  (forall v, may_follow u' v -> may_follow u v) ->
  (forall v t, may_follow u v -> run step v s t -> goal t -> b <= word_cost cost v) ->
  (forall v t, may_follow u' v -> run step v s t -> goal t -> b <= word_cost cost v).
Proof. intros H B v t F R G. exact (B v t (H v F) R G). Qed.

(** A machine reads words letter by letter, and knows of each whether it is clean. *)
Variable Node : Type.
Variable start : Node.
Variable next : Node -> Letter -> Node.
Variable accepts : Node -> bool.

Definition after (w : list Letter) : Node := fold_left next w start.

Hypothesis machine_decides : forall w, accepts (after w) = true <-> clean forbidden w.

Theorem same_tree_below u u' :
  after u = after u' -> forall v, may_follow u v <-> may_follow u' v.
Proof.
  intros E v. unfold may_follow. rewrite <- !machine_decides. unfold after in *.
  rewrite !fold_left_app, E. reflexivity.
Qed.

Corollary table_by_machine_state (goal : State -> Prop) u u' s b :
  after u = after u' ->
  (forall v t, may_follow u v -> run step v s t -> goal t -> b <= word_cost cost v) ->
  (forall v t, may_follow u' v -> run step v s t -> goal t -> b <= word_cost cost v).
Proof. intros E. apply bound_carries_over. intros v. apply (same_tree_below u u' E). Qed.

End Machine.
