//! Parts of rules: their proofs, and words of them.

use checker::{
    Fact, Flaw, Limits, Order, PartCertificate, PartsFailure, PartsFlaw, ProvedInvariants,
    ProvedParts, RulePart,
};
use psvn_ir::{Game, RuleId, Value, VarId};

use crate::load;

fn game() -> Game {
    // Both rules write the second variable and ignore the value of the first one.
    let text = "2  3 2\n- 0 => - 1\n1 - => 1 1\nGOAL 0 0\n";
    load(text)
}

fn part(rule: u32, conditions: &[(u32, u32)]) -> RulePart {
    let fact = |(var, value): &(u32, u32)| Fact {
        var: VarId(*var),
        value: Value::from_index(*value as usize),
    };
    RulePart {
        rule: RuleId(rule),
        conditions: conditions.iter().map(fact).collect(),
    }
}

fn prove(game: &Game, parts: Vec<RulePart>) -> Result<ProvedParts<'_>, PartsFailure> {
    let known = ProvedInvariants::none(game);
    ProvedParts::prove(game, &known, parts, &Limits::default())
}

fn flaw(parts: Vec<RulePart>) -> PartsFlaw {
    match prove(&game(), parts).map(|proved| proved.len()) {
        Err(PartsFailure::Flaw(flaw)) => flaw,
        other => panic!("{other:?}"),
    }
}

fn by_first() -> Vec<RulePart> {
    let of_first = (0..3).map(|value| part(0, &[(0, value)]));
    of_first.chain([part(1, &[])]).collect()
}

#[test]
fn disjoint_and_complete_parts_are_proved() {
    let game = game();
    assert_eq!(prove(&game, by_first()).unwrap().len(), 4);
    // A condition on a position that the rule fixes is redundant.
    let mut parts = by_first();
    parts[1].conditions.extend(part(0, &[(1, 0)]).conditions);
    assert!(prove(&game, parts).is_ok());
    // A part of a part is one.
    let mut parts = vec![part(0, &[]), part(1, &[(1, 0)]), part(1, &[(1, 1)])];
    assert!(prove(&game, parts.clone()).is_ok());
    parts.reverse();
    assert!(prove(&game, parts).is_ok());
}

#[test]
fn what_is_missing_or_twice_is_found() {
    let mut parts = by_first();
    parts.remove(1);
    assert_eq!(flaw(parts), PartsFlaw::Incomplete { rule: RuleId(0) });
    let mut parts = by_first();
    parts.pop();
    assert_eq!(flaw(parts), PartsFlaw::Incomplete { rule: RuleId(1) });
    let mut parts = by_first();
    parts.push(part(0, &[(0, 2)]));
    let (first, second) = (2, 4);
    assert_eq!(flaw(parts), PartsFlaw::Overlap { first, second });
    let mut parts = by_first();
    parts.push(part(0, &[]));
    assert!(matches!(flaw(parts), PartsFlaw::Overlap { .. }));
    // A part of another rule.
    let mut parts = by_first();
    parts[0].rule = RuleId(1);
    assert_eq!(flaw(parts), PartsFlaw::Incomplete { rule: RuleId(0) });
    let mut parts = by_first();
    parts[0].rule = RuleId(2);
    assert!(matches!(flaw(parts), PartsFlaw::UnknownRule { .. }));
    for condition in [(0, 3), (2, 0)] {
        let parts = vec![part(0, &[condition]), part(1, &[])];
        assert_eq!(flaw(parts), PartsFlaw::UnknownFact { letter: 0 });
    }
}

#[test]
fn words_of_parts_are_carried_out_under_their_conditions() {
    let game = game();
    let mut parts = by_first();
    parts.pop();
    parts.extend([part(1, &[(1, 0)]), part(1, &[(1, 1)])]);
    let proved = prove(&game, parts).unwrap();
    let check = |word: &[u32], replacement: &[RuleId]| {
        let certificate = PartCertificate { word, replacement };
        let flaws = proved.find_flaws(None, &[certificate], Order::LengthLexicographic);
        flaws.first().map(|it| it.flaw)
    };
    // The second rule does nothing if 1 is there already; else it does what the first one does.
    assert_eq!(check(&[4], &[]), None);
    assert!(matches!(
        check(&[3], &[]),
        Some(Flaw::DifferentResult { .. })
    ));
    assert_eq!(check(&[3], &[RuleId(0)]), None);
    assert!(matches!(
        check(&[4], &[RuleId(0)]),
        Some(Flaw::NotApplicable { .. })
    ));
    // Parts of the first rule come first, whatever their conditions.
    assert_eq!(check(&[1], &[RuleId(1)]), Some(Flaw::NotBefore));
    assert!(matches!(
        check(&[0, 3], &[]),
        Some(Flaw::Impossible { step: 1 })
    ));
    assert!(matches!(check(&[9], &[]), Some(Flaw::UnknownRule { .. })));
}

#[test]
fn proofs_end_at_once_when_they_are_interrupted() {
    let limits = Limits {
        deadline: None,
        interrupt: Some(std::sync::Arc::new(true.into())),
    };
    let game = game();
    let known = ProvedInvariants::none(&game);
    let stopped = ProvedParts::prove(&game, &known, by_first(), &limits);
    assert!(matches!(stopped, Err(PartsFailure::Stopped(_))));
}
