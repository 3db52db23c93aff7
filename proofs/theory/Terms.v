(** * Vectors of terms: substitution, and conditions position by position

    Burch & Holte 2011, section "State and Rule Representation": a precondition at position i says
    that there is a constant, or that positions i and j hold the same value. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Game.
Import ListNotations.

(** The entry of a vector, and of a state, at a position. *)
Definition entry (l : list term) (i : nat) : term := nth i l (Const 0).
Definition value (s : state) (i : nat) : nat := nth i s 0.

Lemma entry_inst f l i : value (map (inst f) l) i = inst f (entry l i).
Proof. exact (map_nth (inst f) l (Const 0) i). Qed.

Lemma entry_map h l i : h (Const 0) = Const 0 -> entry (map h l) i = h (entry l i).
Proof. intros E. unfold entry. rewrite <- E at 1. apply map_nth. Qed.

Lemma entry_var_in l i x : entry l i = Var x -> In (Var x) l.
Proof.
  intros E. destruct (le_lt_dec (length l) i) as [L | L].
  - unfold entry in E. rewrite nth_overflow in E; [discriminate | exact L].
  - rewrite <- E. apply nth_In, L.
Qed.

Lemma entry_var_lt l i x : entry l i = Var x -> i < length l.
Proof.
  intros E. destruct (le_lt_dec (length l) i) as [L | L]; [|exact L].
  unfold entry in E. rewrite nth_overflow in E; [discriminate | exact L].
Qed.

Lemma in_entry e l : In e l -> exists i, i < length l /\ entry l i = e.
Proof. intros H. destruct (In_nth _ _ (Const 0) H) as (i & L & E). exists i. auto. Qed.

(** Vectors of one length are equal if their entries are. *)
Lemma entry_ext k l :
  length k = length l -> (forall i, i < length k -> entry k i = entry l i) -> k = l.
Proof. intros L H. apply (nth_ext _ _ (Const 0) (Const 0)); [exact L | exact H]. Qed.

(** ** Substitution *)

Definition subst (sigma : nat -> term) (e : term) : term :=
  match e with
  | Const c => Const c
  | Var x => sigma x
  end.

Lemma inst_subst f sigma e : inst f (subst sigma e) = inst (fun x => inst f (sigma x)) e.
Proof. destruct e; reflexivity. Qed.

Lemma map_inst_subst f sigma l :
  map (inst f) (map (subst sigma) l) = map (inst (fun x => inst f (sigma x))) l.
Proof. rewrite map_map. apply map_ext, inst_subst. Qed.

Lemma subst_subst sigma tau e : subst tau (subst sigma e) = subst (fun x => subst tau (sigma x)) e.
Proof. destruct e; reflexivity. Qed.

Lemma map_subst_ext sigma tau l :
  (forall x, In (Var x) l -> sigma x = tau x) -> map (subst sigma) l = map (subst tau) l.
Proof. intros H. apply map_ext_in. intros [c|x] Hx; simpl; auto. Qed.

Lemma map_subst_agree sigma tau l :
  map (subst sigma) l = map (subst tau) l -> forall x, In (Var x) l -> sigma x = tau x.
Proof.
  intros E x. induction l as [|e l IH]; simpl in *; [intros []|].
  injection E as E1 E2. intros [-> | Hx]; auto.
Qed.

(** Writes [e] in place of one unknown, everywhere. *)
Definition replace_in (x : nat) (e : term) : term -> term :=
  subst (fun y => if y =? x then e else Var y).

Definition replace (x : nat) (e : term) : list term -> list term := map (replace_in x e).

Lemma replace_length x e l : length (replace x e l) = length l.
Proof. apply map_length. Qed.

Lemma entry_replace x e l i : entry (replace x e l) i = replace_in x e (entry l i).
Proof. apply entry_map. reflexivity. Qed.

(** The instances of replaced vectors are those instances of the vectors in which the unknown has
    the value of [e]. *)
Lemma inst_replace_same f x e l : f x = inst f e -> map (inst f) (replace x e l) = map (inst f) l.
Proof.
  intros E. unfold replace, replace_in. rewrite map_inst_subst. apply map_ext_in.
  intros [c|y] _; simpl; [reflexivity|]. destruct (Nat.eqb_spec y x) as [->|_]; simpl; auto.
Qed.

Definition assign (f : nat -> nat) (x v : nat) : nat -> nat := fun y => if y =? x then v else f y.

Lemma assign_same f x v : assign f x v x = v.
Proof. unfold assign. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma inst_assign_other f x v e : e <> Var x -> inst (assign f x v) e = inst f e.
Proof.
  intros N. destruct e as [c|y]; [reflexivity|]. simpl. unfold assign.
  destruct (Nat.eqb_spec y x) as [->|_]; [destruct (N eq_refl) | reflexivity].
Qed.

Lemma inst_replace_assign f x e l :
  map (inst f) (replace x e l) = map (inst (assign f x (inst f e))) l.
Proof.
  unfold replace, replace_in. rewrite map_inst_subst. apply map_ext_in.
  intros [c|y] _; [reflexivity|]. simpl. unfold assign. destruct (y =? x); reflexivity.
Qed.

(** ** Conditions by position *)

(** The first position that has the unknown, or the length of the vector if none has it. In
    canonical form, unknowns are named by that position. *)
Fixpoint first (x : nat) (p : list term) : nat :=
  match p with
  | [] => 0
  | e :: p' => if term_eq_dec e (Var x) then 0 else S (first x p')
  end.

Lemma first_entry x p : In (Var x) p -> first x p < length p /\ entry p (first x p) = Var x.
Proof.
  induction p as [|e p IH]; [intros []|]. intros H. simpl.
  destruct (term_eq_dec e (Var x)) as [->|N].
  - split; [lia | reflexivity].
  - destruct H as [E | H]; [destruct (N E)|]. destruct (IH H) as (L & E). split; [lia | exact E].
Qed.

Lemma first_le x p i : entry p i = Var x -> first x p <= i.
Proof.
  revert i. induction p as [|e p IH]; intros i E; [apply entry_var_lt in E; easy|].
  simpl. destruct term_eq_dec as [->|N]; [lia|]. destruct i as [|i]; [destruct (N E)|].
  apply le_n_S, IH, E.
Qed.

(** The value that a term takes in a state that satisfies the preconditions [p]. *)
Definition follow (p : list term) (s : state) (e : term) : nat :=
  match e with
  | Const c => c
  | Var x => value s (first x p)
  end.

(** The precondition at position [i] holds in [s]: [s] has the constant there, or the same value as
    at the first position of the unknown. *)
Definition holds (p : list term) (s : state) (i : nat) : Prop :=
  value s i = follow p s (entry p i).

Lemma follow_inst f p e :
  (forall x, e = Var x -> In (Var x) p) -> follow p (map (inst f) p) e = inst f e.
Proof.
  intros H. destruct e as [c|x]; simpl; [reflexivity|].
  rewrite entry_inst. destruct (first_entry x p (H x eq_refl)) as (_ & ->). reflexivity.
Qed.

Theorem matches_by_position p s :
  matches p s <-> length s = length p /\ forall i, i < length p -> holds p s i.
Proof.
  split.
  - intros (f & <-). rewrite map_length. split; [reflexivity|]. intros i L. unfold holds.
    rewrite entry_inst, follow_inst; [reflexivity|]. intros x E. eapply entry_var_in; exact E.
  - intros (L & H). exists (fun x => value s (first x p)).
    apply (nth_ext _ _ 0 0); [rewrite map_length; auto|]. rewrite map_length. intros i Hi.
    change (value (map (inst (fun x => value s (first x p))) p) i = value s i).
    rewrite entry_inst, (H i Hi). unfold follow. destruct (entry p i); reflexivity.
Qed.

Theorem leads_by_position r s t :
  deterministic r ->
  (leads r s t <-> matches (pre r) s /\ t = map (follow (pre r) s) (act r)).
Proof.
  intros D. split.
  - intros (f & <- & <-). split; [exists f; reflexivity|]. apply map_ext_in. intros e He.
    symmetry. apply follow_inst. intros x ->. apply D, He.
  - intros ((f & <-) & ->). exists f. split; [reflexivity|]. apply map_ext_in. intros e He.
    symmetry. apply follow_inst. intros x ->. apply D, He.
Qed.
