(* The checker as an OCaml program. Natural numbers become machine integers; the operations in
   numbers.ml stop the program when a result doesn't fit. (`Nat.add` and `Init.Nat.add` are two
   names in the standard library for one function.) Vectors become arrays. *)
From Coq Require Import Extraction ExtrOcamlBasic Arith.
From PsvnChecker Require Import Arrays Accept.

Extract Inductive nat => int [ "0" "Numbers.succ" ]
  "(fun zero succ n -> if n = 0 then zero () else succ (n - 1))".
Extract Inlined Constant Nat.add => "Numbers.add".
Extract Inlined Constant Init.Nat.add => "Numbers.add".
Extract Inlined Constant Nat.mul => "Numbers.mul".
Extract Inlined Constant Init.Nat.mul => "Numbers.mul".
Extract Inlined Constant Nat.sub => "Numbers.sub".
Extract Inlined Constant Init.Nat.sub => "Numbers.sub".
Extract Inlined Constant Nat.div2 => "Numbers.half".
Extract Inlined Constant Init.Nat.div2 => "Numbers.half".
Extract Inlined Constant Nat.max => "Numbers.max".
Extract Inlined Constant Init.Nat.max => "Numbers.max".
Extract Inlined Constant Nat.div => "Numbers.div".
Extract Inlined Constant Nat.modulo => "Numbers.modulo".
Extract Inlined Constant Init.Nat.modulo => "Numbers.modulo".
Extract Inlined Constant Nat.eq_dec => "Numbers.eqb".
Extract Inlined Constant Nat.eqb => "Numbers.eqb".
Extract Inlined Constant Nat.leb => "Numbers.leb".
Extract Inlined Constant Nat.ltb => "Numbers.ltb".
Extract Constant Nat.compare =>
  "(fun (a : int) b -> if a = b then Eq else if a < b then Lt else Gt)".

Extract Constant vector "'a" => "'a array".
Extract Inlined Constant vector_of => "Array.of_list".
Extract Inlined Constant item => "Arrays.item".
Extract Inlined Constant grouped => "Arrays.grouped".

Extraction "checker.ml" accept.
