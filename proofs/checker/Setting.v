(* What every certificate begins with: domains, a game, a start. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step.
Import ListNotations.

(* A state fits the domains if each value is below the size of its domain. *)
Fixpoint fits (domains : list nat) (s : state) : bool :=
  match domains, s with
  | [], [] => true
  | d :: domains', v :: s' => if v <? d then fits domains' s' else false
  | _, _ => false
  end.

Lemma fits_spec domains : forall s,
  fits domains s = true <->
  length s = length domains /\ (forall i, i < length s -> nth i s 0 < nth i domains 0).
Proof.
  induction domains as [|d domains IH]; intros [|v s]; simpl.
  - split; auto. split; auto. lia.
  - split; [discriminate | now intros []].
  - split; [discriminate | now intros []].
  - destruct (Nat.ltb_spec v d); [rewrite IH | split; [discriminate | intros [_ H']]].
    + split; [intros [L H'] | intros [L H']]; split; auto.
      * intros [|i]; simpl; auto. intros. apply H'. lia.
      * intros i Hi. apply (H' (S i)). lia.
    + specialize (H' 0). simpl in H'. lia.
Qed.

(* Actions keep values in their domains. *)
Fixpoint keeps_domains (whole : list nat) (ss : list source) (domains : list nat) : bool :=
  match ss, domains with
  | s :: ss', d :: domains' =>
      match s with
      | Keep => true
      | Put v => v <? d
      | From j => nth j whole 0 <=? d
      end && keeps_domains whole ss' domains'
  | _, _ => true
  end.

Lemma rebuild_fits s whole : fits whole s = true ->
  forall ss domains rest,
  (forall i j, nth_error ss i = Some (From j) -> j < length s) ->
  fits domains rest = true -> keeps_domains whole ss domains = true ->
  fits domains (rebuild s ss rest) = true.
Proof.
  intros F. apply fits_spec in F as [L F].
  induction ss as [|a ss IH]; intros [|d domains] [|v rest] J; simpl; try discriminate; auto.
  destruct (Nat.ltb_spec v d) as [Hv|]; [|discriminate]. intros R K.
  apply andb_prop in K as [K1 K2].
  rewrite IH; auto; [|intros i j E; apply (J (S i) j E)].
  destruct a as [|c|j]; [| |specialize (J 0 j eq_refl)].
  - now apply Nat.ltb_lt in Hv as ->.
  - now rewrite K1.
  - rewrite pick_nth. apply Nat.leb_le in K1. specialize (F j J).
    destruct (Nat.ltb_spec (nth j s 0) d); auto. lia.
Qed.

Definition wide (n : nat) (es : list term) : bool := length es =? n.

Definition ready_rule (domains : list nat) (r : rule) : option compiled :=
  if wide (length domains) (pre r) && wide (length domains) (act r) then
    match compile r with
    | Some c => if keeps_domains domains (sources c) domains then Some c else None
    | None => None
    end
  else None.

Definition ready_goal (domains : list nat) (p : list term) : option (list test) :=
  if wide (length domains) p then translate (test_of p) is_any 0 p else None.

Fixpoint all_some {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l' =>
      match f a, all_some f l' with
      | Some b, Some m => Some (b :: m)
      | _, _ => None
      end
  end.

Lemma all_some_nth {A B} (f : A -> option B) l : forall m, all_some f l = Some m ->
  forall i a, nth_error l i = Some a -> exists b, nth_error m i = Some b /\ f a = Some b.
Proof.
  induction l as [|a l IH]; simpl; intros m.
  - intros _ [|i] a; discriminate.
  - destruct (f a) as [b|] eqn:F; [|discriminate].
    destruct (all_some f l) as [m'|]; [|discriminate]. intros [= <-] [|i] a'; simpl.
    + intros [= <-]. eauto.
    + apply IH. reflexivity.
Qed.

Lemma all_some_nth_back {A B} (f : A -> option B) l : forall m, all_some f l = Some m ->
  forall i b, nth_error m i = Some b -> exists a, nth_error l i = Some a /\ f a = Some b.
Proof.
  induction l as [|a l IH]; simpl; intros m.
  - intros [= <-] [|i] b; discriminate.
  - destruct (f a) as [b|] eqn:F; [|discriminate].
    destruct (all_some f l) as [m'|]; [|discriminate]. intros [= <-] [|i] b'; simpl.
    + intros [= <-]. eauto.
    + apply IH. reflexivity.
Qed.

Record setting := { domains : list nat; of_game : game; start : state }.
Record prepared := { moves : list compiled; ends : list (list test) }.

Definition prepare (c : setting) : option prepared :=
  if fits (domains c) (start c) then
    match all_some (ready_rule (domains c)) (rules (of_game c)),
          all_some (ready_goal (domains c)) (goals (of_game c)) with
    | Some ms, Some es => Some {| moves := ms; ends := es |}
    | _, _ => None
    end
  else None.

Definition goal_test (p : prepared) (s : state) : bool :=
  existsb (fun ts => passes s ts s) (ends p).

Section Prepared.
Variable c : setting.
Variable p : prepared.
Hypothesis is_prepared : prepare c = Some p.

Lemma prepare_parts :
  fits (domains c) (start c) = true /\
  all_some (ready_rule (domains c)) (rules (of_game c)) = Some (moves p) /\
  all_some (ready_goal (domains c)) (goals (of_game c)) = Some (ends p).
Proof.
  unfold prepare in is_prepared.
  destruct (fits _ _); [|discriminate].
  destruct (all_some _ (rules _)) as [ms|]; [|discriminate].
  destruct (all_some _ (goals _)) as [es|]; [|discriminate].
  injection is_prepared as <-. auto.
Qed.

Lemma start_fits : fits (domains c) (start c) = true.
Proof. apply prepare_parts. Qed.

(* The compiled rules are those of the game, number by number. *)
Lemma moves_complete i s t :
  fits (domains c) s = true -> step (of_game c) i s t ->
  exists m, nth_error (moves p) i = Some m /\ carry_out m s = Some t /\
            price m = rule_cost (of_game c) i /\ fits (domains c) t = true.
Proof.
  intros F (r & E & L). destruct prepare_parts as (_ & P & _).
  destruct (all_some_nth _ _ _ P _ _ E) as (m & Em & R). unfold ready_rule in R.
  destruct (wide _ (pre r) && wide _ (act r)) eqn:W; [|discriminate].
  apply andb_prop in W as [W1 W2]. apply Nat.eqb_eq in W1, W2.
  destruct (compile r) as [m'|] eqn:C; [|discriminate].
  destruct (keeps_domains _ (sources m') _) eqn:K; [|discriminate]. injection R as <-.
  assert (Ls : length s = length (pre r)).
  { apply fits_spec in F as [Ls _]. congruence. }
  apply (carry_out_spec r m' C) in L; [|congruence|exact Ls].
  exists m'. repeat split; auto.
  - unfold rule_cost. rewrite E. now apply compile_price.
  - unfold carry_out in L. destruct (passes _ _ _); [|discriminate]. injection L as <-.
    apply (rebuild_fits s (domains c)); auto.
    intros k j S. destruct (nth_error_translate _ _ _ _ _ _ _ (compile_sources r m' C) S)
      as (e & _ & H). simpl in H. destruct e as [v | x]; simpl in H; [discriminate|].
    destruct (index x (pre r)) as [j'|] eqn:J; [|discriminate].
    destruct (j' =? k); [discriminate|]. injection H as <-.
    rewrite Ls. now apply (index_lt x).
Qed.

Lemma moves_sound i m s t :
  fits (domains c) s = true -> nth_error (moves p) i = Some m -> carry_out m s = Some t ->
  step (of_game c) i s t /\ price m = rule_cost (of_game c) i /\ fits (domains c) t = true.
Proof.
  intros F Em L. destruct prepare_parts as (_ & P & _).
  destruct (all_some_nth_back _ _ _ P _ _ Em) as (r & E & R). unfold ready_rule in R.
  destruct (wide _ (pre r) && wide _ (act r)) eqn:W; [|discriminate].
  apply andb_prop in W as [W1 W2]. apply Nat.eqb_eq in W1, W2.
  destruct (compile r) as [m'|] eqn:C; [|discriminate].
  destruct (keeps_domains _ (sources m') _) eqn:K; [|discriminate]. injection R as <-.
  assert (Ls : length s = length (pre r)).
  { apply fits_spec in F as [Ls _]. congruence. }
  assert (St : step (of_game c) i s t).
  { exists r. split; auto. apply (carry_out_spec r m' C); congruence. }
  destruct (moves_complete i s t F St) as (m & Em' & _ & Pr & Ft).
  replace m with m' in Pr by congruence. auto.
Qed.

Lemma goal_test_complete s :
  fits (domains c) s = true -> is_goal (of_game c) s -> goal_test p s = true.
Proof.
  intros F (g & I & f & M). destruct prepare_parts as (_ & _ & P).
  apply In_nth_error in I as [i E]. destruct (all_some_nth _ _ _ P _ _ E) as (ts & Et & R).
  unfold ready_goal in R. destruct (wide _ g) eqn:W; [|discriminate].
  unfold goal_test. apply existsb_exists. exists ts. split; [eapply nth_error_In; eauto|].
  now apply (tests_complete g ts R f).
Qed.

Lemma goal_test_sound s :
  fits (domains c) s = true -> goal_test p s = true -> is_goal (of_game c) s.
Proof.
  intros F G. unfold goal_test in G. apply existsb_exists in G as (ts & I & H).
  destruct prepare_parts as (_ & _ & P).
  apply In_nth_error in I as [i E]. destruct (all_some_nth_back _ _ _ P _ _ E) as (g & Eg & R).
  unfold ready_goal in R. destruct (wide _ g) eqn:W; [|discriminate]. apply Nat.eqb_eq in W.
  exists g. split; [eapply nth_error_In; eauto|]. exists (found g s).
  apply (tests_sound g ts R); auto. apply fits_spec in F as [L _]. congruence.
Qed.
End Prepared.
