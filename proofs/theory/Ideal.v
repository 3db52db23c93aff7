(** * The least that pruning can leave: the ideal tree

    docs/notes/pruning-limit.md, Theorem 2 and the second half of Theorem 3. The ideal tree of
    length L has the words each of whose parts of at most L letters is least where it begins. It has
    the first path of least cost to each state, and no machine that is safe by the same order leaves
    fewer nodes. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Order Factors Game Pruning Parts.
Import ListNotations.

Section Ideal.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Variable before : list Letter -> list Letter -> Prop.
Notation run := (run step).
Notation word_cost := (word_cost cost).

(** No earlier word leads from [s] to [t] at no more cost. *)
Definition least (s t : State) (w : list Letter) : Prop :=
  forall a, before a w -> word_cost a <= word_cost w -> ~ run a s t.

(** A node of the ideal tree of length [k] below [s]. *)
Definition ideal (k : nat) (s : State) (w : list Letter) : Prop :=
  forall x b y m n, w = x ++ b ++ y -> length b <= k -> run x s m -> run b m n -> least m n b.

Hypothesis before_nested : nested before.

(** The first path of least cost to a state is in the ideal tree, whatever its length. *)
Theorem first_path_is_ideal k s t w :
  (forall x b y m n, w = x ++ b ++ y -> run x s m -> run b m n -> run y n t) ->
  least s t w -> ideal k s w.
Proof.
  intros det L x b y m n -> _ Rx Rb a B K Ra.
  apply (L (x ++ a ++ y)); [apply before_nested, B | apply word_cost_replace, K|].
  apply run_app3. exists m, n. eauto.
Qed.

(** A machine of length [k] that is safe by the same order leaves all nodes of the ideal tree. *)
Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.
Variable forbidden : list Letter -> bool.
Variable k : nat.
Hypothesis forbidden_length : forall b, forbidden b = true -> length b <= k.
Hypothesis forbidden_redundant :
  forall b, forbidden b = true -> exists a, before a b /\ redundant step cost inv b a.

Theorem machine_leaves_ideal_tree s t w :
  inv s -> run w s t -> ideal k s w -> clean forbidden w.
Proof.
  intros I R Id x b y ->. destruct (forbidden b) eqn:F; [exfalso | reflexivity].
  apply run_app3 in R as (m & n & Rx & Rb & _).
  destruct (forbidden_redundant b F) as (a & B & (K & S)).
  apply (Id x b y m n eq_refl (forbidden_length b F) Rx Rb a B K).
  apply S; [|exact Rb]. exact (run_preserves step inv inv_step x s m I Rx).
Qed.

End Ideal.

(** The same for machines over parts: they leave the parts of all words of the ideal tree. *)
Theorem parts_machine_leaves_ideal_tree
  {State Letter Part} (step : Letter -> State -> State -> Prop)
  (part_step : Part -> State -> State -> Prop) (whole : Part -> Letter) cost before
  (inv : State -> Prop) (forbidden : list Part -> bool) k :
  (forall o s t, inv s -> step o s t -> inv t) ->
  (forall q s t, part_step q s t -> step (whole q) s t) ->
  (forall b, forbidden b = true -> length b <= k) ->
  (forall b, forbidden b = true ->
     exists a, before a (map whole b) /\ parts_redundant step part_step whole cost inv b a) ->
  forall s t v, inv s -> run part_step v s t -> ideal step cost before k s (map whole v) ->
  clean forbidden v.
Proof.
  intros inv_step sound len red s t v I R Id x b y ->.
  destruct (forbidden b) eqn:F; [exfalso | reflexivity].
  apply run_app3 in R as (m & n & Rx & Rb & _).
  apply (parts_run step part_step whole sound) in Rx.
  pose proof (parts_run step part_step whole sound _ _ _ Rb) as Rb'.
  destruct (red b F) as (a & B & (K & S)).
  apply (Id (map whole x) (map whole b) (map whole y) m n) with (a := a); auto.
  - rewrite !map_app. reflexivity.
  - rewrite map_length. auto.
  - apply S; [|exact Rb]. exact (run_preserves step inv inv_step _ s m I Rx).
Qed.

(** ** Games in PSVN have first paths *)

Section FirstPath.

Variable g : game.
Hypothesis deterministic_g : deterministic_game g.

(** All words of at most [k] rules. *)
Fixpoint words_up_to (k : nat) : list word :=
  [] :: match k with
        | 0 => []
        | S k' => flat_map (fun i => map (cons i) (words_up_to k')) (seq 0 (length (rules g)))
        end.

Lemma in_words_up_to w : forall k s t, runs g w s t -> length w <= k -> In w (words_up_to k).
Proof.
  unfold runs. induction w as [|i w IH]; intros k s t R L.
  - destruct k; left; reflexivity.
  - destruct k as [|k]; simpl in L; [lia|]. destruct R as (m & (r & E & _) & R).
    right. apply in_flat_map. exists i. split.
    + apply in_seq. split; [lia|]. apply nth_error_Some. congruence.
    + apply in_map. apply (IH k m t); [exact R | lia].
Qed.

Definition better (s t : state) (w a : word) : bool :=
  beforeb a w && (cost_of g a <=? cost_of g w) &&
  match run_fun g a s with
  | Some u => if state_eq_dec u t then true else false
  | None => false
  end.

Lemma better_spec s t w a :
  better s t w a = true <-> before a w /\ cost_of g a <= cost_of g w /\ runs g a s t.
Proof.
  unfold better. rewrite !Bool.andb_true_iff, beforeb_spec, Nat.leb_le.
  rewrite <- (run_fun_spec g a s t deterministic_g).
  destruct (run_fun g a s) as [u|]; [destruct state_eq_dec as [->|N]|]; intuition congruence.
Qed.

Theorem first_path_exists w s t :
  runs g w s t ->
  exists v, runs g v s t /\ cost_of g v <= cost_of g w /\
            least (step g) (rule_cost g) before s t v.
Proof.
  intros R.
  destruct (descent before (fun v => runs g v s t /\ cost_of g v <= cost_of g w)
              (fun v => least (step g) (rule_cost g) before s t v))
    with (p := w) as (v & (Rv & K) & L); [exact before_wf | | auto | eauto].
  intros p (Rp & Kp).
  destruct (existsb (better s t p) (words_up_to (length p))) eqn:E.
  - right. apply existsb_exists in E as (a & _ & B). apply better_spec in B as (B & K & Ra).
    exists a. repeat split; [exact Ra | lia | exact B].
  - left. intros a B K Ra. apply Bool.not_true_iff_false in E. apply E, existsb_exists.
    exists a. split; [|apply better_spec; auto].
    apply (in_words_up_to a _ s t); [exact Ra | apply before_length, B].
Qed.

Theorem ideal_tree_keeps_costs k w s t :
  runs g w s t ->
  exists v, runs g v s t /\ cost_of g v <= cost_of g w /\
            ideal (step g) (rule_cost g) before k s v.
Proof.
  intros R. destruct (first_path_exists w s t R) as (v & Rv & K & L).
  exists v. split; [exact Rv|]. split; [exact K|].
  apply (first_path_is_ideal (step g) (rule_cost g) before before_nested k s t); [|exact L].
  intros x b y m n -> Rx Rb. apply run_app3 in Rv as (m' & n' & Rx' & Rb' & Ry).
  assert (m = m') as <- by exact (runs_functional g x s m m' deterministic_g Rx Rx').
  assert (n = n') as <- by exact (runs_functional g b m n n' deterministic_g Rb Rb').
  exact Ry.
Qed.

End FirstPath.
