(* The arrays of the checker: what Arrays.v says of lists. *)
let item d a i = if i < Array.length a then Array.unsafe_get a i else d

let grouped n number l =
  let groups = Array.make n [] in
  let add a =
    let i = number a in
    if i < n then groups.(i) <- a :: groups.(i)
  in
  List.iter add (List.rev l);
  groups
