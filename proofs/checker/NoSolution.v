(* Proofs that there is no plan: a set of states that has the start, no goal, and that no rule
   leaves. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Tables Step Dispatch Setting Abstraction.
Import ListNotations.

(* The principle: [inv] holds at the start, each rule keeps it, and no goal has it. *)
Lemma invariant_no_solution c p (inv : state -> Prop) :
  prepare c = Some p ->
  inv (start c) ->
  (forall m s t, In m (moves p) -> fits (domains c) s = true -> inv s ->
                 carry_out m s = Some t -> inv t) ->
  (forall s, fits (domains c) s = true -> inv s -> goal_test p s = false) ->
  no_solution (of_game c) (start c).
Proof.
  intros P I0 Step Goal w (t & R & G).
  assert (H : forall w s, fits (domains c) s = true -> inv s -> runs (of_game c) w s t ->
              fits (domains c) t = true /\ inv t).
  { clear w R. induction w as [|i w IH]; intros s F I R; simpl in R; [now subst|].
    destruct R as (u & Su & R). destruct (moves_complete c p P i s u F Su) as (m & M & C & _ & Fu).
    apply (IH u); auto. apply (Step m s); auto. eapply nth_error_In; eauto. }
  destruct (H w _ (start_fits c p P) I0 R) as [F I].
  pose proof (goal_test_complete c p P t F G). rewrite Goal in *; congruence.
Qed.

(* ---------- all states, or all abstract states, that can be reached ---------- *)

Definition check_exhausted (c : setting) (room : nat) (ms : abstraction)
    (entries : list (list nat * nat)) : bool :=
  match prepare c with
  | Some p =>
      if length ms =? length (domains c) then
        match all_some (abstract_moves (domains c) ms 0) (moves p) with
        | Some ls =>
            let gs := map (abstract_tests ms ms) (ends p) in
            let rules := dispatch_of tests (map fst (sample entries)) (concat ls) in
            let t := table_of room entries in
            let listed a := match entry t a with Some _ => true | None => false end in
            listed (abstract ms (start c)) &&
            forallb (fun e =>
              let a := fst e in
              negb (existsb (fun ts => passes a ts a) gs) &&
              all_allowed (fun m => match carry_out m a with Some b => listed b | None => true end)
                rules a) entries
        | None => false
        end
      else false
  | None => false
  end.

Theorem check_exhausted_sound c room ms entries :
  check_exhausted c room ms entries = true -> no_solution (of_game c) (start c).
Proof.
  unfold check_exhausted. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (Nat.eqb_spec (length ms) (length (domains c))) as [W|]; [|discriminate].
  destruct (all_some _ _) as [ls|] eqn:A; [|discriminate].
  set (listed := fun a => match entry (table_of room entries) a with
                          | Some _ => true | None => false end).
  intros H. apply andb_prop in H as [H0 H]. rewrite forallb_forall in H.
  assert (L : forall a, listed a = true -> exists v, In (a, v) entries).
  { clear. intros a. unfold listed.
    destruct (entry (table_of room entries) a) as [v|] eqn:E; [|discriminate].
    intros _. exists v. apply entry_in in E. exact E. }
  apply (invariant_no_solution c p (fun s => listed (abstract ms s) = true) P H0).
  - intros m s t M F I C. apply L in I as (v & I). specialize (H _ I). simpl in H.
    apply andb_prop in H as [_ H]. apply In_nth_error in M as (i & M).
    destruct (all_some_nth _ _ _ A _ _ M) as (cs & Ics & Ac).
    destruct (abstract_moves_sound _ _ _ _ _ s t W F Ac C) as (a & Ia & Ca & _).
    pose proof Ca as Q. unfold carry_out in Q.
    destruct (passes _ (tests a) _) eqn:Q'; [clear Q | discriminate].
    apply (all_allowed_sound _ tests _ _ _ _ a) in H; auto; [cbv beta in H; now rewrite Ca in H|].
    apply in_concat. exists cs. split; auto. eapply nth_error_In; eauto.
  - intros s F I. apply L in I as (v & I). specialize (H _ I). simpl in H.
    apply andb_prop in H as [H _]. apply negb_true_iff in H.
    apply not_true_iff_false. intros G. apply not_true_iff_false in H. apply H.
    unfold goal_test in G. apply existsb_exists in G as (ts & Its & Pt). apply existsb_exists.
    exists (abstract_tests ms ms ts). split; [now apply in_map|].
    apply abstract_tests_pass; auto. apply fits_spec in F as [Ls _]. congruence.
Qed.

(* ---------- sums of weights ---------- *)

(* A weight for each value of each variable. The sum over all variables is kept by each rule, modulo
   a number, or exactly if that number is 0. *)
Fixpoint weigh (ws : list (list nat)) (s : list nat) : nat :=
  match ws, s with
  | w :: ws', v :: s' => nth v w 0 + weigh ws' s'
  | _, _ => 0
  end.

Definition equal_modulo (m a b : nat) : bool :=
  if m =? 0 then a =? b else Nat.modulo a m =? Nat.modulo b m.

(* What a move adds and what it takes away, where that is the same in all states. *)
Fixpoint change (ws : list (list nat)) (ts : list test) (ss : list source) : option (nat * nat) :=
  match ws with
  | [] => Some (0, 0)
  | w :: ws' =>
      match hd Keep ss, hd Any ts, change ws' (tl ts) (tl ss) with
      | Keep, _, e => e
      | Put v, Is u, Some (more, less) => Some (nth v w 0 + more, nth u w 0 + less)
      | _, _, _ => None
      end
  end.

Lemma change_sound whole ws : forall ts ss more less rest,
  length ws = length rest ->
  change ws ts ss = Some (more, less) -> passes whole ts rest = true ->
  weigh ws (rebuild whole ss rest) + less = weigh ws rest + more.
Proof.
  induction ws as [|w ws IH]; intros ts ss more less [|v rest]; simpl; try discriminate.
  - intros _ [= <- <-] _. lia.
  - intros [= L] C P. apply passes_hd_tl in P as [H P]. rewrite rebuild_hd_tl. simpl.
    destruct (hd Keep ss) as [|u|]; [| |discriminate].
    + specialize (IH _ _ _ _ rest L C P). simpl. lia.
    + destruct (hd Any ts) as [|u'|]; try discriminate.
      destruct (change ws _ _) as [[more' less']|] eqn:E; [|discriminate]. injection C as <- <-.
      specialize (IH _ _ _ _ rest L E P). simpl in *. subst. lia.
Qed.

Lemma digits_unique p a b v w : a < p -> b < p -> a + v * p = b + w * p -> a = b.
Proof.
  intros Ha Hb E. assert (v = w); [|subst; lia].
  destruct (Nat.lt_trichotomy v w) as [L | [L | L]]; auto; exfalso; nia.
Qed.

Lemma equal_modulo_cancel m a b x y :
  equal_modulo m x y = true -> a + y = b + x -> equal_modulo m a b = true.
Proof.
  unfold equal_modulo. destruct (Nat.eqb_spec m 0) as [->|N]; rewrite !Nat.eqb_eq; [lia|].
  intros E S. pose proof (Nat.div_mod a m N). pose proof (Nat.div_mod b m N).
  pose proof (Nat.div_mod x m N). pose proof (Nat.div_mod y m N).
  apply (digits_unique m _ _ (a / m + y / m) (b / m + x / m)); try now apply Nat.mod_upper_bound.
  rewrite E in *. nia.
Qed.

Lemma equal_modulo_trans m a b d :
  equal_modulo m a b = true -> equal_modulo m b d = true -> equal_modulo m a d = true.
Proof. unfold equal_modulo. destruct (m =? 0); rewrite !Nat.eqb_eq; congruence. Qed.

(* The variables that a rule changes, and those that it copies from. *)
Fixpoint touched (i : nat) (ss : list source) : list nat :=
  match ss with
  | [] => []
  | Keep :: ss' => touched (S i) ss'
  | Put _ :: ss' => i :: touched (S i) ss'
  | From j :: ss' => i :: j :: touched (S i) ss'
  end.

Definition keeps_sum (domains : list nat) (m : nat) (ws : list (list nat)) (c : compiled) : bool :=
  forallb (fun c' => match change ws (tests c') (sources c') with
                     | Some (more, less) => equal_modulo m more less
                     | None => false
                     end)
    (split_all domains (nodup Nat.eq_dec (touched 0 (sources c))) [c]).

Lemma keeps_sum_sound domains m ws c s t :
  length ws = length domains -> fits domains s = true ->
  keeps_sum domains m ws c = true -> carry_out c s = Some t ->
  equal_modulo m (weigh ws t) (weigh ws s) = true.
Proof.
  intros W F K C. unfold keeps_sum in K. rewrite forallb_forall in K.
  destruct (split_all_sound domains s t F (nodup Nat.eq_dec (touched 0 (sources c))) [c] c)
    as (c' & I & C'); simpl; auto.
  specialize (K c' I). destruct (change _ _ _) as [[more less]|] eqn:E; [|discriminate].
  unfold carry_out in C'. destruct (passes s (tests c') s) eqn:P; [|discriminate].
  injection C' as <-. apply (equal_modulo_cancel m _ _ more less K).
  apply (change_sound s ws (tests c')); auto. apply fits_spec in F as [L _]. congruence.
Qed.

Definition add_modulo (m a b : nat) : nat := if m =? 0 then a + b else Nat.modulo (a + b) m.

(* The sums that states of a pattern may have, modulo m. *)
Fixpoint sums (m : nat) (ws : list (list nat)) (domains : list nat) (ts : list test) : list nat :=
  match ws, domains with
  | w :: ws', d :: domains' =>
      let add v := add_modulo m (nth v w 0) in
      let rest := sums m ws' domains' (tl ts) in
      match hd Any ts with
      | Is v => nodup Nat.eq_dec (map (add v) rest)
      | _ => nodup Nat.eq_dec (flat_map (fun v => map (add v) rest) (seq 0 d))
      end
  | _, _ => [0]
  end.

Lemma sums_complete m whole ws : forall domains ts s,
  length ws = length domains -> fits domains s = true -> passes whole ts s = true ->
  exists x, In x (sums m ws domains ts) /\ equal_modulo m x (weigh ws s) = true.
Proof.
  induction ws as [|w ws IH]; intros [|d domains] ts [|v s]; simpl; try discriminate.
  - intros _ _ _. exists 0. split; auto. unfold equal_modulo. destruct (m =? 0); apply Nat.eqb_refl.
  - intros [= L]. destruct (Nat.ltb_spec v d) as [D|]; [|discriminate]. intros F P.
    apply passes_hd_tl in P as [H P]. destruct (IH domains (tl ts) s L F P) as (x & I & E).
    exists (add_modulo m (nth v w 0) x). split.
    + assert (M := in_map (add_modulo m (nth v w 0)) _ _ I).
      destruct (hd Any ts) as [|u|]; apply nodup_In.
      * apply in_flat_map. exists v. split; [apply in_seq; lia | exact M].
      * simpl in H. subst u. exact M.
      * apply in_flat_map. exists v. split; [apply in_seq; lia | exact M].
    + unfold add_modulo, equal_modulo in *.
      destruct (Nat.eqb_spec m 0) as [|N]; rewrite Nat.eqb_eq in *.
      * lia.
      * rewrite Nat.mod_mod by auto. rewrite <- Nat.add_mod_idemp_r by auto.
        rewrite E. now rewrite Nat.add_mod_idemp_r.
Qed.

Definition check_sums (c : setting) (m : nat) (ws : list (list nat)) : bool :=
  match prepare c with
  | Some p =>
      (length ws =? length (domains c)) &&
      forallb (keeps_sum (domains c) m ws) (moves p) &&
      forallb (fun ts => forallb (fun x => negb (equal_modulo m x (weigh ws (start c))))
                           (sums m ws (domains c) ts)) (ends p)
  | None => false
  end.

Theorem check_sums_sound c m ws :
  check_sums c m ws = true -> no_solution (of_game c) (start c).
Proof.
  unfold check_sums. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  intros H. apply andb_prop in H as [H G]. apply andb_prop in H as [W K].
  apply Nat.eqb_eq in W. rewrite forallb_forall in K, G.
  apply (invariant_no_solution c p
    (fun s => equal_modulo m (weigh ws s) (weigh ws (start c)) = true) P).
  - unfold equal_modulo. destruct (m =? 0); apply Nat.eqb_refl.
  - intros c' s t I F E C. apply (equal_modulo_trans m _ (weigh ws s)); auto.
    apply (keeps_sum_sound (domains c) m ws c'); auto.
  - intros s F E. apply not_true_iff_false. intros T. unfold goal_test in T.
    apply existsb_exists in T as (ts & I & Pt). specialize (G ts I). rewrite forallb_forall in G.
    destruct (sums_complete m s ws (domains c) ts s W F Pt) as (x & Ix & Ex).
    specialize (G x Ix). apply negb_true_iff in G.
    rewrite (equal_modulo_trans m _ _ _ Ex E) in G. discriminate.
Qed.
