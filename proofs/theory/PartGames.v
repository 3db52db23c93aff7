(** * Parts of rules as a game of their own

    docs/safety.md, "Parts of rules": what is tested of a machine over parts. Each part is a PSVN
    rule and an instance of the rule that it belongs to. That in states with the invariants one of
    the parts can be used wherever the rule can is asked for ([parts_exhaustive] has it for parts by
    the values of a variable). *)

From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Paths Order Factors Game Terms Pruning Composition Match Parts.
Import ListNotations.

Section PartGames.

(** The game, the game of parts, and for each part the number of its rule. *)
Variables g parts : game.
Variable n : nat.
Variable owners : list nat.

Definition owner (q : nat) : nat := nth q owners 0.

(** Each part is an instance of its rule, at the same cost. *)
Definition certified_parts : bool :=
  forallb (fun q => match nth_error (rules g) (owner q), nth_error (rules parts) q with
                    | Some r, Some p => replaces r p && (cost r =? cost p)
                    | _, _ => false
                    end) (seq 0 (length (rules parts))).

Hypothesis deterministic_g : deterministic_game g.
Hypothesis deterministic_parts : deterministic_game parts.
Hypothesis same_goals : goals parts = goals g.
Hypothesis parts_certified : certified_parts = true.

Lemma part_step_sound q s t : step parts q s t -> step g (owner q) s t.
Proof.
  intros (p & E & H). pose proof parts_certified as C. unfold certified_parts in C.
  rewrite forallb_forall in C. specialize (C q). rewrite E in C.
  assert (In q (seq 0 (length (rules parts)))) as Hq.
  { apply in_seq. split; [lia|]. apply nth_error_Some. congruence. }
  specialize (C Hq). destruct (nth_error (rules g) (owner q)) as [r|] eqn:Er; [|discriminate C].
  apply andb_true_iff in C as (R & _). exists r. split; [exact Er|].
  apply (match_is_redundancy r p); [|exact R | exact H].
  apply deterministic_g. eapply nth_error_In. exact Er.
Qed.

Variable inv : state -> Prop.
Hypothesis inv_length : forall s, inv s -> length s = n.
Hypothesis inv_step : forall o s t, inv s -> step g o s t -> inv t.
Hypothesis exhaustive :
  forall o s t, inv s -> step g o s t -> exists q, owner q = o /\ step parts q s t.

(** Words of parts, each with a word of whole rules that replaces it. *)
Definition replaces_parts (a b : word) : bool :=
  match macro parts n b with
  | None => true
  | Some mb =>
      match macro g n a with
      | None => false
      | Some ma => replaces ma mb
      end
  end.

Definition certified_part_words (pairs : list (word * word)) : bool :=
  forallb (fun '(b, a) => beforeb a (map owner b) &&
                          (cost_of g a <=? cost_of g (map owner b)) && replaces_parts a b) pairs.

(** What is left has a plan of parts that costs no more than any given plan of rules, and is one. *)
Theorem certified_part_pruning_is_safe pairs s w :
  certified_part_words pairs = true -> inv s -> plan g s w ->
  exists v, plan parts s v /\ plan g s (map owner v) /\
            cost_of g (map owner v) <= cost_of g w /\ clean (forbids pairs) v.
Proof.
  intros C I (t & R & G).
  destruct (parts_pruning_keeps_costs (step g) (step parts) owner (rule_cost g) inv inv_step
              part_step_sound exhaustive before before_wf before_nested (forbids pairs))
    with (w := w) (s := s) (t := t) as (v & Rv & K & Cv); [| exact I | exact R |].
  - intros b F. apply listed_spec, in_map_iff in F as ((b' & a) & <- & H).
    unfold certified_part_words in C. rewrite forallb_forall in C. specialize (C _ H). simpl in *.
    apply andb_true_iff in C as (C & E). apply andb_true_iff in C as (B & Kb).
    exists a. split; [apply beforeb_spec, B|]. split; [apply Nat.leb_le, Kb|].
    intros u x Iu Rb. pose proof (inv_length u Iu) as L.
    apply (macro_spec parts n b' u x deterministic_parts L) in Rb as (mb & Eb & Lb).
    unfold replaces_parts in E. rewrite Eb in E.
    destruct (macro g n a) as [ma|] eqn:Ea; [|discriminate E].
    apply (macro_spec g n a u x deterministic_g L). exists ma. split; [exact Ea|].
    apply (match_is_redundancy ma mb); [|exact E | exact Lb].
    eapply macro_deterministic. exact Ea.
  - pose proof (parts_run (step g) (step parts) owner part_step_sound v s t Rv) as Rg.
    exists v. repeat split; [| exists t; split; [exact Rg | exact G] | exact K | exact Cv].
    exists t. split; [exact Rv|]. unfold is_goal in *. rewrite same_goals. exact G.
Qed.

End PartGames.

(** ** An example: a rule that does nothing in some states

    Setting a bit does nothing where it is set. The rule isn't redundant, but its part for the value
    1 is, with the empty word. *)
Definition setter : game :=
  {| rules := [ {| pre := [Var 0]; act := [Const 1]; cost := 1 |} ]; goals := [ [Const 1] ] |}.

Definition setter_parts : game :=
  {| rules := [ {| pre := [Const 0]; act := [Const 1]; cost := 1 |};
                {| pre := [Const 1]; act := [Const 1]; cost := 1 |} ];
     goals := [ [Const 1] ] |}.

Theorem redundant_as_a_part_only :
  certified_parts setter setter_parts [0; 0] = true /\
  certified_part_words setter setter_parts 1 [0; 0] [([1], [])] = true /\
  replaces_word setter 1 [] [0] = false.
Proof. repeat split; reflexivity. Qed.
