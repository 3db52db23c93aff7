(* Natural numbers as machine integers of 63 bits. Nothing wraps: a result that doesn't fit ends the
   program. *)
exception Overflow

let succ (n : int) = if n = max_int then raise Overflow else n + 1

let add (a : int) (b : int) =
  let c = a + b in
  if c < 0 then raise Overflow else c

let mul (a : int) (b : int) =
  if (a < 1 lsl 52 && b < 1 lsl 10) || (b < 1 lsl 41 && a < 1 lsl 20) then a * b
  else if a <> 0 && b > max_int / a then raise Overflow
  else a * b

let sub (a : int) (b : int) = if a < b then 0 else a - b
let half (a : int) = a lsr 1
let max (a : int) (b : int) = if a < b then b else a
let eqb (a : int) (b : int) = a = b
let leb (a : int) (b : int) = a <= b
let ltb (a : int) (b : int) = a < b
let div (a : int) (b : int) = if b = 0 then 0 else a / b
let modulo (a : int) (b : int) = if b = 0 then a else a mod b
