//! Words of operators.

use std::time::Instant;

use checker::{
    Certificate, Flaw, LabelCertificate, LabelFlaw, LabelWords, Limits, Obstacle, Operators,
    ProvedInvariants, StopReason,
};
use psvn_ir::RuleId;

use crate::load;

/// Three ways to the same place, one of them expensive; and a rule that another label shares.
const WAYS: &str = "
    2  3 3
    0 - => 1 -  LABEL walk  1 - => 2 -  LABEL walk
    0 - => 2 -  LABEL fly  COST 1
    0 - => 2 -  LABEL ride COST 3
    - 0 => - 1  LABEL pack  - 1 => - 2  LABEL pack
    GOAL 2 2";

#[test]
fn each_obstacle_is_reported() {
    let limits = Limits::default();
    let game = load(WAYS);
    let known = ProvedInvariants::none(&game);
    let labels = ["fly", "ride", "pack", "walk"];
    let operators = Operators::by_label(&game, &labels).expect("all labels");
    let words = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
    let check = |word: &[u32], replacements: &[&[u32]]| {
        words.check(LabelCertificate { word, replacements })
    };
    let obstacle = |word: &[u32], replacements: &[&[u32]]| match check(word, replacements) {
        Err(LabelFlaw::Irreplaceable { instance, obstacle }) => {
            assert_eq!(instance.len(), word.len());
            obstacle
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(check(&[3, 3], &[&[0]]), Ok(1));
    assert_eq!(check(&[1], &[&[0]]), Ok(1));
    assert_eq!(obstacle(&[3, 3], &[&[1]]), Obstacle::CostsMore);
    assert_eq!(obstacle(&[3, 3], &[&[2]]), Obstacle::Inapplicable);
    assert_eq!(obstacle(&[3, 3], &[&[]]), Obstacle::LeadsElsewhere);
    // The nearest one of several counts.
    assert_eq!(obstacle(&[3, 3], &[&[2], &[1], &[]]), Obstacle::CostsMore);
    assert_eq!(check(&[3, 3], &[&[2], &[1], &[0]]), Ok(1));
    // Both words may replace each instance; the word itself isn't a replacement.
    assert_eq!(check(&[3, 2], &[&[2, 3]]), Ok(4));
    let itself = LabelFlaw::NotBefore { replacement: 1 };
    assert_eq!(check(&[3, 2], &[&[2, 3], &[3, 2]]), Err(itself));
}

#[test]
fn the_list_of_instances_must_be_complete_and_correct() {
    let limits = Limits::default();
    let game = load(WAYS);
    let known = ProvedInvariants::none(&game);
    let labels = ["fly", "ride", "pack", "walk"];
    let operators = Operators::by_label(&game, &labels).expect("all labels");
    let words = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
    let rules = |numbers: &[u32]| -> Vec<RuleId> { numbers.iter().copied().map(RuleId).collect() };
    // Walk and pack: rules 0 and 1, and 4 and 5.
    let listed: Vec<[Vec<RuleId>; 2]> = [[0, 4], [0, 5], [1, 4], [1, 5]]
        .map(|[walk, pack]| [rules(&[walk, pack]), rules(&[pack, walk])])
        .to_vec();
    let check = |listed: &[[Vec<RuleId>; 2]]| {
        let certificates: Vec<Certificate<'_>> = listed
            .iter()
            .map(|[word, replacement]| Certificate { word, replacement })
            .collect();
        words.check_instances(&[3, 2], &certificates)
    };
    assert_eq!(check(&listed), Ok(4));
    for dropped in 0..4 {
        let mut fewer = listed.clone();
        let [instance, _] = fewer.remove(dropped);
        assert_eq!(check(&fewer), Err(LabelFlaw::Unlisted { instance }));
    }
    let altered = |place: usize, pair: [&[u32]; 2]| {
        let mut altered = listed.clone();
        altered[place] = pair.map(rules);
        check(&altered).unwrap_err()
    };
    // An instance of another word; of no word; another replacement; none before it.
    let instance = rules(&[4, 0]);
    assert_eq!(
        altered(0, [&[4, 0], &[]]),
        LabelFlaw::NoInstance { instance }
    );
    let flaw_of = |flaw: LabelFlaw| match flaw {
        LabelFlaw::Instance { flaw, .. } => flaw,
        other => panic!("{other}"),
    };
    let elsewhere = Flaw::DifferentResult { position: 0 };
    assert_eq!(flaw_of(altered(0, [&[0, 4], &[4]])), elsewhere);
    assert_eq!(flaw_of(altered(0, [&[0, 4], &[0, 4]])), Flaw::NotBefore);
    assert_eq!(flaw_of(altered(1, [&[0, 4], &[1, 4]])), Flaw::NotBefore);
    let not_applicable = Flaw::NotApplicable {
        step: 0,
        position: 1,
    };
    assert_eq!(flaw_of(altered(2, [&[1, 4], &[5, 1]])), not_applicable);
}

/// Words with a replacement in one state, but not in others.
#[test]
fn one_state_is_not_enough() {
    // Right and left are possible everywhere except at the ends; jump leads from the start to 2.
    let text = "
        1  5
        0 => 1  LABEL right  1 => 2  LABEL right  2 => 3  LABEL right
        1 => 0  LABEL left   2 => 1  LABEL left   3 => 2  LABEL left
        0 => 2  LABEL jump   1 => 3  LABEL jump
        GOAL 3";
    let limits = Limits::default();
    let game = load(text);
    let known = ProvedInvariants::none(&game);
    let operators = Operators::by_label(&game, &["JUMP", "Left", "right"]).expect("all labels");
    let words = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
    let check = |word: &[u32], replacement: &[u32]| {
        words.check(LabelCertificate {
            word,
            replacements: &[replacement],
        })
    };
    assert_eq!(check(&[2, 2], &[0]), Ok(2));
    assert_eq!(check(&[2, 1], &[]), Ok(3));
    // From 2 right and left is possible, but not left and right from 0.
    let refused = check(&[2, 1], &[1, 2]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the instance 1 4 has no replacement: it can't be used everywhere"
    );
    // A word that doesn't come before; one that can't be carried out; a letter that doesn't exist.
    let not_before = LabelFlaw::NotBefore { replacement: 0 };
    assert_eq!(check(&[1, 2], &[2, 1]), Err(not_before));
    assert_eq!(check(&[0, 0], &[]), Err(LabelFlaw::Impossible));
    assert!(matches!(
        check(&[2, 3], &[]),
        Err(LabelFlaw::UnknownLetter { letter: 3, .. })
    ));
    // Out of time.
    let over = Limits {
        deadline: Some(Instant::now()),
        ..Limits::default()
    };
    let stopped = LabelWords::new(&game, &operators, &known, &over);
    assert_eq!(stopped.err(), Some(StopReason::Time));
    // Labels that make no operators.
    assert!(Operators::by_label(&game, &["left", "right"]).is_err());
    assert!(Operators::by_label(&game, &["left", "right", "jump", "LEFT"]).is_err());
    assert!(Operators::new(&game, 2, &[0; 7]).is_err());
    assert!(Operators::new(&game, 2, &[0, 0, 0, 1, 1, 1, 2, 0]).is_err());
}

/// A letter that no rule has can't be carried out. Whatever their claimed number, they take no
/// memory.
#[test]
fn an_operator_may_have_no_rules() {
    let limits = Limits::default();
    let game = load(WAYS);
    let known = ProvedInvariants::none(&game);
    let letters = [0, 0, 1, 1, 7, 7];
    let n_operators = u32::MAX as usize;
    let operators = Operators::new(&game, n_operators, &letters).expect("letters in range");
    assert_eq!(
        (operators.len(), operators.is_empty()),
        (n_operators, false)
    );
    let words = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
    let check = |word: &[u32]| {
        words.check(LabelCertificate {
            word,
            replacements: &[&[1]],
        })
    };
    assert_eq!(check(&[0, 0]), Ok(1));
    assert_eq!(check(&[7, 5]), Err(LabelFlaw::Impossible));
}
