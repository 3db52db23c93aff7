(** * All nodes of small search trees, by computation

    The concrete games of the next files are small enough to list all runs of their clean words. *)

From Coq Require Import List Arith Lia.
From Psvn Require Import Paths Factors Game.
Import ListNotations.

Section Layers.

Variable g : game.
Variable forbidden : word -> bool.
Hypothesis deterministic_g : deterministic_game g.

Definition children (node : word * state) : list (word * state) :=
  flat_map
    (fun i => match step_fun g i (snd node) with
              | Some n =>
                  let w := fst node ++ [i] in if cleanb forbidden w then [(w, n)] else []
              | None => []
              end)
    (seq 0 (length (rules g))).

(** The clean words of [k] letters that can be carried out in [s], with the states at their
    ends. *)
Fixpoint layer (k : nat) (s : state) : list (word * state) :=
  match k with
  | 0 => [([], s)]
  | S k' => flat_map children (layer k' s)
  end.

Lemma layer_complete w : forall s t,
  runs g w s t -> clean forbidden w -> In (w, t) (layer (length w) s).
Proof.
  induction w as [|i w IH] using rev_ind; intros s t R C.
  - left. change (s = t) in R. rewrite R. reflexivity.
  - unfold runs in R. apply run_snoc in R as (m & R & Hi).
    rewrite app_length, Nat.add_1_r. simpl. apply in_flat_map. exists (w, m). split.
    + apply IH; [exact R | eapply clean_prefix; exact C].
    + unfold children. apply in_flat_map. exists i. simpl. split.
      * destruct Hi as (r & E & _). apply in_seq. split; [lia|]. simpl.
        apply nth_error_Some. congruence.
      * apply (step_fun_spec g i m t deterministic_g) in Hi. rewrite Hi.
        apply cleanb_spec in C. rewrite C. left. reflexivity.
Qed.

(** A tree that has ended doesn't go on. *)
Lemma layer_ends k s : layer k s = [] -> forall j, k <= j -> layer j s = [].
Proof.
  intros E j L. induction L as [|j _ IH]; [exact E|]. simpl. rewrite IH. reflexivity.
Qed.

Lemma no_longer_words k s w t :
  layer k s = [] -> runs g w s t -> clean forbidden w -> length w < k.
Proof.
  intros E R C. apply Nat.nle_gt. intros L.
  pose proof (layer_complete w s t R C) as H. rewrite (layer_ends k s E _ L) in H. exact H.
Qed.

(** Goal states at the ends of the first layers. *)
Definition goals_within (k : nat) (s : state) : list word :=
  map fst (filter (fun node => is_goalb g (snd node)) (flat_map (fun j => layer j s) (seq 0 k))).

Lemma goals_within_complete k s w :
  plan g s w -> clean forbidden w -> length w < k -> In w (goals_within k s).
Proof.
  intros (t & R & G) C L. unfold goals_within. apply in_map_iff. exists (w, t).
  split; [reflexivity|]. apply filter_In. split.
  - apply in_flat_map. exists (length w). split; [apply in_seq; lia | auto using layer_complete].
  - apply is_goalb_spec, G.
Qed.

End Layers.

Definition nothing_forbidden (b : word) : bool := false.

Lemma all_clean w : clean nothing_forbidden w.
Proof. intros x b y _. reflexivity. Qed.
