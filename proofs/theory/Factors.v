(** * Factors: what a machine that forbids words decides

    A word is clean if no part of it is forbidden. Which words are forbidden is a function to
    booleans, so that being clean is decidable, and nothing here needs classical logic. *)

From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Section Factors.

Context {Letter : Type}.
Variable forbidden : list Letter -> bool.

Definition clean (w : list Letter) : Prop :=
  forall x b y, w = x ++ b ++ y -> forbidden b = false.

(** ** Deciding it *)

Fixpoint prefixes (w : list Letter) : list (list Letter) :=
  [] :: match w with
        | [] => []
        | o :: w' => map (cons o) (prefixes w')
        end.

Fixpoint suffixes (w : list Letter) : list (list Letter) :=
  w :: match w with
       | [] => []
       | _ :: w' => suffixes w'
       end.

Definition factors (w : list Letter) : list (list Letter) := flat_map prefixes (suffixes w).

Definition cleanb (w : list Letter) : bool := forallb (fun b => negb (forbidden b)) (factors w).

Lemma in_prefixes b w : In b (prefixes w) <-> exists y, w = b ++ y.
Proof.
  revert b. induction w as [|o w IH]; intros b; simpl.
  - split.
    + intros [<- | []]. exists []. reflexivity.
    + intros (y & E). symmetry in E. apply app_eq_nil in E as (-> & _). auto.
  - rewrite in_map_iff. split.
    + intros [<- | (c & <- & H)]; [exists (o :: w); reflexivity|].
      apply IH in H as (y & ->). exists y. reflexivity.
    + intros (y & E). destruct b as [|p b]; [auto|]. injection E as <- E. right.
      exists b. split; [reflexivity | apply IH; eauto].
Qed.

Lemma in_suffixes y w : In y (suffixes w) <-> exists x, w = x ++ y.
Proof.
  induction w as [|o w IH]; simpl.
  - split.
    + intros [<- | []]. exists []. reflexivity.
    + intros (x & E). symmetry in E. apply app_eq_nil in E as (_ & ->). auto.
  - rewrite IH. split.
    + intros [<- | (x & ->)]; [exists [] | exists (o :: x)]; reflexivity.
    + intros ([|p x] & E); [left; exact E|]. injection E as <- E. right. eauto.
Qed.

Lemma in_factors b w : In b (factors w) <-> exists x y, w = x ++ b ++ y.
Proof.
  unfold factors. rewrite in_flat_map. split.
  - intros (z & Hz & Hb). apply in_suffixes in Hz as (x & ->). apply in_prefixes in Hb as (y & ->).
    eauto.
  - intros (x & y & ->). exists (b ++ y).
    split; [apply in_suffixes | apply in_prefixes]; eauto.
Qed.

Theorem cleanb_spec w : cleanb w = true <-> clean w.
Proof.
  unfold cleanb, clean. rewrite forallb_forall. split.
  - intros H x b y ->. specialize (H b). rewrite negb_true_iff in H.
    apply H, in_factors. eauto.
  - intros H b Hb. apply in_factors in Hb as (x & y & ->). rewrite negb_true_iff.
    apply (H x b y eq_refl).
Qed.

(** Either a word is clean, or a forbidden part can be shown. *)
Theorem clean_or_factor w : clean w \/ exists x b y, w = x ++ b ++ y /\ forbidden b = true.
Proof.
  destruct (cleanb w) eqn:C; [left; apply cleanb_spec, C | right].
  destruct (existsb forbidden (factors w)) eqn:E.
  - apply existsb_exists in E as (b & Hb & F). apply in_factors in Hb as (x & y & ->).
    exists x, b, y. auto.
  - exfalso. unfold cleanb in C.
    assert (forallb (fun b => negb (forbidden b)) (factors w) = true) as C'; [|congruence].
    apply forallb_forall. intros b Hb. destruct (forbidden b) eqn:F; [|reflexivity].
    assert (existsb forbidden (factors w) = true); [|congruence].
    apply existsb_exists. eauto.
Qed.

(** Each part of a clean word is clean. So a search that goes along clean words only finds all of
    them. *)
Lemma clean_factor x b y : clean (x ++ b ++ y) -> clean b.
Proof.
  intros C x' b' y' ->. apply (C (x ++ x') b' (y' ++ y)). rewrite <- !app_assoc. reflexivity.
Qed.

Lemma clean_prefix u v : clean (u ++ v) -> clean u.
Proof. exact (clean_factor [] u v). Qed.

End Factors.

(** What forbids less leaves more. *)
Lemma clean_subset {Letter} (f g : list Letter -> bool) w :
  (forall b, f b = true -> g b = true) -> clean g w -> clean f w.
Proof.
  intros H C x b y E. destruct (f b) eqn:F; [|reflexivity].
  apply H in F. specialize (C x b y E). congruence.
Qed.

(** A word is forbidden that occurs in a list: the words of a machine file. *)
Definition listed (words : list (list nat)) (b : list nat) : bool :=
  if in_dec (list_eq_dec Nat.eq_dec) b words then true else false.

Lemma listed_spec words b : listed words b = true <-> In b words.
Proof. unfold listed. destruct in_dec; split; easy. Qed.
