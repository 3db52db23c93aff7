(** * The match for goals alone, and that no goal depends on the other variables

    docs/safety.md, "For goals alone": what is tested of a machine that ignores some variables. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match Relevance.
Import ListNotations.

Section GoalMatch.

Variable g : game.
Variable n : nat.
Variable relevant : nat -> bool.

(** ** No goal depends on the other variables *)

Definition var_eqb (e : term) (x : nat) : bool := if term_eq_dec e (Var x) then true else false.

Definition testsb (p : list term) (i : nat) : bool :=
  match entry p i with
  | Const _ => true
  | Var x => existsb (fun j => negb (j =? i) && var_eqb (entry p j) x) (seq 0 (length p))
  end.

(** All tested positions are relevant. *)
Definition tests_relevant (p : list term) : bool :=
  forallb (fun i => negb (testsb p i) || relevant i) (seq 0 (length p)).

(** What is copied to relevant positions comes from relevant ones. *)
Definition copies_relevant (r : rule) : bool :=
  forallb (fun i => negb (relevant i) ||
                    match entry (act r) i with
                    | Const _ => true
                    | Var x => existsb (fun j => relevant j && var_eqb (entry (pre r) j) x)
                                 (seq 0 (length (pre r)))
                    end) (seq 0 (length (act r))).

Definition no_goal_depends : bool :=
  forallb tests_relevant (goals g) &&
  forallb (fun r => negb (changes_relevant n relevant r) ||
                    tests_relevant (pre r) && copies_relevant r) (rules g).

Lemma var_eqb_spec e x : var_eqb e x = true <-> e = Var x.
Proof. unfold var_eqb. destruct term_eq_dec; split; easy. Qed.

Lemma tests_relevant_spec p i : tests_relevant p = true -> tests p i -> relevant i = true.
Proof.
  unfold tests_relevant. rewrite forallb_forall. intros H T.
  assert (i < length p /\ testsb p i = true) as (L & B).
  { unfold testsb. destruct T as [(c & L & E) | (x & j & Ei & Ej & N)].
    - rewrite E. auto.
    - rewrite Ei. split; [exact (entry_var_lt _ _ _ Ei)|]. apply existsb_exists. exists j.
      split; [apply in_seq; pose proof (entry_var_lt _ _ _ Ej); lia|].
      apply andb_true_iff. split; [|apply var_eqb_spec, Ej].
      apply negb_true_iff, Nat.eqb_neq. auto. }
  specialize (H i ltac:(apply in_seq; lia)). rewrite B in H. exact H.
Qed.

Lemma copies_relevant_spec r i x :
  copies_relevant r = true -> relevant i = true -> entry (act r) i = Var x ->
  exists j, entry (pre r) j = Var x /\ relevant j = true.
Proof.
  unfold copies_relevant. rewrite forallb_forall. intros H R E.
  specialize (H i ltac:(apply in_seq; pose proof (entry_var_lt _ _ _ E); lia)).
  rewrite R, E in H. simpl in H. apply existsb_exists in H as (j & _ & H).
  apply andb_true_iff in H as (Rj & Ej). apply var_eqb_spec in Ej. eauto.
Qed.

(** ** The match *)

(** As [replaces], but only relevant actions have to be the same. *)
Definition replaces_for_goals (a b : rule) : bool :=
  let sigma := matching (pre a) (pre b) in
  vector_eqb (map (subst sigma) (pre a)) (pre b) &&
  (length (act a) =? length (act b)) &&
  forallb (fun i => negb (relevant i) ||
                    if term_eq_dec (subst sigma (entry (act a) i)) (entry (act b) i)
                    then true else false) (seq 0 (length (act a))).

Theorem replaces_for_goals_sound a b s t :
  replaces_for_goals a b = true -> leads b s t ->
  exists t', leads a s t' /\ agree relevant t t'.
Proof.
  unfold replaces_for_goals. set (sigma := matching (pre a) (pre b)).
  rewrite !andb_true_iff, vector_eqb_spec, Nat.eqb_eq, forallb_forall.
  intros ((P & L) & A) (f & <- & <-).
  exists (map (inst f) (map (subst sigma) (act a))). split.
  - exists (fun x => inst f (sigma x)). rewrite <- !map_inst_subst, P. auto.
  - split; [rewrite !map_length; auto|]. intros i R.
    rewrite !entry_inst, entry_map by reflexivity.
    destruct (le_lt_dec (length (act a)) i) as [O|O].
    + unfold entry. rewrite !nth_overflow by lia. reflexivity.
    + specialize (A i ltac:(apply in_seq; lia)). rewrite R in A. simpl in A.
      destruct term_eq_dec as [E|]; [rewrite E; reflexivity | discriminate A].
Qed.

Definition replaces_word_for_goals (a b : word) : bool :=
  match macro g n b with
  | None => true
  | Some mb =>
      match macro g n a with
      | None => false
      | Some ma => replaces_for_goals ma mb
      end
  end.

Definition certified_for_goals (pairs : list (word * word)) : bool :=
  forallb (fun '(b, a) =>
             beforeb a b && (cost_of g a <=? cost_of g b) && replaces_word_for_goals a b) pairs.

(** What such a list forbids leaves a plan that costs no more than any given plan. *)
Theorem certified_pruning_for_goals_is_safe pairs s w :
  deterministic_game g ->
  (forall r, In r (rules g) -> length (pre r) = n /\ length (act r) = n) ->
  no_goal_depends = true -> certified_for_goals pairs = true -> length s = n -> plan g s w ->
  exists v, plan g s v /\ cost_of g v <= cost_of g w /\ clean (forbids pairs) v.
Proof.
  intros D W N C L P. unfold no_goal_depends in N.
  rewrite andb_true_iff, !forallb_forall in N. destruct N as (Ng & Nr).
  assert (forall r, In r (rules g) -> changes_relevant n relevant r = true ->
            tests_relevant (pre r) = true /\ copies_relevant r = true) as K.
  { intros r Hr Cr. specialize (Nr r Hr). rewrite Cr in Nr. apply andb_true_iff, Nr. }
  apply (irrelevant_variables_are_safe g n relevant) with (inv := fun s => length s = n); auto.
  - intros p i Hp. apply tests_relevant_spec, Ng, Hp.
  - intros r i Hr Cr. apply tests_relevant_spec. apply (K r Hr Cr).
  - intros r i x Hr Cr. apply copies_relevant_spec. apply (K r Hr Cr).
  - apply step_keeps_length. intros r Hr. apply W, Hr.
  - intros b F. apply listed_spec, in_map_iff in F as ((b' & a) & <- & H).
    unfold certified_for_goals in C. rewrite forallb_forall in C. specialize (C _ H). simpl in *.
    apply andb_true_iff in C as (C & E). apply andb_true_iff in C as (B & Kb).
    exists a. split; [apply beforeb_spec, B|]. split; [apply Nat.leb_le, Kb|].
    intros u t Lu R. apply (macro_spec g n b' u t D Lu) in R as (mb & Eb & R).
    unfold replaces_word_for_goals in E. rewrite Eb in E.
    destruct (macro g n a) as [ma|] eqn:Ea; [|discriminate E].
    destruct (replaces_for_goals_sound ma mb u t E R) as (t' & Ra & A).
    exists t'. split; [|exact A]. apply (macro_spec g n a u t' D Lu). eauto.
Qed.

End GoalMatch.

(** ** An example: a counter that no goal needs

    Rule 0 sets the first bit, and rule 1 as well, but it also sets the second bit. Only the first
    bit counts for the goal, so rule 1 may be forbidden. In all states it isn't redundant. *)
Definition marker : game :=
  {| rules := [ {| pre := [Var 0; Var 1]; act := [Const 1; Var 1]; cost := 1 |};
                {| pre := [Var 0; Var 1]; act := [Const 1; Const 1]; cost := 1 |} ];
     goals := [ [Const 1; Var 1] ] |}.

Theorem redundant_for_goals_only :
  no_goal_depends marker 2 (fun i => i =? 0) = true /\
  certified_for_goals marker 2 (fun i => i =? 0) [([1], [0])] = true /\
  replaces_word marker 2 [0] [1] = false.
Proof. repeat split; reflexivity. Qed.
