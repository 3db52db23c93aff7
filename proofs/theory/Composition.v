(** * Composition of rules by seven subcases

    Burch & Holte 2011, section "Composition of Move Sequences". A rule with preconditions [p2] is
    appended to a macro-rule with preconditions [p] and actions [a]: each position of [p2] meets the
    action there, one of seven subcases applies, and what it says is done to [p] and [a] as a whole.
    In subcases 1(b), 1(c), 2(c) and 2(d) the action at the position of the unknown counts, here
    [entry a (first x p2)]. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Game Terms.
Import ListNotations.

Inductive subcase := Case1a | Case1b | Case1c | Case2a | Case2b | Case2c | Case2d.

(** What a subcase says: nothing needs to be done; the rule can never follow; or an unknown is the
    same as a constant, or as an unknown of smaller index, and is replaced everywhere. *)
Inductive update :=
| Nothing
| Never
| Replace (x : nat) (e : term).

Definition decide (a p2 : list term) (i : nat) : subcase * update :=
  match entry a i, entry p2 i with
  | Const c, Const d => (Case1a, if c =? d then Nothing else Never)
  | Const c, Var x =>
      match entry a (first x p2) with
      | Const d => (Case1b, if c =? d then Nothing else Never)
      | Var k => (Case1c, Replace k (Const c))
      end
  | Var j, Const d => (Case2a, Replace j (Const d))
  | Var j, Var x =>
      match entry a (first x p2) with
      | Const d => (Case2c, Replace j (Const d))
      | Var k =>
          if j =? k then (Case2b, Nothing) else (Case2d, Replace (max j k) (Var (min j k)))
      end
  end.

(** Goes through positions, and updates both vectors after each. *)
Fixpoint walk (p2 : list term) (positions : list nat) (p a : list term)
  : option (list term * list term) :=
  match positions with
  | [] => Some (p, a)
  | i :: rest =>
      match snd (decide a p2 i) with
      | Nothing => walk p2 rest p a
      | Never => None
      | Replace x e => walk p2 rest (replace x e p) (replace x e a)
      end
  end.

(** The last step: an action of the second rule is a constant, or a copy of what is at the position
    of its unknown. *)
Definition copy (p2 a : list term) (e : term) : term :=
  match e with
  | Const d => Const d
  | Var x => entry a (first x p2)
  end.

Definition compose (r q : rule) : option rule :=
  if length (act r) =? length (pre q) then
    match walk (pre q) (seq 0 (length (pre q))) (pre r) (act r) with
    | Some (p, a) =>
        Some {| pre := p; act := map (copy (pre q) a) (act q); cost := cost r + cost q |}
    | None => None
    end
  else None.

(** ** Each subcase is right

    [between p a s m]: a rule with these vectors leads from [s] to [m]. *)
Definition between (p a : list term) (s m : state) : Prop :=
  exists f, map (inst f) p = s /\ map (inst f) a = m.

Lemma between_replace x e p a s m :
  e <> Var x ->
  (between (replace x e p) (replace x e a) s m <->
   exists f, f x = inst f e /\ map (inst f) p = s /\ map (inst f) a = m).
Proof.
  intros N. split.
  - intros (f & <- & <-). exists (assign f x (inst f e)).
    rewrite !inst_replace_assign, assign_same, inst_assign_other; auto.
  - intros (f & E & <- & <-). exists f. rewrite !inst_replace_same; auto.
Qed.

(** A condition on the state in the middle is an equation between two terms. *)
Lemma holds_inst p2 a f i :
  holds p2 (map (inst f) a) i <-> inst f (entry a i) = inst f (copy p2 a (entry p2 i)).
Proof.
  unfold holds. rewrite entry_inst. destruct (entry p2 i) as [d|x]; simpl; [reflexivity|].
  rewrite entry_inst. reflexivity.
Qed.

(** If the equation says that [x] is [e], replacing keeps just the middle states that satisfy it. *)
Lemma replace_keeps_holding p2 p a i x e s m :
  e <> Var x ->
  (forall f, inst f (entry a i) = inst f (copy p2 a (entry p2 i)) <-> f x = inst f e) ->
  (between (replace x e p) (replace x e a) s m <-> between p a s m /\ holds p2 m i).
Proof.
  intros N E. rewrite (between_replace x e p a s m N). split.
  - intros (f & Ef & Hp & <-). split; [exists f; auto|]. apply holds_inst, E, Ef.
  - intros ((f & Hp & <-) & H). exists f. rewrite <- E. split; [apply holds_inst, H | auto].
Qed.

Theorem subcases_are_right p2 p a i :
  match snd (decide a p2 i) with
  | Nothing => forall s m, between p a s m -> holds p2 m i
  | Never => forall s m, between p a s m -> ~ holds p2 m i
  | Replace x e =>
      forall s m, between (replace x e p) (replace x e a) s m <-> between p a s m /\ holds p2 m i
  end.
Proof.
  unfold decide. destruct (entry a i) as [c|j] eqn:A.
  - assert (forall d, copy p2 a (entry p2 i) = Const d ->
              match (if c =? d then Nothing else Never) with
              | Nothing => forall s m, between p a s m -> holds p2 m i
              | Never => forall s m, between p a s m -> ~ holds p2 m i
              | Replace x e => True
              end) as constants.
    { intros d T. destruct (Nat.eqb_spec c d) as [->|N]; intros s m (f & _ & <-);
        rewrite holds_inst, A, T; simpl; auto. }
    destruct (entry p2 i) as [d|x] eqn:P.
    + specialize (constants d eq_refl). simpl. destruct (c =? d); exact constants.
    + destruct (entry a (first x p2)) as [d|k] eqn:B.
      * specialize (constants d B). simpl. destruct (c =? d); exact constants.
      * intros s m. apply replace_keeps_holding; [discriminate|].
        intros f. rewrite A, P. simpl. rewrite B. simpl. split; congruence.
  - destruct (entry p2 i) as [d|x] eqn:P.
    + intros s m. apply replace_keeps_holding; [discriminate|].
      intros f. rewrite A, P. simpl. reflexivity.
    + destruct (entry a (first x p2)) as [d|k] eqn:B.
      * intros s m. apply replace_keeps_holding; [discriminate|].
        intros f. rewrite A, P. simpl. rewrite B. simpl. reflexivity.
      * destruct (Nat.eqb_spec j k) as [->|N].
        -- intros s m (f & _ & <-). rewrite holds_inst, A, P. simpl. rewrite B. reflexivity.
        -- intros s m. apply replace_keeps_holding; [intros [= E]; lia|].
           intros f. rewrite A, P. simpl. rewrite B. simpl.
           destruct (Nat.max_spec j k) as [(L & ->) | (L & ->)];
             destruct (Nat.min_spec j k) as [(L' & ->) | (L' & ->)]; lia || (split; congruence).
Qed.

(** ** The walk keeps just the middle states that satisfy the conditions at its positions *)

Lemma walk_length p2 positions : forall p a p' a',
  walk p2 positions p a = Some (p', a') -> length p' = length p /\ length a' = length a.
Proof.
  induction positions as [|i l IH]; intros p a p' a' W; simpl in W.
  - injection W as <- <-. auto.
  - destruct (snd (decide a p2 i)) as [| |x e]; [eauto | discriminate W|].
    apply IH in W. rewrite !replace_length in W. exact W.
Qed.

Theorem walk_spec p2 positions : forall p a,
  match walk p2 positions p a with
  | Some (p', a') =>
      forall s m, between p' a' s m <-> between p a s m /\ forall i, In i positions -> holds p2 m i
  | None => forall s m, between p a s m -> ~ forall i, In i positions -> holds p2 m i
  end.
Proof.
  induction positions as [|i l IH]; intros p a; simpl; [intuition|].
  pose proof (subcases_are_right p2 p a i) as H.
  destruct (snd (decide a p2 i)) as [| |x e].
  - specialize (IH p a). destruct (walk p2 l p a) as [(p' & a')|].
    + intros s m. rewrite IH. split; intros (B & C); (split; [exact B|]); [|auto].
      intros j [<- | Hj]; eauto.
    + intros s m B C. apply (IH s m B). auto.
  - intros s m B C. apply (H s m B). auto.
  - specialize (IH (replace x e p) (replace x e a)).
    destruct (walk p2 l (replace x e p) (replace x e a)) as [(p' & a')|].
    + intros s m. rewrite IH, H. split.
      * intros ((B & C) & D). split; [exact B|]. intros j [<- | Hj]; auto.
      * intros (B & C). auto.
    + intros s m B C. apply (IH s m); [apply H; auto | auto].
Qed.

(** ** The composition leads just where the two rules lead one after the other *)

Lemma copy_inst f p2 a e : inst f (copy p2 a e) = follow p2 (map (inst f) a) e.
Proof. destruct e as [d|x]; simpl; [reflexivity | symmetry; apply entry_inst]. Qed.

Lemma leads_between r s m : leads r s m <-> between (pre r) (act r) s m.
Proof. reflexivity. Qed.

Theorem compose_sound r q c :
  deterministic q -> compose r q = Some c ->
  forall s t, leads c s t <-> exists m, leads r s m /\ leads q m t.
Proof.
  intros D C s t. unfold compose in C.
  destruct (Nat.eqb_spec (length (act r)) (length (pre q))) as [L|]; [|discriminate C].
  pose proof (walk_spec (pre q) (seq 0 (length (pre q))) (pre r) (act r)) as W.
  destruct (walk _ _ _ _) as [(p & a)|]; [|discriminate C]. injection C as <-.
  split.
  - intros (f & <- & <-). simpl. exists (map (inst f) a).
    destruct (proj1 (W (map (inst f) p) (map (inst f) a))) as (B & H); [exists f; auto|].
    split; [exact B|]. apply (leads_by_position q _ _ D). split.
    + apply matches_by_position. split.
      * destruct B as (g & _ & E). rewrite <- E, map_length. exact L.
      * intros i Hi. apply H, in_seq. lia.
    + rewrite map_map. apply map_ext, copy_inst.
  - intros (m & Hr & Hq). apply (leads_by_position q _ _ D) in Hq as (M & ->).
    apply matches_by_position in M as (Lm & M).
    destruct (proj2 (W s m)) as (f & Hp & Ha).
    { split; [exact Hr|]. intros i Hi. apply in_seq in Hi. apply M. lia. }
    exists f. simpl. split; [exact Hp|]. rewrite map_map. apply map_ext. intros e.
    rewrite copy_inst, Ha. reflexivity.
Qed.

(** If the walk finds a conflict, the second rule never follows the first one. *)
Theorem compose_complete r q :
  compose r q = None -> forall s m t, leads r s m -> leads q m t -> False.
Proof.
  intros C s m t Hr Hq. pose proof (leads_matches _ _ _ Hq) as M.
  apply matches_by_position in M as (Lm & M). unfold compose in C.
  destruct (leads_length _ _ _ Hr) as (_ & Lr).
  destruct (Nat.eqb_spec (length (act r)) (length (pre q))) as [L|N]; [|lia].
  pose proof (walk_spec (pre q) (seq 0 (length (pre q))) (pre r) (act r)) as W.
  destruct (walk _ _ _ _) as [(p & a)|]; [discriminate C|].
  apply (W s m Hr). intros i Hi. apply in_seq in Hi. apply M. lia.
Qed.

Lemma compose_cost r q c : compose r q = Some c -> cost c = cost r + cost q.
Proof.
  unfold compose. destruct (_ =? _); [|discriminate].
  destruct (walk _ _ _ _) as [(p & a)|]; [|discriminate]. intros [= <-]. reflexivity.
Qed.

Lemma compose_lengths r q c :
  compose r q = Some c -> length (pre c) = length (pre r) /\ length (act c) = length (act q).
Proof.
  unfold compose. destruct (_ =? _); [|discriminate].
  destruct (walk _ _ _ _) as [(p & a)|] eqn:W; [|discriminate]. intros [= <-]. simpl.
  rewrite map_length. apply walk_length in W. tauto.
Qed.

(** ** The composition of deterministic rules is deterministic *)

Lemma in_replace y x e l :
  In (Var y) (replace x e l) <-> (y <> x /\ In (Var y) l) \/ (e = Var y /\ In (Var x) l).
Proof.
  unfold replace. rewrite in_map_iff. split.
  - intros ([c|z] & E & Hz); unfold replace_in in E; simpl in E; [discriminate E|].
    destruct (Nat.eqb_spec z x) as [Ez|N]; [subst z; auto|]. injection E as Ez. subst z. auto.
  - intros [(N & H) | (-> & H)]; [exists (Var y) | exists (Var x)]; (split; [|exact H]);
      unfold replace_in; simpl.
    + destruct (Nat.eqb_spec y x); congruence.
    + rewrite Nat.eqb_refl. reflexivity.
Qed.

Lemma walk_deterministic p2 positions : forall p a p' a',
  walk p2 positions p a = Some (p', a') ->
  (forall x, In (Var x) a -> In (Var x) p) -> forall x, In (Var x) a' -> In (Var x) p'.
Proof.
  induction positions as [|i l IH]; intros p a p' a' W D; simpl in W.
  - injection W as <- <-. exact D.
  - destruct (snd (decide a p2 i)) as [| |x e]; [eauto | discriminate W|].
    apply (IH _ _ _ _ W). intros y. rewrite !in_replace. intuition.
Qed.

Theorem compose_deterministic r q c :
  deterministic r -> compose r q = Some c -> deterministic c.
Proof.
  unfold compose. intros D. destruct (_ =? _); [|discriminate].
  destruct (walk _ _ _ _) as [(p & a)|] eqn:W; [|discriminate]. intros [= <-] x. simpl.
  rewrite in_map_iff. intros ([d|y] & E & _); [discriminate E|].
  eapply walk_deterministic; [exact W | exact D|]. eapply entry_var_in. exact E.
Qed.

(** ** Macro-rules of words *)

(** The empty word in a game of [n] variables. *)
Definition identity (n : nat) : rule :=
  {| pre := map Var (seq 0 n); act := map Var (seq 0 n); cost := 0 |}.

Fixpoint extend (g : game) (c : rule) (w : word) : option rule :=
  match w with
  | [] => Some c
  | i :: w' =>
      match nth_error (rules g) i with
      | Some r => match compose c r with
                  | Some c' => extend g c' w'
                  | None => None
                  end
      | None => None
      end
  end.

Definition macro (g : game) (n : nat) (w : word) : option rule := extend g (identity n) w.

Lemma map_inst_seq f n : map (inst f) (map Var (seq 0 n)) = map f (seq 0 n).
Proof. rewrite map_map. reflexivity. Qed.

Lemma state_as_map s : map (value s) (seq 0 (length s)) = s.
Proof.
  apply (nth_ext _ _ 0 0); [rewrite map_length, seq_length; reflexivity|].
  intros i L. rewrite map_length, seq_length in L.
  rewrite (nth_indep _ 0 (value s 0)), map_nth, seq_nth; [reflexivity | exact L|].
  rewrite map_length, seq_length. exact L.
Qed.

Lemma identity_leads n s t : leads (identity n) s t <-> length s = n /\ s = t.
Proof.
  unfold leads. simpl. split.
  - intros (f & <- & <-). rewrite !map_length, seq_length. auto.
  - intros (<- & <-). exists (value s). rewrite map_inst_seq, state_as_map. auto.
Qed.

Lemma extend_spec g w : deterministic_game g -> forall c s t,
  match extend g c w with
  | Some m => leads m s t <-> exists u, leads c s u /\ runs g w u t
  | None => forall u, leads c s u -> runs g w u t -> False
  end.
Proof.
  intros D. unfold runs. induction w as [|i w IH]; intros c s t; simpl.
  - split; [eauto | intros (u & H & <-); exact H].
  - destruct (nth_error (rules g) i) as [r|] eqn:E.
    + assert (deterministic r) as Dr by (apply D; eapply nth_error_In; exact E).
      assert (forall u m, step g i u m <-> leads r u m) as S.
      { intros u m. unfold step. rewrite E. split; [intros (q & [= <-] & H); exact H | eauto]. }
      destruct (compose c r) as [c'|] eqn:C.
      * pose proof (compose_sound c r c' Dr C) as L. specialize (IH c' s t).
        destruct (extend g c' w) as [m|].
        -- rewrite IH. split.
           ++ intros (v & Hv & R). apply L in Hv as (u & Hu & Hr). exists u.
              split; [exact Hu|]. exists v. rewrite S. auto.
           ++ intros (u & Hu & v & Hv & R). exists v. split; [|exact R].
              apply L. exists u. rewrite <- S. auto.
        -- intros u Hu (v & Hv & R). apply (IH v); [|exact R]. apply L. exists u.
           rewrite <- S. auto.
      * intros u Hu (v & Hv & _). apply S in Hv. exact (compose_complete c r C s u v Hu Hv).
    + intros u _ (v & (q & Q & _) & _). congruence.
Qed.

(** The macro-rule of a word leads just where the word leads, and there is none just if the word
    can never be carried out. *)
Theorem macro_spec g n w s t :
  deterministic_game g -> length s = n ->
  (runs g w s t <-> exists c, macro g n w = Some c /\ leads c s t).
Proof.
  intros D L. unfold macro. pose proof (extend_spec g w D (identity n) s t) as H.
  destruct (extend g (identity n) w) as [c|].
  - split.
    + intros R. exists c. split; [reflexivity|]. apply H. exists s. rewrite identity_leads. auto.
    + intros (c' & [= <-] & Hc). apply H in Hc as (u & Hu & R).
      apply identity_leads in Hu as (_ & <-). exact R.
  - split; [|intros (c & [=] & _)]. intros R. exfalso. apply (H s); [|exact R].
    apply identity_leads. auto.
Qed.

Lemma extend_cost g w : forall c m, extend g c w = Some m -> cost m = cost c + cost_of g w.
Proof.
  unfold cost_of. induction w as [|i w IH]; intros c m E; simpl in *.
  - injection E as <-. lia.
  - unfold rule_cost at 1. destruct (nth_error (rules g) i) as [r|]; [|discriminate E].
    destruct (compose c r) as [c'|] eqn:C; [|discriminate E].
    apply IH in E. apply compose_cost in C. lia.
Qed.

Theorem macro_cost g n w c : macro g n w = Some c -> cost c = cost_of g w.
Proof. intros E. apply extend_cost in E. exact E. Qed.

Theorem macro_deterministic g n w c : macro g n w = Some c -> deterministic c.
Proof.
  unfold macro. assert (deterministic (identity n)) as D by (intros x H; exact H).
  revert D. generalize (identity n). induction w as [|i w IH]; intros r D E; simpl in E.
  - injection E as <-. exact D.
  - destruct (nth_error (rules g) i) as [q|]; [|discriminate E].
    destruct (compose r q) as [c'|] eqn:C; [|discriminate E].
    apply (IH c'); [eauto using compose_deterministic | exact E].
Qed.

Theorem macro_length g n w c : macro g n w = Some c -> length (pre c) = n.
Proof.
  unfold macro. assert (length (pre (identity n)) = n) as L.
  { simpl. rewrite map_length. apply seq_length. }
  revert L. generalize (identity n). induction w as [|i w IH]; intros r L E; simpl in E.
  - injection E as <-. exact L.
  - destruct (nth_error (rules g) i) as [q|]; [|discriminate E].
    destruct (compose r q) as [c'|] eqn:C; [|discriminate E].
    apply (IH c'); [|exact E]. apply compose_lengths in C. lia.
Qed.
