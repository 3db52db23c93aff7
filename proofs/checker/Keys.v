(* Search trees whose keys are lists of numbers, and the packing of a state into such a key.

   Trees are built from lists that should ascend. Nothing is proved about the order: if a list
   doesn't ascend, some keys aren't found, and the checker refuses. What is found is in the list:
   that is all that a proof needs. *)
From Coq Require Import List Arith.
Import ListNotations.

(* [nth], in a form that becomes a loop in OCaml. *)
Fixpoint pick (l : list nat) (n : nat) : nat :=
  match l with
  | [] => 0
  | v :: l' => if n =? 0 then v else pick l' (n - 1)
  end.

Lemma pick_nth l : forall n, pick l n = nth n l 0.
Proof.
  induction l as [|v l IH]; intros [|n]; simpl; auto. rewrite IH. now rewrite Nat.sub_0_r.
Qed.

Fixpoint compare_keys (a b : list nat) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ :: _ => Lt
  | _ :: _, [] => Gt
  | x :: a', y :: b' => match Nat.compare x y with Eq => compare_keys a' b' | c => c end
  end.

Lemma compare_keys_eq a b : compare_keys a b = Eq -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto.
  destruct (Nat.compare x y) eqn:E; try discriminate.
  intros H. apply Nat.compare_eq in E. f_equal; auto.
Qed.

Section Tree.
Variable value : Type.

Inductive tree := Leaf | Node (left : tree) (key : list nat) (v : value) (right : tree).

Fixpoint find (k : list nat) (t : tree) : option value :=
  match t with
  | Leaf => None
  | Node l k' v r =>
      match compare_keys k k' with Eq => Some v | Lt => find k l | Gt => find k r end
  end.

Fixpoint has (k : list nat) (v : value) (t : tree) : Prop :=
  match t with
  | Leaf => False
  | Node l k' v' r => (k = k' /\ v = v') \/ has k v l \/ has k v r
  end.

Lemma find_has k v t : find k t = Some v -> has k v t.
Proof.
  induction t as [|l IHl k' v' r IHr]; simpl; [discriminate|].
  destruct (compare_keys k k') eqn:E; auto.
  intros H. left. apply compare_keys_eq in E. split; congruence.
Qed.

(* A tree of depth at most [d] of the first entries of a list, and the entries left over.
   [n] is the number of entries that it should take: about half of them go left. *)
Fixpoint take (d n : nat) (l : list (list nat * value)) : tree * list (list nat * value) :=
  match d with
  | 0 => (Leaf, l)
  | S d' =>
      if n =? 0 then (Leaf, l)
      else
        let (left, l1) := take d' (Nat.div2 n) l in
        match l1 with
        | [] => (left, [])
        | (k, v) :: l2 =>
            let (right, l3) := take d' (n - Nat.div2 n - 1) l2 in
            (Node left k v right, l3)
        end
  end.

Lemma take_has d : forall n l t rest,
  take d n l = (t, rest) ->
  (forall k v, has k v t -> In (k, v) l) /\ incl rest l.
Proof.
  induction d as [|d IH]; intros n l t rest; simpl.
  - intros [= <- <-]. split; [contradiction | apply incl_refl].
  - destruct (n =? 0).
    { intros [= <- <-]. split; [contradiction | apply incl_refl]. }
    destruct (take d (Nat.div2 n) l) as [left l1] eqn:El.
    apply IH in El as [Hl Il].
    destruct l1 as [|[k v] l2].
    { intros [= <- <-]. split; auto. }
    destruct (take d (n - Nat.div2 n - 1) l2) as [right l3] eqn:Er.
    apply IH in Er as [Hr Ir]. intros [= <- <-].
    assert (I2 : incl l2 l) by (intros e He; apply Il; now right).
    split; [|eapply incl_tran; eauto].
    intros k' v' [[-> ->] | [H | H]]; auto. apply Il. now left.
Qed.

Fixpoint count (n : nat) (l : list (list nat * value)) : nat :=
  match l with [] => n | _ :: l' => count (S n) l' end.

(* All entries of a list of at most 2^62. *)
Definition tree_of (l : list (list nat * value)) : tree := fst (take 62 (count 0 l) l).

Lemma tree_of_has k v l : has k v (tree_of l) -> In (k, v) l.
Proof.
  unfold tree_of. destruct (take 62 (count 0 l) l) as [t rest] eqn:E.
  apply take_has in E as [H _]. apply H.
Qed.

Lemma find_tree_of k v l : find k (tree_of l) = Some v -> In (k, v) l.
Proof. intros H. now apply tree_of_has, find_has. Qed.

(* Gives a key a value, where [find] looks for it. Nothing is proved about it. *)
Fixpoint set (k : list nat) (v : value) (t : tree) : tree :=
  match t with
  | Leaf => Node Leaf k v Leaf
  | Node l k' v' r =>
      match compare_keys k k' with
      | Eq => Node l k v r
      | Lt => Node (set k v l) k' v' r
      | Gt => Node l k' v' (set k v r)
      end
  end.

Definition member (k : list nat) (t : tree) : bool :=
  match find k t with Some _ => true | None => false end.

Fixpoint all_keys (p : list nat -> bool) (t : tree) : bool :=
  match t with
  | Leaf => true
  | Node l k _ r => p k && all_keys p l && all_keys p r
  end.

Lemma all_keys_member p t k : all_keys p t = true -> member k t = true -> p k = true.
Proof.
  unfold member. destruct (find k t) as [v|] eqn:F; [|discriminate]. intros H _.
  apply find_has in F. revert H F. induction t as [|l IHl k' v' r IHr]; simpl; [contradiction|].
  intros H. apply andb_prop in H as [H Hr]. apply andb_prop in H as [Hk Hl].
  intros [[-> ->] | [B | B]]; auto.
Qed.
End Tree.

Arguments Leaf {value}.
Arguments Node {value}.
Arguments find {value}.
Arguments has {value}.
Arguments tree_of {value}.
Arguments set {value}.
Arguments member {value}.
Arguments all_keys {value}.

(* Packing: [per] values below [radix] make one number. The last values come first in a key, so
   that states that are sorted by their last value first give keys that ascend. Nothing is proved
   about keys, since what a key finds is compared with the state. *)
Section States.
Variable radix per : nat.

Fixpoint pack_from (room power sum : nat) (chunks s : list nat) : list nat :=
  match s with
  | [] => sum :: chunks
  | v :: s' =>
      if room =? 0 then pack_from per radix v (sum :: chunks) s'
      else pack_from (room - 1) (power * radix) (sum + v * power) chunks s'
  end.

Definition pack (s : list nat) : list nat := pack_from (S per) 1 0 [] s.

Fixpoint same (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => if x =? y then same a' b' else false
  | _, _ => false
  end.

Lemma same_eq a b : same a b = true -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto.
  destruct (Nat.eqb_spec x y); [|discriminate]. intros H. f_equal; auto.
Qed.

(* Entries, the last one first, as a reader collects them. *)
Variable value : Type.
Definition table := tree (list nat * value).

Fixpoint keyed (l : list (list nat * value)) (done : list (list nat * (list nat * value))) :=
  match l with
  | [] => done
  | e :: l' => keyed l' ((pack (fst e), e) :: done)
  end.

Lemma keyed_in l : forall done k e, In (k, e) (keyed l done) -> In e l \/ In (k, e) done.
Proof.
  induction l as [|e' l IH]; simpl; auto. intros done k e H.
  apply IH in H as [H | [[= _ <-] | H]]; auto.
Qed.

Definition table_of (l : list (list nat * value)) : table := tree_of (keyed l []).

Definition entry (t : table) (s : list nat) : option value :=
  match find (pack s) t with
  | Some (s', v) => if same s s' then Some v else None
  | None => None
  end.

Lemma entry_in l s v : entry (table_of l) s = Some v -> In (s, v) l.
Proof.
  unfold entry, table_of. destruct (find _ _) as [[s' v']|] eqn:F; [|discriminate].
  destruct (same s s') eqn:E; [|discriminate]. intros [= ->]. apply same_eq in E as ->.
  apply find_tree_of, keyed_in in F as [F | []]. exact F.
Qed.
End States.

Arguments table_of radix per {value}.
Arguments entry radix per {value}.
