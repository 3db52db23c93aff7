(** * The canonical form of a rule is unique

    Burch & Holte 2011, section "State and Rule Representation": "there is a unique canonical
    representation"; "if p_i = x_j and i <> j then it must be true that p_j = x_j". An unknown is
    named by the first position that has it, and a constant is written wherever one is known. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game Terms Composition Match.
Import ListNotations.

(** Positions count from 0. The unknown of a position that holds a constant is written nowhere. *)
Definition canonical (r : rule) : Prop :=
  (forall i x, entry (pre r) i = Var x -> x <= i /\ entry (pre r) x = Var x) /\
  (forall i x, entry (act r) i = Var x -> entry (pre r) x = Var x).

Lemma canonical_deterministic r : canonical r -> deterministic r.
Proof.
  intros (_ & A) x Hx. apply in_entry in Hx as (i & _ & E). apply A in E.
  eapply entry_var_in. exact E.
Qed.

(** ** Each rule has one: unknowns are renamed by their first positions *)

Definition renamed (r : rule) (x : nat) : term := Var (first x (pre r)).

Definition canonicalize (r : rule) : rule :=
  {| pre := map (subst (renamed r)) (pre r);
     act := map (subst (renamed r)) (act r);
     cost := cost r |}.

Theorem canonicalize_canonical r : deterministic r -> canonical (canonicalize r).
Proof.
  intros D.
  assert (forall x, In (Var x) (pre r) ->
            entry (pre (canonicalize r)) (first x (pre r)) = Var (first x (pre r))) as F.
  { intros x Hx. simpl. rewrite entry_map by reflexivity.
    destruct (first_entry x (pre r) Hx) as (_ & ->). reflexivity. }
  split; intros i x; simpl; rewrite entry_map by reflexivity.
  - destruct (entry (pre r) i) as [c|y] eqn:E; simpl; [discriminate|]. intros [= <-].
    split; [apply first_le, E | apply F; eapply entry_var_in; exact E].
  - destruct (entry (act r) i) as [c|y] eqn:E; simpl; [discriminate|]. intros [= <-].
    apply F, D. eapply entry_var_in. exact E.
Qed.

Theorem canonicalize_leads r s t : deterministic r -> (leads (canonicalize r) s t <-> leads r s t).
Proof.
  intros D. split.
  - apply (instance_leads r (canonicalize r) (renamed r)). split; reflexivity.
  - apply (instance_leads (canonicalize r) r (entry (pre r))). simpl.
    assert (forall l, (forall x, In (Var x) l -> In (Var x) (pre r)) ->
              map (subst (entry (pre r))) (map (subst (renamed r)) l) = l) as H.
    { intros l Hl. rewrite map_map, <- map_id. apply map_ext_in. intros [c|x] Hx; [reflexivity|].
      simpl. apply first_entry, Hl, Hx. }
    split; apply H; auto.
Qed.

(** ** Two canonical rules that lead between the same states are equal *)

(** Canonical vectors that are instances of each other have the same unknowns. *)
Lemma canonical_names r q sigma tau :
  canonical r -> canonical q -> map (subst sigma) (pre r) = pre q ->
  map (subst tau) (pre q) = pre r -> forall x, In (Var x) (pre r) -> sigma x = Var x.
Proof.
  intros (Cr & _) (Cq & _) S T.
  assert (forall i, entry (pre q) i = subst sigma (entry (pre r) i)) as Es.
  { intros i. rewrite <- S. apply entry_map. reflexivity. }
  assert (forall i, entry (pre r) i = subst tau (entry (pre q) i)) as Et.
  { intros i. rewrite <- T. apply entry_map. reflexivity. }
  intros x Hx. apply in_entry in Hx as (i & _ & E). apply Cr in E as (_ & E).
  (* What stands in [q] at position [x]? An unknown, whose name is no greater. *)
  specialize (Es x). rewrite E in Es. simpl in Es. pose proof (Et x) as Ex.
  rewrite E, Es in Ex. destruct (sigma x) as [c|y]; [discriminate Ex|]. simpl in Ex.
  destruct (Cq x y Es) as (Lyx & Eq).
  (* And [r] has [x] at position [y], so the name is no smaller. *)
  specialize (Et y). rewrite Eq in Et. simpl in Et. rewrite <- Ex in Et.
  destruct (Cr y x Et) as (Lxy & _). f_equal. lia.
Qed.

Lemma subst_identity sigma l :
  (forall x, In (Var x) l -> sigma x = Var x) -> map (subst sigma) l = l.
Proof.
  intros H. rewrite <- map_id. apply map_ext_in. intros [c|x] Hx; simpl; auto.
Qed.

Lemma mutual_match_equal r q :
  canonical r -> canonical q -> replaces r q = true -> replaces q r = true ->
  pre r = pre q /\ act r = act q.
Proof.
  intros Cr Cq R Q. pose proof (canonical_deterministic r Cr) as Dr.
  apply replaces_spec in R as (sigma & P & A); [|exact Dr].
  apply replaces_spec in Q as (tau & P' & _); [|exact (canonical_deterministic q Cq)].
  pose proof (canonical_names r q sigma tau Cr Cq P P') as N.
  rewrite <- P, <- A, !subst_identity; auto.
Qed.

(** Two values of each unknown are enough to tell different canonical forms apart. *)
Theorem canonical_unique_two_values low high r q :
  (forall x, low x <> high x) -> canonical r -> canonical q ->
  (forall f, two_valued low high f ->
     leads r (map (inst f) (pre q)) (map (inst f) (act q)) /\
     leads q (map (inst f) (pre r)) (map (inst f) (act r))) ->
  pre r = pre q /\ act r = act q.
Proof.
  intros two Cr Cq H. apply mutual_match_equal; auto; apply (match_complete low high); auto;
    try (apply canonical_deterministic; assumption); intros f F; apply H, F.
Qed.

Theorem canonical_unique r q :
  canonical r -> canonical q -> (forall s t, leads r s t <-> leads q s t) ->
  pre r = pre q /\ act r = act q.
Proof.
  intros Cr Cq H. apply mutual_match_equal; auto; apply match_decides;
    auto using canonical_deterministic; intros s t; apply H.
Qed.

(** ** Composition keeps the canonical form *)

Definition canonical_vectors (p a : list term) : Prop :=
  (forall i x, entry p i = Var x -> x <= i /\ entry p x = Var x) /\
  (forall i x, entry a i = Var x -> entry p x = Var x).

(** An unknown is replaced by a constant, or by an unknown of smaller index that is there. *)
Lemma decide_replaces_by_smaller a p2 i x e :
  snd (decide a p2 i) = Replace x e ->
  (exists c, e = Const c) \/ (exists y j, e = Var y /\ y < x /\ entry a j = Var y).
Proof.
  unfold decide. destruct (entry a i) as [c|j] eqn:A; destruct (entry p2 i) as [d|z] eqn:P.
  - destruct (c =? d); discriminate.
  - destruct (entry a (first z p2)) as [d|k] eqn:B.
    + simpl. destruct (c =? d); discriminate.
    + intros [= <- <-]. eauto.
  - intros [= <- <-]. eauto.
  - destruct (entry a (first z p2)) as [d|k] eqn:B; [intros [= <- <-]; eauto|].
    destruct (Nat.eqb_spec j k) as [->|N]; [discriminate|]. intros [= <- <-]. right.
    destruct (Nat.lt_ge_cases j k).
    + exists j, i. rewrite Nat.min_l, Nat.max_r by lia. auto.
    + exists k, (first z p2). rewrite Nat.min_r, Nat.max_l by lia.
      split; [reflexivity|]. split; [lia | exact B].
Qed.

Lemma replace_canonical p a x e :
  canonical_vectors p a ->
  (exists c, e = Const c) \/ (exists y j, e = Var y /\ y < x /\ entry a j = Var y) ->
  canonical_vectors (replace x e p) (replace x e a).
Proof.
  intros (Cp & Ca) E.
  (* An unknown that is there after the replacement was there before, and isn't [x]. *)
  assert (forall z, entry p z = Var z -> z <> x -> entry (replace x e p) z = Var z) as stays.
  { intros z Ez N. rewrite entry_replace, Ez. unfold replace_in. simpl.
    destruct (Nat.eqb_spec z x) as [E'|_]; [destruct (N E') | reflexivity]. }
  assert (forall z w, replace_in x e (Var w) = Var z ->
            (w <> x /\ z = w) \/ (w = x /\ z < x /\ entry p z = Var z)) as cases.
  { intros z w H. unfold replace_in in H. simpl in H.
    destruct (Nat.eqb_spec w x) as [Ew|Nw]; [|injection H as H; auto].
    destruct E as [(c & ->) | (y & j & -> & L & Ej)]; [discriminate H|].
    injection H as <-. right. eauto. }
  split; intros i z; rewrite entry_replace.
  - destruct (entry p i) as [c|w] eqn:Ei; [discriminate|]. intros H.
    destruct (Cp i w Ei) as (L & Ew).
    destruct (cases z w H) as [(Nw & ->) | (-> & Lz & Ez)].
    + auto.
    + split; [lia|]. apply stays; [exact Ez | lia].
  - destruct (entry a i) as [c|w] eqn:Ei; [discriminate|]. intros H.
    destruct (cases z w H) as [(Nw & ->) | (-> & Lz & Ez)].
    + apply stays; [eapply Ca; exact Ei | exact Nw].
    + apply stays; [exact Ez | lia].
Qed.

Lemma walk_canonical p2 positions : forall p a p' a',
  canonical_vectors p a -> walk p2 positions p a = Some (p', a') -> canonical_vectors p' a'.
Proof.
  induction positions as [|i l IH]; intros p a p' a' C W; simpl in W.
  - injection W as <- <-. exact C.
  - destruct (snd (decide a p2 i)) as [| |x e] eqn:U; [eauto | discriminate W|].
    apply (IH _ _ _ _ (replace_canonical p a x e C (decide_replaces_by_smaller a p2 i x e U)) W).
Qed.

Theorem compose_canonical r q c : canonical r -> compose r q = Some c -> canonical c.
Proof.
  intros C E. unfold compose in E. destruct (_ =? _); [|discriminate E].
  destruct (walk _ _ _ _) as [(p & a)|] eqn:W; [|discriminate E]. injection E as <-.
  destruct (walk_canonical _ _ _ _ _ _ C W) as (Cp & Ca). split; [exact Cp|]. simpl.
  intros i x. rewrite entry_map by reflexivity.
  destruct (entry (act q) i) as [c|z]; [discriminate | apply Ca].
Qed.

Lemma identity_canonical n : canonical (identity n).
Proof.
  assert (forall i x, entry (map Var (seq 0 n)) i = Var x ->
            x <= i /\ entry (map Var (seq 0 n)) x = Var x) as H.
  { intros i x E. pose proof (entry_var_lt _ _ _ E) as L. rewrite map_length, seq_length in L.
    assert (forall j, j < n -> entry (map Var (seq 0 n)) j = Var j) as N.
    { intros j Hj. unfold entry. rewrite (nth_indep _ (Const 0) (Var 0)), map_nth, seq_nth; auto.
      rewrite map_length, seq_length. exact Hj. }
    rewrite (N i L) in E. injection E as <-. auto. }
  split; [exact H | intros i x E; apply (H i x E)].
Qed.

(** So macro-rules of words are canonical, and words that lead between the same states have equal
    ones. *)
Theorem macro_canonical g n w c : macro g n w = Some c -> canonical c.
Proof.
  unfold macro. pose proof (identity_canonical n) as C. revert C. generalize (identity n).
  induction w as [|i w IH]; intros r C E; simpl in E.
  - injection E as <-. exact C.
  - destruct (nth_error (rules g) i) as [q|]; [|discriminate E].
    destruct (compose r q) as [c'|] eqn:D; [|discriminate E].
    apply (IH c'); [eauto using compose_canonical | exact E].
Qed.

Theorem same_states_same_macro g n v w cv cw :
  deterministic_game g -> macro g n v = Some cv -> macro g n w = Some cw ->
  ((forall s t, length s = n -> (runs g v s t <-> runs g w s t)) <->
   pre cv = pre cw /\ act cv = act cw).
Proof.
  intros D Ev Ew.
  assert (forall s t, length s = n -> (runs g v s t <-> leads cv s t)) as Hv.
  { intros s t L. rewrite (macro_spec g n v s t D L).
    split; [intros (c & E & H) | intros H; exists cv; auto]. congruence. }
  assert (forall s t, length s = n -> (runs g w s t <-> leads cw s t)) as Hw.
  { intros s t L. rewrite (macro_spec g n w s t D L).
    split; [intros (c & E & H) | intros H; exists cw; auto]. congruence. }
  split.
  - intros H. apply canonical_unique; [eauto using macro_canonical ..|].
    intros s t. split; intros L; pose proof (leads_length _ _ _ L) as (Ls & _).
    + apply macro_length in Ev. assert (length s = n) as N by lia.
      apply Hw, H, Hv; assumption.
    + apply macro_length in Ew. assert (length s = n) as N by lia.
      apply Hv, H, Hw; assumption.
  - intros (P & A) s t L. rewrite (Hv s t L), (Hw s t L). unfold leads. rewrite P, A. reflexivity.
Qed.
