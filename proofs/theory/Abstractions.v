(** * Redundancy in abstract versions of a game

    docs/safety.md, "Abstract versions of a game". If values are merged, a redundancy in all states
    stays true, as long as the word is possible in the game itself. It may become false if a
    variable is projected away, and for words that are never possible in the game itself. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game Terms Composition Match.
Import ListNotations.

(** ** Merging values *)

Section Merging.

(** [merge v]: the value that stands for [v] in the abstract game. *)
Variable merge : nat -> nat.

Definition merge_term (e : term) : term :=
  match e with
  | Const c => Const (merge c)
  | Var x => Var x
  end.

(** Values that are merged may be named by the least of them, so that 0 stays 0. *)
Hypothesis merge_zero : merge 0 = 0.

Definition merge_rule (r : rule) : rule :=
  {| pre := map merge_term (pre r); act := map merge_term (act r); cost := cost r |}.

Definition merge_game (g : game) : game :=
  {| rules := map merge_rule (rules g); goals := map (map merge_term) (goals g) |}.

Lemma entry_merge l i : entry (map merge_term l) i = merge_term (entry l i).
Proof. apply entry_map. simpl. rewrite merge_zero. reflexivity. Qed.

(** The abstract game has a step wherever the game has one. *)
Lemma inst_merge f l :
  map (inst (fun x => merge (f x))) (map merge_term l) = map merge (map (inst f) l).
Proof. rewrite !map_map. apply map_ext. intros [c|x]; reflexivity. Qed.

Lemma merge_leads r s t : leads r s t -> leads (merge_rule r) (map merge s) (map merge t).
Proof.
  intros (f & <- & <-). exists (fun x => merge (f x)). simpl. rewrite !inst_merge. auto.
Qed.

Lemma first_merge x p : first x (map merge_term p) = first x p.
Proof.
  induction p as [|[c|y] p IH]; simpl; [reflexivity | rewrite IH | rewrite IH];
    repeat destruct term_eq_dec; congruence.
Qed.

(** A match stays a match. *)
Theorem merging_keeps_matches a b :
  deterministic a -> replaces a b = true -> replaces (merge_rule a) (merge_rule b) = true.
Proof.
  intros D R. apply replaces_spec in R as (sigma & P & A); [|exact D].
  apply replaces_spec.
  - intros x. simpl. rewrite !in_map_iff. intros ([c|y] & [=] & Hx). subst y.
    exists (Var x). split; [reflexivity | apply D, Hx].
  - exists (fun x => merge_term (sigma x)).
    assert (forall l, map (subst (fun x => merge_term (sigma x))) (map merge_term l) =
                      map merge_term (map (subst sigma) l)) as H.
    { intros l. rewrite !map_map. apply map_ext. intros [c|x]; reflexivity. }
    split; simpl; rewrite H, ?P, ?A; reflexivity.
Qed.

(** Composition goes the same way, if it finds no conflict. *)
Definition merge_update (u : update) : update :=
  match u with
  | Nothing => Nothing
  | Never => Never
  | Replace x e => Replace x (merge_term e)
  end.

Lemma decide_merge a p2 i :
  snd (decide a p2 i) <> Never ->
  snd (decide (map merge_term a) (map merge_term p2) i) = merge_update (snd (decide a p2 i)).
Proof.
  unfold decide. rewrite !entry_merge. intros N.
  destruct (entry a i) as [c|j]; destruct (entry p2 i) as [d|x]; simpl in *.
  - destruct (Nat.eqb_spec c d) as [->|]; [rewrite Nat.eqb_refl; reflexivity|].
    destruct (N eq_refl).
  - rewrite first_merge, entry_merge. destruct (entry a (first x p2)) as [d|k]; simpl in *.
    + destruct (Nat.eqb_spec c d) as [->|]; [rewrite Nat.eqb_refl; reflexivity|].
      destruct (N eq_refl).
    + reflexivity.
  - reflexivity.
  - rewrite first_merge, entry_merge.
    destruct (entry a (first x p2)) as [d|k]; simpl; [reflexivity|].
    destruct (j =? k); reflexivity.
Qed.

Lemma replace_merge x e l :
  replace x (merge_term e) (map merge_term l) = map merge_term (replace x e l).
Proof.
  unfold replace. rewrite !map_map. apply map_ext. intros [c|y]; [reflexivity|].
  unfold replace_in. simpl. destruct (y =? x); reflexivity.
Qed.

Lemma walk_merge p2 positions : forall p a p' a',
  walk p2 positions p a = Some (p', a') ->
  walk (map merge_term p2) positions (map merge_term p) (map merge_term a) =
    Some (map merge_term p', map merge_term a').
Proof.
  induction positions as [|i l IH]; intros p a p' a' W; simpl in *.
  - injection W as <- <-. reflexivity.
  - pose proof (decide_merge a p2 i) as D. destruct (snd (decide a p2 i)) as [| |x e].
    + rewrite D by discriminate. simpl. apply IH, W.
    + discriminate W.
    + rewrite D by discriminate. simpl. rewrite !replace_merge. apply IH, W.
Qed.

Lemma compose_merge r q c :
  compose r q = Some c -> compose (merge_rule r) (merge_rule q) = Some (merge_rule c).
Proof.
  unfold compose. simpl. rewrite !map_length. destruct (_ =? _); [|discriminate].
  destruct (walk _ _ _ _) as [(p & a)|] eqn:W; [|discriminate]. intros [= <-].
  rewrite (walk_merge _ _ _ _ _ _ W). unfold merge_rule. simpl. rewrite !map_map.
  do 2 f_equal. apply map_ext. intros [d|x]; simpl; [reflexivity|].
  rewrite first_merge, entry_merge. reflexivity.
Qed.

Lemma macro_merge g n w c : macro g n w = Some c -> macro (merge_game g) n w = Some (merge_rule c).
Proof.
  unfold macro. replace (identity n) with (merge_rule (identity n)) at 2.
  - generalize (identity n). induction w as [|i w IH]; intros r E; simpl in *.
    + injection E as <-. reflexivity.
    + rewrite nth_error_map. destruct (nth_error (rules g) i) as [q|]; [|discriminate E]. simpl.
      destruct (compose r q) as [c'|] eqn:C; [|discriminate E].
      rewrite (compose_merge r q c' C). apply IH, E.
  - unfold merge_rule, identity. simpl. rewrite !map_map. reflexivity.
Qed.

Theorem merging_keeps_redundancy g n a b mb :
  macro g n b = Some mb -> replaces_word g n a b = true ->
  replaces_word (merge_game g) n a b = true.
Proof.
  intros Eb R. unfold replaces_word in *. rewrite Eb in R. rewrite (macro_merge g n b mb Eb).
  destruct (macro g n a) as [ma|] eqn:Ea; [|discriminate R].
  rewrite (macro_merge g n a ma Ea). apply andb_true_iff in R as (K & R).
  apply andb_true_iff. split; [exact K|]. apply merging_keeps_matches; [|exact R].
  eapply macro_deterministic. exact Ea.
Qed.

End Merging.

(** ** What fails *)

(** A word that is never possible may become possible: rule 0 leads to the value 1, and rule 1 needs
    the value 2. *)
Definition apart : game :=
  {| rules := [ {| pre := [Var 0]; act := [Const 1]; cost := 1 |};
                {| pre := [Const 2]; act := [Const 0]; cost := 1 |} ];
     goals := [] |}.

Definition one_for_two (v : nat) : nat := if v =? 2 then 1 else v.

Theorem impossible_words_may_become_possible :
  replaces_word apart 1 [] [0; 1] = true /\
  replaces_word (merge_game one_for_two apart) 1 [] [0; 1] = false.
Proof. split; reflexivity. Qed.

(** A redundancy may be false without a variable: rule 1 after rule 0 needs that the first variable
    is 0, since rule 0 copies it. In the game without the second variable it doesn't. *)
Definition two_variables : game :=
  {| rules := [ {| pre := [Var 0; Var 1]; act := [Var 0; Var 0]; cost := 1 |};
                {| pre := [Var 0; Const 0]; act := [Const 1; Const 0]; cost := 1 |};
                {| pre := [Const 0; Var 1]; act := [Const 1; Const 0]; cost := 1 |} ];
     goals := [] |}.

Definition first_variable (r : rule) : rule :=
  {| pre := firstn 1 (pre r); act := firstn 1 (act r); cost := cost r |}.

Definition one_variable : game :=
  {| rules := map first_variable (rules two_variables); goals := [] |}.

Theorem projections_may_lose_redundancy :
  replaces_word two_variables 2 [2] [0; 1] = true /\
  replaces_word one_variable 1 [2] [0; 1] = false.
Proof. split; reflexivity. Qed.
