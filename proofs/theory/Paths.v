(** * Paths: words of letters, the runs that carry them out, and their costs

    Nothing here knows what a rule looks like. A letter leads from a state to a state; a word is a
    list of letters; a run of a word goes through one state after each letter. Later files take
    rules of a game, parts of rules, or moves of an abstract game as letters. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Section Paths.

Context {State Letter : Type}.

(** [step o s t]: letter [o] can be carried out in [s], and [t] is a state that it leads to. *)
Variable step : Letter -> State -> State -> Prop.
Variable cost : Letter -> nat.

Fixpoint run (w : list Letter) (s t : State) : Prop :=
  match w with
  | [] => s = t
  | o :: w' => exists m, step o s m /\ run w' m t
  end.

Fixpoint word_cost (w : list Letter) : nat :=
  match w with
  | [] => 0
  | o :: w' => cost o + word_cost w'
  end.

Definition reachable (s t : State) : Prop := exists w, run w s t.

(** A run of a word in two parts passes through a state in the middle. *)
Lemma run_app u v s t : run (u ++ v) s t <-> exists m, run u s m /\ run v m t.
Proof.
  revert s. induction u as [|o u IH]; intros s; simpl.
  - split; [eauto | intros (m & -> & H); exact H].
  - split.
    + intros (a & Ho & Huv). apply IH in Huv as (m & Hu & Hv). eauto.
    + intros (m & (a & Ho & Hu) & Hv). exists a. rewrite IH. eauto.
Qed.

Lemma run_one o s t : run [o] s t <-> step o s t.
Proof. simpl. split; [intros (m & H & ->); exact H | eauto]. Qed.

Lemma run_snoc w o s t : run (w ++ [o]) s t <-> exists m, run w s m /\ step o m t.
Proof.
  rewrite run_app.
  split; intros (m & H & Ho); exists m; (split; [exact H | apply run_one, Ho]).
Qed.

(** A run of a word in three parts. *)
Lemma run_app3 x b y s t :
  run (x ++ b ++ y) s t <-> exists m n, run x s m /\ run b m n /\ run y n t.
Proof.
  rewrite run_app. split.
  - intros (m & Hx & H). apply run_app in H as (n & Hb & Hy). eauto.
  - intros (m & n & Hx & Hb & Hy). exists m. rewrite run_app. eauto.
Qed.

Lemma word_cost_app u v : word_cost (u ++ v) = word_cost u + word_cost v.
Proof. induction u; simpl; lia. Qed.

(** Putting a part that costs no more in place of [b] doesn't raise the cost of the whole. *)
Lemma word_cost_replace x a b y :
  word_cost a <= word_cost b -> word_cost (x ++ a ++ y) <= word_cost (x ++ b ++ y).
Proof. rewrite !word_cost_app. lia. Qed.

(** What every letter preserves, every word preserves. *)
Lemma run_preserves (inv : State -> Prop) :
  (forall o s t, inv s -> step o s t -> inv t) ->
  forall w s t, inv s -> run w s t -> inv t.
Proof.
  intros Hstep w. induction w as [|o w IH]; simpl; intros s t Hs.
  - intros <-. exact Hs.
  - intros (m & Ho & Hw). eauto.
Qed.

Lemma reachable_refl s : reachable s s.
Proof. exists []. reflexivity. Qed.

Lemma reachable_trans s t u : reachable s t -> reachable t u -> reachable s u.
Proof. intros (v & Hv) (w & Hw). exists (v ++ w). apply run_app. eauto. Qed.

End Paths.

(** Two relations that agree have the same runs. *)
Lemma run_ext {State Letter} (p q : Letter -> State -> State -> Prop) :
  (forall o s t, p o s t <-> q o s t) -> forall w s t, run p w s t <-> run q w s t.
Proof.
  intros E w. induction w as [|o w IH]; intros s t; simpl; [reflexivity|].
  split; intros (m & Ho & Hw); exists m; rewrite ?E, ?IH in *; auto.
Qed.
