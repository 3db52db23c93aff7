(** * What may be combined with move pruning

    Burch & Holte 2011, sections "Mixing with Cycle Detection" and "Mixing with Heuristic Cutoffs";
    docs/safety.md, "What may be combined with it": cycle detection of any length, cut-offs by an
    admissible heuristic, cut-offs by a known solution, costs of 0. Deepening.v has the rest.

    A depth-first search is described by the nodes that it visits: pairs of a word and the state to
    which it leads. The order of visits doesn't matter for what is said here. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Trails Order Factors Pruning.
Import ListNotations.

Section Searches.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.
Hypothesis state_eq_dec : forall s t : State, {s = t} + {s <> t}.
Notation run := (run step).
Notation trail := (trail step).
Notation word_cost := (word_cost cost).

(** ** Cycle detection, of any length, with pruning *)

Variable inv : State -> Prop.
Hypothesis inv_step : forall o s t, inv s -> step o s t -> inv t.

Variable before : list Letter -> list Letter -> Prop.
Hypothesis before_wf : well_founded before.
Hypothesis before_nested : nested before.
Hypothesis shorter_before : forall a b, length a < length b -> before a b.

Variable forbidden : list Letter -> bool.
Hypothesis forbidden_redundant :
  forall b, forbidden b = true -> exists a, before a b /\ redundant step cost inv b a.

(** Leaving out a cycle makes a path earlier and no dearer, also if rules cost 0. So there is a path
    that is neither pruned nor visits a state twice. *)
Theorem cycle_detection_is_safe w s t :
  inv s -> run w s t ->
  exists w' l, trail w' l s t /\ word_cost w' <= word_cost w /\ clean forbidden w' /\ simple s l.
Proof.
  intros I R.
  destruct (descent before (fun v => run v s t /\ word_cost v <= word_cost w)
              (fun v => clean forbidden v /\ exists l, trail v l s t /\ simple s l))
    with (p := w) as (v & (_ & K) & C & l & T & S); [exact before_wf | | auto | eauto 6].
  intros p (Rp & Kp).
  destruct (clean_or_factor forbidden p) as [C | (x & b & y & -> & F)].
  - destruct (run_trail step _ _ _ Rp) as (l & T).
    destruct (cycle_or_simple step state_eq_dec _ _ _ _ T)
      as [S | (x & c & y & m & -> & N & Rx & _ & Ry)].
    + left. eauto.
    + right. exists (x ++ y). rewrite !word_cost_app in *. repeat split.
      * apply run_app. eauto.
      * lia.
      * apply shorter_before. rewrite !app_length. destruct c; [easy | simpl; lia].
  - right. destruct (forbidden_part_improves step cost inv inv_step before before_nested
                       forbidden forbidden_redundant x b y F) as (q & L & (K & Rq)).
    exists q. repeat split; [auto | lia | exact L].
Qed.

(** ** The nodes that a search visits *)

Variable s0 : State.

(** [cut w m]: the search doesn't go on below the node at which word [w] has led to [m]. The list
    has the states on the path from the start, the latest first. *)
Inductive visited (cut : list Letter -> State -> Prop) : list Letter -> list State -> Prop :=
| visited_root : visited cut [] [s0]
| visited_child w o m path n :
    visited cut w (m :: path) -> step o m n ->
    clean forbidden (w ++ [o]) -> ~ In n (m :: path) -> ~ cut (w ++ [o]) n ->
    visited cut (w ++ [o]) (n :: m :: path).

Lemma visited_run cut w m path : visited cut w (m :: path) -> run w s0 m.
Proof.
  remember (m :: path) as l eqn:E. intros V. revert m path E.
  induction V as [|w o k path n V IH Ho _ _ _]; intros m path' E; injection E as <- <-.
  - reflexivity.
  - apply run_snoc. eauto.
Qed.

Lemma visited_trail cut : forall v w l m path t,
  visited cut w (m :: path) -> trail v l m t ->
  clean forbidden (w ++ v) -> NoDup (rev (m :: path) ++ l) ->
  (forall u n r, v = u ++ r -> u <> [] -> run u m n -> run r n t -> ~ cut (w ++ u) n) ->
  exists path', visited cut (w ++ v) (t :: path').
Proof.
  induction v as [|o v IH]; intros w [|n l] m path t V T C N H; simpl in T; try tauto.
  - subst. rewrite app_nil_r. eauto.
  - destruct T as (Ho & T). replace (w ++ o :: v) with ((w ++ [o]) ++ v) in *
      by (rewrite <- app_assoc; reflexivity).
    apply IH with (l := l) (m := n) (path := m :: path); [| exact T | exact C | |].
    + constructor; auto.
      * eapply clean_prefix; exact C.
      * intros Hn. apply in_rev in Hn. apply NoDup_remove_2 in N. apply N, in_or_app. auto.
      * apply (H [o] n v); [reflexivity | discriminate | apply run_one, Ho | eapply trail_run, T].
    + replace (rev (n :: m :: path) ++ l) with (rev (m :: path) ++ n :: l); [exact N|].
      change (rev (n :: m :: path)) with (rev (m :: path) ++ [n]).
      rewrite <- app_assoc. reflexivity.
    + intros u k r -> Nu Ru Rr. rewrite <- app_assoc.
      apply (H (o :: u) k r); [reflexivity | discriminate | simpl; eauto | exact Rr].
Qed.

(** Whatever the search cuts: if it cuts no node of clean paths without cycles to [t] that cost no
    more than [w], it visits [t] at no more cost than that of [w]. *)
Theorem search_is_safe cut w t :
  inv s0 -> run w s0 t ->
  (forall u n r, run u s0 n -> run r n t -> word_cost (u ++ r) <= word_cost w -> ~ cut u n) ->
  exists v path, visited cut v (t :: path) /\ word_cost v <= word_cost w.
Proof.
  intros I R H. destruct (cycle_detection_is_safe w s0 t I R) as (v & l & T & K & C & S).
  destruct (visited_trail cut v [] l s0 [] t) as (path & V); auto using visited_root.
  - intros u n r -> _ Ru Rr. apply (H u n r); assumption.
  - exists v, path. auto.
Qed.

(** ** Admissible estimates *)

Variable goal : State -> Prop.
Variable h : State -> nat.
Hypothesis h_admissible : forall w s t, run w s t -> goal t -> h s <= word_cost w.

(** A consistent estimate that is 0 at goals is admissible. *)
Lemma consistent_admissible (k : State -> nat) :
  (forall s, goal s -> k s = 0) -> (forall o s t, step o s t -> k s <= cost o + k t) ->
  forall w s t, run w s t -> goal t -> k s <= word_cost w.
Proof.
  intros K0 Kc w. induction w as [|o w IH]; simpl; intros s t R G.
  - subst. rewrite K0; [lia | exact G].
  - destruct R as (m & Ho & R). specialize (IH m t R G). specialize (Kc o s m Ho). lia.
Qed.

(** A node is cut if its estimate is above the bound. *)
Definition above (bound : nat) (w : list Letter) (m : State) : Prop := bound < word_cost w + h m.

(** The search below a bound finds a goal at no more cost than that of any plan within the bound. *)
Theorem estimates_are_safe bound w t :
  inv s0 -> run w s0 t -> goal t -> word_cost w <= bound ->
  exists v path, visited (above bound) v (t :: path) /\ word_cost v <= word_cost w.
Proof.
  intros I R G K. apply search_is_safe; [exact I | exact R|].
  intros u n r _ Rr Kr A. unfold above in A. rewrite word_cost_app in Kr.
  specialize (h_admissible r n t Rr G). lia.
Qed.

(** Branch and bound cuts what can't be cheaper than a known solution. As long as that one costs
    more than some plan, the search isn't cut off from a plan that costs as little as that. *)
Theorem known_solution_is_safe known w t :
  inv s0 -> run w s0 t -> goal t -> word_cost w < known ->
  exists v path,
    visited (fun u m => known <= word_cost u + h m) v (t :: path) /\ word_cost v <= word_cost w.
Proof.
  intros I R G K. apply search_is_safe; [exact I | exact R|].
  intros u n r _ Rr Kr A. rewrite word_cost_app in Kr. specialize (h_admissible r n t Rr G). lia.
Qed.

(** What a search that finds nothing within its bound proves. *)
Corollary bound_is_proved bound :
  inv s0 -> (forall v t path, visited (above bound) v (t :: path) -> ~ goal t) ->
  forall w t, run w s0 t -> goal t -> bound < word_cost w.
Proof.
  intros I H w t R G. apply Nat.nle_gt. intros K.
  destruct (estimates_are_safe bound w t I R G K) as (v & path & V & _). exact (H v t path V G).
Qed.

(** Whatever kept a path: a clean path without cycles to a goal is visited within its cost. *)
Theorem kept_path_is_visited bound v l t :
  trail v l s0 t -> clean forbidden v -> simple s0 l -> goal t -> word_cost v <= bound ->
  exists path, visited (above bound) v (t :: path).
Proof.
  intros T C S G K. apply (visited_trail (above bound) v [] l s0 [] t); auto using visited_root.
  intros u n r -> _ _ Rr A. unfold above in A. rewrite word_cost_app in K. simpl in A.
  specialize (h_admissible r n t Rr G). lia.
Qed.

End Searches.
