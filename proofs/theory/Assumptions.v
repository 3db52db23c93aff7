(** * What the theorems assume: nothing

    proofs/check compares what this file prints with a list of "Closed under the global context",
    one for each theorem. *)

From Psvn Require Import Paths Order Factors Game Pruning Trails Searches Terms Composition Match.
From Psvn Require Import Canonical Layers GoneWrong Transpositions Closing Parts Relevance.
From Psvn Require Import Ideal Abstractions TwoPlayers Examples Deepening Hanoi GoalMatch.
From Psvn Require Import PartGames.

(** Rules and games *)
Print Assumptions apply_leads.
Print Assumptions matchesb_spec.
Print Assumptions run_fun_spec.
Print Assumptions is_goalb_spec.
Print Assumptions matches_by_position.
Print Assumptions leads_by_position.

(** Canonical form *)
Print Assumptions canonicalize_canonical.
Print Assumptions canonicalize_leads.
Print Assumptions canonical_unique.
Print Assumptions canonical_unique_two_values.
Print Assumptions compose_canonical.
Print Assumptions same_states_same_macro.

(** Composition *)
Print Assumptions subcases_are_right.
Print Assumptions compose_sound.
Print Assumptions compose_complete.
Print Assumptions macro_spec.
Print Assumptions macro_cost.

(** Redundancy and the match *)
Print Assumptions redundant_trans.
Print Assumptions redundant_nested.
Print Assumptions replaces_spec.
Print Assumptions replaces_trans.
Print Assumptions match_is_redundancy.
Print Assumptions match_complete.
Print Assumptions match_decides.
Print Assumptions replaces_word_sound.
Print Assumptions replaces_word_complete.

(** The order *)
Print Assumptions before_total.
Print Assumptions before_wf.
Print Assumptions before_nested.

(** Safety *)
Print Assumptions descent.
Print Assumptions cleanb_spec.
Print Assumptions pruning_keeps_costs.
Print Assumptions pruning_keeps_costs_within.
Print Assumptions pruning_keeps_states.
Print Assumptions clean_lower_bound.
Print Assumptions clean_no_solution.
Print Assumptions kept_words_suffice.
Print Assumptions cheapest_paths_are_clean.
Print Assumptions certified_pruning_is_safe.
Print Assumptions close_rule_leads.
Print Assumptions remaining_monotone.
Print Assumptions close_closed.
Print Assumptions close_idempotent.
Print Assumptions replaces_within_sound.
Print Assumptions replaces_within_trans.
Print Assumptions pruning_within_invariants_is_safe.
Print Assumptions within_but_not_in_all_states.
Print Assumptions disk_pruning_is_safe.
Print Assumptions parts_pruning_keeps_costs.
Print Assumptions parts_pruning_keeps_costs_within.
Print Assumptions parts_lower_bound.
Print Assumptions part_leads.
Print Assumptions parts_disjoint.
Print Assumptions parts_exhaustive.
Print Assumptions certified_part_pruning_is_safe.
Print Assumptions redundant_as_a_part_only.
Print Assumptions pruning_for_goals_keeps_costs.
Print Assumptions pruning_for_goals_keeps_costs_within.
Print Assumptions irrelevant_variables_are_safe.
Print Assumptions replaces_for_goals_sound.
Print Assumptions certified_pruning_for_goals_is_safe.
Print Assumptions redundant_for_goals_only.

(** The least that pruning can leave *)
Print Assumptions first_path_is_ideal.
Print Assumptions ideal_tree_keeps_costs.
Print Assumptions machine_leaves_ideal_tree.
Print Assumptions parts_machine_leaves_ideal_tree.

(** What may be combined with pruning *)
Print Assumptions cycle_detection_is_safe.
Print Assumptions search_is_safe.
Print Assumptions estimates_are_safe.
Print Assumptions known_solution_is_safe.
Print Assumptions bound_is_proved.
Print Assumptions next_bound_is_proved.
Print Assumptions iterative_deepening_is_safe.
Print Assumptions first_goal_is_optimal.
Print Assumptions safe_machine_finds.
Print Assumptions redundant_words_are_safe.
Print Assumptions redundant_words_for_goals_are_safe.
Print Assumptions redundant_parts_are_safe.
Print Assumptions table_by_machine_state.

(** What fails *)
Print Assumptions both_ways_loses_all_plans.
Print Assumptions order_keeps_a_plan.
Print Assumptions both_ways_loses_free_rules.
Print Assumptions table_by_state_loses_the_goal.
Print Assumptions pruning_changes_values_of_two_players.
Print Assumptions impossible_words_may_become_possible.
Print Assumptions projections_may_lose_redundancy.

(** What stays true in abstract games *)
Print Assumptions merging_keeps_matches.
Print Assumptions merging_keeps_redundancy.

(** The paper's subcase 2(b) as it is printed *)
Print Assumptions subcase_2b_as_printed_is_wrong.
