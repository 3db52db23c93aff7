(* Redundancy within invariants.

   An invariant is a sum of weights that each rule keeps exactly: "exactly k of these facts hold" is
   one. Preconditions are closed: values of unknowns are ruled out that no state with the invariants
   has beside the other preconditions, until nothing changes; an unknown with one value left is
   replaced by it. A match with the closed macro-rule proves redundancy in states with the
   invariants. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Composition Match Pruning.
From PsvnChecker Require Import Keys Step Setting Abstraction NoSolution.
Import ListNotations.

Record invariant := { weights : list (list nat); value : nat }.

Definition has (iv : invariant) (s : state) : Prop := weigh (weights iv) s = value iv.

(* ---------- bounds of sums ---------- *)

Fixpoint lowest (w vs : list nat) : nat :=
  match vs with
  | [] => 0
  | [v] => nth v w 0
  | v :: vs' => Nat.min (nth v w 0) (lowest w vs')
  end.

Fixpoint highest (w vs : list nat) : nat :=
  match vs with [] => 0 | v :: vs' => Nat.max (nth v w 0) (highest w vs') end.

Lemma lowest_le w vs v : In v vs -> lowest w vs <= nth v w 0.
Proof.
  induction vs as [|u vs IH]; [intros []|]. simpl. intros [-> | I].
  - destruct vs; lia.
  - specialize (IH I). destruct vs; [destruct I | lia].
Qed.

Lemma highest_ge w vs v : In v vs -> nth v w 0 <= highest w vs.
Proof.
  induction vs as [|u vs IH]; [intros []|]. simpl. intros [-> | I]; [lia|]. specialize (IH I). lia.
Qed.

(* The values that an entry of a vector may have; [room] has those of unknowns. *)
Definition candidates (room : list (list nat)) (e : term) : list nat :=
  match e with Const v => [v] | Var x => nth x room [] end.

Fixpoint low (room : list (list nat)) (ws : list (list nat)) (es : list term) : nat :=
  match ws, es with
  | w :: ws', e :: es' => lowest w (candidates room e) + low room ws' es'
  | _, _ => 0
  end.

Fixpoint high (room : list (list nat)) (ws : list (list nat)) (es : list term) : nat :=
  match ws, es with
  | w :: ws', e :: es' => highest w (candidates room e) + high room ws' es'
  | _, _ => 0
  end.

Fixpoint set_nth (x : nat) (vs : list nat) (room : list (list nat)) : list (list nat) :=
  match room, x with
  | [], _ => []
  | _ :: room', 0 => vs :: room'
  | us :: room', S x' => us :: set_nth x' vs room'
  end.

(* An assignment has its values in the room. *)
Definition lives (room : list (list nat)) (es : list term) (f : nat -> nat) : Prop :=
  forall x, In (Var x) es -> In (f x) (nth x room []).

Lemma low_le room f es : lives room es f -> forall ws,
  low room ws es <= weigh ws (map (inst f) es).
Proof.
  induction es as [|e es IH]; intros L [|w ws]; simpl; try lia.
  assert (L' : lives room es f) by (intros x I; apply L; now right). specialize (IH L' ws).
  assert (In (inst f e) (candidates room e)).
  { destruct e as [v|x]; simpl; auto. apply L. now left. }
  pose proof (lowest_le w _ _ H). lia.
Qed.

Lemma high_ge room f es : lives room es f -> forall ws,
  weigh ws (map (inst f) es) <= high room ws es.
Proof.
  induction es as [|e es IH]; intros L [|w ws]; simpl; try lia.
  assert (L' : lives room es f) by (intros x I; apply L; now right). specialize (IH L' ws).
  assert (In (inst f e) (candidates room e)).
  { destruct e as [v|x]; simpl; auto. apply L. now left. }
  pose proof (highest_ge w _ _ H). lia.
Qed.

Lemma nth_set_nth x vs room y :
  nth y (set_nth x vs room) [] =
  if (y =? x) && (x <? length room) then vs else nth y room [].
Proof.
  revert x y. induction room as [|us room IH]; intros x y; simpl.
  - replace (x <? 0) with false by (symmetry; apply Nat.ltb_ge; lia).
    rewrite andb_false_r. now destruct x, y.
  - destruct x as [|x], y as [|y]; simpl; auto. rewrite IH.
    change (S x <? S (length room)) with (x <? length room). reflexivity.
Qed.

(* ---------- closing ---------- *)

Section Close.
Variable invs : list invariant.
Variable es : list term.

(* Value [v] of unknown [x] isn't ruled out. *)
Definition possible (room : list (list nat)) (x v : nat) : bool :=
  let room' := set_nth x [v] room in
  forallb (fun iv => (low room' (weights iv) es <=? value iv) &&
                     (value iv <=? high room' (weights iv) es)) invs.

Fixpoint shrink_from (room : list (list nat)) (x : nat) (l : list (list nat)) : list (list nat) :=
  match l with
  | [] => []
  | vs :: l' => filter (possible room x) vs :: shrink_from room (S x) l'
  end.

Fixpoint shrink (rounds : nat) (room : list (list nat)) : list (list nat) :=
  match rounds with
  | 0 => room
  | S k =>
      let room' := shrink_from room 0 room in
      if list_eq_dec Nat.eq_dec (map (@length nat) room) (map (@length nat) room')
      then room else shrink k room'
  end.

Variable f : nat -> nat.
Hypothesis invariants_hold : forall iv, In iv invs -> has iv (map (inst f) es).

Lemma lives_set room x : lives room es f -> lives (set_nth x [f x] room) es f.
Proof.
  intros L y I. rewrite nth_set_nth. destruct ((y =? x) && (x <? length room)) eqn:E; auto.
  apply andb_prop in E as [E _]. apply Nat.eqb_eq in E as ->. now left.
Qed.

Lemma truth_possible room x : lives room es f -> possible room x (f x) = true.
Proof.
  intros L. apply (lives_set _ x) in L. apply forallb_forall. intros iv I.
  specialize (invariants_hold iv I). unfold has in *. rewrite <- invariants_hold.
  apply andb_true_iff. split; apply Nat.leb_le; [now apply low_le | now apply high_ge].
Qed.

Lemma shrink_from_nth room l : forall x y v,
  In v (nth y l []) -> possible room (x + y) v = true -> In v (nth y (shrink_from room x l) []).
Proof.
  induction l as [|vs l IH]; intros x y v; simpl; [now destruct y|].
  destruct y as [|y]; simpl.
  - rewrite Nat.add_0_r. intros I P. now apply filter_In.
  - rewrite Nat.add_succ_r. apply (IH (S x)).
Qed.

Lemma shrink_lives rounds : forall room, lives room es f -> lives (shrink rounds room) es f.
Proof.
  induction rounds as [|k IH]; simpl; auto. intros room L.
  destruct (list_eq_dec _ _ _); auto. apply IH. intros x I.
  apply shrink_from_nth; [now apply L | now apply truth_possible].
Qed.
End Close.

(* What an unknown is replaced by. *)
Definition only (room : list (list nat)) (x : nat) : term :=
  match nth x room [] with [v] => Const v | _ => Var x end.

Lemma inst_only room es f e :
  lives room es f -> (forall x, e = Var x -> In (Var x) es) ->
  inst f (subst (only room) e) = inst f e.
Proof.
  intros L O. destruct e as [v|x]; simpl; auto. unfold only. specialize (L x (O x eq_refl)).
  destruct (nth x room []) as [|v [|u vs]]; simpl; auto. now destruct L as [-> | []].
Qed.

Definition narrow_rule (room : list (list nat)) (r : rule) : rule :=
  {| pre := map (subst (only room)) (pre r);
     act := map (subst (only room)) (act r);
     cost := cost r |}.

Lemma narrow_rule_leads room r s t f :
  deterministic r -> lives room (pre r) f ->
  map (inst f) (pre r) = s -> map (inst f) (act r) = t -> leads (narrow_rule room r) s t.
Proof.
  intros D L <- <-. exists f. simpl. rewrite !map_map. split; apply map_ext_in; intros e I;
    apply (inst_only room (pre r)); auto; intros x ->; auto.
Qed.

(* All values that fit the domains, for each unknown below n. *)
Definition whole_room (domains : list nat) : list (list nat) :=
  map (fun x => seq 0 (fold_left Nat.max domains 0)) domains.

(* The word [b] of letters of the game [l] can be replaced by the word [a] of rules. *)
Definition replaces_within (invs : list invariant) (domains : list nat) (g l : game) (a b : word)
  : bool :=
  let n := length domains in
  match macro l n b, macro g n a with
  | Some mb, Some ma =>
      if replaces ma mb then true
      else forallb (fun e => match e with Const _ => true | Var x => x <? n end) (pre mb) &&
           replaces ma (narrow_rule (shrink invs (pre mb) (n * n) (whole_room domains)) mb)
  | _, _ => false
  end.

Lemma le_greatest l : forall m d, In d l \/ d <= m -> d <= fold_left Nat.max l m.
Proof.
  induction l as [|x l IH]; simpl; intros m d [H | H]; auto; try contradiction.
  - destruct H as [-> | H]; apply IH; [right; lia | now left].
  - apply IH. right. lia.
Qed.

(* States that fit the domains and have the invariants. *)
Definition inside (invs : list invariant) (domains : list nat) (s : state) : Prop :=
  fits domains s = true /\ forall iv, In iv invs -> has iv s.

Lemma whole_room_lives domains es f :
  fits domains (map (inst f) es) = true ->
  (forall x, In (Var x) es -> x < length domains) -> lives (whole_room domains) es f.
Proof.
  intros F B x I. apply fits_spec in F as [L F]. unfold whole_room.
  apply In_nth_error in I as I'. destruct I' as (i & E).
  assert (Hi : i < length es) by (apply nth_error_Some; congruence).
  specialize (F i). rewrite map_length in *. specialize (F Hi).
  rewrite (nth_map_inst f _ _ _ E) in F. simpl in F.
  assert (D : nth i domains 0 <= fold_left Nat.max domains 0).
  { apply le_greatest. left. apply nth_In. lia. }
  rewrite (nth_indep _ [] (seq 0 (fold_left Nat.max domains 0))) by
    (rewrite map_length; now apply B).
  rewrite (map_nth (fun _ => seq 0 (fold_left Nat.max domains 0)) domains 0).
  apply in_seq. lia.
Qed.

Theorem replaces_within_sound invs domains g l a b s t :
  deterministic_game g -> deterministic_game l ->
  replaces_within invs domains g l a b = true ->
  inside invs domains s -> runs l b s t -> runs g a s t.
Proof.
  intros Dg Dl R [F I] Rb. unfold replaces_within in R.
  destruct (macro l (length domains) b) as [mb|] eqn:Eb; [|discriminate].
  destruct (macro g (length domains) a) as [ma|] eqn:Ea; [|discriminate].
  assert (L : length s = length domains) by (now apply fits_spec in F as [L _]).
  apply (macro_spec l _ b s t Dl L) in Rb as (mb' & Eb' & Lb).
  replace mb' with mb in Lb by congruence.
  apply (macro_spec g _ a s t Dg L). exists ma. split; auto.
  pose proof (macro_deterministic _ _ _ _ Ea) as Da.
  pose proof (macro_deterministic _ _ _ _ Eb) as Db.
  destruct (replaces ma mb) eqn:M; [now apply (match_is_redundancy _ _ Da M)|].
  apply andb_prop in R as [V R].
  apply (match_is_redundancy _ _ Da R). destruct Lb as (f & P & A).
  apply (narrow_rule_leads _ _ _ _ f); auto. apply shrink_lives; [now rewrite P|].
  apply whole_room_lives; [now rewrite P|]. intros x Ix.
  rewrite forallb_forall in V. specialize (V _ Ix). now apply Nat.ltb_lt.
Qed.

(* ---------- rules keep the invariants ---------- *)

(* The values that a test lets through. *)
Definition let_through (d : nat) (t : test) : list nat :=
  match t with Is v => [v] | _ => seq 0 d end.

Fixpoint low_tests (ws : list (list nat)) (domains : list nat) (ts : list test) : nat :=
  match ws, domains with
  | w :: ws', d :: domains' =>
      lowest w (let_through d (hd Any ts)) + low_tests ws' domains' (tl ts)
  | _, _ => 0
  end.

Fixpoint high_tests (ws : list (list nat)) (domains : list nat) (ts : list test) : nat :=
  match ws, domains with
  | w :: ws', d :: domains' =>
      highest w (let_through d (hd Any ts)) + high_tests ws' domains' (tl ts)
  | _, _ => 0
  end.

Lemma tests_bound whole ws : forall domains ts s,
  fits domains s = true -> passes whole ts s = true -> length ws = length domains ->
  low_tests ws domains ts <= weigh ws s <= high_tests ws domains ts.
Proof.
  induction ws as [|w ws IH]; intros [|d domains] ts [|v s]; simpl; try discriminate; [lia|].
  destruct (Nat.ltb_spec v d) as [D|]; [|discriminate]. intros F P [= L].
  apply passes_hd_tl in P as [H P]. specialize (IH domains (tl ts) s F P L).
  assert (I : In v (let_through d (hd Any ts))).
  { destruct (hd Any ts) as [|u|]; simpl in *; auto; apply in_seq; lia. }
  pose proof (lowest_le w _ _ I). pose proof (highest_ge w _ _ I). lia.
Qed.

(* No state with the invariants passes the tests. *)
Definition ruled_out (invs : list invariant) (domains : list nat) (ts : list test) : bool :=
  existsb (fun iv => (length (weights iv) =? length domains) &&
                     ((value iv <? low_tests (weights iv) domains ts) ||
                      (high_tests (weights iv) domains ts <? value iv))) invs.

Lemma ruled_out_sound invs domains ts s :
  inside invs domains s -> passes s ts s = true -> ruled_out invs domains ts = false.
Proof.
  intros [F I] P. apply not_true_iff_false. intros R. apply existsb_exists in R as (iv & Iv & R).
  apply andb_prop in R as [L R]. apply Nat.eqb_eq in L.
  pose proof (tests_bound s (weights iv) domains ts s F P L) as B. specialize (I iv Iv).
  unfold has in I. apply orb_true_iff in R. rewrite !Nat.ltb_lt in R. lia.
Qed.

(* A rule, split by the values that it changes, keeps an invariant in states that have all. *)
Definition keeps_within (invs : list invariant) (domains : list nat) (ws : list (list nat))
    (c : compiled) : bool :=
  forallb (fun c' => if ruled_out invs domains (tests c') then true
                     else match change ws (tests c') (sources c') with
                          | Some (more, less) => more =? less
                          | None => false
                          end)
    (split_all domains (nodup Nat.eq_dec (touched 0 (sources c))) [c]).

Lemma keeps_within_sound invs domains ws c s t :
  length ws = length domains -> inside invs domains s ->
  keeps_within invs domains ws c = true -> carry_out c s = Some t -> weigh ws t = weigh ws s.
Proof.
  intros W [F I] K C. unfold keeps_within in K. rewrite forallb_forall in K.
  destruct (split_all_sound domains s t F (nodup Nat.eq_dec (touched 0 (sources c))) [c] c)
    as (c' & Ic & C'); simpl; auto.
  specialize (K c' Ic). unfold carry_out in C'.
  destruct (passes s (tests c') s) eqn:P; [|discriminate]. injection C' as <-.
  rewrite (ruled_out_sound invs domains (tests c') s) in K; auto; [|now split].
  destruct (change _ _ _) as [[more less]|] eqn:E; [|discriminate]. apply Nat.eqb_eq in K.
  assert (L : length ws = length s) by (apply fits_spec in F as [L _]; congruence).
  pose proof (change_sound s ws _ _ _ _ s L E P). lia.
Qed.
