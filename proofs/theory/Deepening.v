(** * Iterative deepening, with another machine for each bound

    docs/safety.md, "Another machine for the next bound". IDA* searches one bound after the other,
    and takes as its next bound the least estimate that it cut off. Each bound may have a machine of
    another kind: over whole rules, over parts of rules, or for goals alone. All that counts is that
    the machine keeps a plan that costs no more, without cycles, for each plan. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Trails Order Factors Pruning Searches Parts Relevance.
Import ListNotations.

Section Deepening.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Hypothesis state_eq_dec : forall s t : State, {s = t} + {s <> t}.
Variable s0 : State.
Variable goal : State -> Prop.
Variable h : State -> nat.
Hypothesis h_admissible : forall w s t, run step w s t -> goal t -> h s <= word_cost cost w.

(** ** Machines *)

(** What a search moves by, and what it may not do. *)
Record machine := {
  Part : Type;
  part_step : Part -> State -> State -> Prop;
  part_cost : Part -> nat;
  forbidden : list Part -> bool
}.

(** A sequence of parts is a sequence of rules of the same cost. *)
Definition honest (M : machine) : Prop :=
  forall v s t, run (part_step M) v s t ->
    exists w, run step w s t /\ word_cost cost w = word_cost (part_cost M) v.

Definition keeps_plans (M : machine) : Prop :=
  forall w t, run step w s0 t -> goal t ->
    exists v l u, trail (part_step M) v l s0 u /\ goal u /\
                  word_cost (part_cost M) v <= word_cost cost w /\
                  clean (forbidden M) v /\ simple s0 l.

Definition safe (M : machine) : Prop := honest M /\ keeps_plans M.

(** The nodes of the search within a bound, with cycle detection and the heuristic. *)
Definition visits (M : machine) (bound : nat) : list (Part M) -> list State -> Prop :=
  visited (part_step M) (forbidden M) s0 (above (part_cost M) h bound).

Definition finds_nothing (M : machine) (bound : nat) : Prop :=
  forall v t path, visits M bound v (t :: path) -> ~ goal t.

(** No child of a visited node that was cut has a lower estimate. *)
Definition cut_estimates_at_least (M : machine) (bound next : nat) : Prop :=
  forall v m path o n,
    visits M bound v (m :: path) -> part_step M o m n ->
    above (part_cost M) h bound (v ++ [o]) n ->
    next <= word_cost (part_cost M) (v ++ [o]) + h n.

Lemma admissible_for_parts M v s t :
  honest M -> run (part_step M) v s t -> goal t -> h s <= word_cost (part_cost M) v.
Proof. intros H R G. destruct (H v s t R) as (w & Rw & <-). eauto. Qed.

(** A search with a safe machine finds a goal at no more cost than that of any plan within its
    bound. *)
Theorem safe_machine_finds M bound w t :
  safe M -> run step w s0 t -> goal t -> word_cost cost w <= bound ->
  exists v u path, visits M bound v (u :: path) /\ goal u /\
                   word_cost (part_cost M) v <= word_cost cost w.
Proof.
  intros (H & K) R G B. destruct (K w t R G) as (v & l & u & T & Gu & Kv & C & S).
  destruct (kept_path_is_visited (part_step M) (part_cost M) (forbidden M) s0 goal h)
    with (bound := bound) (v := v) (l := l) (t := u) as (path & V); auto.
  - intros x s y Rx Gy. exact (admissible_for_parts M x s y H Rx Gy).
  - lia.
  - exists v, u, path. auto.
Qed.

(** ** One bound *)

(** A search that finds no goal proves that each plan costs at least the next bound. *)
Theorem next_bound_is_proved M bound next :
  safe M -> finds_nothing M bound -> cut_estimates_at_least M bound next ->
  forall w t, run step w s0 t -> goal t -> next <= word_cost cost w.
Proof.
  intros (Ho & Ke) Nothing Next w t R G.
  destruct (Ke w t R G) as (v & l & u & T & Gu & K & C & S).
  enough (next <= word_cost (part_cost M) v) by lia. clear w t R G K.
  (* Along the kept path, all nodes are visited, or one is cut, whose estimate is below its cost. *)
  enough (forall r l x m path,
            v = x ++ r -> visits M bound x (m :: path) -> trail (part_step M) r l m u ->
            NoDup (rev (m :: path) ++ l) -> next <= word_cost (part_cost M) v) as H.
  { apply (H v l [] s0 []); auto. constructor. }
  clear T S l. induction r as [|o r IH]; intros [|n l] x m path E V T N; simpl in T; try tauto.
  - subst m. destruct (Nothing _ _ _ V Gu).
  - destruct T as (Hs & T).
    assert (v = (x ++ [o]) ++ r) as E' by (rewrite <- app_assoc; exact E).
    destruct (le_lt_dec (word_cost (part_cost M) (x ++ [o]) + h n) bound) as [B | B].
    + apply (IH l (x ++ [o]) n (m :: path)); [exact E' | | exact T |].
      * constructor; auto.
        -- rewrite E' in C. eapply clean_prefix; exact C.
        -- intros Hn. apply in_rev in Hn. apply NoDup_remove_2 in N. apply N, in_or_app. auto.
        -- unfold above. lia.
      * change (rev (n :: m :: path)) with (rev (m :: path) ++ [n]).
        rewrite <- app_assoc. exact N.
    + specialize (Next _ _ _ _ _ V Hs B).
      pose proof (admissible_for_parts M r n u Ho (trail_run _ _ _ _ _ T) Gu).
      rewrite E', word_cost_app. lia.
Qed.

(** ** One bound after the other *)

Inductive rounds : nat -> Prop :=
| rounds_start : rounds (h s0)
| rounds_next M bound next :
    rounds bound -> safe M -> finds_nothing M bound -> cut_estimates_at_least M bound next ->
    rounds next.

(** Each bound that is searched is a lower bound. *)
Theorem iterative_deepening_is_safe bound :
  rounds bound -> forall w t, run step w s0 t -> goal t -> bound <= word_cost cost w.
Proof.
  intros [|M b next _ S N C] w t R G; [eauto | exact (next_bound_is_proved M b next S N C w t R G)].
Qed.

(** The first goal state that is found in a round is at the end of an optimal path. *)
Theorem first_goal_is_optimal M bound v t path :
  rounds bound -> safe M -> visits M bound v (t :: path) -> goal t ->
  exists w, run step w s0 t /\ word_cost cost w = word_cost (part_cost M) v /\
    forall w' u, run step w' s0 u -> goal u -> word_cost cost w <= word_cost cost w'.
Proof.
  intros L (Ho & _) V G.
  destruct (Ho v s0 t (visited_run (part_step M) (forbidden M) s0 _ v t path V)) as (w & R & E).
  exists w. split; [exact R|]. split; [exact E|]. intros w' u R' G'.
  pose proof (iterative_deepening_is_safe bound L w' u R' G').
  enough (word_cost (part_cost M) v <= bound) by lia.
  inversion V as [|? ? ? ? ? _ _ _ _ N]; simpl in *; [lia | unfold above in N; lia].
Qed.

(** ** Three kinds of safe machines *)

Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.
Hypothesis inv_start : inv s0.

Variable before : list Letter -> list Letter -> Prop.
Hypothesis before_wf : well_founded before.
Hypothesis before_nested : nested before.
Hypothesis before_trans : forall a b c, before a b -> before b c -> before a c.
Hypothesis shorter_before : forall a b, length a < length b -> before a b.

Definition over_rules (f : list Letter -> bool) : machine :=
  {| Part := Letter; part_step := step; part_cost := cost; forbidden := f |}.

Lemma over_rules_honest f : honest (over_rules f).
Proof. intros v s t R. exists v. auto. Qed.

(** Over whole rules, within invariants. *)
Theorem redundant_words_are_safe f :
  (forall b, f b = true -> exists a, before a b /\ redundant step cost inv b a) ->
  safe (over_rules f).
Proof.
  intros red. split; [apply over_rules_honest|]. intros w t R G.
  destruct (cycle_detection_is_safe step cost state_eq_dec inv inv_step before before_wf
              before_nested shorter_before f red w s0 t inv_start R)
    as (v & l & T & K & C & S).
  exists v, l, t. auto.
Qed.

(** For goals alone. *)
Theorem redundant_words_for_goals_are_safe (alike : State -> State -> Prop) changes f :
  (forall s t, alike s t -> alike t s) ->
  (forall s t u, alike s t -> alike t u -> alike s u) ->
  (forall s t, alike s t -> goal s -> goal t) ->
  (forall o s t s', changes o = true -> alike s s' -> step o s t ->
     exists t', step o s' t' /\ alike t t') ->
  (forall o s t, changes o = false -> step o s t -> alike s t) ->
  (forall b, f b = true ->
     exists a, before a b /\ redundant_for_goals step cost alike inv b a) ->
  safe (over_rules f).
Proof.
  intros sym trans same changing other red. split; [apply over_rules_honest|]. intros w t R G.
  destruct (descent before
              (fun v => (exists u, run step v s0 u /\ goal u) /\
                        word_cost cost v <= word_cost cost w)
              (fun v => clean f v /\ exists l u, trail step v l s0 u /\ goal u /\ simple s0 l))
    with (p := w) as (v & (_ & K) & C & l & u & T & Gu & S);
    [exact before_wf | | eauto | exists v, l, u; auto].
  intros p ((u & Rp & Gp) & Kp).
  destruct (clean_or_factor f p) as [C | (x & b & y & -> & F)].
  - destruct (run_trail step _ _ _ Rp) as (l & T).
    destruct (cycle_or_simple step state_eq_dec _ _ _ _ T)
      as [S | (x & c & y & m & -> & N & Rx & _ & Ry)]; [left; eauto 6 | right].
    exists (x ++ y). rewrite !word_cost_app in *. repeat split.
    + exists u. split; [apply run_app; eauto | exact Gp].
    + lia.
    + apply shorter_before. rewrite !app_length. destruct c; [easy | simpl; lia].
  - right. destruct (forbidden_for_goals_improves step cost goal alike sym trans same changes
                       changing other inv inv_step before before_nested before_trans
                       shorter_before f red x b y s0 u F inv_start Rp Gp)
      as (q & u' & Rq & Gq & L & Kq).
    exists q. repeat split; [eauto | lia | exact L].
Qed.

(** Over parts of rules. *)
Definition over_parts {P} (p_step : P -> State -> State -> Prop) (whole : P -> Letter)
  (f : list P -> bool) : machine :=
  {| Part := P; part_step := p_step; part_cost := fun q => cost (whole q); forbidden := f |}.

Lemma parts_cost_sum {P} (whole : P -> Letter) v :
  word_cost (fun q => cost (whole q)) v = parts_cost whole cost v.
Proof. unfold parts_cost. induction v; simpl; auto. Qed.

Theorem redundant_parts_are_safe {P} (p_step : P -> State -> State -> Prop) whole f :
  (forall q s t, p_step q s t -> step (whole q) s t) ->
  (forall o s t, inv s -> step o s t -> exists q, whole q = o /\ p_step q s t) ->
  (forall b, f b = true ->
     exists a, before a (map whole b) /\ parts_redundant step p_step whole cost inv b a) ->
  safe (over_parts p_step whole f).
Proof.
  intros sound complete red. split.
  - intros v s t R. exists (map whole v). split.
    + exact (parts_run step p_step whole sound v s t R).
    + symmetry. apply parts_cost_sum.
  - intros w t R G.
    destruct (descent before
                (fun w' => run step w' s0 t /\ word_cost cost w' <= word_cost cost w)
                (fun w' => exists v l, map whole v = w' /\ trail p_step v l s0 t /\
                                       clean f v /\ simple s0 l))
      with (p := w) as (p & (_ & K) & v & l & E & T & C & S); [exact before_wf | | auto |].
    + intros p (Rp & Kp).
      destruct (run_parts step p_step whole inv inv_step complete p s0 t inv_start Rp)
        as (v & <- & Rv).
      destruct (clean_or_factor f v) as [C | (x & b & y & -> & F)].
      * destruct (run_trail p_step _ _ _ Rv) as (l & T).
        destruct (cycle_or_simple p_step state_eq_dec _ _ _ _ T)
          as [S | (x & c & y & m & -> & N & Rx & _ & Ry)]; [left; eauto 6 | right].
        exists (map whole (x ++ y)). repeat split.
        -- apply (parts_run step p_step whole sound). apply run_app. eauto.
        -- rewrite !map_app, !word_cost_app in *. lia.
        -- apply shorter_before. rewrite !map_length, !app_length.
           destruct c; [easy | simpl; lia].
      * right. destruct (forbidden_parts_improve step p_step whole cost inv inv_step sound before
                           before_nested f red x b y s0 t F inv_start Rv) as (q & Rq & L & Kq).
        exists q. repeat split; [exact Rq | unfold parts_cost in Kq; lia | exact L].
    + exists v, l, t. simpl. rewrite parts_cost_sum. unfold parts_cost. rewrite E. auto.
Qed.

End Deepening.
