(* Tables of states with a number or another value for each.

   States are packed into keys: lists of numbers that have several values of the state each, as
   digits after a 1. Different states have different keys. Entries are filed by a number of their
   key. What is found is in the list that the table was made of: that is all that a proof needs. *)
From Coq Require Import List Arith Lia Bool.
From PsvnChecker Require Import Keys Arrays.
Import ListNotations.

Section Packing.
(* Values are below [radix]; so many digits make one number, at least one. *)
Variable radix digits : nat.

(* [left] digits fit the number [sum]; [chunks] are the numbers before. No key has no numbers: that
   says that a value isn't below the radix. *)
Fixpoint pack_from (left sum : nat) (chunks s : list nat) : list nat :=
  match s with
  | [] => sum :: chunks
  | v :: s' =>
      if v <? radix then
        if left =? 0 then pack_from (digits - 1) (radix + v) (sum :: chunks) s'
        else pack_from (left - 1) (sum * radix + v) chunks s'
      else []
  end.

Definition pack (s : list nat) : list nat := pack_from digits 1 [] s.

(* The number of the digits [l], after a 1. *)
Definition number (l : list nat) : nat := fold_left (fun n v => n * radix + v) l 1.

Definition is_digit (v : nat) : Prop := v < radix.

Lemma number_snoc l v : number (l ++ [v]) = number l * radix + v.
Proof. unfold number. now rewrite fold_left_app. Qed.

Hypothesis two_digits : 2 <= radix.

Lemma number_positive l : 1 <= number l.
Proof.
  induction l as [|v l IH] using rev_ind; [auto|]. rewrite number_snoc. nia.
Qed.

Lemma number_inj l : forall k, Forall is_digit l -> Forall is_digit k -> number l = number k -> l = k.
Proof.
  induction l as [|v l IH] using rev_ind; intros k L K E; destruct k as [|w k _] using rev_ind; auto.
  - rewrite number_snoc in E. pose proof (number_positive k). unfold number at 1 in E. simpl in E. nia.
  - rewrite number_snoc in E. pose proof (number_positive l). unfold number at 2 in E. simpl in E. nia.
  - rewrite !number_snoc in E. apply Forall_app in L as [L V], K as [K W].
    inversion V as [|? ? Hv _]; subst. inversion W as [|? ? Hw _]; subst. unfold is_digit in *.
    assert (number l = number k /\ v = w) as [N ->].
    { apply (Nat.div_mod_unique radix); lia. }
    f_equal. now apply IH.
Qed.

(* A key has the digits of the state, one number after the other. *)
Lemma pack_from_spec s : forall left l chunks k,
  Forall is_digit l -> pack_from left (number l) chunks s = k -> k <> [] ->
  exists ls, k = map number ls ++ chunks /\ concat (rev ls) = l ++ s /\ Forall (Forall is_digit) ls.
Proof.
  induction s as [|v s IH]; simpl; intros left l chunks k L E N.
  - exists [l]. simpl. rewrite !app_nil_r. auto.
  - destruct (Nat.ltb_spec v radix) as [V|]; [|congruence]. destruct (left =? 0).
    + replace (radix + v) with (number [v]) in E by (unfold number; simpl; lia).
      assert (Lv : Forall is_digit [v]) by (repeat constructor; exact V).
      destruct (IH _ _ _ k Lv E N) as (ls & -> & C & F).
      exists (ls ++ [l]). rewrite map_app, <- app_assoc, rev_app_distr. simpl. rewrite C.
      repeat split; auto. apply Forall_app. auto.
    + rewrite <- number_snoc in E.
      assert (Lv : Forall is_digit (l ++ [v])) by (apply Forall_app; auto).
      destruct (IH _ _ _ k Lv E N) as (ls & -> & C & F).
      exists ls. rewrite C, <- app_assoc. auto.
Qed.

Lemma map_number_inj ls : forall ks, Forall (Forall is_digit) ls -> Forall (Forall is_digit) ks ->
  map number ls = map number ks -> ls = ks.
Proof.
  induction ls as [|l ls IH]; intros [|k ks] L K E; try discriminate; auto.
  inversion L; subst. inversion K; subst. injection E as E Es. f_equal; auto.
  now apply number_inj.
Qed.

Lemma pack_inj s t : pack s = pack t -> pack s <> [] -> s = t.
Proof.
  intros E N. pose proof N as M. rewrite E in M.
  destruct (pack_from_spec s digits [] [] _ (Forall_nil _) eq_refl N) as (ls & L & C & Fl).
  destruct (pack_from_spec t digits [] [] _ (Forall_nil _) eq_refl M) as (ks & K & D & Fk).
  unfold pack in E. change 1 with (number []) in E. rewrite L, K, !app_nil_r in E.
  simpl in C, D. rewrite <- C, <- D. f_equal. f_equal. now apply map_number_inj.
Qed.
End Packing.

(* ---------- slots ---------- *)

(* A slot is a key of [chunks] numbers and a value. Where nothing is, the key has a 0 in front. All
   slots are in one array of numbers, so that little memory is read for a key. *)
Definition slot := (list nat * nat)%type.
Definition flat (l : list slot) : list nat := flat_map (fun e => fst e ++ [snd e]) l.

Section Slots.
Variable chunks : nat.
Variable numbers : vector nat.

Fixpoint value_at (k : list nat) (position : nat) : option nat :=
  match k with
  | [] => Some (item 0 numbers position)
  | x :: k' => if item 0 numbers position =? x then value_at k' (S position) else None
  end.

(* Looks for a key from slot [i] down to the first one with nothing. *)
Fixpoint probe (fuel i : nat) (k : list nat) : option nat :=
  match fuel with
  | 0 => None
  | S fuel' =>
      let position := i * S chunks in
      if item 0 numbers position =? 0 then None
      else match value_at k position with
           | Some v => Some v
           | None => if i =? 0 then None else probe fuel' (i - 1) k
           end
  end.

Variable slots : list slot.
Hypothesis are_flat : numbers = flat slots.
Hypothesis have_chunks : Forall (fun e => length (fst e) = chunks) slots.

Lemma value_at_in k : forall before v after position,
  numbers = before ++ k ++ v :: after -> position = length before ->
  forall k' u, length k' = length k -> value_at k' position = Some u -> k' = k /\ u = v.
Proof.
  induction k as [|x k IH]; intros before v after position E -> [|x' k'] u; simpl; try discriminate.
  - intros _ [= <-]. split; auto. unfold item. rewrite E. simpl.
    rewrite app_nth2, Nat.sub_diag by auto. reflexivity.
  - intros [= L] H. unfold item in H at 1. rewrite E in H. simpl in H.
    rewrite app_nth2, Nat.sub_diag in H by auto. simpl in H.
    destruct (Nat.eqb_spec x x') as [<-|]; [|discriminate].
    destruct (IH (before ++ [x]) v after (S (length before))) with (k' := k') (u := u) as [-> ->];
      auto.
    + now rewrite <- app_assoc.
    + rewrite app_length. simpl. lia.
Qed.

Lemma flat_split i : i < length slots -> exists before k v after,
  numbers = before ++ k ++ v :: after /\ length before = i * S chunks /\ length k = chunks /\
  In (k, v) slots.
Proof.
  rewrite are_flat. clear are_flat. revert have_chunks i.
  induction slots as [|[k v] l IH]; intros F i L; [inversion L|].
  pose proof (Forall_inv F) as Fk. apply Forall_inv_tail in F as Fl. simpl in L, Fk. destruct i as [|i]; cbn [flat flat_map fst snd].
  - exists [], k, v, (flat l). rewrite <- app_assoc. simpl. auto.
  - destruct (IH Fl i) as (before & k' & v' & after & E & Lb & Lk & I); [lia|].
    exists ((k ++ [v]) ++ before), k', v', after. fold (flat l).
    rewrite E, !app_assoc, !app_length, Lb. simpl. repeat split; auto. lia.
Qed.

Lemma flat_length : length numbers = length slots * S chunks.
Proof.
  rewrite are_flat. clear are_flat. revert have_chunks.
  induction slots as [|[k v] l IH]; simpl; intros F; auto.
  pose proof (Forall_inv F) as Fk. apply Forall_inv_tail in F. simpl in Fk.
  rewrite !app_length. simpl. rewrite IH by auto. lia.
Qed.

Lemma probe_in fuel : forall i k v, length k = chunks -> probe fuel i k = Some v ->
  In (k, v) slots /\ hd 1 k <> 0.
Proof.
  induction fuel as [|fuel IH]; simpl; intros i k v L; [discriminate|].
  destruct (Nat.eqb_spec (item 0 numbers (i * S chunks)) 0) as [|N]; [discriminate|].
  destruct (value_at k (i * S chunks)) as [u|] eqn:V.
  - intros [= <-]. assert (B : i < length slots).
    { destruct (Nat.lt_ge_cases i (length slots)); auto. exfalso. apply N. unfold item.
      apply nth_overflow. rewrite flat_length. now apply Nat.mul_le_mono_r. }
    destruct (flat_split i B) as (before & k' & v' & after & E & Lb & Lk & I).
    destruct (value_at_in k' before v' after _ E (eq_sym Lb) k u) as [-> ->]; auto; [congruence|].
    split; auto. intros H. apply N. unfold item. rewrite E, <- Lb, app_nth2, Nat.sub_diag by auto.
    destruct k' as [|x k']; simpl in *; [discriminate | exact H].
  - destruct (i =? 0); [discriminate|]. now apply IH.
Qed.
End Slots.

(* ---------- tables ---------- *)

(* [more_values] is the radix, less two. There are slots in front of the [first] place. *)
Record table := {
  more_values : nat; per_number : nat; n_chunks : nat; places : nat; first : nat;
  filed : vector nat }.

Definition radix_of (t : table) : nat := S (S (more_values t)).

Definition spread := 31 * 31.

(* Where a key is filed, among [n]. Nothing is proved about it. *)
Definition place_of_key (n : nat) (k : list nat) : nat :=
  fold_left (fun h x => ((h + x) * spread) mod n) k 0.

(* The number of the state with a key. *)
Definition look_up (t : table) (k : list nat) : option nat :=
  match k with
  | [] => None
  | _ =>
      if length k =? n_chunks t
      then probe (n_chunks t) (filed t) (S (first t + places t))
             (first t + place_of_key (places t) k) k
      else None
  end.

Definition key (t : table) (s : list nat) : list nat := pack (radix_of t) (per_number t) s.

Definition entry (t : table) (s : list nat) : option nat := look_up t (key t s).

(* Keys with their values, those without a key left out. *)
Fixpoint keyed (radix per chunks : nat) (l done : list slot) : list slot :=
  match l with
  | [] => done
  | e :: l' =>
      let k := pack radix per (fst e) in
      keyed radix per chunks l' (if length k =? chunks then (k, snd e) :: done else done)
  end.

Fixpoint pad (fuel chunks : nat) (l : list nat) : list nat :=
  match fuel with
  | 0 => l
  | S fuel' => pad fuel' chunks (repeat 0 chunks ++ 0 :: l)
  end.

Fixpoint put (es : list slot) (n : nat) (l : list nat) : nat * list nat :=
  match es with [] => (n, l) | (k, v) :: es' => put es' (S n) (k ++ v :: l) end.

(* The slots of the first [i] places in front of [n] slots that are filled already, each key at its
   place or in front of it, and the number of all slots. *)
Fixpoint arrange (chunks total : nat) (groups : vector (list slot)) (i n : nat) (l : list nat)
  : nat * list nat :=
  match i with
  | 0 => (n + (total - n), pad (total - n) chunks l)
  | S i' =>
      let wanted := total - i in
      let '(n', l') := put (item [] groups i') (n + (wanted - n)) (pad (wanted - n) chunks l) in
      arrange chunks total groups i' n' l'
  end.

(* How many digits a number below [n] has room for. [fuel] bounds the count. *)
Fixpoint n_digits (fuel radix n : nat) : nat :=
  match fuel with
  | 0 => 0
  | S fuel' => if n <? radix then 0 else S (n_digits fuel' radix (n / radix))
  end.

Fixpoint count {A} (n : nat) (l : list A) : nat :=
  match l with [] => n | _ :: l' => count (S n) l' end.

(* The table of a list of entries. Keys are made of numbers below [room], if values are small. *)
Definition table_of (room : nat) (l : list slot) : table :=
  let most := fold_left (fun n e => fold_left Nat.max (fst e) n) l 0 in
  let per := Nat.max 1 (n_digits 62 (S (S most)) (Nat.div2 room)) in
  let chunks := match l with [] => 0 | e :: _ => length (pack (S (S most)) per (fst e)) end in
  let total := S (2 * count 0 l) in
  let groups := grouped total (fun e => place_of_key total (fst e))
                  (keyed (S (S most)) per chunks l []) in
  let '(n, numbers) := arrange chunks total groups total 0 [] in
  {| more_values := most; per_number := per; n_chunks := chunks;
     places := total; first := n - total; filed := vector_of numbers |}.

Lemma keyed_in radix per chunks l : forall done k v, In (k, v) (keyed radix per chunks l done) ->
  In (k, v) done \/ length k = chunks /\ exists s, In (s, v) l /\ pack radix per s = k.
Proof.
  induction l as [|[s u] l IH]; simpl; auto. intros done k v H.
  apply IH in H as [H | (L & t & I & E)]; [|right; split; auto; exists t; auto].
  destruct (Nat.eqb_spec (length (pack radix per s)) chunks) as [L|]; auto.
  destruct H as [[= <- <-] | H]; auto. right. split; auto. exists s. auto.
Qed.

(* A slot of the table has an entry, or nothing. *)
Definition may_be (chunks : nat) (es : list slot) (e : slot) : Prop :=
  length (fst e) = chunks /\ (In e es \/ hd 1 (fst e) = 0 \/ chunks = 0).

Definition slots_from (chunks : nat) (es : list slot) (l : list nat) : Prop :=
  exists slots, l = flat slots /\ Forall (may_be chunks es) slots.

Lemma pad_slots chunks es fuel : forall l, slots_from chunks es l ->
  slots_from chunks es (pad fuel chunks l).
Proof.
  induction fuel as [|fuel IH]; simpl; intros l H; auto. apply IH. destruct H as (slots & -> & F).
  exists ((repeat 0 chunks, 0) :: slots). split; [simpl; now rewrite <- app_assoc|].
  constructor; auto. split; [apply repeat_length|]. right. destruct chunks; simpl; auto.
Qed.

Lemma put_slots chunks es bucket : forall n l n' l', incl bucket es ->
  Forall (fun e => length (fst e) = chunks) bucket -> slots_from chunks es l ->
  put bucket n l = (n', l') -> slots_from chunks es l'.
Proof.
  induction bucket as [|[k v] bucket IH]; simpl; intros n l n' l' I F H; [now intros [= _ <-]|].
  pose proof (Forall_inv F) as Fk. apply Forall_inv_tail in F as Fb. apply IH; auto.
  - intros e He. apply I. now right.
  - destruct H as (slots & -> & S). exists ((k, v) :: slots).
    split; [simpl; now rewrite <- app_assoc|]. constructor; auto. split; auto. left. apply I. now left.
Qed.

Lemma arrange_slots chunks total groups es :
  (forall i, incl (item [] groups i) es) -> Forall (fun e => length (fst e) = chunks) es ->
  forall i n l n' l', slots_from chunks es l ->
  arrange chunks total groups i n l = (n', l') -> slots_from chunks es l'.
Proof.
  intros G F. induction i as [|i IH]; intros n l n' l' H.
  { intros [= _ <-]. now apply pad_slots. }
  cbn [arrange]. destruct (put _ _ _) as [m l1] eqn:P. apply IH.
  eapply put_slots; [apply (G i) | | apply pad_slots, H | exact P].
  apply Forall_forall. intros e I. rewrite Forall_forall in F. apply F, (G i), I.
Qed.

Lemma table_slots room l : let t := table_of room l in
  slots_from (n_chunks t) (keyed (radix_of t) (per_number t) (n_chunks t) l []) (filed t).
Proof.
  unfold table_of. cbv zeta. destruct (arrange _ _ _ _ _ _) as [n numbers] eqn:A.
  unfold radix_of. cbn [more_values per_number n_chunks filed].
  eapply arrange_slots; [| | | exact A].
  - intros i e I. eapply item_grouped, I.
  - apply Forall_forall. intros (k, v) I. apply keyed_in in I as [[] | (L & _)]. exact L.
  - exists []. split; [reflexivity | constructor].
Qed.

Theorem entry_in room l s v : entry (table_of room l) s = Some v -> In (s, v) l.
Proof.
  unfold entry, look_up. set (t := table_of room l).
  destruct (key t s) as [|x k] eqn:K; [discriminate|].
  destruct (Nat.eqb_spec (length (x :: k)) (n_chunks t)) as [L|]; [|discriminate]. intros H.
  destruct (table_slots room l) as (slots & N & F). fold t in N, F.
  assert (C : Forall (fun e => length (fst e) = n_chunks t) slots).
  { eapply Forall_impl; [|exact F]. intros e [E _]. exact E. }
  destruct (probe_in _ _ slots N C _ _ _ _ L H) as [In_slots P].
  rewrite Forall_forall in F. destruct (F _ In_slots) as [_ [I | [Z | Z]]]; [|contradiction |].
  2: { rewrite Z in L. discriminate. }
  apply keyed_in in I as [[] | (_ & u & Iu & E)].
  unfold key in K. replace s with u; auto.
  apply (pack_inj (radix_of t) (per_number t)); try congruence.
  apply le_n_S, le_n_S, Nat.le_0_l.
Qed.
