(* Lower bounds by a depth-first search, and machines.

   The search follows only words that the machine allows. It finds no goal below the bound, and
   leaves out only what a consistent heuristic puts beyond it. Each listed word is redundant with an
   earlier one, so that among the plans of least cost there is one without a listed factor; the
   machine allows that one. Words are of letters, which are rules or parts of rules. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Composition Pruning Parts Match.
From PsvnChecker Require Import Keys Arrays Step Dispatch Setting NoSolution ClosedList Within Letters
  Machine.
Import ListNotations.

(* A word of letters and the word of rules that replaces it make a pair. *)
Record machine := {
  invariants : list invariant;
  pieces : list piece;
  pairs : list (word * word);
  table_rows : list (list nat) }.

(* States are numbered from 1, in the order of their rows. *)
Definition rows_of (x : machine) : rows := vector_of (no_row :: map vector_of (table_rows x)).

(* Collects the pairs of states that machine and reference can be in together. [fuel] bounds the
   steps. Nothing is proved of this. *)
Definition reached_by (m : rows) (starts : tree unit) (letters : nat) (k : list nat)
  : list (list nat) :=
  match k with
  | [] => []
  | q :: u =>
      flat_map (fun r => let q' := next m q r in
                         if q' =? 0 then [] else [q' :: longest (is_start starts) (u ++ [r])])
        (seq 0 letters)
  end.

Fixpoint collect (fuel : nat) (m : rows) (starts : tree unit) (letters : nat)
    (waiting : list (list nat)) (found : tree unit) : tree unit :=
  match fuel, waiting with
  | S fuel', k :: waiting' =>
      if member k found then collect fuel' m starts letters waiting' found
      else collect fuel' m starts letters
             (rev_append (reached_by m starts letters k) waiting') (set k tt found)
  | _, _ => found
  end.

(* The machine does what its list of words says: it forbids nothing else, or just that. *)
Definition machine_agrees (strict : bool) (fuel letters : nat) (x : machine) : bool :=
  let words := map fst (pairs x) in
  let m := rows_of x in
  let starts := starts_tree words in
  let ws := words_tree words in
  let found := collect fuel m starts letters [[1]] Leaf in
  pairs_agree letters words m strict ws starts found &&
  (if strict then trees_complete words ws starts else true).

(* Word [b] of letters can be replaced by the rules [a] in states with the invariants. Words that
   no state allows are refused, since nothing needs them. *)
Definition certified_pair (x : machine) (domains : list nat) (g l : game) (e : word * word)
  : bool :=
  let (b, a) := e in
  let whole_rules := map (owner (pieces x)) b in
  beforeb a whole_rules && (cost_of g a <=? cost_of g whole_rules) &&
  replaces_within (invariants x) domains g l a b.

(* Each rule keeps an invariant, in states that have all of them. *)
Definition kept_by (invs : list invariant) (domains : list nat) (ms : list compiled)
    (iv : invariant) : bool :=
  (length (weights iv) =? length domains) &&
  forallb (keeps_within invs domains (weights iv)) ms.

Definition is_some {A} (a : option A) : bool := match a with Some _ => true | None => false end.

(* [l] is the game of the machine's letters. *)
Definition sound_machine (strict : bool) (fuel : nat) (c : setting) (p : prepared) (x : machine)
    (l : game) : bool :=
  let g := of_game c in
  deterministic_gameb g && deterministic_gameb l &&
  is_some (all_some (ready_rule (domains c)) (rules l)) &&
  forallb (kept_by (invariants x) (domains c) (moves p)) (invariants x) &&
  well_split (invariants x) (domains c) (moves p) (pieces x) &&
  forallb (certified_pair x (domains c) g l) (pairs x) &&
  machine_agrees strict fuel (length (rules l)) x.

Lemma runs_spelled g w : forall s t, runs g w s t -> spelled (length (rules g)) w.
Proof.
  induction w as [|i w IH]; intros s t R; [constructor|].
  destruct R as (u & (r & E & _) & R). constructor; [|eapply IH; eauto].
  apply nth_error_Some. congruence.
Qed.

Section Sound.
Variable strict : bool.
Variable fuel : nat.
Variable c : setting.
Variable p : prepared.
Variable x : machine.
Variable l : game.
Hypothesis is_prepared : prepare c = Some p.
Hypothesis is_alphabet : alphabet (of_game c) (pieces x) = Some l.
Hypothesis is_sound : sound_machine strict fuel c p x l = true.

Notation g := (of_game c).
Notation inv := (inside (invariants x) (domains c)).

Lemma sound_machine_parts :
  (deterministic_game g /\ deterministic_game l) /\
  forallb (kept_by (invariants x) (domains c) (moves p)) (invariants x) = true /\
  well_split (invariants x) (domains c) (moves p) (pieces x) = true /\
  forallb (certified_pair x (domains c) g l) (pairs x) = true /\
  machine_agrees strict fuel (length (rules l)) x = true.
Proof.
  pose proof is_sound as H. apply andb_prop in H as [H M]. apply andb_prop in H as [H C].
  apply andb_prop in H as [H S]. apply andb_prop in H as [H N]. apply andb_prop in H as [H _].
  apply andb_prop in H as [Dg Dl].
  apply deterministic_gameb_spec in Dg, Dl. auto.
Qed.

Lemma inside_step i s t : inv s -> step g i s t -> inv t.
Proof.
  intros [F I] S. destruct (moves_complete c p is_prepared i s t F S) as (m & E & C & _ & Ft).
  split; auto. intros iv Iv. destruct sound_machine_parts as (_ & K & _).
  rewrite forallb_forall in K. specialize (K iv Iv). apply andb_prop in K as [W K].
  apply Nat.eqb_eq in W. rewrite forallb_forall in K. specialize (K m (nth_error_In _ _ E)).
  pose proof (keeps_within_sound _ (domains c) (weights iv) m s t W (conj F I) K C) as Q.
  specialize (I iv Iv).
  unfold has in *. congruence.
Qed.

Lemma pair_redundant b a : In (b, a) (pairs x) ->
  before a (map (owner (pieces x)) b) /\
  parts_redundant (step g) (step l) (owner (pieces x)) (rule_cost g) inv b a.
Proof.
  intros I. destruct sound_machine_parts as ([Dg Dl] & _ & _ & C & _).
  rewrite forallb_forall in C. specialize (C _ I). unfold certified_pair in C.
  apply andb_prop in C as [C R]. apply andb_prop in C as [B K].
  split; [now apply beforeb_spec|]. apply Nat.leb_le in K. split; [exact K|].
  intros s t Is Rb. now apply (replaces_within_sound _ _ _ _ _ _ _ _ Dg Dl R).
Qed.

(* For each path from a state with the invariants there is a clean one that costs no more. *)
Lemma clean_path s w t : inv s -> runs g w s t ->
  exists v, runs l v s t /\ cost_of l v <= cost_of g w /\ clean (forbids (pairs x)) v.
Proof.
  intros I R.
  destruct (parts_pruning_keeps_costs (step g) (step l) (owner (pieces x)) (rule_cost g) inv
              inside_step) with (before := before) (forbidden := forbids (pairs x)) (w := w) (s := s)
              (t := t) as (v & Rv & K & C); auto using before_wf, before_nested.
  - intros q u z S. now apply (letter_sound g l (pieces x) is_alphabet) in S as [S _].
  - intros o u z Iu S. destruct sound_machine_parts as (_ & _ & W & _).
    now apply (letters_complete _ c p (pieces x) l is_prepared is_alphabet W).
  - intros b F. apply listed_spec, in_map_iff in F as ((b' & a) & <- & H).
    exists a. now apply pair_redundant.
  - exists v. repeat split; auto.
    now rewrite (letters_cost g l (pieces x) is_alphabet v s t Rv).
Qed.
End Sound.

(* ---------- the claim about a machine ---------- *)

(* No rule leaves the states with the invariants. The letters are instances of rules: in the states
   with the invariants, just one letter of a rule can be used where the rule can. In them each
   listed word is redundant with rules that come earlier, and for each plan there is one that costs
   no more, and that the machine allows letter by letter. The machine forbids the words with a
   listed factor, and no others. *)
Definition machine_claim (c : setting) (x : machine) : Prop :=
  let g := of_game c in
  let inv := inside (invariants x) (domains c) in
  let rule_of := owner (pieces x) in
  exists l, alphabet g (pieces x) = Some l /\
  (forall i s t, inv s -> step g i s t -> inv t) /\
  (forall q s t, step l q s t -> step g (rule_of q) s t) /\
  (forall i s t, inv s -> step g i s t -> exists q, rule_of q = i /\ step l q s t) /\
  (forall q r s t u, rule_of q = rule_of r -> step l q s t -> step l r s u -> q = r) /\
  (forall b a, In (b, a) (pairs x) ->
               before a (map rule_of b) /\
               parts_redundant (step g) (step l) rule_of (rule_cost g) inv b a) /\
  (forall w, spelled (length (rules l)) w ->
             (allows (rows_of x) w <-> clean (forbids (pairs x)) w)) /\
  (forall s w, inv s -> plan g s w ->
               exists v, plan l s v /\ plan g s (map rule_of v) /\
                         cost_of g (map rule_of v) <= cost_of g w /\ allows (rows_of x) v).

Definition check_machine (c : setting) (fuel : nat) (x : machine) : bool :=
  match prepare c, alphabet (of_game c) (pieces x) with
  | Some p, Some l => sound_machine true fuel c p x l
  | _, _ => false
  end.

Theorem check_machine_sound c fuel x : check_machine c fuel x = true -> machine_claim c x.
Proof.
  unfold check_machine. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (alphabet _ _) as [l|] eqn:A; [|discriminate]. intros H. exists l.
  assert (S : forall w, spelled (length (rules l)) w ->
                        (allows (rows_of x) w <-> clean (forbids (pairs x)) w)).
  { destruct (sound_machine_parts _ _ _ _ _ _ H) as (_ & _ & _ & _ & M).
    apply andb_prop in M as [M T]. intros w L. eapply allows_spec; eauto. }
  destruct (sound_machine_parts _ _ _ _ _ _ H) as (_ & _ & W & _ & _).
  split; [exact A|]. split; [exact (inside_step _ _ _ _ _ _ P H)|]. split.
  { intros q s t L. now apply (letter_sound _ _ _ A) in L as [L _]. }
  split; [exact (letters_complete _ c p (pieces x) l P A W)|].
  split; [exact (letters_apart _ c p (pieces x) l P A W)|].
  split; [exact (pair_redundant _ _ _ _ _ _ H)|]. split; [exact S|].
  intros s w I (t & R & G).
    destruct (clean_path _ _ _ _ _ _ P A H s w t I R) as (v & Rv & Kv & Cv).
    pose proof (parts_run (step (of_game c)) (step l) (owner (pieces x))
      (fun q u z L => proj1 (letter_sound _ _ _ A q u z L)) v s t Rv) as Rg.
    exists v. repeat split.
    + exists t. split; auto. unfold is_goal. now rewrite (alphabet_goals _ _ _ A).
    + now exists t.
    + now rewrite <- (letters_cost _ _ _ A v s t Rv).
    + apply S; auto. eapply runs_spelled; eauto.
Qed.

(* ---------- the search ---------- *)

(* The moves with their numbers. *)
Definition numbered (ms : list compiled) : list (nat * compiled) := combine (seq 0 (length ms)) ms.
Definition tests_of_numbered (e : nat * compiled) : list test := tests (snd e).
Definition numbered_moves (p : prepared) : dispatch (nat * compiled) :=
  dispatch_of tests_of_numbered [] (numbered (moves p)).

Lemma numbered_in ms i c : nth_error ms i = Some c -> In (i, c) (numbered ms).
Proof. apply numbered_nth. Qed.

Section Search.
Variable p : prepared.
Variable ms : dispatch (nat * compiled).
Variable h : state -> nat.
Variable bound : nat.
Variable m : rows.

(* Visit where a move leads, if the row has a next state for it. *)
Definition follow (visit : state -> nat -> nat -> bool) (s : state) (g : nat) (r : row)
    (e : nat * compiled) : bool :=
  let q := item 0 r (fst e) in
  if q =? 0 then true
  else match carry_out (snd e) s with
       | Some t => visit t q (g + price (snd e))
       | None => true
       end.

(* No plan from [s] that the machine allows in state [q] costs less than the bound, beside [g]. *)
Fixpoint search (fuel : nat) (s : state) (q g : nat) : bool :=
  match fuel with
  | 0 => false
  | S fuel' =>
      if far h bound s g then true
      else if goal_test p s then false
      else all_allowed (follow (search fuel') s g (item no_row m q)) ms s
  end.
End Search.

Lemma followed p visit s g r i c t :
  all_allowed (follow visit s g r) (numbered_moves p) s = true ->
  nth_error (moves p) i = Some c -> item 0 r i <> 0 -> carry_out c s = Some t ->
  visit t (item 0 r i) (g + price c) = true.
Proof.
  intros A E N C. apply numbered_in in E. unfold numbered_moves in A.
  assert (P : passes s (tests_of_numbered (i, c)) s = true).
  { unfold carry_out in C. unfold tests_of_numbered. simpl.
    destruct (passes s (tests c) s); [reflexivity | discriminate]. }
  pose proof (all_allowed_sound _ _ _ _ _ _ _ A E P) as F. unfold follow in F. simpl in F.
  rewrite C in F. destruct (Nat.eqb_spec (item 0 r i) 0); [contradiction | exact F].
Qed.

Theorem search_sound c p h bound m : prepare c = Some p -> consistent c h ->
  forall w fuel s q g t, search p (numbered_moves p) h bound m fuel s q g = true -> fits (domains c) s = true ->
  read m q w <> 0 -> runs (of_game c) w s t -> is_goal (of_game c) t ->
  bound <= g + cost_of (of_game c) w.
Proof.
  intros P K w. induction w as [|i w IH]; intros [|fuel] s q g t S F A R G; try discriminate;
    simpl in S; destruct (far h bound s g) eqn:B.
  - pose proof (consistent_admissible c p h P K [] s t F R G).
    unfold far in B. destruct (Nat.leb_spec bound g); [lia|]. apply Nat.leb_le in B. lia.
  - simpl in R. subst t. now rewrite (goal_test_complete c p P s F G) in S.
  - pose proof (consistent_admissible c p h P K (i :: w) s t F R G).
    unfold far in B. destruct (Nat.leb_spec bound g); [lia|]. apply Nat.leb_le in B. lia.
  - destruct (goal_test p s); [discriminate|]. destruct R as (u & Su & R).
    destruct (moves_complete c p P i s u F Su) as (k & Ek & Ck & Pk & Fu).
    simpl in A. unfold next in A.
    destruct (Nat.eqb_spec (item 0 (item no_row m q) i) 0) as [|N]; [now destruct A|].
    pose proof (followed _ _ _ _ _ _ _ _ S Ek N Ck) as V.
    specialize (IH _ _ _ _ t V Fu A R G). unfold cost_of in *. simpl. rewrite Pk in IH. lia.
Qed.

(* ---------- machines for searches ---------- *)

(* What a search needs of a machine: the invariants that it supposes, the game of its letters, and
   its table. *)
Record pruning := { assumed : list invariant; letters : game; table : rows }.

(* From states with the invariants, each path has one of letters that costs no more and that the
   machine allows. That doesn't depend on the start. *)
Definition keeps_least_costs (c : setting) (r : pruning) : Prop :=
  goals (letters r) = goals (of_game c) /\
  (forall q s t, step (letters r) q s t ->
   exists i, step (of_game c) i s t /\ rule_cost (of_game c) i = rule_cost (letters r) q) /\
  (forall s w t, inside (assumed r) (domains c) s -> runs (of_game c) w s t ->
   exists v, runs (letters r) v s t /\ cost_of (letters r) v <= cost_of (of_game c) w /\
             allows (table r) v).

Definition prepare_machine (c : setting) (fuel : nat) (x : machine) : option pruning :=
  match prepare c, alphabet (of_game c) (pieces x) with
  | Some p, Some l =>
      if sound_machine false fuel c p x l
      then Some {| assumed := invariants x; letters := l; table := rows_of x |} else None
  | _, _ => None
  end.

Lemma prepare_machine_sound c fuel x r :
  prepare_machine c fuel x = Some r -> keeps_least_costs c r.
Proof.
  unfold prepare_machine. destruct (prepare c) as [p|] eqn:P; [|discriminate].
  destruct (alphabet _ _) as [l|] eqn:A; [|discriminate].
  destruct (sound_machine _ _ _ _ _ _) eqn:M; [|discriminate]. intros [= <-]. simpl.
  split; [exact (alphabet_goals _ _ _ A) | split].
  - intros q s t S. apply (letter_sound _ _ _ A) in S as [S K]. eauto.
  - intros s w t I R. simpl in *.
    destruct (clean_path _ _ _ _ _ _ P A M s w t I R) as (v & Rv & Kv & Cv).
    exists v. repeat split; auto. destruct (sound_machine_parts _ _ _ _ _ _ M) as (_ & _ & _ & _ & G).
    apply andb_prop in G as [G _]. eapply clean_allowed; eauto. eapply runs_spelled; eauto.
Qed.

(* The game whose rules are the letters. *)
Definition spelled_out (c : setting) (r : pruning) : setting :=
  {| domains := domains c; of_game := letters r; start := start c |}.

Definition check_search (c : setting) (depth : nat) (h : state -> nat) (r : pruning) (bound : nat)
  : bool :=
  match prepare (spelled_out c r) with
  | Some p =>
      forallb (fun iv => weigh (weights iv) (start c) =? value iv) (assumed r) &&
      search p (numbered_moves p) h bound (table r) depth (start c) 1 0
  | None => false
  end.

Theorem check_search_sound c depth h r bound :
  consistent c h -> keeps_least_costs c r -> check_search c depth h r bound = true ->
  lower_bound (of_game c) (start c) bound.
Proof.
  unfold check_search. destruct (prepare _) as [p|] eqn:P; [|discriminate].
  intros [Kg Ks] (E & L & M) H w (t & R & G). apply andb_prop in H as [I S].
  pose proof (start_fits _ p P) as F. simpl in F.
  assert (K : consistent (spelled_out c r) h).
  { split; simpl.
    - intros s Fs Gs. apply Kg; auto. unfold is_goal. now rewrite <- E.
    - intros q s u Fs Su. apply L in Su as (i & Su & <-). now apply Ks. }
  assert (J : inside (assumed r) (domains c) (start c)).
  { split; auto. intros iv Iv. rewrite forallb_forall in I. now apply Nat.eqb_eq, I. }
  destruct (M _ w t J R) as (v & Rv & Kv & V).
  assert (Gv : is_goal (letters r) t) by (unfold is_goal; now rewrite E).
  pose proof (search_sound (spelled_out c r) p h bound _ P K v _ _ _ _ t S F V Rv Gv) as B.
  simpl in B. lia.
Qed.
