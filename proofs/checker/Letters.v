(* The letters of machines: rules, or parts of rules.

   A part of a rule is the rule in the states where some variables have given values. In each state
   with the invariants in which a rule can be used, just one of its parts can: the values of the
   variables that the parts name are tried one after the other, until one part is left. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game Terms Parts.
From PsvnChecker Require Import Keys Step Setting Abstraction NoSolution Within.
Import ListNotations.

(* The rule, and the variables with their values. *)
Record piece := { whole : nat; conditions : list (nat * nat) }.

(* The rule where the conditions hold, if it can be used there at all. *)
Fixpoint where_all (cs : list (nat * nat)) (r : rule) : option rule :=
  match cs with
  | [] => Some r
  | (j, v) :: cs' =>
      match nth_error (pre r) j with
      | Some (Const u) => if u =? v then where_all cs' r else None
      | Some (Var x) => where_all cs' (part r x v)
      | None => None
      end
  end.

Definition hold (cs : list (nat * nat)) (s : state) : Prop :=
  Forall (fun e => nth (fst e) s 0 = snd e) cs.

Lemma where_all_leads cs : forall r p s t,
  where_all cs r = Some p -> (leads p s t <-> leads r s t /\ hold cs s).
Proof.
  induction cs as [|(j, v) cs IH]; simpl; intros r p s t H.
  - injection H as <-. split; [|now intros []]. intros L. split; [exact L | constructor].
  - destruct (nth_error (pre r) j) as [[u|x]|] eqn:E; [| |discriminate].
    + destruct (Nat.eqb_spec u v) as [-> | _]; [|discriminate]. rewrite (IH _ _ s t H).
      split; intros (L & C); split; auto; [|now inversion C].
      constructor; auto. destruct L as (f & <- & _). simpl. now rewrite (nth_map_inst f _ _ _ E).
    + pose proof (nth_error_In _ _ E) as I. rewrite (IH _ _ s t H), (part_leads r x v s t I).
      assert (V : leads r s t -> Terms.value s (first x (pre r)) = nth j s 0).
      { intros (f & <- & _). destruct (first_entry x (pre r) I) as (_ & F).
        rewrite entry_inst, F. now rewrite (nth_map_inst f _ _ _ E). }
      split.
      * intros ((L & W) & C). split; auto. constructor; auto. simpl. now rewrite <- (V L).
      * intros (L & C). inversion C as [|? ? W C']; subst. simpl in W. rewrite <- W. auto.
Qed.

Lemma where_all_cost cs : forall r p, where_all cs r = Some p -> cost p = cost r.
Proof.
  induction cs as [|(j, v) cs IH]; simpl; intros r p H; [now injection H as <-|].
  destruct (nth_error (pre r) j) as [[u|x]|]; [| |discriminate].
  - destruct (u =? v); [now apply IH | discriminate].
  - now apply IH in H.
Qed.

(* ---------- the game of letters ---------- *)

(* No parts are listed where the letters are the rules. *)
Definition owner (ps : list piece) (q : nat) : nat :=
  match ps with [] => q | _ => nth q (map whole ps) 0 end.

Lemma some_pieces (ps : list piece) : ps = [] \/ exists q ps', ps = q :: ps'.
Proof. destruct ps; eauto. Qed.

Lemma owner_nth ps q : ps <> [] -> owner ps q = nth q (map whole ps) 0.
Proof. now destruct ps. Qed.

Definition cut (g : game) (q : piece) : option rule :=
  match nth_error (rules g) (whole q) with
  | Some r => where_all (conditions q) r
  | None => None
  end.

Definition alphabet (g : game) (ps : list piece) : option game :=
  match ps with
  | [] => Some g
  | _ => option_map (fun rs => {| rules := rs; goals := goals g |}) (all_some (cut g) ps)
  end.

Section Alphabet.
Variables g l : game.
Variable ps : list piece.
Hypothesis is_alphabet : alphabet g ps = Some l.

Lemma alphabet_goals : goals l = goals g.
Proof.
  unfold alphabet in is_alphabet. destruct ps as [|q ps']; [now injection is_alphabet as <-|].
  destruct (all_some _ _); [|discriminate]. now injection is_alphabet as <-.
Qed.

Lemma alphabet_rules q ps' : ps = q :: ps' -> all_some (cut g) ps = Some (rules l).
Proof.
  intros E. unfold alphabet in is_alphabet. rewrite E in *.
  destruct (all_some _ _); [|discriminate]. now injection is_alphabet as <-.
Qed.

Lemma letter_of_piece i r : ps <> [] -> nth_error (rules l) i = Some r ->
  exists q, nth_error ps i = Some q /\ cut g q = Some r /\ owner ps i = whole q.
Proof.
  intros N E. destruct (some_pieces ps) as [P | (q0 & ps' & P)]; [contradiction|].
  destruct (all_some_nth_back _ _ _ (alphabet_rules _ _ P) _ _ E) as (q & Eq & C).
  exists q. repeat split; auto. rewrite (owner_nth _ _ N). apply nth_error_nth, map_nth_error, Eq.
Qed.

Lemma letter_sound q s t :
  step l q s t -> step g (owner ps q) s t /\ rule_cost l q = rule_cost g (owner ps q).
Proof.
  intros S. destruct (some_pieces ps) as [P | (q0 & ps' & P)].
  { unfold alphabet, owner in *. rewrite P in *. injection is_alphabet as <-. auto. }
  destruct S as (r & E & L).
  destruct (letter_of_piece q r) as (x & _ & C & O); [congruence | auto |]. rewrite O.
  unfold cut in C. unfold step, rule_cost. rewrite E.
  destruct (nth_error (rules g) (whole x)) as [r0|]; [|discriminate].
  rewrite (where_all_cost _ _ _ C). apply (where_all_leads _ _ _ s t C) in L as (L & _). eauto.
Qed.

Lemma letters_cost w s t :
  runs l w s t -> cost_of l w = cost_of g (map (owner ps) w).
Proof.
  revert s. induction w as [|q w IH]; intros s; [reflexivity|]. intros (m & S & R).
  destruct (letter_sound _ _ _ S) as [_ K]. specialize (IH _ R). unfold cost_of in *. simpl. lia.
Qed.
End Alphabet.

(* ---------- parts cover their rules ---------- *)

Section Cover.
Variable invs : list invariant.
Variable domains : list nat.
Variable qs : list piece.

(* The tests let only states pass in which the condition holds, or none of them. *)
Definition given (ts : list test) (e : nat * nat) : bool :=
  match nth_error ts (fst e) with Some (Is v) => v =? snd e | _ => false end.
Definition denied (ts : list test) (e : nat * nat) : bool :=
  match nth_error ts (fst e) with Some (Is v) => negb (v =? snd e) | _ => false end.

(* A variable whose value decides whether a part can be used. Nothing is proved of this. *)
Definition open_variable (ts : list test) : option nat :=
  match filter (fun q => negb (existsb (denied ts) (conditions q))) qs with
  | [] => None
  | q :: _ => option_map fst (List.find (fun e => negb (given ts e)) (conditions q))
  end.

Fixpoint covers (fuel : nat) (c : compiled) : bool :=
  if ruled_out invs domains (tests c) then true
  else if existsb (fun q => forallb (given (tests c)) (conditions q)) qs then true
  else match fuel, open_variable (tests c) with
       | S fuel', Some j =>
           (j <? length domains) &&
           forallb (fun e => covers fuel' (snd e)) (fix_values (nth j domains 0) j c)
       | _, _ => false
       end.

Lemma given_holds ts e s :
  passes s ts s = true -> fst e < length s -> given ts e = true -> nth (fst e) s 0 = snd e.
Proof.
  intros P L G. unfold given in G. destruct (nth_error ts (fst e)) as [[|v|j]|] eqn:E;
    try discriminate. rewrite passes_spec in P. specialize (P _ _ E L). simpl in P.
  apply Nat.eqb_eq in G. congruence.
Qed.

Theorem covers_sound fuel : forall c s t,
  (forall q e, In q qs -> In e (conditions q) -> fst e < length domains) ->
  inside invs domains s -> covers fuel c = true -> carry_out c s = Some t ->
  exists q, In q qs /\ hold (conditions q) s.
Proof.
  induction fuel as [|fuel IH]; intros c s t W I C K;
    assert (P : passes s (tests c) s = true)
      by (unfold carry_out in K; destruct (passes _ _ _); [reflexivity | discriminate]);
    simpl in C; rewrite (ruled_out_sound invs domains _ s I P) in C;
    destruct I as [F I];
    assert (L : length s = length domains) by (now apply fits_spec in F as [L _]);
    destruct (existsb _ _) eqn:X; try discriminate.
  1, 2: apply existsb_exists in X as (q & Iq & G); exists q; split; auto;
    apply Forall_forall; intros e Ie; rewrite forallb_forall in G;
    apply (given_holds (tests c)); auto; rewrite L; eauto.
  destruct (open_variable _) as [j|]; [|discriminate]. apply andb_prop in C as [J C].
  apply Nat.ltb_lt in J. rewrite <- L in J.
  destruct (fix_value_sound j c s t J K) as (c' & E & K').
  rewrite forallb_forall in C.
  apply (IH c' s t W (conj F I)); auto.
  apply (C (nth j s 0, c')), fix_values_in; auto. apply fits_spec in F as [_ F]. now apply F.
Qed.
End Cover.

(* ---------- the check ---------- *)

(* No state allows both parts. *)
Definition apart (q r : piece) : bool :=
  existsb (fun e => existsb (fun f => (fst e =? fst f) && negb (snd e =? snd f)) (conditions r))
    (conditions q).

Fixpoint all_apart (qs : list piece) : bool :=
  match qs with [] => true | q :: qs' => forallb (apart q) qs' && all_apart qs' end.

(* The conditions name variables, and the parts of each rule are apart and cover it. *)
Definition splits_rules (invs : list invariant) (domains : list nat) (ms : list compiled)
    (ps : list piece) : bool :=
  forallb (fun q => forallb (fun e => fst e <? length domains) (conditions q)) ps &&
  forallb (fun e => let qs := filter (fun q => whole q =? fst e) ps in
                    all_apart qs && covers invs domains qs (length domains) (snd e))
    (combine (seq 0 (length ms)) ms).

Definition well_split (invs : list invariant) (domains : list nat) (ms : list compiled)
    (ps : list piece) : bool :=
  match ps with [] => true | _ => splits_rules invs domains ms ps end.

Section Split.
Variable invs : list invariant.
Variable c : setting.
Variable p : prepared.
Variable ps : list piece.
Variable l : game.
Hypothesis is_prepared : prepare c = Some p.
Hypothesis is_alphabet : alphabet (of_game c) ps = Some l.
Hypothesis is_split : well_split invs (domains c) (moves p) ps = true.

Lemma numbered_nth {A} (m : list A) i a :
  nth_error m i = Some a -> In (i, a) (combine (seq 0 (length m)) m).
Proof.
  intros E. replace i with (0 + i) by reflexivity. revert i E. generalize 0.
  induction m as [|a0 m IH]; intros n [|i] E; try discriminate; simpl in *.
  - injection E as ->. left. now rewrite Nat.add_0_r.
  - right. rewrite Nat.add_succ_r. now apply (IH (S n)).
Qed.

(* Where a rule can be used, one of its letters can. *)
Lemma letters_complete o s t : inside invs (domains c) s -> step (of_game c) o s t ->
  exists q, owner ps q = o /\ step l q s t.
Proof.
  intros I S. destruct (some_pieces ps) as [P | (q0 & ps' & P)].
  { unfold alphabet, owner in *. rewrite P in *. injection is_alphabet as <-. eauto. }
  assert (N : ps <> []) by congruence.
  assert (W : splits_rules invs (domains c) (moves p) ps = true).
  { unfold well_split in is_split. now rewrite P in *. }
  apply andb_prop in W as [V W]. rewrite forallb_forall in V, W.
  destruct (moves_complete c p is_prepared o s t (proj1 I) S) as (m & E & K & _ & _).
  specialize (W _ (numbered_nth _ _ _ E)). simpl in W. apply andb_prop in W as [_ W].
  edestruct covers_sound as (q & Iq & H); [ | exact I | exact W | exact K |].
  { intros q e Iq Ie. apply filter_In in Iq as [Iq _]. specialize (V q Iq).
    rewrite forallb_forall in V. now apply Nat.ltb_lt, V. }
  apply filter_In in Iq as [Iq O]. apply Nat.eqb_eq in O. apply In_nth_error in Iq as (i & Ei).
  destruct (all_some_nth _ _ _ (alphabet_rules _ _ _ is_alphabet _ _ P) _ _ Ei) as (r & Er & C).
  exists i. rewrite (owner_nth _ _ N).
  split; [now rewrite (nth_error_nth (map whole ps) i 0 (map_nth_error whole _ _ Ei))|].
  exists r. split; auto. unfold cut in C. rewrite O in C. destruct S as (r0 & E0 & L).
  rewrite E0 in C. now apply (where_all_leads _ _ _ s t C).
Qed.

Lemma apart_sound q r s :
  apart q r = true -> hold (conditions q) s -> hold (conditions r) s -> False.
Proof.
  unfold apart, hold. rewrite !Forall_forall. intros A Q R.
  apply existsb_exists in A as (e & Ie & A). apply existsb_exists in A as (f & If & A).
  apply andb_prop in A as [V A]. apply Nat.eqb_eq in V. apply negb_true_iff, Nat.eqb_neq in A.
  specialize (Q _ Ie). specialize (R _ If). rewrite V in Q. congruence.
Qed.

(* Parts at two places of a list in which all are apart. *)
Lemma all_apart_nth qs : forall i j q r, all_apart qs = true -> i < j ->
  nth_error qs i = Some q -> nth_error qs j = Some r -> apart q r = true.
Proof.
  induction qs as [|q0 qs IH]; intros i j q r A L Ei Ej; [now destruct i|].
  simpl in A. apply andb_prop in A as [A B]. destruct j as [|j]; [lia|]. simpl in Ej.
  destruct i as [|i]; simpl in Ei.
  - injection Ei as ->. rewrite forallb_forall in A. apply A. eapply nth_error_In; eauto.
  - apply (IH i j); auto. lia.
Qed.

Lemma filter_places {A} (f : A -> bool) m : forall i j a b, i < j ->
  nth_error m i = Some a -> nth_error m j = Some b -> f a = true -> f b = true ->
  exists i' j', i' < j' /\ nth_error (filter f m) i' = Some a /\ nth_error (filter f m) j' = Some b.
Proof.
  induction m as [|a0 m IH]; intros i j a b L Ei Ej Fa Fb; [now destruct i|].
  destruct j as [|j]; [lia|]. simpl in Ej. destruct i as [|i]; simpl in Ei.
  - injection Ei as ->. simpl. rewrite Fa.
    assert (I : In b (filter f m)) by (apply filter_In; split; auto; eapply nth_error_In; eauto).
    apply In_nth_error in I as (k & Ek). exists 0, (S k). repeat split; auto. lia.
  - destruct (IH i j a b) as (i' & j' & L' & Ei' & Ej'); auto; [lia|]. simpl.
    destruct (f a0); [exists (S i'), (S j') | exists i', j']; repeat split; auto. lia.
Qed.

(* Two letters of a rule can't be used in one state. *)
Lemma letters_apart q r s t u : owner ps q = owner ps r -> step l q s t -> step l r s u -> q = r.
Proof.
  intros O Q R. destruct (some_pieces ps) as [P | (q0 & ps' & P)].
  { unfold owner in O. now rewrite P in O. }
  assert (N : ps <> []) by congruence.
  assert (W : splits_rules invs (domains c) (moves p) ps = true).
  { unfold well_split in is_split. now rewrite P in *. }
  apply andb_prop in W as [_ W]. rewrite forallb_forall in W.
  destruct Q as (rq & Eq & Lq), R as (rr & Er & Lr).
  destruct (letter_of_piece _ _ _ is_alphabet q rq N Eq) as (x & Ex & Cx & Ox).
  destruct (letter_of_piece _ _ _ is_alphabet r rr N Er) as (y & Ey & Cy & Oy).
  assert (Hx : hold (conditions x) s).
  { unfold cut in Cx. destruct (nth_error _ (whole x)); [|discriminate].
    now apply (where_all_leads _ _ _ s t Cx) in Lq. }
  assert (Hy : hold (conditions y) s).
  { unfold cut in Cy. destruct (nth_error _ (whole y)); [|discriminate].
    now apply (where_all_leads _ _ _ s u Cy) in Lr. }
  assert (Same : whole x = whole y) by congruence.
  assert (Known : exists m, nth_error (moves p) (whole x) = Some m).
  { unfold cut in Cx. destruct (nth_error (rules (of_game c)) (whole x)) as [r0|] eqn:E0;
      [|discriminate]. destruct (prepare_parts c p is_prepared) as (_ & M & _).
    destruct (all_some_nth _ _ _ M _ _ E0) as (m & Em & _). eauto. }
  destruct Known as (m & Em). specialize (W _ (numbered_nth _ _ _ Em)). simpl in W.
  apply andb_prop in W as [A _].
  destruct (Nat.lt_trichotomy q r) as [L | [E | L]]; auto; exfalso.
  - destruct (filter_places (fun z => whole z =? whole x) ps q r x y) as (i & j & Lij & Ei & Ej);
      auto; try (apply Nat.eqb_eq; congruence).
    pose proof (all_apart_nth _ _ _ _ _ A Lij Ei Ej) as D. now apply (apart_sound x y s).
  - destruct (filter_places (fun z => whole z =? whole x) ps r q y x) as (i & j & Lij & Ei & Ej);
      auto; try (apply Nat.eqb_eq; congruence).
    pose proof (all_apart_nth _ _ _ _ _ A Lij Ei Ej) as D. now apply (apart_sound y x s).
Qed.
End Split.
