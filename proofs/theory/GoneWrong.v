(** * Move pruning gone wrong: comparing in both directions

    Talk, "Move Pruning Gone Wrong" (there on Work or Golf); docs/safety.md, "All redundancies at
    once". The program of 2011 compared each new word with all others: the new word was pruned if
    an older one replaces it, and otherwise older ones were pruned that the new one replaces. Each
    single redundancy is true. In the game below, every plan is lost. *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match Layers.
Import ListNotations.

(** ** The program *)

Fixpoint words_of_length (n_rules length : nat) : list word :=
  match length with
  | 0 => [[]]
  | S k => flat_map (fun w => map (fun i => w ++ [i]) (seq 0 n_rules)) (words_of_length n_rules k)
  end.

Definition words_up_to (n_rules length : nat) : list word :=
  flat_map (words_of_length n_rules) (seq 0 (S length)).

Section BothWays.

Variable g : game.
Variable n : nat.

(** Word [a] replaces word [b], which some state allows, at no more cost. *)
Definition prunes (a b : word) : bool :=
  (cost_of g a <=? cost_of g b) && replaces_word g n a b.

Definition possible (w : word) : bool :=
  match macro g n w with
  | Some _ => true
  | None => false
  end.

(** Goes through new words in their order. Words with a pruned part are left out. *)
Fixpoint both_ways (new older pruned : list word) : list word :=
  match new with
  | [] => pruned
  | w :: rest =>
      if possible w && cleanb (listed pruned) w then
        if existsb (fun o => prunes o w) older
        then both_ways rest older (w :: pruned)
        else both_ways rest (w :: older) (filter (prunes w) older ++ pruned)
      else both_ways rest older pruned
  end.

Definition pruned_both_ways (length : nat) : list word :=
  both_ways (words_up_to (List.length (rules g)) length) [] [].

End BothWays.

(** ** The game: two bits, three rules of cost 1 *)

Definition circle : game :=
  {| rules :=
       [ {| pre := [Var 0; Const 0]; act := [Const 1; Var 0]; cost := 1 |};
         {| pre := [Var 0; Const 0]; act := [Const 1; Const 0]; cost := 1 |};
         {| pre := [Const 0; Var 1]; act := [Const 0; Const 0]; cost := 1 |} ];
     goals := [ [Const 1; Const 1] ] |}.

Definition circle_start : state := [0; 1].

(** What comparing in both directions prunes among the words of two rules. Word 0 0 is pruned when
    1 0 is found, which replaces it in more states than 0 0 can be used in; and 2 1 is pruned since
    2 0 does the same. So of the two plans 2 0 0 and 2 1 0, each is pruned in favor of the other. *)
Definition circle_pruned : list (word * word) :=
  [([2; 2], [2]); ([2; 1], [2; 0]); ([1; 1], [1]); ([0; 0], [1; 0]); ([0; 1], [1])].

Lemma circle_deterministic : deterministic_game circle.
Proof. apply deterministic_gameb_spec. reflexivity. Qed.

Lemma circle_pruned_both_ways : map fst circle_pruned = pruned_both_ways circle 2 2.
Proof. vm_compute. reflexivity. Qed.

Lemma circle_keeps_length : keeps_length circle 2.
Proof. intros r H. repeat (destruct H as [<- | H]; [reflexivity|]). destruct H. Qed.

(** Each pruned word is truly redundant with another one. *)
Lemma circle_redundant b :
  listed (pruned_both_ways circle 2 2) b = true -> exists a, a <> b /\ redundant_in circle 2 b a.
Proof.
  rewrite <- circle_pruned_both_ways. intros H.
  apply listed_spec, in_map_iff in H as ((b' & a) & <- & H). exists a.
  assert (forallb (fun '(b, a) => (cost_of circle a <=? cost_of circle b) &&
                                  replaces_word circle 2 a b &&
                                  if list_eq_dec Nat.eq_dec a b then false else true)
            circle_pruned = true) as C by (vm_compute; reflexivity).
  rewrite forallb_forall in C. specialize (C _ H). simpl fst. cbv beta iota in C.
  apply andb_true_iff in C as (C & N). apply andb_true_iff in C as (K & R). split.
  - destruct list_eq_dec; [discriminate N | assumption].
  - apply replaces_word_sound; [exact circle_deterministic | apply Nat.leb_le, K | exact R].
Qed.

(** There are plans, and the best ones are 2 0 0 and 2 1 0. *)
Lemma circle_optimal w : optimal circle circle_start w <-> w = [2; 0; 0] \/ w = [2; 1; 0].
Proof.
  assert (forall v, plan circle circle_start v -> length v < 4 ->
            v = [2; 0; 0] \/ v = [2; 1; 0]) as short.
  { intros v P L. apply (goals_within_complete circle nothing_forbidden circle_deterministic)
      with (k := 4) in P; [|apply all_clean | exact L].
    vm_compute in P. destruct P as [<- | [<- | []]]; auto. }
  assert (forall v, plan circle circle_start v -> length v <= cost_of circle v) as unit.
  { intros v (t & R & _). revert R. generalize circle_start. unfold runs, cost_of.
    induction v as [|i v IH]; intros s R; cbn [length word_cost]; [lia|].
    destruct R as (m & (r & E & _) & R). specialize (IH m R).
    enough (rule_cost circle i = 1) by lia. unfold rule_cost. rewrite E. apply nth_error_In in E.
    repeat (destruct E as [<- | E]; [reflexivity|]). destruct E. }
  assert (forall v, v = [2; 0; 0] \/ v = [2; 1; 0] -> plan circle circle_start v) as plans.
  { intros v H. exists [1; 1]. split.
    - apply run_fun_spec; [exact circle_deterministic|]. destruct H as [-> | ->]; reflexivity.
    - apply is_goalb_spec. reflexivity. }
  assert (forall v, v = [2; 0; 0] \/ v = [2; 1; 0] -> cost_of circle v = 3) as three.
  { intros v [-> | ->]; reflexivity. }
  split.
  - intros (P & L). apply short; [exact P|]. specialize (unit w P).
    specialize (L [2; 0; 0] (plans _ (or_introl eq_refl))).
    rewrite (three [2; 0; 0]) in L by auto. lia.
  - intros H. split; [apply plans, H|]. intros v P. rewrite (three w H).
    destruct (le_lt_dec 4 (length v)) as [Lv | Lv].
    + specialize (unit v P). lia.
    + rewrite (three v (short v P Lv)). lia.
Qed.

(** Every plan, of any length, has a pruned part. *)
Lemma circle_lost w :
  plan circle circle_start w -> ~ clean (listed (pruned_both_ways circle 2 2)) w.
Proof.
  intros P C. rewrite <- circle_pruned_both_ways in C.
  set (f := listed (map fst circle_pruned)) in C.
  assert (length w < 3) as L.
  { destruct P as (t & R & _).
    apply (no_longer_words circle f circle_deterministic 3 circle_start w t); [|exact R | exact C].
    vm_compute. reflexivity. }
  apply (goals_within_complete circle f circle_deterministic) with (k := 3) in P;
    [|exact C | exact L].
  vm_compute in P. exact P.
Qed.

(** All that is pruned is redundant, there are optimal plans, and none is left. *)
Theorem both_ways_loses_all_plans :
  (forall b, listed (pruned_both_ways circle 2 2) b = true ->
             exists a, a <> b /\ redundant_in circle 2 b a) /\
  (exists w, optimal circle circle_start w) /\
  (forall w, plan circle circle_start w -> ~ clean (listed (pruned_both_ways circle 2 2)) w).
Proof.
  split; [exact circle_redundant|]. split; [|exact circle_lost].
  exists [2; 0; 0]. apply circle_optimal. auto.
Qed.

(** The order keeps one of the two: 1 0 doesn't come before 0 0, which stays. *)
Definition circle_by_order : list (word * word) :=
  [([2; 2], [2]); ([2; 1], [2; 0]); ([1; 1], [1]); ([0; 1], [1])].

Theorem order_keeps_a_plan :
  certified circle 2 circle_by_order = true /\
  forall w, optimal circle circle_start w ->
    (clean (forbids circle_by_order) w <-> w = [2; 0; 0]).
Proof.
  split; [reflexivity|]. intros w O. apply circle_optimal in O. rewrite <- cleanb_spec.
  destruct O as [-> | ->]; split; intros H; reflexivity || discriminate H.
Qed.

(** ** Rules of cost 0

    Where rules cost nothing, a longer word can replace a shorter one at no more cost. Without the
    order, one rule is then lost with all that only it can do: here rule 0, which is redundant with
    rule 1 followed by rule 0. *)
Definition free : game :=
  {| rules := [ {| pre := [Const 1]; act := [Const 0]; cost := 0 |};
                {| pre := [Var 0]; act := [Const 1]; cost := 0 |} ];
     goals := [ [Const 0] ] |}.

Theorem both_ways_loses_free_rules :
  redundant_in free 1 [0] [1; 0] /\
  In [0] (pruned_both_ways free 1 2) /\
  optimal free [1] [0] /\
  forall w, plan free [1] w -> ~ clean (listed (pruned_both_ways free 1 2)) w.
Proof.
  assert (deterministic_game free) as D by (apply deterministic_gameb_spec; reflexivity).
  split; [apply replaces_word_sound; [exact D | apply Nat.le_refl | reflexivity]|].
  split; [vm_compute; tauto|]. split; [split|].
  - exists [0]. split; [apply (run_fun_spec free [0] [1] [0] D) | apply is_goalb_spec]; reflexivity.
  - intros v _. apply Nat.le_0_l.
  - (* Only rule 1 is left, and it leads to 1 only. *)
    intros w (t & R & G) C.
    assert (forall s, s <> [0] -> runs free w s t -> t <> [0]) as H.
    { clear R G. unfold runs. induction w as [|i w IH]; intros s N R; simpl in R.
      - subst. exact N.
      - destruct R as (m & Hi & R). apply (IH (clean_factor _ [i] w [] ltac:(
          rewrite app_nil_r; exact C)) m); [|exact R]. intros ->.
        destruct i as [|[|i]].
        + specialize (C [] [0] w eq_refl). vm_compute in C. discriminate C.
        + destruct Hi as (r & [= <-] & f & _ & [=]).
        + destruct Hi as (r & E & _). apply nth_error_In in E as E'.
          simpl in E. destruct i; discriminate E. }
    apply (H [1] ltac:(discriminate) R). destruct G as (p & [<- | []] & f & <-). reflexivity.
Qed.
