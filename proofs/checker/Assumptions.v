(* Prints what the main theorems assume. The build compares it with what Coq prints for nothing. *)
From PsvnChecker Require Import Accept.
Print Assumptions accept_sound.
Print Assumptions accepted_cost_is_least.
