(** * Trails: runs with the states that they visit *)

From Coq Require Import List.
From Psvn Require Import Paths.
Import ListNotations.

Section Trails.

Context {State Letter : Type}.
Variable step : Letter -> State -> State -> Prop.
Hypothesis state_eq_dec : forall s t : State, {s = t} + {s <> t}.
Notation run := (run step).

(** The list has the state after each letter; the start isn't in it. *)
Fixpoint trail (w : list Letter) (l : list State) (s t : State) : Prop :=
  match w, l with
  | [], [] => s = t
  | o :: w', m :: l' => step o s m /\ trail w' l' m t
  | _, _ => False
  end.

Lemma trail_run w : forall l s t, trail w l s t -> run w s t.
Proof.
  induction w as [|o w IH]; intros [|m l] s t; simpl; try tauto. intros (H & T). eauto.
Qed.

Lemma run_trail w : forall s t, run w s t -> exists l, trail w l s t.
Proof.
  induction w as [|o w IH]; simpl; intros s t.
  - intros <-. exists []. reflexivity.
  - intros (m & H & R). apply IH in R as (l & T). exists (m :: l). simpl. auto.
Qed.

Lemma trail_app u v : forall k l m s t,
  trail u k s m -> trail v l m t -> trail (u ++ v) (k ++ l) s t.
Proof.
  induction u as [|o u IH]; intros [|n k] l m s t; simpl; try tauto; [intros -> H; exact H|].
  intros (H & T) Tv. eauto.
Qed.

(** A state that is visited cuts the trail in two. *)
Lemma trail_split w : forall l s t m,
  trail w l s t -> In m l ->
  exists u v k j, w = u ++ v /\ l = k ++ j /\ u <> [] /\ trail u k s m /\ trail v j m t.
Proof.
  induction w as [|o w IH]; intros [|n l] s t m T Hm; simpl in *; try tauto.
  destruct T as (H & T). destruct Hm as [-> | Hm].
  - exists [o], w, [m], l. simpl. repeat split; auto; discriminate.
  - destruct (IH l n t m T Hm) as (u & v & k & j & -> & -> & _ & Tu & Tv).
    exists (o :: u), v, (n :: k), j. simpl. repeat split; auto; discriminate.
Qed.

(** A trail without cycles visits no state twice, nor its start again. *)
Definition simple (s : State) (l : list State) : Prop := NoDup (s :: l).

(** A trail with a cycle has a part that leads back to where it began. *)
Lemma cycle_or_simple w : forall l s t,
  trail w l s t ->
  simple s l \/
  exists x c y m, w = x ++ c ++ y /\ c <> [] /\ run x s m /\ run c m m /\ run y m t.
Proof.
  induction w as [|o w IH]; intros [|n l] s t T; simpl in T; try tauto.
  - left. repeat constructor. intros [].
  - destruct T as (H & T). destruct (in_dec state_eq_dec s (n :: l)) as [Hs | Hs].
    + right. assert (trail (o :: w) (n :: l) s t) as T' by (simpl; auto).
      destruct (trail_split _ _ _ _ _ T' Hs) as (u & v & k & j & E & _ & N & Tu & Tv).
      exists [], u, v, s. rewrite E. apply trail_run in Tu, Tv. simpl. auto.
    + destruct (IH l n t T) as [S | (x & c & y & m & -> & N & Rx & Rc & Ry)].
      * left. constructor; assumption.
      * right. exists (o :: x), c, y, m. simpl. eauto 8.
Qed.

End Trails.
