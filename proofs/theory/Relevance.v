(** * Pruning for goals alone: variables on which no goal depends

    Taylor 1992, section 2.4; docs/safety.md, "For goals alone". A word may be pruned if its
    replacement leads to a state that agrees in all relevant variables. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning.
Import ListNotations.

Section Relevance.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Variable goal : State -> Prop.
Notation run := (run step).
Notation word_cost := (word_cost cost).

(** States are alike if they agree in all relevant variables. *)
Variable alike : State -> State -> Prop.
Hypothesis alike_refl : forall s, alike s s.
Hypothesis alike_sym : forall s t, alike s t -> alike t s.
Hypothesis alike_trans : forall s t u, alike s t -> alike t u -> alike s u.
Hypothesis alike_goal : forall s t, alike s t -> goal s -> goal t.

(** Letters that can change a relevant variable apply to both of two states that are alike, and
    lead to states that are alike. Other letters lead to a state that is like the one before. *)
Variable changes : Letter -> bool.
Hypothesis changing_step : forall o s t s',
  changes o = true -> alike s s' -> step o s t -> exists t', step o s' t' /\ alike t t'.
Hypothesis other_step : forall o s t, changes o = false -> step o s t -> alike s t.

(** From a state that is alike, the letters that change something lead to a state that is alike. *)
Lemma run_changing w : forall s t s',
  alike s s' -> run w s t -> exists t', run (filter changes w) s' t' /\ alike t t'.
Proof.
  induction w as [|o w IH]; simpl; intros s t s' A R.
  - subst. eauto.
  - destruct R as (m & Ho & R). destruct (changes o) eqn:C.
    + destruct (changing_step o s m s' C A Ho) as (m' & Ho' & A').
      destruct (IH m t m' A' R) as (t' & R' & B). exists t'. simpl. eauto.
    + apply (IH m); [|exact R]. eauto.
Qed.

Lemma filter_shorter (w : list Letter) :
  filter changes w = w \/ length (filter changes w) < length w.
Proof.
  induction w as [|o w IH]; simpl; [auto|]. destruct (changes o); simpl.
  - destruct IH as [E | L]; [left; rewrite E; reflexivity | right; lia].
  - destruct IH as [E | L]; [rewrite E|]; right; lia.
Qed.

Lemma filter_cost (w : list Letter) : word_cost (filter changes w) <= word_cost w.
Proof. induction w as [|o w IH]; simpl; [lia | destruct (changes o); simpl; lia]. Qed.

Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.

Variable before : list Letter -> list Letter -> Prop.
Hypothesis before_wf : well_founded before.
Hypothesis before_nested : nested before.
Hypothesis before_trans : forall a b c, before a b -> before b c -> before a c.
Hypothesis shorter_before : forall a b, length a < length b -> before a b.

(** Word [b] is redundant with [a] as far as goals are concerned. *)
Definition redundant_for_goals (b a : list Letter) : Prop :=
  word_cost a <= word_cost b /\
  forall s t, inv s -> run b s t -> exists t', run a s t' /\ alike t t'.

(** What is redundant is redundant for goals, so both kinds may be mixed. *)
Lemma redundant_is_for_goals b a : redundant step cost inv b a -> redundant_for_goals b a.
Proof. intros (K & R). split; [exact K|]. intros s t I H. eauto. Qed.

Theorem redundant_for_goals_trans c b a :
  redundant_for_goals c b -> redundant_for_goals b a -> redundant_for_goals c a.
Proof.
  intros (K1 & R1) (K2 & R2). split; [lia|]. intros s t I R.
  destruct (R1 s t I R) as (t' & R' & A). destruct (R2 s t' I R') as (u & R'' & B). eauto.
Qed.

Variable forbidden : list Letter -> bool.
Hypothesis forbidden_redundant :
  forall b, forbidden b = true -> exists a, before a b /\ redundant_for_goals b a.

(** The three sequences of the proof: x b y is a path, x a y may be none, and x a y', without the
    letters of y that change nothing relevant, is a path again. *)
Lemma forbidden_for_goals_improves x b y s t :
  forbidden b = true -> inv s -> run (x ++ b ++ y) s t -> goal t ->
  exists w u, run w s u /\ goal u /\ before w (x ++ b ++ y) /\
              word_cost w <= word_cost (x ++ b ++ y).
Proof.
  intros F I R G. destruct (forbidden_redundant b F) as (a & L & K & S).
  apply run_app3 in R as (m & n & Rx & Rb & Ry).
  destruct (S m n (run_preserves step inv inv_step x s m I Rx) Rb) as (n' & Ra & A).
  destruct (run_changing y n t n' A Ry) as (u & Ry' & B).
  exists (x ++ a ++ filter changes y), u. repeat split.
  - apply run_app3. exists m, n'. auto.
  - exact (alike_goal t u B G).
  - destruct (filter_shorter y) as [-> | H]; [apply before_nested, L|].
    apply before_trans with (x ++ a ++ y); [|apply before_nested, L].
    apply shorter_before. rewrite !app_length. lia.
  - pose proof (filter_cost y). rewrite !word_cost_app. lia.
Qed.

Theorem pruning_for_goals_keeps_costs w s t :
  inv s -> run w s t -> goal t ->
  exists v u, run v s u /\ goal u /\ word_cost v <= word_cost w /\ clean forbidden v.
Proof.
  intros I R G.
  destruct (descent before
              (fun v => (exists u, run v s u /\ goal u) /\ word_cost v <= word_cost w)
              (clean forbidden)) with (p := w) as (v & ((u & Rv & Gu) & K) & C);
    [exact before_wf | | eauto | eauto 6].
  intros p ((u & Rp & Gp) & Kp).
  destruct (clean_or_factor forbidden p) as [C | (x & b & y & -> & F)]; [auto | right].
  destruct (forbidden_for_goals_improves x b y s u F I Rp Gp) as (q & u' & Rq & Gq & L & Kq).
  exists q. repeat split; [eauto | lia | exact L].
Qed.

Theorem pruning_for_goals_keeps_costs_within k w s t :
  (forall a b, before a b -> length a <= length b) ->
  inv s -> run w s t -> goal t -> length w <= k ->
  exists v u, run v s u /\ goal u /\ word_cost v <= word_cost w /\ length v <= k /\
              clean forbidden v.
Proof.
  intros shorter I R G Hk.
  destruct (descent before
              (fun v => (exists u, run v s u /\ goal u) /\
                        word_cost v <= word_cost w /\ length v <= k)
              (clean forbidden)) with (p := w) as (v & ((u & Rv & Gu) & K & Lv) & C);
    [exact before_wf | | eauto | eauto 8].
  intros p ((u & Rp & Gp) & Kp & Lp).
  destruct (clean_or_factor forbidden p) as [C | (x & b & y & -> & F)]; [auto | right].
  destruct (forbidden_for_goals_improves x b y s u F I Rp Gp) as (q & u' & Rq & Gq & L & Kq).
  exists q. repeat split; [eauto | lia | apply shorter in L; lia | exact L].
Qed.

Corollary clean_lower_bound_for_goals s b :
  inv s ->
  (forall w t, clean forbidden w -> run w s t -> goal t -> b <= word_cost w) ->
  forall w t, run w s t -> goal t -> b <= word_cost w.
Proof.
  intros I H w t R G.
  destruct (pruning_for_goals_keeps_costs w s t I R G) as (v & u & Rv & Gu & K & C).
  specialize (H v u C Rv Gu). lia.
Qed.

End Relevance.

(** ** Relevant variables of a game in PSVN *)

Section Variables.

Variable g : game.
Variable n : nat.

(** Variables are positions. *)
Variable relevant : nat -> bool.

(** A position is tested by preconditions, or by a goal, if it has a constant there, or an unknown
    that is at another position, too. *)
Definition tests (p : list term) (i : nat) : Prop :=
  (exists c, i < length p /\ entry p i = Const c) \/
  (exists x j, entry p i = Var x /\ entry p j = Var x /\ i <> j).

Definition changes_relevant (r : rule) : bool :=
  existsb (fun i => relevant i && if term_eq_dec (entry (act r) i) (entry (pre r) i)
                                  then false else true) (seq 0 n).

(** What it means that no goal depends on the other variables. *)
Hypothesis goals_test : forall p i, In p (goals g) -> tests p i -> relevant i = true.
Hypothesis rules_test :
  forall r i, In r (rules g) -> changes_relevant r = true -> tests (pre r) i -> relevant i = true.
Hypothesis rules_copy :
  forall r i x, In r (rules g) -> changes_relevant r = true -> relevant i = true ->
  entry (act r) i = Var x -> exists j, entry (pre r) j = Var x /\ relevant j = true.

Hypothesis deterministic_g : deterministic_game g.
Hypothesis lengths : forall r, In r (rules g) -> length (pre r) = n /\ length (act r) = n.

Definition agree (s t : state) : Prop :=
  length s = length t /\ forall i, relevant i = true -> value s i = value t i.

Lemma agree_refl s : agree s s.
Proof. split; auto. Qed.

Lemma agree_sym s t : agree s t -> agree t s.
Proof. intros (L & H). split; [auto | intros i R; symmetry; auto]. Qed.

Lemma agree_trans s t u : agree s t -> agree t u -> agree s u.
Proof.
  intros (L & H) (L' & H'). split; [congruence|]. intros i R. rewrite (H i R). apply H', R.
Qed.

(** Conditions that test relevant variables only hold in both of two states that agree. *)
Lemma agree_matches p s t :
  (forall i, tests p i -> relevant i = true) -> agree s t -> matches p s -> matches p t.
Proof.
  intros T (L & A) M. apply matches_by_position in M as (Ls & M). apply matches_by_position.
  split; [congruence|]. intros i Hi. specialize (M i Hi). unfold holds in *.
  destruct (entry p i) as [c|x] eqn:E; simpl in *.
  - rewrite <- M. symmetry. apply A, T. left. eauto.
  - destruct (first_entry x p (entry_var_in p i x E)) as (_ & F).
    destruct (Nat.eq_dec (first x p) i) as [->|N]; [reflexivity|].
    rewrite <- !A; [exact M | |]; apply T; right; eauto 6.
Qed.

Lemma agree_goal s t : agree s t -> is_goal g s -> is_goal g t.
Proof.
  intros A (p & Hp & M). exists p. split; [exact Hp|].
  apply (agree_matches p s t); auto. intros i. apply goals_test, Hp.
Qed.

Definition changesb (o : nat) : bool :=
  match nth_error (rules g) o with
  | Some r => changes_relevant r
  | None => false
  end.

Lemma value_map p s l i :
  i < length l -> value (map (follow p s) l) i = follow p s (entry l i).
Proof.
  intros L. unfold value, entry.
  rewrite (nth_indep _ 0 (follow p s (Const 0))), map_nth; [reflexivity|].
  rewrite map_length. exact L.
Qed.

Lemma changing_rule o s t s' :
  changesb o = true -> agree s s' -> step g o s t -> exists t', step g o s' t' /\ agree t t'.
Proof.
  unfold changesb. intros C A (r & E & H). rewrite E in C. pose proof (nth_error_In _ _ E) as Hr.
  pose proof (deterministic_g r Hr) as D. apply (leads_by_position r s t D) in H as (M & ->).
  assert (matches (pre r) s') as M'.
  { apply (agree_matches (pre r) s s'); auto. intros i. apply rules_test; assumption. }
  exists (map (follow (pre r) s') (act r)). split.
  - exists r. split; [exact E|]. apply leads_by_position; auto.
  - split; [rewrite !map_length; reflexivity|]. intros i Ri.
    destruct (le_lt_dec (length (act r)) i) as [L|L].
    { unfold value. rewrite !nth_overflow; [reflexivity | rewrite map_length; exact L ..]. }
    rewrite !value_map by exact L. destruct (entry (act r) i) as [c|x] eqn:Ea; [reflexivity|].
    destruct (rules_copy r i x Hr C Ri Ea) as (j & Ej & Rj).
    apply matches_by_position in M as (_ & M), M' as (_ & M').
    pose proof (entry_var_lt _ _ _ Ej) as Lj. specialize (M j Lj). specialize (M' j Lj).
    unfold holds in M, M'. rewrite Ej in M, M'. rewrite <- M, <- M'. apply A, Rj.
Qed.

Lemma other_rule o s t : changesb o = false -> step g o s t -> agree s t.
Proof.
  unfold changesb. intros C (r & E & H). rewrite E in C. pose proof (nth_error_In _ _ E) as Hr.
  pose proof (deterministic_g r Hr) as D. destruct (lengths r Hr) as (Lp & La).
  apply (leads_by_position r s t D) in H as (M & ->).
  apply matches_by_position in M as (Ls & M). split; [rewrite map_length; congruence|].
  intros i Ri. destruct (le_lt_dec n i) as [L|L].
  - unfold value. rewrite !nth_overflow; [reflexivity | rewrite map_length; lia | lia].
  - rewrite value_map by lia. rewrite (M i) by lia.
    destruct (term_eq_dec (entry (act r) i) (entry (pre r) i)) as [->|N]; [reflexivity|].
    exfalso. unfold changes_relevant in C.
    assert (existsb (fun i => relevant i &&
              if term_eq_dec (entry (act r) i) (entry (pre r) i) then false else true)
              (seq 0 n) = true) as T; [|congruence].
    apply existsb_exists. exists i. split; [apply in_seq; lia|].
    destruct term_eq_dec; [contradiction | rewrite Ri; reflexivity].
Qed.

(** Words that end alike in all relevant variables may be pruned in searches for goals. *)
Theorem irrelevant_variables_are_safe (inv : state -> Prop) forbidden s w :
  (forall o s t, inv s -> step g o s t -> inv t) ->
  (forall b, forbidden b = true ->
     exists a, before a b /\ redundant_for_goals (step g) (rule_cost g) agree inv b a) ->
  inv s -> plan g s w ->
  exists v, plan g s v /\ cost_of g v <= cost_of g w /\ clean forbidden v.
Proof.
  intros inv_step red I (t & R & G).
  destruct (pruning_for_goals_keeps_costs (step g) (rule_cost g) (is_goal g) agree
              agree_sym agree_trans agree_goal changesb changing_rule other_rule inv inv_step
              before before_wf before_nested before_trans shorter_before forbidden red w s t I R G)
    as (v & u & Rv & Gu & K & C).
  exists v. split; [exists u; auto | auto].
Qed.

End Variables.
