(* Heuristics from sums of weights ("potentials"): a weight for each value of each variable, less
   what goals may have. Manhattan distance is one. No move lowers the sum by more than its cost. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Game.
From PsvnChecker Require Import Keys Step Setting Abstraction NoSolution ClosedList Within.
Import ListNotations.

(* [base] is at least the sum in each goal state. *)
Record potential := { potentials : list (list nat); base : nat }.

(* [weigh], in a form that is faster in OCaml. *)
Fixpoint add_weights (ws : list (list nat)) (s : list nat) (sum : nat) : nat :=
  match ws, s with
  | w :: ws', v :: s' => add_weights ws' s' (sum + pick w v)
  | _, _ => sum
  end.

Lemma add_weights_weigh ws : forall s sum, add_weights ws s sum = sum + weigh ws s.
Proof.
  induction ws as [|w ws IH]; intros [|v s] sum; simpl; try lia. rewrite IH, pick_nth. lia.
Qed.

Definition height (q : potential) (s : state) : nat := add_weights (potentials q) s 0 - base q.

Definition falls_slowly (domains : list nat) (ws : list (list nat)) (c : compiled) : bool :=
  forallb (fun c' => match change ws (tests c') (sources c') with
                     | Some (more, less) => less <=? more + price c
                     | None => false
                     end)
    (split_all domains (nodup Nat.eq_dec (touched 0 (sources c))) [c]).

Definition check_potential (domains : list nat) (p : prepared) (q : potential) : bool :=
  (length (potentials q) =? length domains) &&
  forallb (falls_slowly domains (potentials q)) (moves p) &&
  forallb (fun ts => high_tests (potentials q) domains ts <=? base q) (ends p).

Theorem potential_consistent c p q :
  prepare c = Some p -> check_potential (domains c) p q = true -> consistent c (height q).
Proof.
  intros P H. apply andb_prop in H as [H G]. apply andb_prop in H as [W M].
  apply Nat.eqb_eq in W. rewrite forallb_forall in M, G. unfold height. split.
  - intros s F Gs. rewrite add_weights_weigh. apply (goal_test_complete c p P s F) in Gs.
    unfold goal_test in Gs. apply existsb_exists in Gs as (ts & I & Ps). specialize (G ts I).
    apply Nat.leb_le in G. pose proof (tests_bound s _ _ ts s F Ps W). lia.
  - intros i s t F S. rewrite !add_weights_weigh.
    destruct (moves_complete c p P i s t F S) as (m & E & C & Pm & _).
    specialize (M m (nth_error_In _ _ E)). unfold falls_slowly in M. rewrite forallb_forall in M.
    destruct (split_all_sound (domains c) s t F (nodup Nat.eq_dec (touched 0 (sources m))) [m] m)
      as (m' & I & C'); simpl; auto.
    specialize (M m' I). destruct (change _ _ _) as [[more less]|] eqn:D; [|discriminate].
    apply Nat.leb_le in M. unfold carry_out in C'.
    destruct (passes s (tests m') s) eqn:Ps; [|discriminate]. injection C' as <-.
    assert (L : length (potentials q) = length s).
    { apply fits_spec in F as [L _]. congruence. }
    pose proof (change_sound s _ _ _ _ _ s L D Ps). lia.
Qed.

(* The greatest of several. *)
Fixpoint highest_of (qs : list potential) (s : state) : nat :=
  match qs with [] => 0 | q :: qs' => Nat.max (height q s) (highest_of qs' s) end.

Lemma max_consistent c h k :
  consistent c h -> consistent c k -> consistent c (fun s => Nat.max (h s) (k s)).
Proof.
  intros [Gh Sh] [Gk Sk]. split.
  - intros s F G. now rewrite Gh, Gk.
  - intros i s t F S. specialize (Sh i s t F S). specialize (Sk i s t F S). lia.
Qed.

Lemma highest_of_consistent c p qs :
  prepare c = Some p -> forallb (check_potential (domains c) p) qs = true ->
  consistent c (highest_of qs).
Proof.
  intros P. induction qs as [|q qs IH]; simpl; [intros _; apply blind_consistent|].
  intros H. apply andb_prop in H as [Hq H]. apply (max_consistent c (height q)); auto.
  eapply potential_consistent; eauto.
Qed.
