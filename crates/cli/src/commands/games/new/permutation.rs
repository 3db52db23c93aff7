//! Pieces that moves carry to other places.

use std::fmt::Write as _;

/// A game of `n` pieces with three moves.
pub(super) fn text(n: usize) -> String {
    let names = |order: &[usize]| {
        let names = order.iter().map(|it| format!("x{}", it + 1));
        names.collect::<Vec<_>>().join(" ")
    };
    let numbers = (1..=n)
        .map(|it| it.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let order: Vec<usize> = (0..n).collect();
    let (mut turned, mut back, mut swapped) = (order.clone(), order.clone(), order.clone());
    turned.rotate_left(1);
    back.rotate_right(1);
    swapped.swap(0, 1);
    let mut text = format!(
        "# My permutation puzzle: {n} pieces in {n} places, brought into order.\n\
         #\n\
         # A state has the piece in each place. In a rule, x1, x2 .. stand for the pieces in the places,\n\
         # whatever they are: the left side names them, the right side says where they go. Each line is a\n\
         # move; change them, or add others. A move and its inverse are two rules.\n\
         \nDOMAIN piece {n} {numbers}\n\n{n}\n{}\n\n",
        vec!["piece"; n].join(" ")
    );
    let before = names(&order);
    for (label, after) in [("turn", &turned), ("back", &back), ("swap", &swapped)] {
        let _ = writeln!(text, "{before} => {} LABEL {label}", names(after));
    }
    let _ = writeln!(text, "\nGOAL {numbers}");
    text
}
