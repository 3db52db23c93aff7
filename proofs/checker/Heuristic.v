(* Heuristics from tables of abstract games.

   A table has an estimate for each listed abstract state, and 0 for others. Each move is charged to
   it at a cost of its own. It is checked entry by entry that no abstract move lowers the estimate
   by more than the charge, and that goals have 0.

   The tables of a group are added: for each rule the charges of all tables together are at most the
   rule's cost. A rule's charges may depend on the value of one variable, its payer: in a sliding
   puzzle the tile that moves. The greatest sum of a group counts. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Arrays Tables Step Dispatch Setting Abstraction ClosedList.
Import ListNotations.

(* [charges] has for each rule its charge for each value of the payer; the last number also stands
   for greater values. Entries come last one first. *)
Record pattern := {
  maps : abstraction;
  charges : list (list nat);
  estimates : list (list nat * nat) }.

Record group := { payers : list (option nat); patterns : list pattern }.

Fixpoint charge_at (l : list nat) (x : nat) : nat :=
  match l, x with
  | [], _ => 0
  | [v], _ => v
  | v :: _, 0 => v
  | _ :: l', S x' => charge_at l' x'
  end.

Definition payer_value (payer : option nat) (s : state) : nat :=
  match payer with Some j => nth j s 0 | None => 0 end.

(* The abstract moves of a rule, with charges. *)
Definition charged_moves (domains : list nat) (ms : abstraction) (payer : option nat)
    (charge : list nat) (c : compiled) : option (list compiled) :=
  match payer with
  | None => abstract_moves domains ms (charge_at charge 0) c
  | Some j =>
      if j <? length domains then
        match all_some (fun e => abstract_moves domains ms (charge_at charge (fst e)) (snd e))
                (fix_values (nth j domains 0) j c) with
        | Some l => Some (nodup compiled_eq_dec (concat l))
        | None => None
        end
      else None
  end.

Lemma charged_moves_sound domains ms payer charge c cs s t :
  length ms = length domains -> fits domains s = true ->
  charged_moves domains ms payer charge c = Some cs -> carry_out c s = Some t ->
  exists a, In a cs /\ carry_out a (abstract ms s) = Some (abstract ms t) /\
            price a = charge_at charge (payer_value payer s).
Proof.
  intros W F A C. destruct payer as [j|]; simpl in *.
  - destruct (Nat.ltb_spec j (length domains)) as [J|]; [|discriminate].
    destruct (all_some _ _) as [l|] eqn:E; [|discriminate]. injection A as <-.
    pose proof F as F'. apply fits_spec in F' as [L F']. rewrite <- L in J.
    destruct (fix_value_sound j c s t J C) as (c' & V & C').
    apply (fix_values_in (nth j domains 0)) in V; auto.
    apply In_nth_error in V as [i V]. destruct (all_some_nth _ _ _ E _ _ V) as (cs & I & A).
    simpl in A. destruct (abstract_moves_sound _ _ _ _ _ _ _ W F A C') as (a & Ia & R).
    exists a. split; auto. apply nodup_In, in_concat. exists cs. split; auto.
    eapply nth_error_In; eauto.
  - eapply abstract_moves_sound; eauto.
Qed.

(* Lists of rules, payers and charges side by side; what is missing is none, or 0. *)
Fixpoint all_moves (domains : list nat) (ms : abstraction) (js : list (option nat))
    (ls : list (list nat)) (cs : list compiled) : option (list compiled) :=
  match cs with
  | [] => Some []
  | c :: cs' =>
      match charged_moves domains ms (hd None js) (hd [] ls) c,
            all_moves domains ms (tl js) (tl ls) cs' with
      | Some a, Some b => Some (a ++ b)
      | _, _ => None
      end
  end.

Lemma nth_tl {A} (l : list A) i d : nth i (tl l) d = nth (S i) l d.
Proof. destruct l; [now destruct i | reflexivity]. Qed.

Lemma nth_hd {A} (l : list A) d : hd d l = nth 0 l d.
Proof. now destruct l. Qed.

Lemma all_moves_in domains ms cs : forall js ls l i c,
  all_moves domains ms js ls cs = Some l -> nth_error cs i = Some c ->
  exists a, charged_moves domains ms (nth i js None) (nth i ls []) c = Some a /\ incl a l.
Proof.
  induction cs as [|c0 cs IH]; intros js ls l i c; [now destruct i|].
  simpl. destruct (charged_moves _ _ _ _ c0) as [a|] eqn:A; [|discriminate].
  destruct (all_moves _ _ _ _ cs) as [b|] eqn:B; [|discriminate]. intros [= <-].
  destruct i as [|i]; simpl.
  - intros [= <-]. rewrite !nth_hd in A. exists a. split; auto. now apply incl_appl, incl_refl.
  - intros E. destruct (IH _ _ _ _ _ B E) as (a' & A' & I). rewrite !nth_tl in A'.
    exists a'. split; auto. now apply incl_appr.
Qed.

(* ---------- one table ---------- *)

Section Pattern.
Variable room : nat.

(* The maps as arrays. *)
Definition image_maps := list (option (vector nat)).
Definition ready_pattern := (image_maps * table)%type.

Definition image_maps_of (ms : abstraction) : image_maps := map (option_map vector_of) ms.

Definition value_or_0 (o : option nat) : nat := match o with Some v => v | None => 0 end.

Definition estimate_in (t : table) (a : list nat) : nat := value_or_0 (entry t a).

(* The key of a state's image; the image itself isn't needed. *)
Fixpoint image_key (radix digits left sum : nat) (chunks : list nat) (ms : image_maps) (s : state)
  : list nat :=
  match ms, s with
  | Some m :: ms', v :: s' =>
      let w := item 0 m v in
      if w <? radix then
        if left =? 0 then image_key radix digits (digits - 1) (radix + w) (sum :: chunks) ms' s'
        else image_key radix digits (left - 1) (sum * radix + w) chunks ms' s'
      else []
  | None :: ms', _ :: s' => image_key radix digits left sum chunks ms' s'
  | _, _ => sum :: chunks
  end.

Lemma image_key_spec radix digits ms : forall left sum chunks s,
  image_key radix digits left sum chunks (image_maps_of ms) s =
  pack_from radix digits left sum chunks (abstract ms s).
Proof.
  induction ms as [|[m|] ms IH]; intros left sum chunks [|v s]; simpl; auto.
  rewrite pick_nth. unfold item, vector_of. destruct (_ <? radix); auto. now destruct (left =? 0).
Qed.

Definition estimate (r : ready_pattern) (s : state) : nat :=
  let (ms, t) := r in
  value_or_0 (look_up t (image_key (radix_of t) (per_number t) (per_number t) 1 [] ms s)).

Lemma estimate_image ms t s : estimate (image_maps_of ms, t) s = estimate_in t (abstract ms s).
Proof. unfold estimate, estimate_in, entry, key, pack. now rewrite image_key_spec. Qed.

Definition estimate_entry (goals : list (list test)) (moves : dispatch compiled) (t : table)
    (e : list nat * nat) : bool :=
  let (a, v) := e in
  if v =? 0 then true
  else negb (existsb (fun ts => passes a ts a) goals) &&
       all_allowed (fun m => match carry_out m a with
                             | Some b => v <=? price m + estimate_in t b
                             | None => true
                             end) moves a.

(* A move that changes nothing lowers no estimate. *)
Definition not_idle (m : compiled) : bool := negb (idle (tests m) (sources m)).

Definition prepare_pattern (domains : list nat) (p : prepared) (js : list (option nat))
    (d : pattern) : option ready_pattern :=
  if length (maps d) =? length domains then
    match all_moves domains (maps d) js (charges d) (moves p) with
    | Some ms =>
        let t := table_of room (estimates d) in
        let gs := map (abstract_tests (maps d) (maps d)) (ends p) in
        let moves := dispatch_of tests (map fst (sample (estimates d))) (filter not_idle ms) in
        if forallb (estimate_entry gs moves t) (estimates d)
        then Some (image_maps_of (maps d), t) else None
    | None => None
    end
  else None.

Section Sound.
Variable c : setting.
Variable p : prepared.
Hypothesis is_prepared : prepare c = Some p.
Variable js : list (option nat).
Variable d : pattern.
Variable r : ready_pattern.
Hypothesis is_ready : prepare_pattern (domains c) p js d = Some r.

Lemma estimate_goal s :
  fits (domains c) s = true -> goal_test p s = true -> estimate r s = 0.
Proof.
  intros F G. unfold prepare_pattern in is_ready.
  destruct (Nat.eqb_spec (length (maps d)) (length (domains c))) as [W|]; [|discriminate].
  destruct (all_moves _ _ _ _ _) as [ms|]; [|discriminate].
  destruct (forallb _ _) eqn:H; [|discriminate]. injection is_ready as <-.
  rewrite estimate_image. unfold estimate_in. destruct (entry _ _) as [v|] eqn:E; auto. simpl.
  apply entry_in in E. rewrite forallb_forall in H. specialize (H _ E). simpl in H.
  destruct (Nat.eqb_spec v 0); auto. apply andb_prop in H as [H _].
  apply negb_true_iff in H. rewrite <- not_true_iff_false in H. exfalso. apply H.
  unfold goal_test in G. apply existsb_exists in G as (ts & I & P). apply existsb_exists.
  exists (abstract_tests (maps d) (maps d) ts). split; [now apply in_map|].
  apply abstract_tests_pass; auto. apply fits_spec in F as [L _]. congruence.
Qed.

Lemma estimate_step i m s t :
  fits (domains c) s = true -> nth_error (moves p) i = Some m -> carry_out m s = Some t ->
  estimate r s <= charge_at (nth i (charges d) []) (payer_value (nth i js None) s) + estimate r t.
Proof.
  intros F M C. unfold prepare_pattern in is_ready.
  destruct (Nat.eqb_spec (length (maps d)) (length (domains c))) as [W|]; [|discriminate].
  destruct (all_moves _ _ _ _ _) as [ms|] eqn:A; [|discriminate].
  destruct (forallb _ _) eqn:H; [|discriminate]. injection is_ready as <-.
  rewrite !estimate_image. unfold estimate_in at 1. destruct (entry _ _) as [v|] eqn:E; simpl; [|lia].
  pose proof E as E'. apply entry_in in E. rewrite forallb_forall in H. specialize (H _ E). simpl in H.
  destruct (Nat.eqb_spec v 0); [lia|]. apply andb_prop in H as [_ H].
  destruct (all_moves_in _ _ _ _ _ _ _ _ A M) as (cs & A' & I).
  destruct (charged_moves_sound _ _ _ _ _ _ _ _ W F A' C) as (a & Ia & Ca & Pa).
  destruct (not_idle a) eqn:N.
  - pose proof Ca as Q. unfold carry_out in Q.
    destruct (passes _ (tests a) _) eqn:Q'; [clear Q | discriminate].
    apply (all_allowed_sound _ tests _ _ _ _ a) in H; auto.
    + cbv beta in H. rewrite Ca in H. apply Nat.leb_le in H. lia.
    + apply filter_In. auto.
  - unfold not_idle in N. apply negb_false_iff in N. rewrite (idle_stays _ _ _ N Ca). unfold estimate_in. rewrite E'. simpl. lia.
Qed.
End Sound.

(* ---------- groups ---------- *)

Fixpoint total (f : pattern -> nat) (l : list pattern) : nat :=
  match l with [] => 0 | d :: l' => f d + total f l' end.

(* The values that a payer can have. *)
Definition payer_values (domains : list nat) (payer : option nat) : list nat :=
  match payer with Some j => seq 0 (nth j domains 0) | None => [0] end.

Fixpoint fair (domains : list nat) (ds : list pattern) (js : list (option nat)) (i : nat)
    (cs : list compiled) : bool :=
  match cs with
  | [] => true
  | c :: cs' =>
      forallb (fun x => total (fun d => charge_at (nth i (charges d) []) x) ds <=? price c)
        (payer_values domains (nth i js None)) &&
      fair domains ds js (S i) cs'
  end.

Lemma fair_nth domains ds js cs : forall i k c,
  fair domains ds js i cs = true -> nth_error cs k = Some c ->
  forall x, In x (payer_values domains (nth (i + k) js None)) ->
  total (fun d => charge_at (nth (i + k) (charges d) []) x) ds <= price c.
Proof.
  induction cs as [|c0 cs IH]; intros i k c; [now destruct k|]. simpl. intros H.
  apply andb_prop in H as [H0 H]. destruct k as [|k]; simpl.
  - intros [= <-] x I. rewrite Nat.add_0_r in *. rewrite forallb_forall in H0.
    now apply Nat.leb_le, H0.
  - intros E x. rewrite Nat.add_succ_r. now apply (IH (S i)).
Qed.

Definition ready_group := list ready_pattern.

Fixpoint sum (rs : ready_group) (s : state) : nat :=
  match rs with [] => 0 | r :: rs' => estimate r s + sum rs' s end.

Definition prepare_group (domains : list nat) (p : prepared) (g : group) : option ready_group :=
  if forallb (fun j => match j with Some j => j <? length domains | None => true end) (payers g) &&
     fair domains (patterns g) (payers g) 0 (moves p)
  then all_some (prepare_pattern domains p (payers g)) (patterns g)
  else None.

Fixpoint greatest (gs : list ready_group) (s : state) : nat :=
  match gs with [] => 0 | g :: gs' => Nat.max (sum g s) (greatest gs' s) end.

Definition prepare_heuristic (domains : list nat) (p : prepared) (gs : list group)
  : option (list ready_group) := all_some (prepare_group domains p) gs.

Section Groups.
Variable c : setting.
Variable p : prepared.
Hypothesis is_prepared : prepare c = Some p.

Lemma sum_sound js ds : forall rs,
  all_some (prepare_pattern (domains c) p js) ds = Some rs -> forall s,
  fits (domains c) s = true ->
  (goal_test p s = true -> sum rs s = 0) /\
  (forall i m t, nth_error (moves p) i = Some m -> carry_out m s = Some t ->
   sum rs s <=
   total (fun d => charge_at (nth i (charges d) []) (payer_value (nth i js None) s)) ds + sum rs t).
Proof.
  induction ds as [|d ds IH]; simpl; intros rs; [intros [= <-]; simpl; auto|].
  destruct (prepare_pattern (domains c) p js d) as [r|] eqn:R; [|discriminate].
  destruct (all_some _ ds) as [rs'|]; [|discriminate]. intros [= <-] s F. simpl.
  destruct (IH _ eq_refl s F) as [G S]. split.
  - intros H. rewrite (estimate_goal c p js d r R s F H), G; auto.
  - intros i m t M C. specialize (S i m t M C).
    pose proof (estimate_step c p js d r R i m s t F M C). lia.
Qed.

Lemma payer_value_in js i s :
  fits (domains c) s = true ->
  forallb (fun j => match j with Some j => j <? length (domains c) | None => true end) js = true ->
  In (payer_value (nth i js None) s) (payer_values (domains c) (nth i js None)).
Proof.
  intros F H. destruct (nth i js None) as [j|] eqn:E; simpl; auto.
  rewrite forallb_forall in H. apply fits_spec in F as [L F].
  assert (I : In (Some j) js).
  { rewrite <- E. apply nth_In. destruct (Nat.ltb_spec i (length js)); auto.
    rewrite nth_overflow in E; [discriminate | lia]. }
  specialize (H _ I). apply Nat.ltb_lt in H. apply in_seq. specialize (F j). lia.
Qed.

Lemma group_sound g rs : prepare_group (domains c) p g = Some rs -> forall s,
  fits (domains c) s = true ->
  (goal_test p s = true -> sum rs s = 0) /\
  (forall i m t, nth_error (moves p) i = Some m -> carry_out m s = Some t ->
                 sum rs s <= price m + sum rs t).
Proof.
  unfold prepare_group. destruct (_ && _) eqn:H; [|discriminate]. intros A s F.
  apply andb_prop in H as [J H]. destruct (sum_sound _ _ _ A s F) as [G S]. split; auto.
  intros i m t M C. specialize (S i m t M C).
  pose proof (fair_nth _ _ _ _ 0 i m H M _ (payer_value_in _ i s F J)). simpl in *. lia.
Qed.

Theorem heuristic_consistent gs rs :
  prepare_heuristic (domains c) p gs = Some rs -> consistent c (greatest rs).
Proof.
  revert rs. induction gs as [|g gs IH]; simpl; unfold prepare_heuristic; simpl; intros rs.
  - intros [= <-]. apply blind_consistent.
  - destruct (prepare_group (domains c) p g) as [r|] eqn:R; [|discriminate].
    destruct (all_some _ gs) as [rs'|] eqn:A; [|discriminate]. intros [= <-].
    destruct (IH _ A) as [G S]. split; simpl.
    + intros s F Gs. rewrite G by auto.
      destruct (group_sound g r R s F) as [Z _]. rewrite Z; auto.
      now apply (goal_test_complete c p).
    + intros i s t F St. specialize (S i s t F St).
      destruct (moves_complete c p is_prepared i s t F St) as (m & M & C & Pm & _).
      destruct (group_sound g r R s F) as [_ Z]. specialize (Z i m t M C). lia.
Qed.
End Groups.
End Pattern.
