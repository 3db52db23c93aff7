(* Machines that forbid the words with a listed factor.

   A machine is a table: for each state, counted from 1, and each letter the next state, or 0 where
   the letter is forbidden. It is compared with a reference that remembers the longest suffix of the
   word read so far with which a listed word begins. All pairs of states that the two can be in
   together are collected first, by any means; then it is proved of the collection that no step
   leaves it, and that at each pair the two agree. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Factors.
From PsvnChecker Require Import Keys Arrays.
Import ListNotations.

Definition row := vector nat.
Definition rows := vector row.

Definition no_row : row := vector_of [].

Definition next (m : rows) (q r : nat) : nat := item 0 (item no_row m q) r.

(* The state after a word; 0 if it is forbidden. *)
Fixpoint read (m : rows) (q : nat) (w : list nat) : nat :=
  match w with
  | [] => q
  | r :: w' => if next m q r =? 0 then 0 else read m (next m q r) w'
  end.

Definition allows (m : rows) (w : list nat) : Prop := read m 1 w <> 0.

(* ---------- suffixes that a test accepts ---------- *)

Definition suffix (v x : list nat) : Prop := exists p, x = p ++ v.

Lemma suffix_refl x : suffix x x.
Proof. now exists []. Qed.

Lemma suffix_trans a b c : suffix a b -> suffix b c -> suffix a c.
Proof. intros (p & ->) (q & ->). exists (q ++ p). now rewrite app_assoc. Qed.

Lemma suffix_snoc v x r : suffix v x -> suffix (v ++ [r]) (x ++ [r]).
Proof. intros (p & ->). exists p. now rewrite app_assoc. Qed.

Lemma suffix_of_snoc v x r :
  suffix v (x ++ [r]) -> v = [] \/ exists v', v = v' ++ [r] /\ suffix v' x.
Proof.
  intros (p & E). destruct (rev v) as [|o w] eqn:R.
  - left. rewrite <- (rev_involutive v), R. reflexivity.
  - right. exists (rev w). assert (V : v = rev w ++ [o]).
    { rewrite <- (rev_involutive v), R. reflexivity. }
    rewrite V, app_assoc in E. apply app_inj_tail in E as [-> ->]. split; auto. now exists p.
Qed.

Section Longest.
Variable test : list nat -> bool.

Fixpoint longest (v : list nat) : list nat :=
  if test v then v else match v with [] => [] | _ :: v' => longest v' end.

Fixpoint some_suffix (v : list nat) : bool :=
  if test v then true else match v with [] => false | _ :: v' => some_suffix v' end.

Lemma longest_suffix v : suffix (longest v) v.
Proof.
  induction v as [|o v IH]; simpl; destruct (test _); try apply suffix_refl.
  apply (suffix_trans _ v); auto. now exists [o].
Qed.

Lemma suffix_cons u o v : suffix u (o :: v) -> u = o :: v \/ suffix u v.
Proof. intros ([|a p] & E); [now left|]. injection E as -> ->. right. now exists p. Qed.

Lemma longest_is_longest v u : suffix u v -> test u = true -> suffix u (longest v).
Proof.
  induction v as [|o v IH]; simpl; intros S T.
  - destruct S as (p & E). symmetry in E. apply app_eq_nil in E as [_ ->]. rewrite T.
    apply suffix_refl.
  - destruct (test (o :: v)) eqn:E; auto. apply suffix_cons in S as [-> | S]; [congruence | auto].
Qed.

Lemma some_suffix_spec v : some_suffix v = true <-> exists u, suffix u v /\ test u = true.
Proof.
  induction v as [|o v IH]; simpl.
  - destruct (test []) eqn:E; split; auto; try discriminate.
    + intros _. exists []. split; auto. apply suffix_refl.
    + intros (u & (p & S) & T). symmetry in S. apply app_eq_nil in S as [_ ->]. congruence.
  - destruct (test (o :: v)) eqn:E; split; auto.
    + intros _. exists (o :: v). split; auto. apply suffix_refl.
    + rewrite IH. intros (u & S & T). exists u. split; auto.
      apply (suffix_trans _ v); auto. now exists [o].
    + intros (u & S & T). apply IH. apply suffix_cons in S as [-> | S]; [congruence | eauto].
Qed.
End Longest.

(* ---------- the comparison ---------- *)

Section Compare.
Variable letters : nat.
Variable words : list (list nat).
Variable m : rows.
Variable strict : bool.

(* Words, and their beginnings, in trees. *)
Fixpoint beginnings (w : list nat) : list (list nat) :=
  match w with [] => [] | o :: w' => [] :: map (cons o) (beginnings w') end.

Definition words_tree : tree unit := fold_left (fun t w => set w tt t) words Leaf.
Definition starts_tree : tree unit :=
  fold_left (fun t v => set v tt t) (flat_map beginnings words) Leaf.

Variable ws starts pairs : tree unit.

Definition is_word (v : list nat) : bool := member v ws.
Definition is_start (v : list nat) : bool := member v starts.

Definition agree (q : nat) (u : list nat) (r : nat) : bool :=
  let v := u ++ [r] in
  let q' := next m q r in
  if some_suffix is_word v then if strict then q' =? 0 else true
  else if q' =? 0 then false
  else member (q' :: longest is_start v) pairs.

Definition pair_agrees (k : list nat) : bool :=
  match k with [] => false | q :: u => forallb (agree q u) (seq 0 letters) end.

Definition pairs_agree : bool :=
  member [1] pairs && all_keys pair_agrees pairs &&
  all_keys (listed words) ws.

(* Nothing is missing in the trees. *)
Definition trees_complete : bool :=
  forallb (fun w => negb (listed [w] []) && is_word w && forallb is_start (beginnings w)) words.

Hypothesis pairs_ok : pairs_agree = true.

Definition spelled (w : list nat) : Prop := Forall (fun r => r < letters) w.

Lemma agree_at q u r : member (q :: u) pairs = true -> r < letters -> agree q u r = true.
Proof.
  intros I L. apply andb_prop in pairs_ok as [H _]. apply andb_prop in H as [_ H].
  apply (all_keys_member _ _ _ _ H) in I. simpl in I. rewrite forallb_forall in I.
  apply I, in_seq. lia.
Qed.

Lemma word_listed u : is_word u = true -> listed words u = true.
Proof.
  apply andb_prop in pairs_ok as [_ H]. unfold is_word. apply (all_keys_member _ _ _ _ H).
Qed.

(* What has no listed factor is allowed. *)
Lemma clean_read w : forall x q u,
  member (q :: u) pairs = true -> suffix u x -> spelled w -> q <> 0 ->
  clean (listed words) (x ++ w) -> read m q w <> 0.
Proof.
  induction w as [|r w IH]; simpl; intros x q u I S L Q C; auto.
  inversion L as [|? ? Lr Lw]; subst. pose proof (agree_at q u r I Lr) as A. unfold agree in A.
  destruct (some_suffix is_word (u ++ [r])) eqn:F.
  - apply some_suffix_spec in F as (b & Sb & B). apply word_listed in B.
    apply (suffix_snoc _ _ r) in S. destruct (suffix_trans _ _ _ Sb S) as (p & E).
    rewrite (C p b w) in B; [discriminate|].
    rewrite app_assoc, <- E, <- app_assoc. reflexivity.
  - destruct (Nat.eqb_spec (next m q r) 0) as [|Q']; [discriminate|].
    apply (IH (x ++ [r]) _ (longest is_start (u ++ [r]))); auto.
    + apply (suffix_trans _ (u ++ [r])); [apply longest_suffix | now apply suffix_snoc].
    + now rewrite <- app_assoc.
Qed.

Theorem clean_allowed w : spelled w -> clean (listed words) w -> allows m w.
Proof.
  intros L C. apply (clean_read w [] 1 []); auto; [|apply suffix_refl].
  apply andb_prop in pairs_ok as [H _]. now apply andb_prop in H as [H _].
Qed.

(* In a strict comparison, what is allowed has no listed factor. *)
Section Strict.
Hypothesis strictly : strict = true.
Hypothesis complete : trees_complete = true.

Definition begins_word (v : list nat) : Prop := exists y, y <> [] /\ In (v ++ y) words.

Lemma in_beginnings v : forall y, y <> [] -> In v (beginnings (v ++ y)).
Proof.
  induction v as [|o v IH]; intros y N; simpl.
  - destruct y; [contradiction | now left].
  - right. now apply in_map, IH.
Qed.

Lemma begins_start v : begins_word v -> is_start v = true.
Proof.
  intros (y & N & I). unfold trees_complete in complete. rewrite forallb_forall in complete.
  specialize (complete _ I). apply andb_prop in complete as [_ H]. rewrite forallb_forall in H.
  now apply H, in_beginnings.
Qed.

Lemma listed_word b : In b words -> b <> [] /\ is_word b = true.
Proof.
  intros I. unfold trees_complete in complete. rewrite forallb_forall in complete.
  specialize (complete _ I). apply andb_prop in complete as [H _]. apply andb_prop in H as [H W].
  split; auto. intros ->. discriminate.
Qed.

Lemma read_clean w : forall x q u,
  member (q :: u) pairs = true ->
  (forall v, suffix v x -> begins_word v -> suffix v u) -> spelled w ->
  clean (listed words) x -> read m q w <> 0 -> clean (listed words) (x ++ w).
Proof.
  induction w as [|r w IH]; simpl; intros x q u I S L C R; [now rewrite app_nil_r|].
  inversion L as [|? ? Lr Lw]; subst. pose proof (agree_at q u r I Lr) as A. unfold agree in A.
  destruct (Nat.eqb_spec (next m q r) 0) as [E|Q']; [now destruct R|].
  destruct (some_suffix is_word (u ++ [r])) eqn:F.
  { rewrite strictly in A. discriminate. }
  replace (x ++ r :: w) with ((x ++ [r]) ++ w) by now rewrite <- app_assoc.
  apply (IH _ (next m q r) (longest is_start (u ++ [r]))); auto.
  - intros v Sv B. apply longest_is_longest; [|now apply begins_start].
    apply suffix_of_snoc in Sv as [-> | (v' & -> & Sv)].
    { exists (u ++ [r]). now rewrite app_nil_r. }
    apply suffix_snoc, S; auto. destruct B as (y & N & B). exists (r :: y).
    split; [discriminate|]. now rewrite <- app_assoc in B.
  - intros p b y E. destruct (listed words b) eqn:B; auto. exfalso.
    apply listed_spec in B. destruct (listed_word b B) as [N W].
    destruct y as [|o y _] using rev_ind.
    + rewrite app_nil_r in E. assert (Sb : suffix b (x ++ [r])) by now exists p.
      apply suffix_of_snoc in Sb as [-> | (v & -> & Sv)]; [contradiction|].
      assert (T : some_suffix is_word (u ++ [r]) = true); [|congruence].
      apply some_suffix_spec. exists (v ++ [r]). split; auto. apply suffix_snoc, S; auto.
      exists [r]. split; [discriminate | auto].
    + rewrite !app_assoc in E. apply app_inj_tail in E as [E _]. rewrite <- app_assoc in E.
      apply listed_spec in B. rewrite (C p b y E) in B. discriminate.
Qed.

Theorem allows_spec w : spelled w -> (allows m w <-> clean (listed words) w).
Proof.
  intros L. split; [|now apply clean_allowed]. intros R.
  apply (read_clean w [] 1 []); auto.
  - apply andb_prop in pairs_ok as [H _]. now apply andb_prop in H as [H _].
  - intros p b y E. symmetry in E. apply app_eq_nil in E as [_ E].
    apply app_eq_nil in E as [-> _]. destruct (listed words []) eqn:B; auto.
    apply listed_spec in B. now destruct (listed_word [] B).
Qed.
End Strict.
End Compare.
