(** * Closed preconditions: redundancy within invariants, as it is tested

    docs/safety.md, "Redundancy in states with invariants"; docs/notes/pruning-limit.md, the lemma.
    Values that the preconditions of B and the invariants imply are added to the preconditions of B
    before A is matched with it. A value is implied if all others are ruled out. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match.
Import ListNotations.

(** A fact: a variable, by its position, has a value. *)
Definition fact := (nat * nat)%type.

Definition fact_eq_dec (a b : fact) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition mem (a : fact) (l : list fact) : bool := if in_dec fact_eq_dec a l then true else false.

Lemma mem_spec a l : mem a l = true <-> In a l.
Proof. unfold mem. destruct in_dec; split; easy. Qed.

(** An invariant: a fact that never holds, two facts that never hold together, or a count: exactly
    [k] of the facts hold. *)
Inductive invariant :=
| Impossible (a : fact)
| Exclusive (a b : fact)
| Count (k : nat) (facts : list fact).

Definition true_in (s : state) (a : fact) : bool := value s (fst a) =? snd a.

Definition count (test : fact -> bool) (l : list fact) : nat := length (filter test l).

Definition satisfies (s : state) (c : invariant) : Prop :=
  match c with
  | Impossible a => true_in s a = false
  | Exclusive a b => true_in s a && true_in s b = false
  | Count k facts => count (true_in s) facts = k
  end.

Lemma count_le f g l : (forall a, f a = true -> g a = true) -> count f l <= count g l.
Proof.
  intros H. unfold count. induction l as [|a l IH]; simpl; [lia|].
  destruct (f a) eqn:F; [rewrite (H a F); simpl; lia | destruct (g a); simpl; lia].
Qed.

Section Closing.

(** The number of variables, all facts that the domains allow, and the invariants. *)
Variable n : nat.
Variable universe : list fact.
Variable invariants : list invariant.

(** The states that the invariants allow. *)
Definition inside (s : state) : Prop :=
  length s = n /\ (forall i, i < n -> In (i, value s i) universe) /\
  forall c, In c invariants -> satisfies s c.

(** ** What is ruled out

    A list of facts [l] has, for each variable, the values that it may still have. *)

(** The variable of [a] has no other value left. *)
Definition certain (l : list fact) (a : fact) : bool :=
  (fst a <? n) && forallb (fun b => negb (fst b =? fst a) || (snd b =? snd a)) l.

Definition open (l : list fact) (a : fact) : bool := (n <=? fst a) || mem a l.

Definition eqb_fact (a b : fact) : bool := if fact_eq_dec a b then true else false.

(** If [a] holds, which facts must hold then, and which may. *)
Definition must (l : list fact) (a b : fact) : bool :=
  eqb_fact b a || (negb (fst b =? fst a) && certain l b).

Definition may (l : list fact) (a b : fact) : bool :=
  eqb_fact b a || (negb (fst b =? fst a) && open l b).

Definition excluded_by (l : list fact) (a : fact) (c : invariant) : bool :=
  match c with
  | Impossible b => eqb_fact b a
  | Exclusive b c => must l a b && must l a c
  | Count k facts => (k <? count (must l a) facts) || (count (may l a) facts <? k)
  end.

(** The unknown of [p] at the position of [a] is also at another one, where this value is ruled
    out. *)
Definition excluded_by_sharing (p : list term) (l : list fact) (a : fact) : bool :=
  match entry p (fst a) with
  | Const _ => false
  | Var x =>
      existsb (fun j => if term_eq_dec (entry p j) (Var x) then negb (mem (j, snd a) l) else false)
        (seq 0 n)
  end.

Definition excluded (p : list term) (l : list fact) (a : fact) : bool :=
  existsb (excluded_by l a) invariants || excluded_by_sharing p l a.

(** ** The steps are right *)

(** State [s] has none but facts of the list. *)
Definition within (l : list fact) (s : state) : Prop := forall i, i < n -> In (i, value s i) l.

Lemma certain_true l s a : within l s -> certain l a = true -> true_in s a = true.
Proof.
  intros W C. unfold certain in C. apply andb_true_iff in C as (L & C). apply Nat.ltb_lt in L.
  rewrite forallb_forall in C. specialize (C _ (W _ L)). simpl in C.
  rewrite Nat.eqb_refl in C. exact C.
Qed.

Lemma eqb_fact_spec a b : eqb_fact a b = true <-> a = b.
Proof. unfold eqb_fact. destruct fact_eq_dec; split; easy. Qed.

Lemma must_true l s a b :
  within l s -> true_in s a = true -> must l a b = true -> true_in s b = true.
Proof.
  intros W T M. unfold must in M. apply orb_true_iff in M as [E | M].
  - apply eqb_fact_spec in E as ->. exact T.
  - apply andb_true_iff in M as (_ & C). exact (certain_true l s b W C).
Qed.

Lemma true_may l s a b :
  within l s -> true_in s a = true -> true_in s b = true -> may l a b = true.
Proof.
  intros W Ta Tb. unfold may, true_in in *. apply Nat.eqb_eq in Ta, Tb.
  destruct a as (i, v), b as (j, w). simpl in *. apply orb_true_iff.
  destruct (Nat.eqb_spec j i) as [->|N].
  - left. apply eqb_fact_spec. congruence.
  - right. simpl. unfold open. simpl. destruct (Nat.leb_spec n j) as [|L]; [reflexivity|].
    apply mem_spec. rewrite <- Tb. apply W, L.
Qed.

Lemma excluded_by_sound l s a c :
  within l s -> satisfies s c -> true_in s a = true -> excluded_by l a c = false.
Proof.
  intros W S T. apply not_true_iff_false. intros E. destruct c as [b|b b'|k facts]; simpl in *.
  - apply eqb_fact_spec in E as ->. congruence.
  - apply andb_true_iff in E as (E & E'). apply (must_true l s a _ W T) in E, E'.
    rewrite E, E' in S. discriminate S.
  - apply orb_true_iff in E as [E | E]; apply Nat.ltb_lt in E.
    + pose proof (count_le (must l a) (true_in s) facts (fun b => must_true l s a b W T)). lia.
    + pose proof (count_le (true_in s) (may l a) facts (fun b => true_may l s a b W T)). lia.
Qed.

Lemma shared_value p s i j x :
  matches p s -> entry p i = Var x -> entry p j = Var x -> value s i = value s j.
Proof. intros (f & <-) Ei Ej. rewrite !entry_inst, Ei, Ej. reflexivity. Qed.

Lemma excluded_sound p l s i :
  inside s -> matches p s -> within l s -> i < n -> excluded p l (i, value s i) = false.
Proof.
  intros (_ & _ & S) M W L. apply orb_false_iff. split; apply not_true_iff_false; intros E.
  - apply existsb_exists in E as (c & Hc & E).
    rewrite (excluded_by_sound l s) in E; [discriminate E | exact W | auto |].
    unfold true_in. apply Nat.eqb_refl.
  - unfold excluded_by_sharing in E. simpl in E.
    destruct (entry p i) as [c|x] eqn:Ei; [discriminate|].
    apply existsb_exists in E as (j & Hj & E). apply in_seq in Hj.
    destruct term_eq_dec as [Ej|]; [|discriminate E]. apply negb_true_iff in E.
    rewrite (shared_value p s i j x M Ei Ej) in E.
    assert (mem (j, value s j) l = true) by (apply mem_spec, W; lia). congruence.
Qed.

(** ** From more values, no fewer follow: the steps are monotone *)

Lemma mem_incl l m a : incl m l -> mem a m = true -> mem a l = true.
Proof. intros I H. apply mem_spec, I, mem_spec, H. Qed.

Lemma certain_monotone l m a : incl m l -> certain l a = true -> certain m a = true.
Proof.
  intros I C. apply andb_true_iff in C as (L & C). apply andb_true_iff. split; [exact L|].
  rewrite forallb_forall in *. auto.
Qed.

Lemma must_monotone l m a b : incl m l -> must l a b = true -> must m a b = true.
Proof.
  intros I H. apply orb_true_iff in H as [E | H]; apply orb_true_iff; [auto | right].
  apply andb_true_iff in H as (N & C). apply andb_true_iff. eauto using certain_monotone.
Qed.

Lemma may_monotone l m a b : incl m l -> may m a b = true -> may l a b = true.
Proof.
  intros I H. apply orb_true_iff in H as [E | H]; apply orb_true_iff; [auto | right].
  apply andb_true_iff in H as (N & O). apply andb_true_iff. split; [exact N|].
  apply orb_true_iff in O as [O | O]; apply orb_true_iff; eauto using mem_incl.
Qed.

Lemma excluded_by_monotone l m a c :
  incl m l -> excluded_by l a c = true -> excluded_by m a c = true.
Proof.
  intros I E. destruct c as [b|b b'|k facts]; simpl in *; [exact E | |].
  - apply andb_true_iff in E as (E & E'). apply andb_true_iff. eauto using must_monotone.
  - apply orb_true_iff in E as [E | E]; apply Nat.ltb_lt in E; apply orb_true_iff;
      [left | right]; apply Nat.ltb_lt.
    + pose proof (count_le (must l a) (must m a) facts (fun b => must_monotone l m a b I)). lia.
    + pose proof (count_le (may m a) (may l a) facts (fun b => may_monotone l m a b I)). lia.
Qed.

(** [p] has the instance [q]. The list [m] has a value for each variable, and only constants of [q]
    where [q] has constants. What [p] excludes from a longer list, [q] excludes from [m]. *)
Definition nonempty (m : list fact) : Prop := forall i, i < n -> exists v, In (i, v) m.

Definition fits (q : list term) (m : list fact) : Prop :=
  forall a c, In a m -> entry q (fst a) = Const c -> snd a = c.

Lemma excluded_instance p tau l m a :
  nonempty m -> fits (map (subst tau) p) m -> incl m l -> In a m ->
  excluded p l a = true -> excluded (map (subst tau) p) m a = true.
Proof.
  intros N F I A E. apply orb_true_iff. apply orb_true_iff in E as [E | E].
  - left. apply existsb_exists in E as (c & Hc & E). apply existsb_exists. exists c.
    eauto using excluded_by_monotone.
  - right. unfold excluded_by_sharing in *.
    assert (forall i, entry (map (subst tau) p) i = subst tau (entry p i)) as T.
    { intros i. apply entry_map. reflexivity. }
    rewrite T. destruct (entry p (fst a)) as [|x] eqn:Ea; [discriminate E|].
    apply existsb_exists in E as (j & Hj & E). pose proof Hj as Lj. apply in_seq in Lj.
    destruct (term_eq_dec (entry p j) (Var x)) as [Ej|]; [|discriminate E].
    apply negb_true_iff in E. simpl. destruct (tau x) as [d|y] eqn:Ex.
    + exfalso. assert (snd a = d) as Va by (apply (F a d A); rewrite T, Ea; exact Ex).
      destruct (N j) as (v & Hv); [lia|].
      assert (v = d) as -> by (apply (F (j, v) d Hv); simpl; rewrite T, Ej; exact Ex).
      assert (mem (j, snd a) l = true); [|congruence]. apply mem_spec, I. rewrite Va. exact Hv.
    + apply existsb_exists. exists j. split; [exact Hj|]. rewrite T, Ej. simpl. rewrite Ex.
      destruct term_eq_dec as [_|Ny]; [|destruct (Ny eq_refl)]. apply negb_true_iff.
      apply not_true_iff_false. intros M. apply (mem_incl l m _ I) in M. congruence.
Qed.

(** ** The values that remain

    Steps are repeated until nothing changes. *)
Definition allowed_by (p : list term) : list fact :=
  filter (fun a => match entry p (fst a) with
                   | Const c => snd a =? c
                   | Var _ => true
                   end) universe.

Definition refine (p : list term) (l : list fact) : list fact :=
  filter (fun a => negb (excluded p l a)) l.

Fixpoint iterate (p : list term) (steps : nat) (l : list fact) : list fact :=
  match steps with
  | 0 => l
  | S k => if length (refine p l) =? length l then l else iterate p k (refine p l)
  end.

Definition remaining (p : list term) : list fact :=
  iterate p (length (allowed_by p)) (allowed_by p).

Lemma filter_length_le {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|a l IH]; simpl; [lia | destruct (f a); simpl; lia]. Qed.

Lemma filter_all {A} (f : A -> bool) l : length (filter f l) = length l -> filter f l = l.
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. destruct (f a); simpl; intros E.
  - f_equal. apply IH. lia.
  - pose proof (filter_length_le f l). lia.
Qed.

Lemma iterate_incl p k : forall l, incl (iterate p k l) l.
Proof.
  induction k as [|k IH]; intros l; simpl; [apply incl_refl|].
  destruct (_ =? _); [apply incl_refl|]. apply incl_tran with (refine p l); [apply IH|].
  apply incl_filter.
Qed.

(** As many steps as there are facts are enough. *)
Lemma iterate_stable p k : forall l, length l <= k -> refine p (iterate p k l) = iterate p k l.
Proof.
  induction k as [|k IH]; intros l L; simpl.
  - destruct l; [reflexivity | simpl in L; lia].
  - destruct (Nat.eqb_spec (length (refine p l)) (length l)) as [E|N].
    + apply filter_all, E.
    + apply IH. pose proof (filter_length_le (fun a => negb (excluded p l a)) l).
      unfold refine in *. lia.
Qed.

(** It is the greatest list that has no excluded fact. *)
Lemma iterate_greatest p m k :
  (forall l a, incl m l -> In a m -> excluded p l a = false) ->
  forall l, incl m l -> incl m (iterate p k l).
Proof.
  intros H. induction k as [|k IH]; intros l I; simpl; [exact I|].
  destruct (_ =? _); [exact I|]. apply IH. intros a A. apply filter_In.
  split; [apply I, A | rewrite (H l a I A); reflexivity].
Qed.

Lemma remaining_not_excluded p a : In a (remaining p) -> excluded p (remaining p) a = false.
Proof.
  intros A. unfold remaining in *. rewrite <- iterate_stable in A by apply Nat.le_refl.
  unfold refine in A. apply filter_In in A as (_ & A). apply negb_true_iff in A. exact A.
Qed.

Lemma remaining_fits p : fits p (remaining p).
Proof.
  intros a c A E. apply iterate_incl, filter_In in A as (_ & A). rewrite E in A.
  apply Nat.eqb_eq, A.
Qed.

Lemma remaining_in_universe p a : In a (remaining p) -> In a universe.
Proof. intros A. apply iterate_incl, filter_In in A. apply A. Qed.

(** The states of the invariants that satisfy the preconditions have only values that remain. *)
Theorem remaining_sound p s : inside s -> matches p s -> within (remaining p) s.
Proof.
  intros I M.
  assert (forall k l, within l s -> within (iterate p k l) s) as H.
  { induction k as [|k IH]; intros l W; simpl; [exact W|]. destruct (_ =? _); [exact W|].
    apply IH. intros i L. apply filter_In. split; [apply W, L|].
    rewrite (excluded_sound p l s i I M W L). reflexivity. }
  apply H. intros i L. apply filter_In. split; [apply I, L|]. simpl.
  destruct M as (f & <-). rewrite entry_inst. destruct (entry p i); simpl; [|reflexivity].
  apply Nat.eqb_refl.
Qed.

(** Positions with the same unknown have the same values left. *)
Lemma remaining_shared p i j x v :
  j < n -> entry p i = Var x -> entry p j = Var x -> In (i, v) (remaining p) ->
  In (j, v) (remaining p).
Proof.
  intros L Ei Ej A. apply remaining_not_excluded in A. apply orb_false_iff in A as (_ & A).
  unfold excluded_by_sharing in A. simpl in A. rewrite Ei in A. apply mem_spec.
  apply not_false_iff_true. intros N. apply not_true_iff_false in A. apply A.
  apply existsb_exists. exists j. split; [apply in_seq; lia|].
  destruct term_eq_dec as [_|N']; [rewrite N; reflexivity | destruct (N' Ej)].
Qed.

(** Some state may satisfy the preconditions. *)
Definition possible (p : list term) : bool :=
  forallb (fun i => existsb (fun a => fst a =? i) (remaining p)) (seq 0 n).

Lemma possible_spec p : possible p = true <-> nonempty (remaining p).
Proof.
  unfold possible, nonempty. rewrite forallb_forall. split; intros H i Hi.
  - specialize (H i ltac:(apply in_seq; lia)). apply existsb_exists in H as ((j & v) & H & E).
    apply Nat.eqb_eq in E. simpl in E. subst. eauto.
  - apply in_seq in Hi. destruct (H i) as (v & Hv); [lia|]. apply existsb_exists.
    exists (i, v). split; [exact Hv | apply Nat.eqb_refl].
Qed.

(** Closing is monotone: for an instance, no more values remain. *)
Theorem remaining_monotone p tau :
  possible (map (subst tau) p) = true -> incl (remaining (map (subst tau) p)) (remaining p).
Proof.
  intros P. apply possible_spec in P. apply iterate_greatest.
  - intros l a I A. apply not_true_iff_false. intros E.
    apply (excluded_instance p tau l _ a P (remaining_fits _) I A) in E.
    rewrite remaining_not_excluded in E; [discriminate E | exact A].
  - intros a A. apply filter_In. split; [eapply remaining_in_universe; exact A|].
    destruct (entry p (fst a)) as [c|x] eqn:E; [|reflexivity]. apply Nat.eqb_eq.
    apply (remaining_fits _ a c A). rewrite entry_map, E; reflexivity.
Qed.

Corollary possible_monotone p tau :
  possible (map (subst tau) p) = true -> possible p = true.
Proof.
  intros P. pose proof (remaining_monotone p tau P) as I. apply possible_spec in P.
  apply possible_spec. intros i L. destruct (P i L) as (v & Hv). eauto.
Qed.

(** ** Closed preconditions *)

(** Just one value is left. *)
Definition only (l : list fact) (i c : nat) : Prop :=
  (exists v, In (i, v) l) /\ forall v, In (i, v) l -> v = c.

Definition values_left (l : list fact) (i : nat) : list nat :=
  map snd (filter (fun a => fst a =? i) l).

Lemma in_values_left l i v : In v (values_left l i) <-> In (i, v) l.
Proof.
  unfold values_left. rewrite in_map_iff. split.
  - intros ((j & w) & <- & H). apply filter_In in H as (H & E). apply Nat.eqb_eq in E.
    simpl in *. subst. exact H.
  - intros H. exists (i, v). split; [reflexivity|]. apply filter_In. split; [exact H|].
    apply Nat.eqb_refl.
Qed.

(** An unknown of which one value is left becomes that value. *)
Definition closing (p : list term) (x : nat) : term :=
  match values_left (remaining p) (first x p) with
  | [] => Var x
  | c :: rest => if forallb (Nat.eqb c) rest then Const c else Var x
  end.

Definition close (p : list term) : list term := map (subst (closing p)) p.

Definition close_rule (r : rule) : rule :=
  {| pre := close (pre r); act := map (subst (closing (pre r))) (act r); cost := cost r |}.

Lemma closing_cases p x :
  (closing p x = Var x /\ forall c, ~ only (remaining p) (first x p) c) \/
  exists c, closing p x = Const c /\ only (remaining p) (first x p) c.
Proof.
  unfold closing, only. pose proof (in_values_left (remaining p) (first x p)) as H.
  destruct (values_left (remaining p) (first x p)) as [|c rest].
  - left. split; [reflexivity|]. intros c ((v & Hv) & _). apply H in Hv. destruct Hv.
  - destruct (forallb (Nat.eqb c) rest) eqn:E.
    + right. exists c. split; [reflexivity|]. split; [exists c; apply H; left; reflexivity|].
      intros v Hv. apply H in Hv as [<- | Hv]; [reflexivity|].
      rewrite forallb_forall in E. specialize (E v Hv). apply Nat.eqb_eq in E. auto.
    + left. split; [reflexivity|]. intros d (_ & O).
      assert (c = d) as -> by (apply O, H; left; reflexivity).
      apply not_true_iff_false in E. apply E. apply forallb_forall. intros v Hv.
      apply Nat.eqb_eq. symmetry. apply O, H. right. exact Hv.
Qed.

Lemma closing_const p x c : closing p x = Const c <-> only (remaining p) (first x p) c.
Proof.
  destruct (closing_cases p x) as [(-> & N) | (d & -> & O)].
  - split; [discriminate | intros H; destruct (N c H)].
  - split; [intros [= <-]; exact O|]. intros ((v & Hv) & H). destruct O as (_ & O).
    f_equal. rewrite <- (O v Hv), <- (H v Hv). reflexivity.
Qed.

(** In states of the invariants, the closed rule leads where the rule leads. *)
Theorem close_rule_leads r s t :
  deterministic r -> length (pre r) = n -> inside s -> (leads r s t <-> leads (close_rule r) s t).
Proof.
  intros D Len I. split.
  - intros (f & <- & <-). exists f.
    assert (forall x, In (Var x) (pre r) -> inst f (closing (pre r) x) = f x) as H.
    { intros x Hx. destruct (closing_cases (pre r) x) as [(-> & _) | (c & -> & (_ & O))];
        [reflexivity|]. simpl. destruct (first_entry x (pre r) Hx) as (L & E).
      symmetry. apply O.
      assert (f x = value (map (inst f) (pre r)) (first x (pre r))) as ->
        by (rewrite entry_inst, E; reflexivity).
      apply remaining_sound; [exact I | exists f; reflexivity | lia]. }
    split; simpl; unfold close; rewrite map_inst_subst; apply map_inst_ext; intros x Hx; auto.
  - apply (instance_leads r (close_rule r) (closing (pre r))). split; reflexivity.
Qed.

(** Preconditions are closed if each value that is implied is written. *)
Definition closed (q : list term) : Prop :=
  forall i c, i < n -> only (remaining q) i c -> entry q i = Const c.

(** Closing adds no more than what a closed instance has. *)
Theorem closed_instance p tau :
  length p = n -> closed (map (subst tau) p) -> possible (map (subst tau) p) = true ->
  map (subst tau) (close p) = map (subst tau) p.
Proof.
  intros Len C P. unfold close. rewrite map_map. apply map_ext_in.
  intros [c|x] Hx; [reflexivity|]. simpl.
  destruct (closing_cases p x) as [(-> & _) | (c & -> & O)]; [reflexivity|]. simpl.
  destruct (first_entry x p Hx) as (L & E). rewrite Len in L.
  assert (entry (map (subst tau) p) (first x p) = Const c) as H.
  { apply C; [exact L|]. pose proof (remaining_monotone p tau P) as I.
    apply possible_spec in P. split; [apply P, L|]. intros v Hv. apply O, I, Hv. }
  rewrite entry_map, E in H by reflexivity. symmetry. exact H.
Qed.

(** Closing twice is the same as closing once. *)
Lemma close_keeps_remaining p :
  length p = n -> incl (remaining p) (remaining (close p)).
Proof.
  intros Len. assert (forall i, entry (close p) i = subst (closing p) (entry p i)) as T.
  { intros i. apply entry_map. reflexivity. }
  assert (forall i x, entry (close p) i = Var x -> entry p i = Var x) as V.
  { intros i x. rewrite T. destruct (entry p i) as [c|y]; [discriminate|]. simpl.
    destruct (closing_cases p y) as [(-> & _) | (c & -> & _)]; [auto | discriminate]. }
  apply iterate_greatest.
  - intros l a I A. apply not_true_iff_false. intros E. apply orb_true_iff in E as [E | E].
    + apply existsb_exists in E as (c & Hc & E). apply (excluded_by_monotone l _ a c I) in E.
      pose proof (remaining_not_excluded p a A) as N. apply orb_false_iff in N as (N & _).
      apply not_true_iff_false in N. apply N, existsb_exists. eauto.
    + unfold excluded_by_sharing in E.
      destruct (entry (close p) (fst a)) as [|x] eqn:Ea; [discriminate E|].
      apply existsb_exists in E as (j & Hj & E). apply in_seq in Hj.
      destruct term_eq_dec as [Ej|]; [|discriminate E]. apply negb_true_iff in E.
      assert (mem (j, snd a) l = true); [|congruence]. apply mem_spec, I.
      apply (remaining_shared p (fst a) j x); [lia | auto | auto |]. destruct a. exact A.
  - intros a A. apply filter_In. split; [eapply remaining_in_universe; exact A|].
    rewrite T. destruct (entry p (fst a)) as [c|x] eqn:E; simpl.
    + apply Nat.eqb_eq. exact (remaining_fits p a c A E).
    + destruct (closing_cases p x) as [(-> & _) | (c & -> & (_ & O))]; [reflexivity|].
      apply Nat.eqb_eq, O. destruct (first_entry x p (entry_var_in _ _ _ E)) as (L & F).
      apply (remaining_shared p (fst a) (first x p) x); [lia | exact E | exact F |].
      destruct a. exact A.
Qed.

Theorem close_closed p :
  length p = n -> possible p = true -> closed (close p) /\ possible (close p) = true.
Proof.
  intros Len P. pose proof (close_keeps_remaining p Len) as I.
  apply possible_spec in P. split.
  - intros i c L (_ & O).
    assert (only (remaining p) i c) as Op.
    { split; [apply P, L|]. intros v Hv. apply O, I, Hv. }
    unfold close. rewrite entry_map by reflexivity. destruct (entry p i) as [d|x] eqn:E; simpl.
    + destruct Op as ((v & Hv) & Op). rewrite <- (Op v Hv).
      rewrite <- (remaining_fits p (i, v) d Hv E). reflexivity.
    + apply closing_const. destruct (first_entry x p (entry_var_in _ _ _ E)) as (Lx & F).
      split; [apply P; lia|]. intros v Hv. apply Op.
      apply (remaining_shared p (first x p) i x); assumption.
  - apply possible_spec. intros i L. destruct (P i L) as (v & Hv). eauto.
Qed.

Corollary close_idempotent p :
  length p = n -> possible p = true -> close (close p) = close p.
Proof.
  intros Len P. destruct (close_closed p Len P) as (C & _). unfold close at 1.
  rewrite <- map_id. apply map_ext_in. intros [c|x] Hx; [reflexivity|]. simpl.
  destruct (closing_cases (close p) x) as [(-> & _) | (c & -> & O)]; [reflexivity|].
  destruct (first_entry x (close p) Hx) as (L & E). unfold close at 2 in L.
  rewrite map_length, Len in L. rewrite (C _ _ L O) in E. discriminate E.
Qed.

(** ** The test within invariants *)

(** A matches the closed B, or no state of the invariants has the preconditions of B. *)
Definition replaces_within (a b : rule) : bool :=
  negb (possible (pre b)) || replaces a (close_rule b).

Theorem replaces_within_sound a b :
  deterministic a -> deterministic b -> length (pre b) = n -> replaces_within a b = true ->
  forall s t, inside s -> leads b s t -> leads a s t.
Proof.
  intros Da Db Len R s t I H. apply orb_true_iff in R as [R | R].
  - exfalso. apply negb_true_iff, not_true_iff_false in R. apply R, possible_spec.
    intros i L. exists (value s i).
    exact (remaining_sound (pre b) s I (leads_matches _ _ _ H) i L).
  - apply (match_is_redundancy a (close_rule b) Da R).
    apply (close_rule_leads b s t Db Len I), H.
Qed.

(** As tested, redundancy is transitive. So here, too, new words need to be compared with kept ones
    only. *)
Theorem replaces_within_trans a a' b :
  deterministic a -> deterministic a' -> deterministic b ->
  length (pre a') = n -> length (pre b) = n ->
  replaces_within a a' = true -> replaces_within a' b = true -> replaces_within a b = true.
Proof.
  intros Da Da' Db La' Lb H H'. apply orb_true_iff in H' as [H' | H'].
  { apply orb_true_iff. auto. }
  destruct (possible (pre b)) eqn:P; [|apply orb_true_iff; rewrite P; auto].
  apply orb_true_iff. right.
  apply replaces_spec in H' as (tau & Pt & At); [simpl in Pt, At | exact Da'].
  destruct (close_closed (pre b) Lb P) as (C & Pc). rewrite <- Pt in C, Pc.
  (* The closed B is an instance of A', so it is one of the closed A', too. *)
  pose proof (closed_instance (pre a') tau La' C Pc) as K.
  apply orb_true_iff in H as [H | H].
  { rewrite (possible_monotone (pre a') tau Pc) in H. discriminate H. }
  apply replaces_spec in H as (sigma & Ps & As); [simpl in Ps, As | exact Da].
  apply replaces_spec; [exact Da|]. exists (fun x => subst tau (sigma x)).
  assert (forall l, map (subst (fun x => subst tau (sigma x))) l =
                    map (subst tau) (map (subst sigma) l)) as T.
  { intros l. rewrite map_map. apply map_ext. intros e. symmetry. apply subst_subst. }
  split; simpl; rewrite T.
  - rewrite Ps, K. exact Pt.
  - rewrite As, <- At, map_map. apply map_ext_in. intros [c|x] Hx; [reflexivity|].
    rewrite subst_subst. simpl. unfold close in K. rewrite map_map in K.
    apply (map_subst_agree (fun x => subst tau (closing (pre a') x)) tau (pre a')).
    + rewrite <- K. apply map_ext. intros e. symmetry. apply subst_subst.
    + apply Da', Hx.
Qed.

(** ** Pruning within invariants *)

Variable g : game.
Hypothesis deterministic_g : deterministic_game g.
Hypothesis inductive : forall o s t, inside s -> step g o s t -> inside t.

Definition replaces_word_within (a b : word) : bool :=
  match macro g n b with
  | None => true
  | Some mb =>
      match macro g n a with
      | None => negb (possible (pre mb))
      | Some ma => replaces_within ma mb
      end
  end.

Theorem replaces_word_within_sound a b :
  replaces_word_within a b = true -> forall s t, inside s -> runs g b s t -> runs g a s t.
Proof.
  intros R s t I H. destruct I as (L & I'). assert (inside s) as I by (split; auto).
  apply (macro_spec g n b s t deterministic_g L) in H as (mb & Eb & H).
  unfold replaces_word_within in R. rewrite Eb in R.
  pose proof (macro_deterministic g n b mb Eb) as Db. pose proof (macro_length g n b mb Eb) as Lb.
  destruct (macro g n a) as [ma|] eqn:Ea.
  - apply (macro_spec g n a s t deterministic_g L). exists ma. split; [exact Ea|].
    apply (replaces_within_sound ma mb); auto. eapply macro_deterministic. exact Ea.
  - exfalso. apply negb_true_iff, not_true_iff_false in R. apply R, possible_spec.
    intros i Li. exists (value s i).
    exact (remaining_sound (pre mb) s I (leads_matches _ _ _ H) i Li).
Qed.

Definition certified_within (pairs : list (word * word)) : bool :=
  forallb (fun '(b, a) =>
             beforeb a b && (cost_of g a <=? cost_of g b) && replaces_word_within a b) pairs.

Theorem pruning_within_invariants_is_safe pairs s w :
  certified_within pairs = true -> inside s -> plan g s w ->
  exists v, plan g s v /\ cost_of g v <= cost_of g w /\ clean (forbids pairs) v.
Proof.
  intros C I (t & R & G).
  destruct (pruning_keeps_costs (step g) (rule_cost g) inside inductive before before_wf
              before_nested (forbids pairs)) with (w := w) (s := s) (t := t)
    as (v & Rv & K & Cv); [| exact I | exact R | exists v; split; [exists t; auto | auto]].
  intros b F. apply listed_spec, in_map_iff in F as ((b' & a) & <- & H).
  unfold certified_within in C. rewrite forallb_forall in C. specialize (C _ H). simpl in *.
  apply andb_true_iff in C as (C & E). apply andb_true_iff in C as (L & Kb).
  exists a. split; [apply beforeb_spec, L|]. split; [apply Nat.leb_le, Kb|].
  intros u v. apply replaces_word_within_sound, E.
Qed.

End Closing.
