(* Search trees whose keys are lists of numbers. Nothing is proved about the order of keys: a key
   that isn't found where it should be makes the checker refuse. *)
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

(* Whether two lists are the same. *)
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
Arguments set {value}.
Arguments member {value}.
Arguments all_keys {value}.
