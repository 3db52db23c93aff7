(* Abstract games: some variables are left out, and values of others are merged.

   A map for each kept variable says which abstract value stands for a value. A rule becomes one or
   several abstract rules that lead from the abstract image of a state to that of its successor.
   Where an action copies a value that the abstract state doesn't tell, the rule is first split: one
   rule for each value. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Game.
From PsvnChecker Require Import Keys Step Setting.
Import ListNotations.

Definition abstraction := list (option (list nat)).

Fixpoint abstract (ms : abstraction) (s : list nat) : list nat :=
  match ms, s with
  | Some m :: ms', v :: s' => pick m v :: abstract ms' s'
  | None :: ms', _ :: s' => abstract ms' s'
  | _, _ => []
  end.

(* The place of a kept variable in abstract states, and its map. *)
Fixpoint place (ms : abstraction) (j : nat) : option (nat * list nat) :=
  match ms, j with
  | Some m :: _, 0 => Some (0, m)
  | Some _ :: ms', S j' =>
      match place ms' j' with Some (k, m) => Some (S k, m) | None => None end
  | None :: ms', S j' => place ms' j'
  | _, _ => None
  end.

Lemma place_nth ms : forall j k m s,
  length ms = length s -> place ms j = Some (k, m) ->
  nth k (abstract ms s) 0 = nth (nth j s 0) m 0.
Proof.
  induction ms as [|[m'|] ms IH]; intros j k m [|v s]; simpl; try discriminate.
  - intros [= L]. destruct j as [|j]; [intros [= <- <-]; apply pick_nth|].
    destruct (place ms j) as [[k' m'']|] eqn:E; [|discriminate]. intros [= <- <-]. simpl.
    eapply IH; eauto.
  - intros [= L]. destruct j as [|j]; [discriminate|]. now apply IH.
Qed.

(* ---------- rules and patterns ---------- *)

Definition abstract_test (whole : abstraction) (m : list nat) (t : test) : test :=
  match t with
  | Any => Any
  | Is v => Is (nth v m 0)
  | Same j =>
      match place whole j with
      | Some (k, m') => if same m m' then Same k else Any
      | None => Any
      end
  end.

(* Tests of nothing at the end are left out. *)
Definition trim (t : test) (ts : list test) : list test :=
  match t, ts with Any, [] => [] | _, _ => t :: ts end.

Fixpoint abstract_tests (whole ms : abstraction) (ts : list test) : list test :=
  match ms with
  | [] => []
  | None :: ms' => abstract_tests whole ms' (tl ts)
  | Some m :: ms' =>
      trim (abstract_test whole m (hd Any ts)) (abstract_tests whole ms' (tl ts))
  end.

Definition abstract_source (whole : abstraction) (m : list nat) (a : source) : option source :=
  match a with
  | Keep => Some Keep
  | Put v => Some (Put (nth v m 0))
  | From j =>
      match place whole j with
      | Some (k, m') => if same m m' then Some (From k) else None
      | None => None
      end
  end.

Fixpoint abstract_sources (whole ms : abstraction) (ss : list source) : option (list source) :=
  match ms with
  | [] => Some []
  | None :: ms' => abstract_sources whole ms' (tl ss)
  | Some m :: ms' =>
      match abstract_source whole m (hd Keep ss), abstract_sources whole ms' (tl ss) with
      | Some Keep, Some [] => Some []
      | Some a, Some ss' => Some (a :: ss')
      | _, _ => None
      end
  end.

Lemma passes_nil whole s : passes whole [] s = true.
Proof. reflexivity. Qed.

Lemma passes_cons whole t ts v s :
  passes whole (t :: ts) (v :: s) = true <-> holds whole v t /\ passes whole ts s = true.
Proof.
  destruct t; simpl; rewrite ?pick_nth; [tauto | |].
  - destruct (Nat.eqb_spec v v0); intuition discriminate.
  - destruct (Nat.eqb_spec v (nth position whole 0)); intuition discriminate.
Qed.

Lemma passes_hd_tl whole ts v s :
  passes whole ts (v :: s) = true -> holds whole v (hd Any ts) /\ passes whole (tl ts) s = true.
Proof. destruct ts as [|t ts]; [now split|]. apply passes_cons. Qed.

Lemma passes_trim whole t ts v s :
  holds whole v t -> passes whole ts s = true ->
  passes whole (trim t ts) (v :: s) = true.
Proof.
  intros H P. assert (passes whole (t :: ts) (v :: s) = true) by now apply passes_cons.
  destruct t, ts; auto.
Qed.

Lemma rebuild_hd_tl whole ss v s :
  rebuild whole ss (v :: s) = gives whole v (hd Keep ss) :: rebuild whole (tl ss) s.
Proof.
  destruct ss as [|a ss]; [now destruct s|]. simpl. now destruct a; simpl; rewrite ?pick_nth.
Qed.

Section Abstract.
Variable whole : abstraction.
Variable s : list nat.
Hypothesis wide : length whole = length s.

Lemma abstract_test_holds m v t :
  holds s v t -> holds (abstract whole s) (nth v m 0) (abstract_test whole m t).
Proof.
  destruct t as [|c|j]; simpl; auto; [now intros -> |].
  intros ->. destruct (place whole j) as [[k m']|] eqn:P; simpl; auto.
  destruct (same m m') eqn:E; simpl; auto. apply same_eq in E as ->.
  symmetry. eapply place_nth; eauto.
Qed.

Lemma abstract_tests_pass ms : forall ts rest,
  passes s ts rest = true ->
  passes (abstract whole s) (abstract_tests whole ms ts) (abstract ms rest) = true.
Proof.
  induction ms as [|[m|] ms IH]; intros ts [|v rest] P; simpl; auto.
  - now destruct (trim _ _).
  - apply passes_hd_tl in P as [H P]. rewrite pick_nth. apply passes_trim; auto.
    now apply abstract_test_holds.
  - now destruct (abstract_tests _ _ _).
  - apply passes_hd_tl in P as [_ P]. auto.
Qed.

Lemma abstract_source_gives m v a b :
  abstract_source whole m a = Some b ->
  gives (abstract whole s) (nth v m 0) b = nth (gives s v a) m 0.
Proof.
  destruct a as [|c|j]; simpl; [now intros [= <-] | now intros [= <-] |].
  destruct (place whole j) as [[k m']|] eqn:P; [|discriminate].
  destruct (same m m') eqn:E; [|discriminate]. intros [= <-]. simpl. apply same_eq in E as ->.
  eapply place_nth; eauto.
Qed.

Lemma abstract_sources_rebuild ms : forall ss bs rest,
  abstract_sources whole ms ss = Some bs ->
  rebuild (abstract whole s) bs (abstract ms rest) = abstract ms (rebuild s ss rest).
Proof.
  induction ms as [|[m|] ms IH]; intros ss bs rest; simpl.
  - now intros [= <-].
  - destruct (abstract_source whole m (hd Keep ss)) as [b|] eqn:B; [|discriminate].
    destruct (abstract_sources whole ms (tl ss)) as [bs'|] eqn:Bs; [|destruct b; discriminate].
    intros E. destruct rest as [|v rest].
    { destruct ss, bs; reflexivity. }
    rewrite (rebuild_hd_tl s). simpl. rewrite !pick_nth.
    rewrite <- (IH _ _ rest Bs), <- (abstract_source_gives _ _ _ _ B).
    assert (bs = b :: bs' \/ b = Keep /\ bs' = [] /\ bs = []) as [-> | (-> & -> & ->)].
    { destruct b; [destruct bs'|..]; injection E as <-; auto. }
    + now rewrite rebuild_hd_tl.
    + simpl. now destruct (abstract ms rest).
  - intros E. destruct rest as [|v rest]; [now destruct ss, bs|].
    rewrite (rebuild_hd_tl s). now apply IH.
Qed.
End Abstract.

Definition abstract_move (ms : abstraction) (charge : nat) (c : compiled) : option compiled :=
  match abstract_sources ms ms (sources c) with
  | Some ss => Some {| tests := abstract_tests ms ms (tests c); sources := ss; price := charge |}
  | None => None
  end.

Lemma abstract_move_sound ms charge c a s t :
  length ms = length s -> abstract_move ms charge c = Some a -> carry_out c s = Some t ->
  carry_out a (abstract ms s) = Some (abstract ms t) /\ price a = charge.
Proof.
  intros W. unfold abstract_move.
  destruct (abstract_sources ms ms (sources c)) eqn:E; [|discriminate].
  intros [= <-]. unfold carry_out. simpl.
  destruct (passes s (tests c) s) eqn:P; [|discriminate]. intros [= <-].
  rewrite (abstract_tests_pass ms s W ms _ _ P). split; auto. f_equal.
  now apply abstract_sources_rebuild.
Qed.

(* ---------- splitting a rule by the value of a variable ---------- *)

Fixpoint fix_test (j x : nat) (ts : list test) : option (list test) :=
  match j with
  | 0 =>
      match ts with
      | Is c :: _ => if c =? x then Some ts else None
      | _ => Some (Is x :: tl ts)
      end
  | S j' =>
      match fix_test j' x (tl ts) with Some ts' => Some (hd Any ts :: ts') | None => None end
  end.

Definition fix_source (j x : nat) (a : source) : source :=
  match a with From k => if k =? j then Put x else a | _ => a end.

Definition fix_value (j x : nat) (c : compiled) : option compiled :=
  match fix_test j x (tests c) with
  | Some ts =>
      Some {| tests := ts; sources := map (fix_source j x) (sources c); price := price c |}
  | None => None
  end.

Lemma fix_test_passes whole x : forall j ts rest,
  j < length rest -> nth j rest 0 = x -> passes whole ts rest = true ->
  exists ts', fix_test j x ts = Some ts' /\ passes whole ts' rest = true.
Proof.
  induction j as [|j IH]; intros ts [|v rest] L E P; simpl in L; try lia; simpl in E.
  - subst v. apply passes_hd_tl in P as [H P].
    assert (Q : passes whole (Is x :: tl ts) (x :: rest) = true) by now apply passes_cons.
    destruct ts as [|[|c|k] ts]; simpl in *; eauto.
    subst c. rewrite Nat.eqb_refl in *. eexists. split; auto. simpl. now rewrite Nat.eqb_refl.
  - apply passes_hd_tl in P as [H P]. destruct (IH (tl ts) rest) as (ts' & F & P'); auto; [lia|].
    simpl. rewrite F. eexists. split; auto. now apply passes_cons.
Qed.

Lemma fix_source_rebuild whole j ss : forall rest,
  rebuild whole (map (fix_source j (nth j whole 0)) ss) rest = rebuild whole ss rest.
Proof.
  induction ss as [|a ss IH]; intros [|v rest]; simpl; auto. f_equal; auto.
  destruct a as [|c|k]; simpl; auto. rewrite pick_nth.
  destruct (Nat.eqb_spec k j) as [-> |]; auto using pick_nth.
Qed.

Lemma fix_value_sound j c s t :
  j < length s -> carry_out c s = Some t ->
  exists c', fix_value j (nth j s 0) c = Some c' /\ carry_out c' s = Some t.
Proof.
  unfold carry_out, fix_value. intros L.
  destruct (passes s (tests c) s) eqn:P; [|discriminate]. intros [= <-].
  destruct (fix_test_passes s (nth j s 0) j _ s L eq_refl P) as (ts & -> & P').
  eexists. split; [reflexivity|]. simpl. now rewrite P', fix_source_rebuild.
Qed.

(* Rules for each value below [d], with that value. *)
Fixpoint fix_values (d j : nat) (c : compiled) : list (nat * compiled) :=
  match d with
  | 0 => []
  | S x =>
      match fix_value j x c with
      | Some c' => (x, c') :: fix_values x j c
      | None => fix_values x j c
      end
  end.

Lemma fix_values_in d j c x c' :
  x < d -> fix_value j x c = Some c' -> In (x, c') (fix_values d j c).
Proof.
  intros L F. induction d as [|d IH]; [lia|]. simpl.
  assert (x = d \/ x < d) as [-> | L'] by lia; [rewrite F; now left|].
  destruct (fix_value j d c); [right|]; auto.
Qed.

Fixpoint split_all (domains js : list nat) (cs : list compiled) : list compiled :=
  match js with
  | [] => cs
  | j :: js' =>
      if j <? length domains
      then split_all domains js' (flat_map (fun c => map snd (fix_values (nth j domains 0) j c)) cs)
      else split_all domains js' cs
  end.

Lemma split_all_sound domains s t : fits domains s = true -> forall js cs c,
  In c cs -> carry_out c s = Some t ->
  exists c', In c' (split_all domains js cs) /\ carry_out c' s = Some t.
Proof.
  intros F. apply fits_spec in F as [L F].
  induction js as [|j js IH]; simpl; intros cs c I C; eauto.
  destruct (Nat.ltb_spec j (length domains)) as [J|]; [|eauto].
  rewrite <- L in J. destruct (fix_value_sound j c s t J C) as (c' & E & C').
  apply (IH _ c'); auto. apply in_flat_map. exists c. split; auto.
  apply in_map_iff. exists (nth j s 0, c'). split; auto. apply fix_values_in; auto.
Qed.

(* The variables whose values an abstract rule would have to know, but can't. *)
Fixpoint unknown_sources (whole ms : abstraction) (ss : list source) : list nat :=
  match ms, ss with
  | Some m :: ms', From j :: ss' =>
      match abstract_source whole m (From j) with
      | Some _ => unknown_sources whole ms' ss'
      | None => j :: unknown_sources whole ms' ss'
      end
  | _ :: ms', _ :: ss' => unknown_sources whole ms' ss'
  | _, _ => []
  end.

Definition compiled_eq_dec (a b : compiled) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

(* The abstract rules of a rule, each at a charge. *)
Definition abstract_moves (domains : list nat) (ms : abstraction) (charge : nat) (c : compiled)
  : option (list compiled) :=
  all_some (abstract_move ms charge)
    (split_all domains (unknown_sources ms ms (sources c)) [c]).

Lemma abstract_moves_sound domains ms charge c cs s t :
  length ms = length domains -> fits domains s = true ->
  abstract_moves domains ms charge c = Some cs -> carry_out c s = Some t ->
  exists a, In a cs /\ carry_out a (abstract ms s) = Some (abstract ms t) /\ price a = charge.
Proof.
  intros W F A C.
  destruct (split_all_sound domains s t F (unknown_sources ms ms (sources c)) [c] c)
    as (c' & I & C'); simpl; auto.
  apply In_nth_error in I as [i E]. destruct (all_some_nth _ _ _ A _ _ E) as (a & Ea & M).
  exists a. split; [eapply nth_error_In; eauto|].
  apply (abstract_move_sound ms charge c'); auto.
  apply fits_spec in F as [L _]. congruence.
Qed.
