//! Machines with sleep sets and with don't-cares.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checker::{
    AutomatonFlaw, Fact, Flaw, Invariant, Limits, MachineClaim, Order, Part, ProvedInvariants,
    ProvedSwaps, RuleRanks, StopReason, Successions, SwapFailure, SwapFlaw, WordOrder,
};
use psvn_ir::{Game, RuleId, Value, VarId};

use crate::load;

const NO_WORDS: [[u32; 0]; 0] = [];

/// Three switches, and a rule that turns them off.
fn switches() -> Game {
    load(
        "3  2 2 2
         0 - - => 1 - -   - 0 - => - 1 -   - - 0 => - - 1
         1 1 1 => 0 0 0
         GOAL 1 1 1",
    )
}

fn pairs(pairs: &[(u32, u32)]) -> Vec<(RuleId, RuleId)> {
    let ids = pairs.iter().map(|(a, b)| (RuleId(*a), RuleId(*b)));
    ids.collect()
}

const ALL: [(u32, u32); 6] = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];

fn prove(game: &Game, swaps: &[(u32, u32)]) -> Result<ProvedSwaps, SwapFailure> {
    ProvedSwaps::prove(game, &pairs(swaps), &Limits::default())
}

/// The machine for the switches, turned on in order: the last switch since all were turned off.
fn in_order(last: Option<u32>, letter: u32) -> Option<Option<u32>> {
    match letter {
        3 => Some(None),
        _ => last
            .is_none_or(|last| last <= letter)
            .then_some(Some(letter)),
    }
}

#[test]
fn sleep_sets_are_recognized() {
    let game = switches();
    let swaps = prove(&game, &ALL).unwrap();
    let words = [[0, 0], [1, 1], [2, 2]];
    let limits = Limits::default();
    let claim =
        MachineClaim::forbids(4, &NO_WORDS).with_sleep_sets(&swaps, Order::LengthLexicographic);
    assert_eq!(claim.check(None, in_order, &limits), Ok(4));
    // The word 2 1 0 is forbidden although the list has nothing of length 3; the list forbids more.
    let strict = |last, letter| in_order(last, letter).filter(|_| last != Some(letter));
    let both = MachineClaim::forbids(4, &words).with_sleep_sets(&swaps, Order::LengthLexicographic);
    assert!(both.check(None, strict, &limits).is_ok());
    let word = vec![0, 0];
    assert_eq!(
        both.check(None, in_order, &limits),
        Err(AutomatonFlaw::ForbidsTooLittle { word })
    );
    // In the order 2 1 0 3 it is the reverse.
    let ranks = RuleRanks::new(&[2, 1, 0, 3].map(RuleId)).unwrap();
    let order = WordOrder::with_ranks(Order::LengthLexicographic, &ranks);
    let reversed = MachineClaim::forbids(4, &NO_WORDS).with_sleep_sets(&swaps, order);
    let mirrored = |last: Option<u32>, letter| {
        let mirror = |letter| if letter < 3 { 2 - letter } else { letter };
        in_order(last, mirror(letter))
    };
    assert_eq!(reversed.check(None, mirrored, &limits), Ok(4));
    let word = vec![0, 1];
    assert_eq!(
        reversed.check(None, in_order, &limits),
        Err(AutomatonFlaw::ForbidsTooLittle { word })
    );
}

#[test]
fn a_letter_sleeps_only_while_it_is_swapped() {
    let game = switches();
    let limits = Limits::default();
    // Without (1, 0), 0 doesn't sleep through 1: 2 0 is still forbidden, and 2 1 0 is not.
    let fewer: Vec<(u32, u32)> = ALL.into_iter().filter(|pair| *pair != (1, 0)).collect();
    let swaps = prove(&game, &fewer).unwrap();
    let claim =
        MachineClaim::forbids(4, &NO_WORDS).with_sleep_sets(&swaps, Order::LengthLexicographic);
    // Bits: the letters asleep.
    let machine = |asleep: u32, letter: u32| {
        let next = match letter {
            0 => asleep & 0b110,
            1 => asleep & 0b100,
            2 => 0b011,
            _ => 0,
        };
        (asleep >> letter & 1 == 0).then_some(next)
    };
    assert!(claim.check(0, machine, &limits).is_ok());
    let word = vec![1, 0];
    assert_eq!(
        claim.check(None, in_order, &limits),
        Err(AutomatonFlaw::ForbidsTooMuch { word })
    );
    // One that forgets that 1 keeps sleeping while 0 would, but can't: nothing changes.
    let forgets = |asleep: u32, letter: u32| match letter {
        0 => machine(asleep & !0b010, letter),
        _ => machine(asleep, letter),
    };
    assert!(claim.check(0, forgets, &limits).is_ok());
    // One that lets 0 sleep through 1.
    let sleepy = |asleep: u32, letter: u32| match letter {
        1 => machine(asleep, letter).map(|next| next | asleep & 0b001),
        _ => machine(asleep, letter),
    };
    let full = prove(&game, &ALL).unwrap();
    let claim =
        MachineClaim::forbids(4, &NO_WORDS).with_sleep_sets(&full, Order::LengthLexicographic);
    let refused = claim.check(0, sleepy, &limits);
    let word = vec![1, 0];
    assert_eq!(refused, Err(AutomatonFlaw::ForbidsTooLittle { word }));
}

#[test]
fn a_letter_sleeps_through_those_before_it() {
    let game = switches();
    let limits = Limits::default();
    // 1 is sent to sleep by 2, sleeps through 0, and is woken by 3.
    let swaps = prove(&game, &[(2, 1), (0, 1)]).unwrap();
    let claim =
        MachineClaim::forbids(4, &NO_WORDS).with_sleep_sets(&swaps, Order::LengthLexicographic);
    let machine = |sleeps: bool, letter: u32| match letter {
        0 => Some(sleeps),
        1 => (!sleeps).then_some(false),
        _ => Some(letter == 2),
    };
    assert_eq!(claim.check(false, machine, &limits), Ok(2));
    // One that wakes it too early, one too late.
    let early = |sleeps, letter| machine(sleeps, letter).map(|next| next && letter != 0);
    let word = vec![2, 0, 1];
    assert_eq!(
        claim.check(false, early, &limits),
        Err(AutomatonFlaw::ForbidsTooLittle { word })
    );
    let late = |sleeps, letter| machine(sleeps, letter).map(|next| next || sleeps);
    let word = vec![2, 3, 1];
    assert_eq!(
        claim.check(false, late, &limits),
        Err(AutomatonFlaw::ForbidsTooMuch { word })
    );
}

#[test]
fn wrong_swaps_are_named() {
    let game = switches();
    let failure = |pair: (u32, u32)| {
        let swaps = [ALL.as_slice(), &[pair]].concat();
        match prove(&game, &swaps).unwrap_err() {
            SwapFailure::Flaw {
                index,
                pair: p,
                flaw,
            } => {
                assert_eq!((index, p), (6, (RuleId(pair.0), RuleId(pair.1))));
                flaw
            }
            other => panic!("{other}"),
        }
    };
    let not_applicable = Flaw::NotApplicable {
        step: 0,
        position: 0,
    };
    assert_eq!(failure((0, 3)), SwapFlaw::Word(not_applicable));
    assert_eq!(failure((1, 1)), SwapFlaw::SameRule);
    let unknown = Flaw::UnknownRule {
        part: Part::Word,
        rule: RuleId(4),
    };
    assert_eq!(failure((4, 1)), SwapFlaw::Word(unknown));
    // A sequence that can't be carried out is impossible, and no swap.
    let game = load("1  3  0 => 1  0 => 2  GOAL 2");
    let failure = prove(&game, &[(0, 1)]).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "swap 1, of rules 1 and 2: the word is impossible, not redundant: no state allows its rule 2"
    );
}

/// A blank on a line of three: letters 0 and 1 move it to the right from the first and second
/// place, 2 and 3 to the left from the second and third.
fn line() -> Game {
    load(
        "3  3 3 3
         0 A - => A 0 -   - 0 A => - A 0
         A 0 - => 0 A -   - A 0 => - 0 A
         GOAL 0 1 2",
    )
}

fn one_blank(game: &Game, number: u32) -> ProvedInvariants {
    let fact = |var| Fact {
        var: VarId(var),
        value: Value(0),
    };
    let facts = (0..3).map(fact).collect();
    let claim = Invariant::Count { facts, number };
    ProvedInvariants::prove(game, &[claim], &Limits::default()).expect("no rule breaks it")
}

#[test]
fn with_one_blank_few_successions_are_possible() {
    let game = line();
    let successions = |known| Successions::of_rules(&game, &known, &Limits::default()).unwrap();
    let one = successions(one_blank(&game, 1));
    let possible = [(0, 1), (0, 2), (1, 3), (2, 0), (3, 1), (3, 2)];
    for first in 0..4 {
        for second in 0..4 {
            let expected = possible.contains(&(first, second));
            assert_eq!(one.is_possible(Some(first), second), expected);
        }
    }
    assert!((0..4).all(|letter| one.is_possible(None, letter)));
    // With two or no blanks, or any number, other successions are possible.
    let two = successions(one_blank(&game, 2));
    assert!(two.is_possible(Some(0), 3) && two.is_possible(Some(1), 0));
    let none = successions(one_blank(&game, 0));
    assert!(!none.is_possible(None, 0) && !none.is_possible(Some(0), 2));
    let any = successions(ProvedInvariants::none(&game));
    assert!(any.is_possible(Some(0), 3) && any.is_possible(Some(0), 0));
}

#[test]
fn a_machine_may_do_anything_after_an_impossible_succession() {
    let game = line();
    let limits = Limits::default();
    let known = one_blank(&game, 1);
    let successions = Successions::of_rules(&game, &known, &limits).unwrap();
    // To go back is redundant.
    let words = [[0, 2], [2, 0], [1, 3], [3, 1]];
    let claim = MachineClaim::forbids(4, &words).with_dont_cares(&successions);
    // Only the last direction counts: 0 and 1 go right, 2 and 3 left.
    let direction = |last: Option<bool>, letter: u32| {
        let right = letter < 2;
        last.is_none_or(|last| last == right).then_some(Some(right))
    };
    assert!(claim.check(None, direction, &limits).is_ok());
    // That isn't an exact machine, and without the invariant it is wrong: 0 3 is possible then.
    let exact = MachineClaim::forbids(4, &words);
    let word = vec![0, 3];
    let too_much = AutomatonFlaw::ForbidsTooMuch { word };
    assert_eq!(exact.check(None, direction, &limits), Err(too_much.clone()));
    for known in [ProvedInvariants::none(&game), one_blank(&game, 2)] {
        let successions = Successions::of_rules(&game, &known, &limits).unwrap();
        let claim = MachineClaim::forbids(4, &words).with_dont_cares(&successions);
        assert_eq!(claim.check(None, direction, &limits), Err(too_much.clone()));
    }
    // Possible words count: a machine that forbids a walk to the end, or allows a step back.
    let short = |last: Option<u32>, letter: u32| match (last, letter) {
        (Some(0), 1) => None,
        _ => direction(last.map(|l| l < 2), letter).map(|_| Some(letter)),
    };
    let word = vec![0, 1];
    let refused = claim.check(None, short, &limits);
    assert_eq!(refused, Err(AutomatonFlaw::ForbidsTooMuch { word }));
    let back = |last: Option<u32>, letter: u32| match (last, letter) {
        (Some(1), 3) => Some(Some(3)),
        _ => direction(last.map(|l| l < 2), letter).map(|_| Some(letter)),
    };
    let word = vec![1, 3];
    let refused = claim.check(None, back, &limits);
    assert_eq!(refused, Err(AutomatonFlaw::ForbidsTooLittle { word }));
}

#[test]
fn checks_can_be_interrupted() {
    let game = switches();
    let limits = Limits {
        interrupt: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let claim = MachineClaim::forbids(4, &NO_WORDS);
    let stopped = AutomatonFlaw::Stopped(StopReason::Interrupted);
    assert_eq!(claim.check((), |(), _| Some(()), &limits), Err(stopped));
    let stopped = ProvedSwaps::prove(&game, &pairs(&ALL), &limits).unwrap_err();
    assert_eq!(stopped, SwapFailure::Stopped(StopReason::Interrupted));
    let known = ProvedInvariants::none(&game);
    let stopped = Successions::of_rules(&game, &known, &limits).err();
    assert_eq!(stopped, Some(StopReason::Interrupted));
}
