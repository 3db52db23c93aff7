(* Reads a certificate and says whether the verified checker accepts it. The format is described in
   docs/certificates.md. Exit status: 0 accepted, 1 rejected, 2 unreadable. *)
open Checker

exception Unreadable of string

let channel = ref stdin
let line_number = ref 0
let fail message = raise (Unreadable message)

(* The words of the next line that isn't blank or a comment; none at the end of the file. *)
let rec read_line_words () =
  match input_line !channel with
  | exception End_of_file -> []
  | line -> (
      incr line_number;
      match List.filter (( <> ) "") (String.split_on_char ' ' line) with
      | [] -> read_line_words ()
      | word :: _ when word.[0] = '#' -> read_line_words ()
      | words -> words)

let current = ref []
let advance () = current := read_line_words ()

let is_digit c = c >= '0' && c <= '9'

let number word =
  let n = String.length word in
  if n = 0 || n > 9 then fail ("not a number up to 999999999: " ^ word);
  String.iter (fun c -> if not (is_digit c) then fail ("not a number: " ^ word)) word;
  int_of_string word

(* As in List, with a stack of constant size: files have long lines, and many of them. *)
let map f l = List.rev (List.rev_map f l)
let concat l = List.rev (List.fold_left (fun done_ l -> List.rev_append l done_) [] l)

let numbers = map number

let one_number = function [ word ] -> number word | _ -> fail "expected one number"

(* A number counted from 1. *)
let ordinal word =
  let n = number word in
  if n = 0 then fail "counted from 1" else n - 1

(* Entries of a vector: `-` at position i stands for the unknown xi. *)
let term position word =
  if word = "-" then Var position
  else if word.[0] = 'x' then Var (ordinal (String.sub word 1 (String.length word - 1)))
  else Const (number word)

let vector = List.mapi term

let rec split_at word before = function
  | [] -> fail ("expected " ^ word)
  | w :: after when w = word -> (List.rev before, after)
  | w :: after -> split_at word (w :: before) after

(* A state: numbers, or one word of digits and letters after an apostrophe. *)
let values = function
  | [ word ] when word.[0] = '\'' ->
      let value i =
        match word.[i + 1] with
        | '0' .. '9' as c -> Char.code c - 48
        | 'a' .. 'z' as c -> Char.code c - 87
        | _ -> fail ("not a word of digits and letters: " ^ word)
      in
      List.init (String.length word - 1) value
  | words -> numbers words

(* All lines with the keyword, in order. *)
let lines keyword read =
  let rec go done_ =
    match !current with
    | word :: rest when word = keyword ->
        let item = read rest in
        advance ();
        go (item :: done_)
    | _ -> List.rev done_
  in
  go []

let line keyword read =
  match !current with
  | word :: rest when word = keyword ->
      let item = read rest in
      advance ();
      item
  | _ -> fail ("expected " ^ keyword)

let rec drop n l = if n <= 0 then l else match l with [] -> [] | _ :: rest -> drop (n - 1) rest

(* A state or a map may have the values of some variable, no others. *)
let check_values setting values =
  let most = List.fold_left max 0 setting.domains in
  if List.exists (fun value -> value >= most) values then fail "no variable has such a value"

(* Compares states by their last values first. *)
let rec compare_states one other =
  match (one, other) with
  | v :: one, w :: other ->
      let order = compare_states one other in
      if order <> 0 then order else compare (v : int) w
  | _ -> 0

(* Lines of a number and a state of n values, the last one first. A line may leave out the last
   values, if they are those of the line before. *)
let entries setting n =
  let rec go before done_ =
    match !current with
    | word :: rest when is_digit word.[0] ->
        let given = values rest in
        check_values setting given;
        let state = given @ drop (List.length given) before in
        if List.length state <> n then fail (Printf.sprintf "expected %d values" n);
        if done_ <> [] && compare_states before state >= 0 then fail "the entries don't ascend";
        let entry = (state, number word) in
        advance ();
        go state (entry :: done_)
    | _ -> done_
  in
  go [] []

(* Sets the items at some positions of a list. *)
let replace positions item = List.mapi (fun i old -> if List.mem i positions then item else old)

(* Positions, counted from 1, among n. *)
let positions n = function
  | [ "all" ] -> List.init n (fun i -> i)
  | words ->
      let check i = if i < n then i else fail "a number is too great" in
      List.map (fun word -> check (ordinal word)) words

(* Lines of the keyword that give lists of numbers to items: `keyword 1 3 : 5 5 6`. *)
let assign keyword f items =
  let set words =
    let where, words = split_at ":" [] words in
    (positions (List.length items) where, f (numbers words))
  in
  List.fold_left (fun items (where, item) -> replace where item items) items (lines keyword set)

let some l = Some l
let none = List.map (fun _ -> None)
let kept maps = List.length (List.filter (( <> ) None) maps)

let read_maps setting =
  let maps = assign "keep" some (none setting.domains) in
  List.iter (Option.iter (check_values setting)) maps;
  maps

let read_table setting _ =
  let maps = read_maps setting in
  let charges = List.map (fun rule -> [ rule.cost ]) setting.of_game.rules in
  let charges = assign "charge" (fun l -> l) charges in
  { maps; charges; estimates = entries setting (kept maps) }

(* Blocks that begin with a line of the keyword alone. *)
let rec blocks keyword read =
  match !current with
  | [ word ] when word = keyword ->
      advance ();
      let item = read () in
      item :: blocks keyword read
  | _ -> []

let read_group setting _ =
  let payer word = if word = "0" then None else Some (ordinal word) in
  let payers = List.concat (lines "payers" (List.map payer)) in
  { payers; patterns = blocks "table" (read_table setting) }

let read_setting () =
  let domains = line "domains" numbers in
  let rule words =
    let cost, words = split_at ":" [] words in
    let pre, act = split_at "=>" [] words in
    { pre = vector pre; act = vector act; cost = one_number cost }
  in
  let rules = lines "rule" rule in
  let goals = lines "goal" vector in
  { domains; of_game = { rules; goals }; start = [] }

let read_weights setting = assign "weigh" (fun l -> l) (List.map (fun _ -> []) setting.domains)

(* Blocks of a keyword and a number, with lines of weights. *)
let rec weighed keyword setting =
  match !current with
  | [ word; n ] when word = keyword ->
      let n = number n in
      advance ();
      let weights = read_weights setting in
      (weights, n) :: weighed keyword setting
  | _ -> []

let read_heuristic setting =
  let groups = blocks "group" (read_group setting) in
  let potential (potentials, base) = { potentials; base } in
  { groups; sums_of_weights = List.map potential (weighed "potential" setting) }

(* A part of a rule: `RULE V=A ..`, the rule where variable V has the value A. *)
let read_piece setting words =
  let condition word =
    match String.split_on_char '=' word with
    | [ var; value ] -> (ordinal var, number value)
    | _ -> fail ("expected a variable = a value, without spaces: " ^ word)
  in
  match words with
  | [] -> fail "expected the number of a rule"
  | rule :: conditions ->
      let conditions = map condition conditions in
      check_values setting (map snd conditions);
      { whole = ordinal rule; conditions }

let read_machine setting =
  let invariant (weights, value) = { weights; value } in
  let invariants = List.map invariant (weighed "invariant" setting) in
  let pieces = lines "part" (read_piece setting) in
  let word words =
    let word, replacement = split_at "=" [] words in
    (List.map ordinal word, List.map ordinal replacement)
  in
  let pairs = lines "word" word in
  { invariants; pieces; pairs; table_rows = lines "state" numbers }

(* More steps than these are refused. A search of this depth fits a stack of 8 MB. *)
let depth = 50_000
let fuel = 1_000_000_000

(* Numbers in keys of tables are less. *)
let room = 1 lsl 50

let nothing = { groups = []; sums_of_weights = [] }

(* The machines of searches, the last one first. Each is proved once. *)
let machines = ref []

(* The number of the machine of a search, which is that of the search before or stands here. *)
let search_machine setting =
  if !current = [ "machine"; "as"; "before" ] then (
    if !machines = [] then fail "no machine comes before";
    advance ())
  else machines := (fuel, read_machine setting) :: !machines;
  List.length !machines - 1

(* A claim with its proof and what it means, and the heuristic that its proof gives: some, or that of
   the claim before. *)
let read_part setting =
  let n = List.length setting.domains in
  let claim = line "claim" (fun words -> words) in
  let heuristic () =
    if !current = [ "heuristic"; "as"; "before" ] then (advance (); None)
    else Some (read_heuristic setting)
  in
  match claim with
  | [ "plan"; cost ] ->
      let moves = concat (lines "moves" (map ordinal)) in
      (None, Plan (moves, number cost), "the plan costs " ^ cost)
  | [ "bound"; bound; "by"; "list" ] ->
      let heuristic = heuristic () in
      line "closed" ignore;
      let closed = entries setting n in
      ( heuristic,
        BoundByList (number bound, closed),
        "every plan costs at least " ^ bound )
  | [ "none"; "by"; "list" ] ->
      let maps = read_maps setting in
      line "closed" ignore;
      (None, NoneByList (maps, entries setting (kept maps)), "there is no plan")
  | [ "everywhere"; bound; "by"; "list" ] ->
      line "closed" ignore;
      ( None,
        EverywhereByList (number bound, entries setting n),
        "from each state that can be reached, some plan costs at most " ^ bound )
  | [ "none"; "by"; "sums"; modulus ] ->
      (None, NoneBySums (number modulus, read_weights setting), "there is no plan")
  | [ "bound"; bound; "by"; "search" ] ->
      let heuristic = heuristic () in
      let machine = search_machine setting in
      ( heuristic,
        BoundBySearch (depth, number bound, machine),
        "every plan costs at least " ^ bound )
  | [ "machine" ] ->
      ( None,
        Machine (fuel, read_machine setting),
        "each word is redundant, and the machine forbids the words with a listed part, no others" )
  | _ -> fail "unknown claim"

(* Chapters, the last one first, each with its claims in reverse order. A claim with a heuristic of
   its own begins a chapter; so does the first claim. At least one claim follows each start. *)
let rec read_claims setting start chapters meanings =
  let heuristic, part, meaning = read_part setting in
  let chapters =
    match (heuristic, chapters) with
    | None, chapter :: before -> { chapter with parts = (start, part) :: chapter.parts } :: before
    | _ ->
        let known = Option.value heuristic ~default:nothing in
        { known; parts = [ (start, part) ] } :: chapters
  in
  let meanings = meaning :: meanings in
  match !current with
  | "claim" :: _ -> read_claims setting start chapters meanings
  | "start" :: _ ->
      let start = line "start" values in
      read_claims setting start chapters (String.concat " " ("from" :: map string_of_int start) :: meanings)
  | _ -> (chapters, meanings)

let read () =
  advance ();
  line "psvn-certificate" (fun v -> if v <> [ "1" ] then fail "unknown version");
  let setting = read_setting () in
  let start = line "start" values in
  let chapters, meanings = read_claims setting start [] [] in
  if !current <> [ "end" ] then fail "expected end, or a line that may stand here";
  if read_line_words () <> [] then fail "something follows end";
  ({ setting with start }, { room; machines = List.rev !machines; chapters }, String.concat "; " (List.rev meanings))

let () =
  let finish status message =
    print_endline message;
    exit status
  in
  if Array.length Sys.argv <> 2 then finish 2 "usage: psvn-verified FILE";
  match
    channel := open_in_bin Sys.argv.(1);
    read ()
  with
  | exception Unreadable message ->
      finish 2 (Printf.sprintf "unreadable: line %d: %s" !line_number message)
  | exception Sys_error message -> finish 2 ("unreadable: " ^ message)
  | exception (Stack_overflow | Out_of_memory) -> finish 2 "unreadable: too large"
  | setting, certificate, meaning -> (
      match accept setting certificate with
      | true -> finish 0 ("accepted: " ^ meaning)
      | false -> finish 1 "rejected"
      | exception Numbers.Overflow -> finish 1 "rejected: a number doesn't fit 62 bits"
      | exception (Stack_overflow | Out_of_memory) -> finish 1 "rejected: too deep or too large")
