//! Irrelevant variables: proofs, obstacles, and certificates that depend on them.

use checker::{
    Certificate, Flaw, IrrelevanceFlaw, Order, ProvedInvariants, ProvedIrrelevance,
    find_flaws_for_goals, find_flaws_within,
};
use psvn_ir::{Game, RuleId, VarId};

use crate::load;

fn prove(game: &Game, numbers: &[usize]) -> Result<ProvedIrrelevance, IrrelevanceFlaw> {
    let ignored: Vec<VarId> = numbers.iter().map(|n| VarId::from_index(n - 1)).collect();
    ProvedIrrelevance::prove(game, &ignored)
}

fn flaw(text: &str, numbers: &[usize]) -> String {
    prove(&load(text), numbers)
        .expect_err("a refusal")
        .to_string()
}

/// A walk on a line of three squares, with the last direction beside it, which a third rule copies.
const WALK: &str = "
    3  3 2 2
    0 - - => 1 0 -  LABEL right  1 - - => 2 0 -  LABEL right
    2 - - => 1 1 -  LABEL left   1 - - => 0 1 -  LABEL left
    - A 0 => - A A  LABEL copy
    GOAL 2 - -";

#[test]
fn variables_that_nothing_tests_are_irrelevant() {
    assert!(prove(&load(WALK), &[2, 3]).is_ok());
    assert!(prove(&load(WALK), &[3]).is_ok());
    assert!(prove(&load(WALK), &[]).is_ok());
}

#[test]
fn each_way_to_test_a_variable_is_noticed() {
    assert_eq!(flaw(WALK, &[1, 2, 3]), "goal 1 tests variable 1");
    // Alone it isn't: rule 5 copies it into the third one.
    assert_eq!(flaw(WALK, &[2]), "rule 5 copies variable 2 into variable 3");
    assert_eq!(flaw(WALK, &[4]), "the game has no variable 4");
    let tested = WALK.replace("2 - - => 1 1 -", "2 1 - => 1 1 -");
    assert_eq!(
        flaw(&tested, &[2, 3]),
        "rule 3 tests variable 2, and can change variable 1"
    );
    let equal = WALK.replace("2 - - => 1 1 -", "2 A A => 1 A A");
    assert_eq!(
        flaw(&equal, &[2, 3]),
        "rule 3 tests variable 3, and can change variable 1"
    );
    let by_goal = WALK.replace("GOAL 2 - -", "GOAL 2 - -  GOAL 0 A A");
    assert_eq!(flaw(&by_goal, &[2, 3]), "goal 2 tests variable 3");
    let no_goal = WALK.replace("GOAL 2 - -", "");
    assert_eq!(flaw(&no_goal, &[2, 3]), "the game has no goal");
}

#[test]
fn ends_may_differ_only_in_irrelevant_variables() {
    let game = load(WALK);
    let known = ProvedInvariants::none(&game);
    let (right, back, copy) = (RuleId(0), RuleId(3), RuleId(4));
    let words: [(&[RuleId], &[RuleId]); 3] =
        [(&[right, back], &[]), (&[copy], &[]), (&[right], &[])];
    let certificates: Vec<Certificate<'_>> = words
        .iter()
        .map(|(word, replacement)| Certificate { word, replacement })
        .collect();
    let order = Order::LengthLexicographic;
    let irrelevant = prove(&game, &[2, 3]).expect("nothing looks at them");
    let flaws = find_flaws_for_goals(&game, &known, &irrelevant, &certificates, order);
    // The last one leads to another square.
    assert_eq!(flaws.len(), 1);
    assert_eq!(flaws[0].index, 2);
    assert_eq!(flaws[0].flaw, Flaw::DifferentResult { position: 0 });
    // If all states are distinguished, none of them is valid.
    let flaws = find_flaws_within(&game, &known, &certificates, order);
    assert_eq!(flaws.len(), 3);
    // Less is irrelevant: less is right.
    let third = prove(&game, &[3]).expect("nothing looks at it");
    let flaws = find_flaws_for_goals(&game, &known, &third, &certificates, order);
    assert_eq!(flaws.iter().map(|it| it.index).collect::<Vec<_>>(), [0, 2]);
}
