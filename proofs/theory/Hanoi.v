(** * A word that is redundant within an invariant only

    docs/safety.md, "Redundancy in states with invariants": a disk that is given a bit for each peg.
    Moving it from a to b and then from b to c tests that it is on a. Moving it from a to c also
    tests that it isn't on c, which follows if the disk is on one peg only. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match Closing.
Import ListNotations.

Definition disk : game :=
  {| rules :=
       [ (* a to c *)
         {| pre := [Const 1; Var 1; Const 0]; act := [Const 0; Var 1; Const 1]; cost := 1 |};
         (* a to b *)
         {| pre := [Const 1; Var 1; Var 2]; act := [Const 0; Const 1; Var 2]; cost := 1 |};
         (* b to c *)
         {| pre := [Var 0; Const 1; Var 2]; act := [Var 0; Const 0; Const 1]; cost := 1 |} ];
     goals := [ [Const 0; Const 0; Const 1] ] |}.

Definition bits : list fact := [(0, 0); (0, 1); (1, 0); (1, 1); (2, 0); (2, 1)].
Definition on_one_peg : list invariant := [Count 1 [(0, 1); (1, 1); (2, 1)]].
Definition disk_pruned : list (word * word) := [([1; 2], [0])].

Lemma disk_deterministic : deterministic_game disk.
Proof. apply deterministic_gameb_spec. reflexivity. Qed.

(** The disk is on one of the three pegs. *)
Lemma inside_cases s :
  inside 3 bits on_one_peg s <-> s = [1; 0; 0] \/ s = [0; 1; 0] \/ s = [0; 0; 1].
Proof.
  split.
  - intros (L & U & C). destruct s as [|a [|b [|c [|]]]]; try discriminate L.
    specialize (C _ (or_introl eq_refl)).
    assert (forall i v, In (i, v) bits -> v = 0 \/ v = 1) as two.
    { intros i v H. simpl in H. intuition congruence. }
    pose proof (two _ _ (U 0 ltac:(lia))) as A. pose proof (two _ _ (U 1 ltac:(lia))) as B.
    pose proof (two _ _ (U 2 ltac:(lia))) as D. cbn in A, B, D.
    destruct A, B, D; subst; cbn in C; try discriminate C; auto.
  - intros [-> | [-> | ->]]; (split; [reflexivity|]; split;
      [intros [|[|[|i]]] L; simpl; tauto || lia | intros c [<- | []]; reflexivity]).
Qed.

(** No rule breaks the invariant. *)
Lemma disk_inductive o s t :
  inside 3 bits on_one_peg s -> step disk o s t -> inside 3 bits on_one_peg t.
Proof.
  intros I H. apply (step_fun_spec disk o s t disk_deterministic) in H.
  apply inside_cases in I. apply inside_cases.
  destruct I as [-> | [-> | ->]]; destruct o as [|[|[|o]]]; cbn in H;
    try discriminate H; try (injection H as <-; auto); destruct o; discriminate H.
Qed.

Theorem within_but_not_in_all_states :
  replaces_word disk 3 [0] [1; 2] = false /\
  certified_within 3 bits on_one_peg disk disk_pruned = true.
Proof. split; reflexivity. Qed.

(** So the word may be forbidden in searches from states in which the disk is on one peg. *)
Theorem disk_pruning_is_safe s w :
  inside 3 bits on_one_peg s -> plan disk s w ->
  exists v, plan disk s v /\ cost_of disk v <= cost_of disk w /\ clean (forbids disk_pruned) v.
Proof.
  apply (pruning_within_invariants_is_safe 3 bits on_one_peg disk disk_deterministic
           disk_inductive disk_pruned s w). reflexivity.
Qed.
