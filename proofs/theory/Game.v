(** * Games in PSVN: rules as pairs of vectors, what they lead to, plans and bounds

    Burch & Holte, "Automatic Move Pruning in General Single-Player Games" (2011), sections "State
    and Rule Representation" and "Appendix: The PSVN Language".

    A state is a vector of values. A rule has a precondition vector and an action vector, whose
    entries are constants or unknowns, and a cost. A rule leads from state [s] to state [t] if some
    values of the unknowns make the preconditions equal to [s] and the actions equal to [t]. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths.
Import ListNotations.

(** ** States and rules *)

Definition state := list nat.

Inductive term :=
| Const (v : nat)
| Var (x : nat).

Record rule := { pre : list term; act : list term; cost : nat }.

Definition term_eq_dec (a b : term) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition state_eq_dec : forall s t : state, {s = t} + {s <> t} := list_eq_dec Nat.eq_dec.

(** An assignment gives each unknown a value. *)
Definition inst (f : nat -> nat) (e : term) : nat :=
  match e with
  | Const v => v
  | Var x => f x
  end.

Definition leads (r : rule) (s t : state) : Prop :=
  exists f, map (inst f) (pre r) = s /\ map (inst f) (act r) = t.

(** Preconditions, and conditions of goals, hold in a state if some assignment makes them equal. *)
Definition matches (p : list term) (s : state) : Prop := exists f, map (inst f) p = s.

(** A rule is deterministic if each unknown of its actions is in its preconditions. A file with
    other rules stands for one deterministic rule for each combination of values. *)
Definition deterministic (r : rule) : Prop := forall x, In (Var x) (act r) -> In (Var x) (pre r).

Definition deterministicb (r : rule) : bool :=
  forallb (fun e => match e with
                    | Const _ => true
                    | Var _ => if in_dec term_eq_dec e (pre r) then true else false
                    end) (act r).

Lemma deterministicb_spec r : deterministicb r = true <-> deterministic r.
Proof.
  unfold deterministicb, deterministic. rewrite forallb_forall. split.
  - intros H x Hx. specialize (H _ Hx). cbn in H. destruct in_dec in H; easy.
  - intros H [v|x] Hx; [reflexivity|].
    destruct in_dec as [|N]; [reflexivity | destruct (N (H x Hx))].
Qed.

(** Only the values of unknowns that occur matter. *)
Lemma map_inst_ext f g l :
  (forall x, In (Var x) l -> f x = g x) -> map (inst f) l = map (inst g) l.
Proof.
  intros H. apply map_ext_in. intros [v|x] Hx; simpl; auto.
Qed.

Lemma map_inst_agree f g l :
  map (inst f) l = map (inst g) l -> forall x, In (Var x) l -> f x = g x.
Proof.
  intros E x. induction l as [|e l IH]; simpl in *; [intros []|].
  injection E as E1 E2. intros [-> | Hx]; auto.
Qed.

Lemma matches_length p s : matches p s -> length p = length s.
Proof. intros (f & <-). symmetry. apply map_length. Qed.

Lemma leads_length r s t : leads r s t -> length (pre r) = length s /\ length (act r) = length t.
Proof. intros (f & <- & <-). rewrite !map_length. auto. Qed.

Lemma leads_matches r s t : leads r s t -> matches (pre r) s.
Proof. intros (f & H & _). exists f. exact H. Qed.

(** A deterministic rule leads to one state at most, and to one wherever its preconditions hold. *)
Lemma leads_functional r s t u : deterministic r -> leads r s t -> leads r s u -> t = u.
Proof.
  intros D (f & Pf & <-) (g & Pg & <-). apply map_inst_ext. intros x Hx.
  apply (map_inst_agree f g (pre r)); [congruence | apply D, Hx].
Qed.

Lemma leads_total r s : matches (pre r) s -> exists t, leads r s t.
Proof. intros (f & H). exists (map (inst f) (act r)), f. auto. Qed.

(** ** Rules as functions *)

(** The values that were found for unknowns, the latest first. *)
Definition env := list (nat * nat).

Fixpoint lookup (e : env) (x : nat) : option nat :=
  match e with
  | [] => None
  | (y, v) :: e' => if x =? y then Some v else lookup e' x
  end.

(** Walks over preconditions and state: a constant must be there, the first occurrence of an unknown
    gives it its value, and each later one must find the same value again. *)
Fixpoint bind (e : env) (p : list term) (s : state) : option env :=
  match p, s with
  | [], [] => Some e
  | Const c :: p', v :: s' => if c =? v then bind e p' s' else None
  | Var x :: p', v :: s' =>
      match lookup e x with
      | Some u => if u =? v then bind e p' s' else None
      | None => bind ((x, v) :: e) p' s'
      end
  | _, _ => None
  end.

Fixpoint read (e : env) (a : list term) : option state :=
  match a with
  | [] => Some []
  | Const c :: a' => option_map (cons c) (read e a')
  | Var x :: a' =>
      match lookup e x, read e a' with
      | Some v, Some t => Some (v :: t)
      | _, _ => None
      end
  end.

Definition apply (r : rule) (s : state) : option state :=
  match bind [] (pre r) s with
  | Some e => read e (act r)
  | None => None
  end.

Definition matchesb (p : list term) (s : state) : bool :=
  match bind [] p s with
  | Some _ => true
  | None => false
  end.

(** [agrees e f]: assignment [f] gives the unknowns in [e] the values that they have there. *)
Definition agrees (e : env) (f : nat -> nat) : Prop := forall x v, lookup e x = Some v -> f x = v.

Definition of_env (e : env) (x : nat) : nat :=
  match lookup e x with
  | Some v => v
  | None => 0
  end.

Lemma agrees_of_env e : agrees e (of_env e).
Proof. intros x v H. unfold of_env. rewrite H. reflexivity. Qed.

Lemma agrees_cons e f x : agrees e f -> agrees ((x, f x) :: e) f.
Proof.
  intros A y v. simpl. destruct (Nat.eqb_spec y x) as [->|_]; [congruence | apply A].
Qed.

(** What was bound stays bound. *)
Lemma bind_extends p : forall e s e' x v,
  bind e p s = Some e' -> lookup e x = Some v -> lookup e' x = Some v.
Proof.
  induction p as [|[c|y] p IH]; intros e [|w s] e' x v H L; simpl in H; try discriminate H.
  - injection H as <-. exact L.
  - destruct (c =? w); [eauto | discriminate H].
  - destruct (lookup e y) as [u|] eqn:Ly.
    + destruct (u =? w); [eauto | discriminate H].
    + apply (IH _ _ _ x v H). simpl. destruct (Nat.eqb_spec x y) as [->|_]; [congruence | exact L].
Qed.

Lemma bind_binds p : forall e s e' x,
  bind e p s = Some e' -> In (Var x) p -> exists v, lookup e' x = Some v.
Proof.
  induction p as [|[c|y] p IH]; intros e [|w s] e' x H; simpl in H; try discriminate H.
  - intros [].
  - destruct (c =? w); [|discriminate H]. intros [E | Hx]; [discriminate E | eauto].
  - intros [E | Hx].
    + injection E as ->. destruct (lookup e x) as [u|] eqn:L.
      * destruct (u =? w); [|discriminate H]. eauto using bind_extends.
      * exists w. apply (bind_extends _ _ _ _ _ _ H). simpl. rewrite Nat.eqb_refl. reflexivity.
    + destruct (lookup e y) as [u|]; [destruct (u =? w); [|discriminate H]|]; eauto.
Qed.

(** Sound: each assignment that agrees with what was bound makes the preconditions equal. *)
Lemma bind_sound p : forall e s e' f,
  bind e p s = Some e' -> agrees e' f -> map (inst f) p = s.
Proof.
  induction p as [|[c|y] p IH]; intros e [|w s] e' f H A; simpl in H; try discriminate H.
  - reflexivity.
  - destruct (Nat.eqb_spec c w) as [->|_]; [|discriminate H]. simpl. f_equal. eauto.
  - simpl. destruct (lookup e y) as [u|] eqn:L.
    + destruct (Nat.eqb_spec u w) as [->|_]; [|discriminate H].
      f_equal; [|eauto]. apply A. eauto using bind_extends.
    + f_equal; [|eauto]. apply A. apply (bind_extends _ _ _ _ _ _ H).
      simpl. rewrite Nat.eqb_refl. reflexivity.
Qed.

(** Complete: if an assignment makes the preconditions equal, binding succeeds, and agrees. *)
Lemma bind_complete p : forall e f,
  agrees e f -> exists e', bind e p (map (inst f) p) = Some e' /\ agrees e' f.
Proof.
  induction p as [|[c|y] p IH]; intros e f A; simpl.
  - eauto.
  - rewrite Nat.eqb_refl. auto.
  - destruct (lookup e y) as [u|] eqn:L.
    + rewrite (A _ _ L), Nat.eqb_refl. auto.
    + apply IH, agrees_cons, A.
Qed.

Lemma read_sound a : forall e t f, read e a = Some t -> agrees e f -> map (inst f) a = t.
Proof.
  induction a as [|[c|x] a IH]; intros e t f H A; simpl in H.
  - injection H as <-. reflexivity.
  - destruct (read e a) as [t'|] eqn:R; [|discriminate H]. injection H as <-. simpl. f_equal. eauto.
  - destruct (lookup e x) as [v|] eqn:L; [|discriminate H].
    destruct (read e a) as [t'|] eqn:R; [|discriminate H]. injection H as <-. simpl. f_equal; eauto.
Qed.

Lemma read_complete a : forall e f,
  agrees e f -> (forall x, In (Var x) a -> exists v, lookup e x = Some v) ->
  read e a = Some (map (inst f) a).
Proof.
  induction a as [|[c|x] a IH]; intros e f A B; simpl; [reflexivity| |].
  - rewrite (IH e f A); [reflexivity|]. intros x Hx. apply B. right. exact Hx.
  - destruct (B x (or_introl eq_refl)) as (v & L). rewrite L, (IH e f A).
    + rewrite (A _ _ L). reflexivity.
    + intros y Hy. apply B. right. exact Hy.
Qed.

Lemma agrees_nil f : agrees [] f.
Proof. intros x v H. discriminate H. Qed.

(** The function leads where the rule leads. *)
Theorem apply_sound r s t : apply r s = Some t -> leads r s t.
Proof.
  unfold apply. destruct (bind [] (pre r) s) as [e|] eqn:B; [|discriminate]. intros R.
  exists (of_env e). eauto using bind_sound, read_sound, agrees_of_env.
Qed.

Theorem apply_complete r s t : deterministic r -> leads r s t -> apply r s = Some t.
Proof.
  intros D (f & <- & <-). unfold apply.
  destruct (bind_complete (pre r) [] f (agrees_nil f)) as (e & B & A). rewrite B.
  apply read_complete; [exact A|]. intros x Hx. eapply bind_binds; eauto.
Qed.

Theorem apply_leads r s t : deterministic r -> (apply r s = Some t <-> leads r s t).
Proof. split; [apply apply_sound | apply apply_complete; assumption]. Qed.

Theorem matchesb_spec p s : matchesb p s = true <-> matches p s.
Proof.
  unfold matchesb, matches. split.
  - destruct (bind [] p s) as [e|] eqn:B; [|discriminate]. intros _.
    exists (of_env e). eauto using bind_sound, agrees_of_env.
  - intros (f & <-). destruct (bind_complete p [] f (agrees_nil f)) as (e & -> & _). reflexivity.
Qed.

(** ** Games *)

(** Goals are alternatives: a goal state satisfies one of them. *)
Record game := { rules : list rule; goals : list (list term) }.

(** A word lists the numbers of rules, counted from 0. *)
Definition word := list nat.

Definition step (g : game) (i : nat) (s t : state) : Prop :=
  exists r, nth_error (rules g) i = Some r /\ leads r s t.

Definition rule_cost (g : game) (i : nat) : nat :=
  match nth_error (rules g) i with
  | Some r => cost r
  | None => 0
  end.

Definition runs (g : game) : word -> state -> state -> Prop := run (step g).
Definition cost_of (g : game) : word -> nat := word_cost (rule_cost g).
Definition reaches (g : game) : state -> state -> Prop := reachable (step g).

Definition is_goal (g : game) (s : state) : Prop := exists p, In p (goals g) /\ matches p s.

Definition deterministic_game (g : game) : Prop := forall r, In r (rules g) -> deterministic r.

(** A plan is a word that leads from the start to a goal state. *)
Definition plan (g : game) (s : state) (w : word) : Prop := exists t, runs g w s t /\ is_goal g t.

(** Every plan costs at least [b]. *)
Definition lower_bound (g : game) (s : state) (b : nat) : Prop :=
  forall w, plan g s w -> b <= cost_of g w.

Definition no_solution (g : game) (s : state) : Prop := forall w, ~ plan g s w.

Definition optimal (g : game) (s : state) (w : word) : Prop :=
  plan g s w /\ lower_bound g s (cost_of g w).

(** ** Games as functions *)

Definition step_fun (g : game) (i : nat) (s : state) : option state :=
  match nth_error (rules g) i with
  | Some r => apply r s
  | None => None
  end.

Fixpoint run_fun (g : game) (w : word) (s : state) : option state :=
  match w with
  | [] => Some s
  | i :: w' =>
      match step_fun g i s with
      | Some m => run_fun g w' m
      | None => None
      end
  end.

Definition is_goalb (g : game) (s : state) : bool := existsb (fun p => matchesb p s) (goals g).

Definition deterministic_gameb (g : game) : bool := forallb deterministicb (rules g).

Lemma deterministic_gameb_spec g : deterministic_gameb g = true <-> deterministic_game g.
Proof.
  unfold deterministic_gameb, deterministic_game. rewrite forallb_forall.
  split; intros H r Hr; apply deterministicb_spec, H, Hr.
Qed.

Lemma step_fun_spec g i s t :
  deterministic_game g -> (step_fun g i s = Some t <-> step g i s t).
Proof.
  intros D. unfold step_fun, step. destruct (nth_error (rules g) i) as [r|] eqn:E.
  - rewrite apply_leads; [|apply D; eapply nth_error_In; exact E].
    split; [eauto | intros (q & [= <-] & H); exact H].
  - split; [discriminate | intros (q & [=] & _)].
Qed.

Theorem run_fun_spec g w s t : deterministic_game g -> (run_fun g w s = Some t <-> runs g w s t).
Proof.
  intros D. unfold runs. revert s. induction w as [|i w IH]; intros s; simpl.
  - split; congruence.
  - split.
    + destruct (step_fun g i s) as [m|] eqn:E; [|discriminate]. intros H.
      exists m. split; [apply step_fun_spec; assumption | apply IH, H].
    + intros (m & Hi & Hw). apply step_fun_spec in Hi; [|exact D]. rewrite Hi. apply IH, Hw.
Qed.

Theorem is_goalb_spec g s : is_goalb g s = true <-> is_goal g s.
Proof.
  unfold is_goalb, is_goal. rewrite existsb_exists.
  split; intros (p & Hp & H); exists p; (split; [exact Hp | apply matchesb_spec, H]).
Qed.

Lemma runs_functional g w s t u : deterministic_game g -> runs g w s t -> runs g w s u -> t = u.
Proof.
  intros D Ht Hu. apply (run_fun_spec g w s _ D) in Ht, Hu. congruence.
Qed.

(** A plan of cost [b] and a lower bound of [b] together prove a least cost. *)
Lemma plan_meets_bound g s w b :
  plan g s w -> lower_bound g s b -> cost_of g w = b -> optimal g s w.
Proof. intros P L <-. split; assumption. Qed.

(** Two optimal plans cost the same. *)
Lemma optimal_cost_unique g s v w : optimal g s v -> optimal g s w -> cost_of g v = cost_of g w.
Proof. intros (Pv & Lv) (Pw & Lw). pose proof (Lv _ Pw). pose proof (Lw _ Pv). lia. Qed.
