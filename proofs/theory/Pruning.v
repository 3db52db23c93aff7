(** * Pruning keeps a least-cost path

    Burch & Holte 2011, sections "Move Pruning" (conditions i to iii) and "Mixing with Cycle
    Detection" ("Move pruning has the property that .. the least cost path is preserved"); talk,
    "Provably Correct Solution"; docs/safety.md, "All redundancies at once", "Redundancy in states
    with invariants" and "Cycle detection, of any length". *)

From Coq Require Import List Arith Lia Wellfounded.
From Psvn Require Import Paths Order Factors.
Import ListNotations.

(** ** The principle: descent

    If each thing that isn't good can be replaced by an earlier one, there is a good one. *)
Theorem descent {Thing} (before : Thing -> Thing -> Prop) (possible good : Thing -> Prop) :
  well_founded before ->
  (forall p, possible p -> good p \/ exists q, possible q /\ before q p) ->
  forall p, possible p -> exists q, possible q /\ good q.
Proof.
  intros wf improve p. induction (wf p) as [p _ IH]. intros Hp.
  destruct (improve p Hp) as [G | (q & Hq & L)]; eauto.
Qed.

Section Pruning.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Notation run := (run step).
Notation word_cost := (word_cost cost).

(** States within which words are compared; [fun _ => True] for all states. *)
Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.

Variable before : list Letter -> list Letter -> Prop.
Hypothesis before_wf : well_founded before.
Hypothesis before_nested : nested before.

(** Word [b] is redundant with [a] within [inv]: [a] costs no more, and in each state of [inv] in
    which [b] can be carried out, [a] can be too and leads to the same state. *)
Definition redundant (b a : list Letter) : Prop :=
  word_cost a <= word_cost b /\ forall s t, inv s -> run b s t -> run a s t.

Theorem redundant_refl b : redundant b b.
Proof. split; auto. Qed.

Theorem redundant_trans c b a : redundant c b -> redundant b a -> redundant c a.
Proof. intros (K1 & R1) (K2 & R2). split; [lia | auto]. Qed.

(** Redundant words may be extended on both sides. *)
Theorem redundant_nested x b a y : redundant b a -> redundant (x ++ b ++ y) (x ++ a ++ y).
Proof.
  intros (K & R). split; [apply word_cost_replace, K|]. intros s t I H.
  apply run_app3 in H as (m & n & Hx & Hb & Hy). apply run_app3. exists m, n.
  repeat split; auto. apply R; [|exact Hb]. exact (run_preserves step inv inv_step x s m I Hx).
Qed.

(** ** What a machine forbids *)

Variable forbidden : list Letter -> bool.

(** Each forbidden word is redundant with one that comes before it. *)
Hypothesis forbidden_redundant :
  forall b, forbidden b = true -> exists a, before a b /\ redundant b a.

(** Any word with a forbidden part is redundant with an earlier one. *)
Lemma forbidden_part_improves x b y :
  forbidden b = true -> exists w, before w (x ++ b ++ y) /\ redundant (x ++ b ++ y) w.
Proof.
  intros F. destruct (forbidden_redundant b F) as (a & L & R).
  exists (x ++ a ++ y). auto using redundant_nested.
Qed.

(** For each path there is one that costs no more, to the same state, which no machine prunes. *)
Theorem pruning_keeps_costs w s t :
  inv s -> run w s t -> exists w', run w' s t /\ word_cost w' <= word_cost w /\ clean forbidden w'.
Proof.
  intros I R.
  destruct (descent before (fun v => run v s t /\ word_cost v <= word_cost w) (clean forbidden))
    with (p := w) as (v & (Rv & Kv) & C); [exact before_wf | | auto | eauto].
  intros p (Rp & Kp).
  destruct (clean_or_factor forbidden p) as [C | (x & b & y & -> & F)]; [auto | right].
  destruct (forbidden_part_improves x b y F) as (q & L & (K & Rq)).
  exists q. repeat split; [auto | lia | exact L].
Qed.

(** The same among paths of at most [k] letters, if no replacement is longer. *)
Theorem pruning_keeps_costs_within k w s t :
  (forall a b, before a b -> length a <= length b) ->
  inv s -> run w s t -> length w <= k ->
  exists w', run w' s t /\ word_cost w' <= word_cost w /\ length w' <= k /\ clean forbidden w'.
Proof.
  intros shorter I R Hk.
  destruct (descent before (fun v => run v s t /\ word_cost v <= word_cost w /\ length v <= k)
              (clean forbidden)) with (p := w) as (v & (Rv & Kv & Lv) & C);
    [exact before_wf | | auto | eauto 6].
  intros p (Rp & Kp & Lp).
  destruct (clean_or_factor forbidden p) as [C | (x & b & y & -> & F)]; [auto | right].
  destruct (forbidden_part_improves x b y F) as (q & L & (K & Rq)).
  exists q. repeat split; [auto | lia | | exact L]. apply shorter in L. lia.
Qed.

(** Every state that can be reached can be reached along a clean word. *)
Corollary pruning_keeps_states s t :
  inv s -> reachable step s t -> exists w, run w s t /\ clean forbidden w.
Proof. intros I (w & R). destruct (pruning_keeps_costs w s t I R) as (v & H & _ & C). eauto. Qed.

(** A search along clean words alone proves a lower bound for all words. *)
Corollary clean_lower_bound (goal : State -> Prop) s b :
  inv s ->
  (forall w t, clean forbidden w -> run w s t -> goal t -> b <= word_cost w) ->
  forall w t, run w s t -> goal t -> b <= word_cost w.
Proof.
  intros I H w t R G. destruct (pruning_keeps_costs w s t I R) as (v & Rv & K & C).
  specialize (H v t C Rv G). lia.
Qed.

(** If all clean words that begin in [s] miss the goal, there is no solution. *)
Corollary clean_no_solution (goal : State -> Prop) s :
  inv s ->
  (forall w t, clean forbidden w -> run w s t -> ~ goal t) ->
  forall w t, run w s t -> ~ goal t.
Proof.
  intros I H w t R G. destruct (pruning_keeps_costs w s t I R) as (v & Rv & _ & C).
  exact (H v t C Rv G).
Qed.

End Pruning.

(** ** All solutions of least cost

    docs/safety.md, "All solutions of least cost": where each forbidden word costs more than its
    replacement, no path of least cost has a forbidden part. *)
Section All.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.

Variable forbidden : list Letter -> bool.
Hypothesis forbidden_costs_more : forall b, forbidden b = true ->
  exists a, word_cost cost a < word_cost cost b /\ redundant step cost inv b a.

Theorem cheapest_paths_are_clean (goal : State -> Prop) w s t :
  inv s -> run step w s t -> goal t ->
  (forall v u, run step v s u -> goal u -> word_cost cost w <= word_cost cost v) ->
  clean forbidden w.
Proof.
  intros I R G least.
  destruct (clean_or_factor forbidden w) as [C | (x & b & y & -> & F)]; [exact C | exfalso].
  destruct (forbidden_costs_more b F) as (a & K & Rd).
  destruct (redundant_nested step cost inv inv_step x b a y Rd) as (_ & replaces).
  specialize (least _ t (replaces s t I R) G). rewrite !word_cost_app in least. lia.
Qed.

End All.

(** ** Comparing with kept words only

    docs/safety.md, "All redundancies at once", last paragraph: new words need to be compared with
    kept ones only. Here [test b a] is any transitive test; a word is kept if no earlier word of the
    list replaces it. *)
Section Kept.

Variable test : list nat -> list nat -> bool.
Hypothesis test_trans : forall c b a, test c b = true -> test b a = true -> test c a = true.

Variable words : list (list nat).

Definition replaced (b : list nat) : bool :=
  existsb (fun a => beforeb a b && test b a)%bool words.

Theorem kept_words_suffice b :
  replaced b = true <->
  exists a, In a words /\ before a b /\ test b a = true /\ replaced a = false.
Proof.
  split.
  - intros R. unfold replaced in R. apply existsb_exists in R as (a & Ha & H).
    apply Bool.andb_true_iff in H as (L & T). apply beforeb_spec in L.
    destruct (descent before (fun a => In a words /\ before a b /\ test b a = true)
                (fun a => replaced a = false)) with (p := a) as (c & (H1 & H2 & H3) & H4);
      [exact before_wf | | auto | eauto 6].
    intros p (Hp & Lp & Tp). destruct (replaced p) eqn:R; [right | auto].
    unfold replaced in R. apply existsb_exists in R as (q & Hq & H).
    apply Bool.andb_true_iff in H as (Lq & Tq). apply beforeb_spec in Lq.
    exists q. repeat split; eauto using before_trans.
  - intros (a & Ha & L & T & _). apply existsb_exists. exists a.
    split; [exact Ha|]. apply Bool.andb_true_iff. split; [apply beforeb_spec, L | exact T].
Qed.

End Kept.
