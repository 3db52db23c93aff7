(** * The match of two macro-rules is redundancy

    Burch & Holte 2011, section "Move Pruning": how conditions (ii) and (iii) are checked on the
    vectors; docs/safety.md, "One redundancy". The preconditions of B are read as an augmented
    state: A's preconditions have to match it, and A's actions then have to give B's actions. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition.
Import ListNotations.

Definition vector_eq_dec : forall k l : list term, {k = l} + {k <> l} := list_eq_dec term_eq_dec.

Definition vector_eqb (k l : list term) : bool := if vector_eq_dec k l then true else false.

Lemma vector_eqb_spec k l : vector_eqb k l = true <-> k = l.
Proof. unfold vector_eqb. destruct vector_eq_dec; split; easy. Qed.

(** The substitution of a match: an unknown of [p] becomes what [q] has at its first position. *)
Definition matching (p q : list term) (x : nat) : term := entry q (first x p).

(** Rule [a] can replace rule [b]: a substitution of the unknowns of [a] gives the vectors of
    [b]. *)
Definition replaces (a b : rule) : bool :=
  vector_eqb (map (subst (matching (pre a) (pre b))) (pre a)) (pre b) &&
  vector_eqb (map (subst (matching (pre a) (pre b))) (act a)) (act b).

Definition instance_of (a b : rule) (sigma : nat -> term) : Prop :=
  map (subst sigma) (pre a) = pre b /\ map (subst sigma) (act a) = act b.

(** If some substitution gives [q], then it is the one that the match computes. *)
Lemma matching_unique p sigma x :
  In (Var x) p -> sigma x = matching p (map (subst sigma) p) x.
Proof.
  intros Hx. unfold matching. rewrite entry_map; [|reflexivity].
  destruct (first_entry x p Hx) as (_ & ->). reflexivity.
Qed.

(** The function decides whether there is a substitution. *)
Theorem replaces_spec a b :
  deterministic a -> (replaces a b = true <-> exists sigma, instance_of a b sigma).
Proof.
  intros D. unfold replaces. rewrite andb_true_iff, !vector_eqb_spec. split.
  - intros H. exists (matching (pre a) (pre b)). exact H.
  - intros (sigma & <- & <-). split; apply map_subst_ext; intros x Hx; symmetry.
    + apply matching_unique, Hx.
    + apply matching_unique, D, Hx.
Qed.

Lemma replaces_refl a : deterministic a -> replaces a a = true.
Proof.
  intros D. apply replaces_spec; [exact D|]. exists Var.
  assert (forall l, map (subst Var) l = l) as H.
  { intros l. rewrite <- map_id. apply map_ext. intros [c|x]; reflexivity. }
  split; apply H.
Qed.

(** Matches can be put one after the other. *)
Theorem replaces_trans a b c :
  deterministic a -> deterministic b ->
  replaces a b = true -> replaces b c = true -> replaces a c = true.
Proof.
  intros Da Db Hab Hbc. apply replaces_spec in Hab as (sigma & P & A); [|exact Da].
  apply replaces_spec in Hbc as (tau & P' & A'); [|exact Db].
  apply replaces_spec; [exact Da|]. exists (fun x => subst tau (sigma x)).
  split; [rewrite <- P', <- P | rewrite <- A', <- A]; rewrite map_map; apply map_ext;
    intros e; symmetry; apply subst_subst.
Qed.

(** ** One match proves that wherever [b] leads, [a] leads *)

Lemma instance_leads a b sigma : instance_of a b sigma -> forall s t, leads b s t -> leads a s t.
Proof.
  intros (P & A) s t (f & <- & <-). exists (fun x => inst f (sigma x)).
  rewrite <- !map_inst_subst, P, A. auto.
Qed.

Theorem match_is_redundancy a b :
  deterministic a -> replaces a b = true -> forall s t, leads b s t -> leads a s t.
Proof.
  intros D R. apply replaces_spec in R as (sigma & I); [|exact D].
  exact (instance_leads a b sigma I).
Qed.

(** ** If there is no match, [a] fails in some state in which [b] can be used

    Two values of each unknown are enough to see it. So over domains of at least two values, the
    match decides conditions (ii) and (iii). *)
Section TwoValues.

Variables low high : nat -> nat.
Hypothesis two_values : forall x, low x <> high x.

Definition two_valued (f : nat -> nat) : Prop := forall x, f x = low x \/ f x = high x.

Lemma two_valued_assign f x v :
  two_valued f -> v = low x \/ v = high x -> two_valued (assign f x v).
Proof. intros F V y. unfold assign. destruct (Nat.eqb_spec y x) as [->|]; auto. Qed.

Lemma low_two_valued : two_valued low.
Proof. intros x. auto. Qed.

(** An unknown differs from any other term under some assignment. *)
Lemma unknown_separates x e :
  e <> Var x -> ~ forall f, two_valued f -> f x = inst f e.
Proof.
  intros N E.
  pose proof (E (assign low x (low x))) as L. pose proof (E (assign low x (high x))) as H.
  rewrite inst_assign_other, assign_same in L, H by exact N.
  apply (two_values x). rewrite L, H; auto using two_valued_assign, low_two_valued.
Qed.

Lemma terms_separate e1 e2 : (forall f, two_valued f -> inst f e1 = inst f e2) -> e1 = e2.
Proof.
  intros H. destruct e1 as [c|x].
  - destruct e2 as [d|y]; [f_equal; exact (H low low_two_valued)|].
    exfalso. apply (unknown_separates y (Const c)); [discriminate|].
    intros f F. symmetry. exact (H f F).
  - destruct (term_eq_dec e2 (Var x)) as [->|N]; [reflexivity|].
    destruct (unknown_separates x e2 N H).
Qed.

Lemma vectors_separate k l :
  (forall f, two_valued f -> map (inst f) k = map (inst f) l) -> k = l.
Proof.
  intros H. apply entry_ext.
  - rewrite <- (map_length (inst low) k), (H low low_two_valued). apply map_length.
  - intros i _. apply terms_separate. intros f F. rewrite <- !entry_inst, (H f F). reflexivity.
Qed.

Theorem match_complete a b :
  deterministic a ->
  (forall f, two_valued f -> leads a (map (inst f) (pre b)) (map (inst f) (act b))) ->
  replaces a b = true.
Proof.
  intros D H. apply replaces_spec; [exact D|]. exists (matching (pre a) (pre b)).
  assert (forall f e, follow (pre a) (map (inst f) (pre b)) e =
                      inst f (subst (matching (pre a) (pre b)) e)) as T.
  { intros f [c|x]; [reflexivity | apply entry_inst]. }
  split; apply vectors_separate; intros f F; specialize (H f F);
    apply leads_by_position in H as (M & E); try exact D.
  - apply matches_by_position in M as (L & M). rewrite map_length in L.
    apply (nth_ext _ _ 0 0); [rewrite !map_length; auto|]. rewrite !map_length. intros i Hi.
    change (value (map (inst f) (map (subst (matching (pre a) (pre b))) (pre a))) i =
            value (map (inst f) (pre b)) i).
    rewrite (M i Hi), T, entry_inst, entry_map; reflexivity.
  - rewrite E, map_map. apply map_ext. intros e. symmetry. apply T.
Qed.

End TwoValues.

(** In particular, the match decides inclusion of what the rules lead to. *)
Theorem match_decides a b :
  deterministic a -> (replaces a b = true <-> forall s t, leads b s t -> leads a s t).
Proof.
  intros D. split; [apply match_is_redundancy, D|]. intros H.
  apply (match_complete (fun _ => 0) (fun _ => 1)); [discriminate | exact D|].
  intros f _. apply H. exists f. auto.
Qed.

(** ** Redundant words of a game

    docs/safety.md, "One redundancy" and "All redundancies at once": what the checker of a machine
    file tests for each word and its replacement. *)

Definition redundant_in (g : game) (n : nat) (b a : word) : Prop :=
  redundant (step g) (rule_cost g) (fun s => length s = n) b a.

(** The macro-rules match, and the replacement costs no more. A word that can never be carried out
    needs no match. *)
Definition replaces_word (g : game) (n : nat) (a b : word) : bool :=
  match macro g n b with
  | None => true
  | Some mb =>
      match macro g n a with
      | None => false
      | Some ma => (cost ma <=? cost mb) && replaces ma mb
      end
  end.

Theorem replaces_word_sound g n a b :
  deterministic_game g -> cost_of g a <= cost_of g b -> replaces_word g n a b = true ->
  redundant_in g n b a.
Proof.
  intros D K R. split; [exact K|]. intros s t L Rb.
  apply (macro_spec g n b s t D L) in Rb as (mb & Eb & Lb). unfold replaces_word in R.
  rewrite Eb in R. destruct (macro g n a) as [ma|] eqn:Ea; [|discriminate R].
  apply andb_true_iff in R as (_ & R). apply (macro_spec g n a s t D L).
  exists ma. split; [exact Ea|]. apply (match_is_redundancy ma mb); [|exact R | exact Lb].
  eapply macro_deterministic. exact Ea.
Qed.

Theorem replaces_word_complete g n a b :
  deterministic_game g -> redundant_in g n b a -> replaces_word g n a b = true.
Proof.
  intros D (K & R). unfold replaces_word. destruct (macro g n b) as [mb|] eqn:Eb; [|reflexivity].
  assert (forall s t, leads mb s t -> exists ma, macro g n a = Some ma /\ leads ma s t) as H.
  { intros s t Lb. assert (length s = n) as L.
    { destruct (leads_length _ _ _ Lb) as (<- & _). eapply macro_length. exact Eb. }
    apply (macro_spec g n a s t D L), R; [exact L|]. apply (macro_spec g n b s t D L). eauto. }
  destruct (macro g n a) as [ma|] eqn:Ea.
  - apply andb_true_iff. split.
    + apply macro_cost in Ea, Eb. apply Nat.leb_le. unfold cost_of in *. lia.
    + apply match_decides; [eapply macro_deterministic; exact Ea|].
      intros s t Lb. destruct (H s t Lb) as (? & [= <-] & La). exact La.
  - destruct (H (map (inst (fun _ => 0)) (pre mb)) (map (inst (fun _ => 0)) (act mb)))
      as (? & [=] & _). exists (fun _ => 0). auto.
Qed.

(** A list of words and replacements that a program found, each tested again. *)
Definition certified (g : game) (n : nat) (pairs : list (word * word)) : bool :=
  forallb (fun '(b, a) => beforeb a b && (cost_of g a <=? cost_of g b) && replaces_word g n a b)
    pairs.

Definition forbids (pairs : list (word * word)) : word -> bool := listed (map fst pairs).

(** All rules keep the number of variables. *)
Definition keeps_length (g : game) (n : nat) : Prop :=
  forall r, In r (rules g) -> length (act r) = n.

Lemma step_keeps_length g n : keeps_length g n ->
  forall i s t, length s = n -> step g i s t -> length t = n.
Proof.
  intros W i s t _ (r & E & L). apply leads_length in L as (_ & <-).
  apply W. eapply nth_error_In. exact E.
Qed.

Lemma certified_redundant g n pairs :
  deterministic_game g -> certified g n pairs = true ->
  forall b, forbids pairs b = true -> exists a, before a b /\ redundant_in g n b a.
Proof.
  intros D C b F. apply listed_spec, in_map_iff in F as ((b' & a) & <- & H).
  unfold certified in C. rewrite forallb_forall in C. specialize (C _ H). simpl in *.
  apply andb_true_iff in C as (C & R). apply andb_true_iff in C as (L & K).
  exists a. split; [apply beforeb_spec, L|].
  apply replaces_word_sound; [exact D | apply Nat.leb_le, K | exact R].
Qed.

(** What a certified list forbids leaves a plan that costs no more than any given plan. *)
Theorem certified_pruning_is_safe g n pairs s w :
  deterministic_game g -> keeps_length g n -> certified g n pairs = true -> length s = n ->
  plan g s w ->
  exists v, plan g s v /\ cost_of g v <= cost_of g w /\ clean (forbids pairs) v.
Proof.
  intros D W C L (t & R & G).
  destruct (pruning_keeps_costs (step g) (rule_cost g) (fun s => length s = n)
              (step_keeps_length g n W) before before_wf before_nested (forbids pairs)
              (certified_redundant g n pairs D C) w s t L R) as (v & Rv & K & Cv).
  exists v. split; [exists t; auto | auto].
Qed.
