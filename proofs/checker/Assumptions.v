(* Prints what the main theorem assumes. The build compares it with what Coq prints for nothing. *)
From PsvnChecker Require Import Accept.
Print Assumptions accept_sound.
