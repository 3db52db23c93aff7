(* Carrying a rule out: its unknowns are resolved to positions once, and then a state is tested and
   rebuilt value by value. *)
From Coq Require Import List Arith Lia Bool.
From Psvn Require Import Game.
From PsvnChecker Require Import Keys.
Import ListNotations.

(* The first position of a precondition that holds an unknown. *)
Fixpoint index (x : nat) (es : list term) : option nat :=
  match es with
  | [] => None
  | Var y :: es' => if x =? y then Some 0 else option_map S (index x es')
  | Const _ :: es' => option_map S (index x es')
  end.

Lemma index_nth th x es i : index x es = Some i -> nth i (map (inst th) es) 0 = th x.
Proof.
  revert i; induction es as [|[v | y] es IH]; simpl; intros i; try discriminate.
  - destruct (index x es); [|discriminate]. intros [= <-]. now apply IH.
  - destruct (Nat.eqb_spec x y) as [-> | _]; [now intros [= <-]|].
    destruct (index x es); [|discriminate]. intros [= <-]. now apply IH.
Qed.

Lemma index_lt x es i : index x es = Some i -> i < length es.
Proof.
  revert i; induction es as [|[v | y] es IH]; simpl; intros i; try discriminate.
  - destruct (index x es); [|discriminate]. intros [= <-]. specialize (IH _ eq_refl). lia.
  - destruct (x =? y); [intros [= <-]; lia|].
    destruct (index x es); [|discriminate]. intros [= <-]. specialize (IH _ eq_refl). lia.
Qed.

(* What a position is tested for, and where its next value comes from. *)
Inductive test := Any | Is (v : nat) | Same (position : nat).
Inductive source := Keep | Put (v : nat) | From (position : nat).

Record compiled := { tests : list test; sources : list source; price : nat }.

Definition test_of (whole : list term) (i : nat) (e : term) : option test :=
  match e with
  | Const v => Some (Is v)
  | Var x =>
      match index x whole with
      | None => None
      | Some j => Some (if j =? i then Any else Same j)
      end
  end.

Definition source_of (whole : list term) (i : nat) (e : term) : option source :=
  match e with
  | Const v => Some (Put v)
  | Var x =>
      match index x whole with
      | None => None
      | Some j => Some (if j =? i then Keep else From j)
      end
  end.

(* The list of what [f] gives for each position; [is_last] ends are left out. *)
Fixpoint translate {A} (f : nat -> term -> option A) (is_idle : A -> bool) (i : nat)
    (es : list term) : option (list A) :=
  match es with
  | [] => Some []
  | e :: es' =>
      match f i e, translate f is_idle (S i) es' with
      | Some a, Some l =>
          Some (match l with [] => if is_idle a then [] else [a] | _ => a :: l end)
      | _, _ => None
      end
  end.

Definition is_any (t : test) : bool := match t with Any => true | _ => false end.
Definition is_keep (t : source) : bool := match t with Keep => true | _ => false end.

Definition compile (r : rule) : option compiled :=
  match translate (test_of (pre r)) is_any 0 (pre r),
        translate (source_of (pre r)) is_keep 0 (act r) with
  | Some ts, Some ss => Some {| tests := ts; sources := ss; price := cost r |}
  | _, _ => None
  end.

(* [whole] is the state, [rest] what is left of it. *)
Fixpoint passes (whole : list nat) (ts : list test) (rest : list nat) : bool :=
  match ts, rest with
  | t :: ts', v :: rest' =>
      match t with
      | Any => passes whole ts' rest'
      | Is c => if v =? c then passes whole ts' rest' else false
      | Same j => if v =? pick whole j then passes whole ts' rest' else false
      end
  | _, _ => true
  end.

Fixpoint rebuild (whole : list nat) (ss : list source) (rest : list nat) : list nat :=
  match ss, rest with
  | s :: ss', v :: rest' =>
      match s with Keep => v | Put c => c | From j => pick whole j end
      :: rebuild whole ss' rest'
  | _, _ => rest
  end.

Definition carry_out (c : compiled) (s : list nat) : option (list nat) :=
  if passes s (tests c) s then Some (rebuild s (sources c) s) else None.

(* A test of the positions from [i] on: [before] are those before it. *)
Definition holds (whole : list nat) (v : nat) (t : test) : Prop :=
  match t with Any => True | Is c => v = c | Same j => v = nth j whole 0 end.
Definition gives (whole : list nat) (v : nat) (s : source) : nat :=
  match s with Keep => v | Put c => c | From j => nth j whole 0 end.

Lemma nth_error_translate {A} (f : nat -> term -> option A) is_idle es : forall i l k a,
  translate f is_idle i es = Some l -> nth_error l k = Some a ->
  exists e, nth_error es k = Some e /\ f (i + k) e = Some a.
Proof.
  induction es as [|e es IH]; simpl; intros i l k a.
  - intros [= <-]. now destruct k.
  - destruct (f i e) as [b|] eqn:F; [|discriminate].
    destruct (translate f is_idle (S i) es) as [l'|] eqn:T; [|discriminate].
    intros [= E] N. assert (N' : nth_error (b :: l') k = Some a).
    { destruct l'; [destruct (is_idle b)|]; subst; auto; now destruct k. }
    destruct k as [|k]; simpl in N'.
    + injection N' as ->. exists e. now rewrite Nat.add_0_r.
    + rewrite Nat.add_succ_r. now apply (IH (S i) l').
Qed.

(* What was left out at the end is idle. *)
Lemma translate_idle {A} (f : nat -> term -> option A) is_idle es : forall i l k e,
  translate f is_idle i es = Some l -> nth_error es k = Some e -> nth_error l k = None ->
  exists a, f (i + k) e = Some a /\ is_idle a = true.
Proof.
  induction es as [|e es IH]; simpl; intros i l k e'; [now destruct k|].
  destruct (f i e) as [b|] eqn:F; [|discriminate].
  destruct (translate f is_idle (S i) es) as [l'|] eqn:T; [|discriminate].
  intros [= E] N M. destruct k as [|k]; simpl in N.
  - injection N as <-. rewrite Nat.add_0_r. exists b. split; auto.
    destruct l'; [destruct (is_idle b)|]; subst; auto; discriminate.
  - rewrite Nat.add_succ_r. apply (IH (S i) l'); auto.
    destruct l'; [destruct (is_idle b)|]; subst; auto; now destruct k.
Qed.

Lemma passes_spec whole ts : forall rest,
  passes whole ts rest = true <->
  (forall i t, nth_error ts i = Some t -> i < length rest -> holds whole (nth i rest 0) t).
Proof.
  induction ts as [|t ts IH]; intros [|v rest]; simpl.
  - split; auto. now intros _ [|].
  - split; auto. now intros _ [|].
  - split; auto. lia.
  - transitivity (holds whole v t /\ passes whole ts rest = true).
    { destruct t; simpl; try tauto; rewrite ?pick_nth.
      - destruct (Nat.eqb_spec v v0); intuition discriminate.
      - destruct (Nat.eqb_spec v (nth position whole 0)); intuition discriminate. }
    rewrite IH. split.
    + intros [H0 H] [|i] u; simpl; [intros [= <-]; auto | intros E L; apply H; auto; lia].
    + intros H. split; [apply (H 0 t); auto; lia|].
      intros i u E L. apply (H (S i) u); auto; simpl; lia.
Qed.

Lemma rebuild_length whole ss : forall rest, length (rebuild whole ss rest) = length rest.
Proof. induction ss; intros [|v rest]; simpl; auto. Qed.

Lemma rebuild_nth whole ss : forall rest i,
  i < length rest ->
  nth i (rebuild whole ss rest) 0 =
  match nth_error ss i with
  | Some s => gives whole (nth i rest 0) s
  | None => nth i rest 0
  end.
Proof.
  induction ss as [|s ss IH]; intros [|v rest] i L; simpl in *; try lia.
  - now destruct i.
  - destruct i as [|i]; simpl; [destruct s; simpl; auto using pick_nth|]. apply IH. lia.
Qed.

(* ---------- a compiled rule does what the rule does ---------- *)

Lemma nth_map_inst f es i e :
  nth_error es i = Some e -> nth i (map (inst f) es) 0 = inst f e.
Proof. revert i; induction es; intros [|i]; simpl; try discriminate; [now intros [= ->] | auto]. Qed.

Lemma nth_ext_0 (s t : list nat) :
  length s = length t -> (forall i, i < length s -> nth i s 0 = nth i t 0) -> s = t.
Proof. intros L H. now apply (nth_ext _ _ 0 0). Qed.

Lemma nth_error_some {A} (l : list A) i : i < length l -> exists a, nth_error l i = Some a.
Proof.
  intros L. destruct (nth_error l i) as [a|] eqn:E; [now exists a|].
  apply nth_error_None in E. lia.
Qed.

(* The assignment that a state gives. *)
Definition found (es : list term) (s : list nat) (x : nat) : nat :=
  match index x es with Some j => nth j s 0 | None => 0 end.

(* A pattern as a list of tests: the preconditions of a rule, or a goal. *)
Section Pattern.
Variable es : list term.
Variable ts : list test.
Hypothesis translated : translate (test_of es) is_any 0 es = Some ts.

Lemma tests_complete f s : map (inst f) es = s -> passes s ts s = true.
Proof.
  intros P. apply passes_spec. intros i t T L.
  destruct (nth_error_translate _ _ _ _ _ _ _ translated T) as (e & E & H). simpl in H.
  assert (N := nth_map_inst f _ _ e E). rewrite P in N.
  destruct e as [v | x]; simpl in *; [now injection H as <-|].
  destruct (index x es) as [j|] eqn:J; [|discriminate]. injection H as <-.
  destruct (Nat.eqb_spec j i); simpl; auto. rewrite N, <- P. symmetry. now apply index_nth.
Qed.

Lemma tests_sound s :
  length s = length es -> passes s ts s = true -> map (inst (found es s)) es = s.
Proof.
  intros L H. rewrite passes_spec in H. apply nth_ext_0; [now rewrite map_length|].
  rewrite map_length. intros i Hi. destruct (nth_error_some es i Hi) as [e E].
  rewrite (nth_map_inst _ _ _ e E). destruct (nth_error ts i) as [t|] eqn:T.
  - specialize (H i t T). rewrite L in H. specialize (H Hi).
    destruct (nth_error_translate _ _ _ _ _ _ _ translated T) as (e' & E' & K). simpl in K.
    replace e' with e in K by congruence. destruct e as [v | x]; simpl in *.
    + injection K as <-. simpl in H. auto.
    + unfold found. destruct (index x es) as [j|]; [|discriminate]. injection K as <-.
      destruct (Nat.eqb_spec j i); simpl in H; subst; auto.
  - destruct (translate_idle _ _ _ _ _ _ _ translated E T) as (t & K & I). simpl in K.
    destruct t; try discriminate. destruct e as [v | x]; simpl in *; [discriminate|].
    unfold found. destruct (index x es) as [j|]; [|discriminate].
    destruct (Nat.eqb_spec j i); [now subst | discriminate].
Qed.
End Pattern.

Section Compiled.
Variable r : rule.
Variable c : compiled.
Hypothesis compiled_as : compile r = Some c.
Hypothesis wide : length (act r) = length (pre r).

Lemma compile_tests : translate (test_of (pre r)) is_any 0 (pre r) = Some (tests c).
Proof.
  unfold compile in compiled_as. destruct (translate (test_of _) _ _ _); [|discriminate].
  destruct (translate (source_of _) _ _ _); [|discriminate]. now injection compiled_as as <-.
Qed.

Lemma compile_sources : translate (source_of (pre r)) is_keep 0 (act r) = Some (sources c).
Proof.
  unfold compile in compiled_as. destruct (translate (test_of _) _ _ _); [|discriminate].
  destruct (translate (source_of _) _ _ _); [|discriminate]. now injection compiled_as as <-.
Qed.

Lemma compile_price : price c = cost r.
Proof.
  unfold compile in compiled_as. destruct (translate (test_of _) _ _ _); [|discriminate].
  destruct (translate (source_of _) _ _ _); [|discriminate]. now injection compiled_as as <-.
Qed.

(* An action's value, if the preconditions hold under [f]. *)
Lemma source_value f s i e a :
  map (inst f) (pre r) = s -> source_of (pre r) i e = Some a ->
  gives s (nth i s 0) a = inst f e.
Proof.
  intros <- H. destruct e as [v | x]; simpl in H; [now injection H as <-|].
  destruct (index x (pre r)) as [j|] eqn:J; [|discriminate]. injection H as <-.
  destruct (Nat.eqb_spec j i) as [<- | _]; simpl; now apply index_nth.
Qed.

Lemma rebuild_actions f s :
  map (inst f) (pre r) = s -> rebuild s (sources c) s = map (inst f) (act r).
Proof.
  intros P. assert (L : length s = length (act r)) by (now rewrite wide, <- P, map_length).
  apply nth_ext_0; [now rewrite rebuild_length, map_length|].
  rewrite rebuild_length. intros i Hi. rewrite rebuild_nth by auto.
  destruct (nth_error_some (act r) i) as [e E]; [lia|]. rewrite (nth_map_inst f _ _ e E).
  destruct (nth_error (sources c) i) as [a|] eqn:A.
  - destruct (nth_error_translate _ _ _ _ _ _ _ compile_sources A) as (e' & E' & H).
    simpl in H. replace e' with e in H by congruence. now apply (source_value f).
  - destruct (translate_idle _ _ _ _ _ _ _ compile_sources E A) as (a & H & K).
    simpl in H. destruct a; try discriminate. now apply (source_value f _ _ _ Keep).
Qed.

Theorem carry_out_spec s t :
  length s = length (pre r) -> (carry_out c s = Some t <-> Game.leads r s t).
Proof.
  intros L. unfold carry_out. split.
  - destruct (passes s (tests c) s) eqn:P; [|discriminate]. intros [= <-].
    apply (tests_sound _ _ compile_tests) in P; auto. exists (found (pre r) s). split; auto.
    symmetry. now apply rebuild_actions.
  - intros (f & P & A). rewrite (tests_complete _ _ compile_tests f s P). f_equal. rewrite <- A.
    now apply rebuild_actions.
Qed.
End Compiled.
