(* Finding the moves that a state may allow without trying all of them.

   Each move with a test for a value is filed under one such test: a place and a value. A state is
   read once, and only the moves that are filed under one of its values are looked at, beside those
   without such a test. The test is one that few moves have, and few of some given states pass.
   Nothing has to be proved of that choice. *)
From Coq Require Import List Arith Lia Bool.
From PsvnChecker Require Import Keys Step.
Import ListNotations.

(* The tests for a value, with their places. *)
Fixpoint values_tested (i : nat) (ts : list test) : list (nat * nat) :=
  match ts with
  | [] => []
  | Is v :: ts' => (i, v) :: values_tested (S i) ts'
  | _ :: ts' => values_tested (S i) ts'
  end.

Lemma values_tested_nth ts : forall i j v,
  In (j, v) (values_tested i ts) -> i <= j /\ nth_error ts (j - i) = Some (Is v).
Proof.
  induction ts as [|t ts IH]; simpl; [contradiction|]. intros i j v H.
  assert (Tail : In (j, v) (values_tested (S i) ts) ->
                 i <= j /\ nth_error (t :: ts) (j - i) = Some (Is v)).
  { intros H'. apply IH in H' as [L E]. split; [lia|]. now replace (j - i) with (S (j - S i)) by lia. }
  destruct t; auto. destruct H as [[= <- <-] | H]; auto. rewrite Nat.sub_diag. auto.
Qed.

Lemma passes_value s ts i v :
  passes s ts s = true -> In (i, v) (values_tested 0 ts) -> i < length s -> nth i s 0 = v.
Proof.
  intros P H L. apply values_tested_nth in H as [_ E]. rewrite Nat.sub_0_r in E.
  rewrite passes_spec in P. exact (P _ _ E L).
Qed.

(* One of so many items of a list. *)
Fixpoint sampled {A} (gap wait : nat) (l : list A) : list A :=
  match l with
  | [] => []
  | a :: l' => match wait with 0 => a :: sampled gap gap l' | S w => sampled gap w l' end
  end.

Definition sample {A} (l : list A) : list A := sampled 1000 0 l.

Section Dispatch.
Variable A : Type.
Variable tests_of : A -> list test.

(* How often each place has each value, or is tested for it. *)
Fixpoint counted (l : list (nat * nat)) (n : tree nat) : tree nat :=
  match l with
  | [] => n
  | (i, v) :: l' =>
      let k := [i; v] in
      let old := match find k n with Some m => m | None => 0 end in
      counted l' (set k (S old) n)
  end.

Definition count_of (n : tree nat) (p : nat * nat) : nat :=
  match find [fst p; snd p] n with Some m => m | None => 0 end.

Fixpoint rarest (n : tree nat) (best : nat * nat) (l : list (nat * nat)) : nat * nat :=
  match l with
  | [] => best
  | p :: l' => rarest n (if count_of n best <=? count_of n p then best else p) l'
  end.

Lemma rarest_in n l : forall best, In (rarest n best l) (best :: l).
Proof.
  induction l as [|p l IH]; simpl; intros best; auto.
  destruct (count_of n best <=? count_of n p).
  - destruct (IH best) as [E | H]; auto.
  - right. apply IH.
Qed.

(* The place and the value under which a move is filed. *)
Definition choice (n : tree nat) (a : A) : option (nat * nat) :=
  match values_tested 0 (tests_of a) with
  | [] => None
  | p :: l => Some (rarest n p l)
  end.

Lemma choice_in n a i v :
  choice n a = Some (i, v) -> In (i, v) (values_tested 0 (tests_of a)).
Proof.
  unfold choice. destruct (values_tested 0 (tests_of a)) as [|p l]; [discriminate|].
  intros [= E]. rewrite <- E. apply rarest_in.
Qed.

(* [places] has for each place the moves that are filed there, by values. *)
Record dispatch := { places : list (list (nat * list A)); others : list A }.

Definition filed_at (i : nat) (l : list (option (nat * nat) * A)) : list (nat * A) :=
  flat_map (fun e => match fst e with
                     | Some (j, v) => if j =? i then [(v, snd e)] else []
                     | None => []
                     end) l.

Definition by_value (l : list (nat * A)) : list (nat * list A) :=
  map (fun v => (v, map snd (filter (fun e => fst e =? v) l))) (nodup Nat.eq_dec (map fst l)).

Definition dispatch_of (states : list (list nat)) (l : list A) : dispatch :=
  let held := flat_map (fun s => combine (seq 0 (length s)) s) states in
  let n := counted (held ++ flat_map (fun a => values_tested 0 (tests_of a)) l) Leaf in
  let filed := map (fun a => (choice n a, a)) l in
  let place e := match fst e with Some (i, _) => S i | None => 0 end in
  {| places := map (fun i => by_value (filed_at i filed)) (seq 0 (list_max (map place filed)));
     others := map snd (filter (fun e => place e =? 0) filed) |}.

Lemma in_filed_at i v a l : In (Some (i, v), a) l -> In (v, a) (filed_at i l).
Proof.
  intros I. unfold filed_at. apply in_flat_map. eexists. split; [exact I|]. simpl.
  rewrite Nat.eqb_refl. now left.
Qed.

Fixpoint under (v : nat) (l : list (nat * list A)) : list A :=
  match l with
  | [] => []
  | (u, m) :: l' => if v =? u then m else under v l'
  end.

Lemma under_by_value v a l : In (v, a) l -> In a (under v (by_value l)).
Proof.
  intros I. unfold by_value.
  assert (J : In v (nodup Nat.eq_dec (map fst l))).
  { apply nodup_In, in_map_iff. now exists (v, a). }
  induction (nodup Nat.eq_dec (map fst l)) as [|u us IH]; simpl in *; [contradiction|].
  destruct (Nat.eqb_spec v u) as [<-|N].
  - apply in_map_iff. exists (v, a). split; auto. apply filter_In. simpl.
    now rewrite Nat.eqb_refl.
  - apply IH. destruct J as [E | J]; auto. congruence.
Qed.

Lemma under_in v l a : In a (under v l) -> exists e, In e l /\ In a (snd e).
Proof.
  induction l as [|[u m] l IH]; simpl; [contradiction|]. destruct (v =? u).
  - intros I. exists (u, m). auto.
  - intros I. destruct (IH I) as (e & Ie & Ia). eauto.
Qed.

Section All.
Variable f : A -> bool.

Fixpoint all_filed (gs : list (list (nat * list A))) (s : list nat) : bool :=
  match gs with
  | [] => true
  | g :: gs' =>
      match s with
      | [] => if forallb (fun e => forallb f (snd e)) g then all_filed gs' [] else false
      | v :: s' => if forallb f (under v g) then all_filed gs' s' else false
      end
  end.

(* Whether all moves pass that the state may allow. *)
Definition all_allowed (d : dispatch) (s : list nat) : bool :=
  if forallb f (others d) then all_filed (places d) s else false.

Lemma all_filed_nth gs : forall s i g v a, all_filed gs s = true -> nth_error gs i = Some g ->
  (i < length s -> nth i s 0 = v) -> In a (under v g) -> f a = true.
Proof.
  induction gs as [|g0 gs IH]; intros s i g v a; [now destruct i|]. destruct s as [|u s]; simpl.
  - destruct (forallb _ g0) eqn:F; [|discriminate]. intros H E N I.
    destruct i as [|i]; simpl in E.
    + injection E as ->. destruct (under_in v g a I) as (e & Ie & Ia). rewrite forallb_forall in F.
      specialize (F e Ie). rewrite forallb_forall in F. auto.
    + apply (IH [] i g v a); auto. simpl. lia.
  - destruct (forallb f (under u g0)) eqn:F; [|discriminate]. intros H E N I.
    destruct i as [|i]; simpl in *.
    + injection E as ->. rewrite N in F by lia. rewrite forallb_forall in F. auto.
    + apply (IH s i g v a); auto. intros L. apply N. lia.
Qed.

Theorem all_allowed_sound states l s a : all_allowed (dispatch_of states l) s = true ->
  In a l -> passes s (tests_of a) s = true -> f a = true.
Proof.
  unfold all_allowed, dispatch_of. simpl. set (n := counted _ _). intros H I P.
  set (filed := map (fun a => (choice n a, a)) l) in *.
  assert (Ia : In (choice n a, a) filed) by (apply in_map_iff; now exists a).
  destruct (forallb f _) eqn:O in H; [|discriminate].
  destruct (choice n a) as [[i v]|] eqn:C.
  - pose proof (choice_in _ _ _ _ C) as T.
    apply (all_filed_nth _ s i (by_value (filed_at i filed)) v a H).
    + rewrite nth_error_map. set (m := list_max _) in *.
      assert (Li : i < m).
      { unfold m. enough (L : S i <= list_max (map
          (fun e => match fst e with Some (i, _) => S i | None => 0 end) filed)) by exact L.
        apply (proj1 (Forall_forall _ _) (proj1 (list_max_le _ _) (le_n _))), in_map_iff.
        exists (Some (i, v), a). auto. }
      rewrite (nth_error_nth' _ 0); [|now rewrite seq_length]. now rewrite seq_nth.
    + intros L. now apply (passes_value s (tests_of a)).
    + now apply under_by_value, in_filed_at.
  - rewrite forallb_forall in O. apply O. apply in_map_iff. exists (None, a). split; auto.
    apply filter_In. auto.
Qed.

Lemma forallb_fails l : forallb f l = false -> exists a, In a l /\ f a = false.
Proof.
  induction l as [|a l IH]; [discriminate|]. simpl. destruct (f a) eqn:F; [|eauto].
  intros H. destruct (IH H) as (b & I & B). eauto.
Qed.

Lemma all_filed_fails gs : forall s, all_filed gs s = false ->
  exists g e a, In g gs /\ In e g /\ In a (snd e) /\ f a = false.
Proof.
  induction gs as [|g gs IH]; intros s; [discriminate|]. destruct s as [|v s]; simpl.
  - destruct (forallb _ g) eqn:F.
    + intros H. destruct (IH [] H) as (h & e & a & Ih & R). exists h, e, a. auto.
    + intros _. clear IH. induction g as [|e g IHg]; [discriminate|]. simpl in F.
      destruct (forallb f (snd e)) eqn:E.
      * destruct (IHg F) as (h & e' & a & [<- | Ih] & Ie & R).
        -- exists (e :: g), e', a. simpl. auto.
        -- exists h, e', a. simpl. auto.
      * destruct (forallb_fails _ E) as (a & Ia & Fa). exists (e :: g), e, a. simpl. auto.
  - destruct (forallb f (under v g)) eqn:F.
    + intros H. destruct (IH s H) as (h & e & a & Ih & R). exists h, e, a. auto.
    + intros _. destruct (forallb_fails _ F) as (a & Ia & Fa).
      destruct (under_in _ _ _ Ia) as (e & Ie & I). exists g, e, a. simpl. auto.
Qed.

(* If not all pass, one of the moves doesn't. *)
Theorem all_allowed_fails states l s :
  all_allowed (dispatch_of states l) s = false -> exists a, In a l /\ f a = false.
Proof.
  unfold all_allowed, dispatch_of. simpl. set (n := counted _ _).
  set (filed := map (fun a => (choice n a, a)) l).
  assert (back : forall o a, In (o, a) filed -> In a l).
  { intros o a I. apply in_map_iff in I as (b & [= _ <-] & I). exact I. }
  destruct (forallb f _) eqn:O.
  - intros H. destruct (all_filed_fails _ _ H) as (g & e & a & Ig & Ie & Ia & Fa).
    exists a. split; auto. apply in_map_iff in Ig as (i & <- & _).
    apply in_map_iff in Ie as (v & <- & _). simpl in Ia.
    apply in_map_iff in Ia as ([u b] & E & Ia). simpl in E. subst b.
    apply filter_In in Ia as [Ia _]. apply in_flat_map in Ia as ([o b] & Ib & Ia).
    simpl in Ia. destruct o as [[j w]|]; [|destruct Ia].
    destruct (j =? i); [|destruct Ia]. destruct Ia as [[= _ <-] | []]. eapply back, Ib.
  - intros _. destruct (forallb_fails _ O) as (a & I & F). exists a. split; auto.
    apply in_map_iff in I as ([o b] & E & I). simpl in E. subst b.
    apply filter_In in I as [I _]. eapply back, I.
Qed.
End All.
End Dispatch.

Arguments places {A}.
Arguments others {A}.
Arguments all_allowed {A}.
Arguments dispatch_of {A}.

(* ---------- moves that change nothing ---------- *)

(* Whether a move leaves each state that allows it as it is. *)
Fixpoint idle (ts : list test) (ss : list source) : bool :=
  match ss with
  | [] => true
  | Keep :: ss' => idle (tl ts) ss'
  | Put v :: ss' => match hd Any ts with Is u => u =? v | _ => false end && idle (tl ts) ss'
  | From j :: ss' => match hd Any ts with Same i => i =? j | _ => false end && idle (tl ts) ss'
  end.

Lemma idle_rebuild whole ss : forall ts rest,
  idle ts ss = true -> passes whole ts rest = true -> rebuild whole ss rest = rest.
Proof.
  induction ss as [|a ss IH]; intros ts [|v rest]; simpl; auto. intros I P.
  assert (H : holds whole v (hd Any ts) /\ passes whole (tl ts) rest = true).
  { destruct ts as [|t ts]; simpl in *; [auto|].
    destruct t; simpl; auto; rewrite ?pick_nth in P.
    - destruct (Nat.eqb_spec v v0); [auto | discriminate].
    - destruct (Nat.eqb_spec v (nth position whole 0)); [auto | discriminate]. }
  destruct H as [H P']. destruct a as [|u|j].
  - f_equal. eauto.
  - apply andb_prop in I as [E I]. destruct (hd Any ts) as [|w|]; try discriminate.
    apply Nat.eqb_eq in E. simpl in H. f_equal; [congruence | eauto].
  - apply andb_prop in I as [E I]. destruct (hd Any ts) as [| |i]; try discriminate.
    apply Nat.eqb_eq in E. simpl in H. rewrite pick_nth. f_equal; [congruence | eauto].
Qed.

Lemma idle_stays m s t : idle (tests m) (sources m) = true -> carry_out m s = Some t -> t = s.
Proof.
  unfold carry_out. destruct (passes s (tests m) s) eqn:P; [|discriminate]. intros I [= <-].
  now apply (idle_rebuild s _ (tests m)).
Qed.
