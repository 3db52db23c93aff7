(** * The order of words: by length, and those of one length as in a dictionary

    Talk "Puzzle Solving with PSVN" (Holte), "Provably Correct Solution"; docs/safety.md, "All
    redundancies at once". The order is total, well-founded and nested. Letters are numbers. *)

From Coq Require Import List Arith Lia Wellfounded Relations.
Import ListNotations.

(** What a proof of safety needs of an order: there is no infinite descent, and an earlier part
    makes the whole earlier. *)
Definition nested {Letter} (before : list Letter -> list Letter -> Prop) : Prop :=
  forall x a b y, before a b -> before (x ++ a ++ y) (x ++ b ++ y).

(** Dictionary order, for words of one length: the first difference decides. *)
Fixpoint dict (a b : list nat) : Prop :=
  match a, b with
  | i :: a', j :: b' => i < j \/ (i = j /\ dict a' b')
  | _, _ => False
  end.

Definition before (a b : list nat) : Prop :=
  length a < length b \/ (length a = length b /\ dict a b).

(** ** Decided by a function *)

Fixpoint dictb (a b : list nat) : bool :=
  match a, b with
  | i :: a', j :: b' => (i <? j) || ((i =? j) && dictb a' b')
  | _, _ => false
  end%bool.

Definition beforeb (a b : list nat) : bool :=
  ((length a <? length b) || ((length a =? length b) && dictb a b))%bool.

Lemma dictb_spec a : forall b, dictb a b = true <-> dict a b.
Proof.
  induction a as [|i a IH]; intros [|j b]; simpl; try (split; easy).
  rewrite Bool.orb_true_iff, Bool.andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, IH. reflexivity.
Qed.

Theorem beforeb_spec a b : beforeb a b = true <-> before a b.
Proof.
  unfold beforeb, before.
  rewrite Bool.orb_true_iff, Bool.andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, dictb_spec. reflexivity.
Qed.

(** ** Total *)

Lemma dict_total a : forall b, length a = length b -> dict a b \/ a = b \/ dict b a.
Proof.
  induction a as [|i a IH]; intros [|j b] L; simpl in *; try easy; [tauto|].
  destruct (Nat.lt_trichotomy i j) as [H | [-> | H]]; [tauto | | tauto].
  destruct (IH b) as [H | [-> | H]]; [lia | tauto ..].
Qed.

Theorem before_total a b : before a b \/ a = b \/ before b a.
Proof.
  unfold before. destruct (Nat.lt_trichotomy (length a) (length b)) as [H | [H | H]].
  - tauto.
  - destruct (dict_total a b H) as [D | [-> | D]]; [tauto .. |]. right. right. right. auto.
  - tauto.
Qed.

Lemma dict_irrefl a : ~ dict a a.
Proof. induction a as [|i a IH]; simpl; [tauto | intros [H | (_ & H)]; [lia | auto]]. Qed.

Theorem before_irrefl a : ~ before a a.
Proof. intros [H | (_ & H)]; [lia | exact (dict_irrefl a H)]. Qed.

Lemma dict_trans a : forall b c, dict a b -> dict b c -> dict a c.
Proof.
  induction a as [|i a IH]; intros [|j b] [|k c]; simpl; try tauto.
  intros [H | (-> & H)] [K | (-> & K)]; [left; lia | tauto | tauto | right; eauto].
Qed.

Theorem before_trans a b c : before a b -> before b c -> before a c.
Proof.
  intros [H | (H & D)] [K | (K & E)]; try (left; lia). right. split; [lia | eauto using dict_trans].
Qed.

(** ** Well-founded *)

(** Words of one length, by induction over the length, then over the first letter, then over the
    rest. *)
Lemma dict_wf n : forall a, length a = n -> Acc (fun a b => length a = n /\ dict a b) a.
Proof.
  induction n as [|n IH]; intros a L.
  - constructor. intros b (_ & D). destruct a; [|discriminate L]. destruct b; destruct D.
  - destruct a as [|i a]; [discriminate L|]. injection L as L.
    revert a L. induction i as [i IHi] using lt_wf_ind. intros a L.
    specialize (IH a L). revert L. induction IH as [a _ IHa]. intros L.
    constructor. intros [|j b] (Lb & D); [destruct D|]. injection Lb as Lb.
    destruct D as [D | (-> & D)]; [apply IHi; assumption | apply IHa; auto].
Qed.

Theorem before_wf : well_founded before.
Proof.
  assert (forall n a, length a = n -> Acc before a) as H; [|intros a; eauto].
  induction n as [n IH] using lt_wf_ind. intros a L.
  pose proof (dict_wf n a L) as A. revert L. induction A as [a _ IHa]. intros L.
  constructor. intros b [D | (E & D)].
  - apply (IH (length b)); [lia | reflexivity].
  - apply IHa; [split|]; congruence || exact D.
Qed.

(** ** Nested *)

Lemma dict_app_left x a b : dict a b -> dict (x ++ a) (x ++ b).
Proof. induction x; simpl; auto. Qed.

Lemma dict_app_right a : forall b y, dict a b -> dict (a ++ y) (b ++ y).
Proof.
  induction a as [|i a IH]; intros [|j b] y; simpl; try tauto. intros [H | (-> & H)]; auto.
Qed.

Theorem before_nested : nested before.
Proof.
  intros x a b y [H | (E & D)]; unfold before; rewrite !app_length.
  - left. lia.
  - right. split; [lia|]. apply dict_app_left, dict_app_right, D.
Qed.

(** What comes first is never longer, and what is shorter comes first. *)
Lemma before_length a b : before a b -> length a <= length b.
Proof. unfold before. lia. Qed.

Lemma shorter_before a b : length a < length b -> before a b.
Proof. unfold before. lia. Qed.
