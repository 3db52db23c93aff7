(** * Rules split into parts

    docs/safety.md, "Parts of rules"; docs/notes/pruning-limit.md, Theorem 3 and "Letters by the
    first condition that holds". Burch & Holte 2011 name such a reformulation in a footnote. A part
    leads only where its rule leads, and in each state of the invariants in which a rule can be
    used, one of its parts can. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition.
Import ListNotations.

Section Parts.

Context {State Letter Part : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable part_step : Part -> State -> State -> Prop.
Variable whole : Part -> Letter.
Variable cost : Letter -> nat.

Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.

Hypothesis parts_sound : forall q s t, part_step q s t -> step (whole q) s t.
Hypothesis parts_complete :
  forall o s t, inv s -> step o s t -> exists q, whole q = o /\ part_step q s t.

(** A sequence of parts costs what its rules cost, and is a sequence of rules. *)
Definition parts_cost (v : list Part) : nat := word_cost cost (map whole v).

Lemma parts_run v : forall s t, run part_step v s t -> run step (map whole v) s t.
Proof.
  induction v as [|q v IH]; simpl; intros s t; [auto|]. intros (m & H & R). eauto.
Qed.

(** In a state of the invariants, a sequence of rules is carried out by a sequence of parts. *)
Lemma run_parts w : forall s t,
  inv s -> run step w s t -> exists v, map whole v = w /\ run part_step v s t.
Proof.
  induction w as [|o w IH]; simpl; intros s t I R.
  - exists []. auto.
  - destruct R as (m & Ho & R). destruct (parts_complete o s m I Ho) as (q & <- & Hq).
    destruct (IH m t (inv_step _ _ _ I Ho) R) as (v & <- & Rv).
    exists (q :: v). split; [reflexivity | exists m; auto].
Qed.

Variable before : list Letter -> list Letter -> Prop.
Hypothesis before_wf : well_founded before.
Hypothesis before_nested : nested before.

(** Parts [b] are redundant with the rules [a]. *)
Definition parts_redundant (b : list Part) (a : list Letter) : Prop :=
  word_cost cost a <= parts_cost b /\ forall s t, inv s -> run part_step b s t -> run step a s t.

Variable forbidden : list Part -> bool.
Hypothesis forbidden_redundant :
  forall b, forbidden b = true -> exists a, before a (map whole b) /\ parts_redundant b a.

(** A forbidden part of a sequence of parts leads to an earlier sequence of rules. *)
Lemma forbidden_parts_improve x b y s t :
  forbidden b = true -> inv s -> run part_step (x ++ b ++ y) s t ->
  exists w, run step w s t /\ before w (map whole (x ++ b ++ y)) /\
            word_cost cost w <= parts_cost (x ++ b ++ y).
Proof.
  intros F I R. destruct (forbidden_redundant b F) as (a & L & K & S).
  apply run_app3 in R as (m & n & Rx & Rb & Ry). apply parts_run in Rx as Rx', Ry as Ry'.
  exists (map whole x ++ a ++ map whole y). unfold parts_cost in *. rewrite !map_app. repeat split.
  - apply run_app3. exists m, n. repeat split; auto. apply S; [|exact Rb].
    exact (run_preserves step inv inv_step _ s m I Rx').
  - apply before_nested, L.
  - apply word_cost_replace, K.
Qed.

Theorem parts_pruning_keeps_costs w s t :
  inv s -> run step w s t ->
  exists v, run part_step v s t /\ parts_cost v <= word_cost cost w /\ clean forbidden v.
Proof.
  intros I R.
  destruct (descent before (fun w' => run step w' s t /\ word_cost cost w' <= word_cost cost w)
              (fun w' => exists v, map whole v = w' /\ run part_step v s t /\ clean forbidden v))
    with (p := w) as (p & (_ & K) & v & E & Rv & C); [exact before_wf | | auto |].
  - intros p (Rp & Kp). destruct (run_parts p s t I Rp) as (v & <- & Rv).
    destruct (clean_or_factor forbidden v) as [C | (x & b & y & -> & F)]; [eauto | right].
    destruct (forbidden_parts_improve x b y s t F I Rv) as (q & Rq & L & Kq).
    exists q. repeat split; [exact Rq | unfold parts_cost in *; lia | exact L].
  - exists v. unfold parts_cost. rewrite E. auto.
Qed.

Theorem parts_pruning_keeps_costs_within k w s t :
  (forall a b, before a b -> length a <= length b) ->
  inv s -> run step w s t -> length w <= k ->
  exists v, run part_step v s t /\ parts_cost v <= word_cost cost w /\ length v <= k /\
            clean forbidden v.
Proof.
  intros shorter I R Hk.
  destruct (descent before
              (fun w' => run step w' s t /\ word_cost cost w' <= word_cost cost w /\ length w' <= k)
              (fun w' => exists v, map whole v = w' /\ run part_step v s t /\ clean forbidden v))
    with (p := w) as (p & (_ & K & Lp) & v & E & Rv & C); [exact before_wf | | auto |].
  - intros p (Rp & Kp & Lp). destruct (run_parts p s t I Rp) as (v & <- & Rv).
    destruct (clean_or_factor forbidden v) as [C | (x & b & y & -> & F)]; [eauto | right].
    destruct (forbidden_parts_improve x b y s t F I Rv) as (q & Rq & L & Kq).
    exists q. repeat split; [exact Rq | unfold parts_cost in *; lia | | exact L].
    apply shorter in L. lia.
  - exists v. unfold parts_cost. rewrite E. rewrite <- E, map_length in Lp. auto.
Qed.

(** A lower bound for clean sequences of parts is one for all sequences of rules. *)
Corollary parts_lower_bound (goal : State -> Prop) s b :
  inv s ->
  (forall v t, clean forbidden v -> run part_step v s t -> goal t -> b <= parts_cost v) ->
  forall w t, run step w s t -> goal t -> b <= word_cost cost w.
Proof.
  intros I H w t R G. destruct (parts_pruning_keeps_costs w s t I R) as (v & Rv & K & C).
  specialize (H v t C Rv G). lia.
Qed.

End Parts.

(** ** Parts of PSVN rules: one value of one variable *)

(** The part of a rule for value [v] of the unknown [x]. *)
Definition part (r : rule) (x v : nat) : rule :=
  {| pre := replace x (Const v) (pre r); act := replace x (Const v) (act r); cost := cost r |}.

(** The part leads where the rule leads, from states that have this value. *)
Theorem part_leads r x v s t :
  In (Var x) (pre r) ->
  (leads (part r x v) s t <-> leads r s t /\ value s (first x (pre r)) = v).
Proof.
  intros Hx. destruct (first_entry x (pre r) Hx) as (_ & E).
  change (leads (part r x v) s t)
    with (between (replace x (Const v) (pre r)) (replace x (Const v) (act r)) s t).
  rewrite between_replace by discriminate. split.
  - intros (f & F & <- & <-). split; [exists f; auto|]. rewrite entry_inst, E. exact F.
  - intros ((f & <- & <-) & V). exists f. rewrite entry_inst, E in V. auto.
Qed.

(** In each state in which the rule can be used, just one of the parts can: that of the value. *)
Corollary parts_disjoint r x u v s t t' :
  In (Var x) (pre r) -> leads (part r x u) s t -> leads (part r x v) s t' -> u = v.
Proof.
  intros Hx Hu Hv. apply (part_leads r x _ _ _ Hx) in Hu as (_ & <-), Hv as (_ & <-). reflexivity.
Qed.

Corollary parts_exhaustive r x values s t :
  In (Var x) (pre r) -> leads r s t -> In (value s (first x (pre r))) values ->
  exists v, In v values /\ leads (part r x v) s t.
Proof.
  intros Hx H V. exists (value s (first x (pre r))). split; [exact V|].
  apply part_leads; auto.
Qed.

Lemma part_deterministic r x v : deterministic r -> deterministic (part r x v).
Proof.
  intros D y. simpl. rewrite !in_replace. intros [(N & H) | (E & _)]; [|discriminate E]. auto.
Qed.
