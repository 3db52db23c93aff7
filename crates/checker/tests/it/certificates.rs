//! Certificates that hold, and every way to tamper with one.

use checker::{
    Certificate, Flaw, Order, Part, RuleRanks, WordFailure, WordOrder, check_word, check_words,
};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Cell, Domain, Game, GameBuilder, RuleId, SymbolId, Value};

use crate::load as game;

const ORDER: Order = Order::LengthLexicographic;

fn rules(numbers: &[u32]) -> Vec<RuleId> {
    numbers.iter().copied().map(RuleId).collect()
}

fn check(game: &Game, word: &[u32], replacement: &[u32]) -> Result<(), Flaw> {
    let (word, replacement) = (rules(word), rules(replacement));
    let certificate = Certificate {
        word: &word,
        replacement: &replacement,
    };
    check_word(game, certificate, ORDER)
}

/// The 4-arrow puzzle of Burch & Holte 2011, Table 2. Rule 4 m + 2 b + c flips the arrows m + 1 and
/// m + 2, which are b and c before.
fn arrow() -> Game {
    game(
        "4  2 2 2 2
         0 0 - - => 1 1 - -  LABEL R1-00
         0 1 - - => 1 0 - -  LABEL R1-01
         1 0 - - => 0 1 - -  LABEL R1-10
         1 1 - - => 0 0 - -  LABEL R1-11
         - 0 0 - => - 1 1 -  LABEL R2-00
         - 0 1 - => - 1 0 -  LABEL R2-01
         - 1 0 - => - 0 1 -  LABEL R2-10
         - 1 1 - => - 0 0 -  LABEL R2-11
         - - 0 0 => - - 1 1  LABEL R3-00
         - - 0 1 => - - 1 0  LABEL R3-01
         - - 1 0 => - - 0 1  LABEL R3-10
         - - 1 1 => - - 0 0  LABEL R3-11
         GOAL 0 0 0 0",
    )
}

#[test]
fn arrow_flips_commute_and_undo_each_other() {
    let arrow = arrow();
    let mut certificates = Vec::new();
    for values in 0..4 {
        // A move followed by the move that undoes it has no effect.
        certificates.push((rules(&[values, 3 - values]), rules(&[])));
        for others in 8..12 {
            certificates.push((rules(&[others, values]), rules(&[values, others])));
        }
    }
    let certificates = certificates
        .iter()
        .map(|(word, replacement)| Certificate { word, replacement });
    assert_eq!(check_words(&arrow, certificates, ORDER), Ok(20));
    // Overlapping moves also commute if each finds the middle arrow in the state it needs.
    assert_eq!(check(&arrow, &[4, 1], &[0, 6]), Ok(()));
}

#[test]
fn each_kind_of_tampering_is_found() {
    let arrow = arrow();
    assert_eq!(check(&arrow, &[8, 0], &[0, 8]), Ok(()));
    for (word, replacement, flaw) in [
        // Word and replacement exchanged; the order reversed.
        (&[0, 8][..], &[8, 0][..], Flaw::NotBefore),
        // A word for itself.
        (&[8, 0], &[8, 0], Flaw::NotBefore),
        (&[], &[], Flaw::NotBefore),
        // A letter dropped from the word.
        (&[8], &[0, 8], Flaw::NotBefore),
        // A letter dropped from the replacement.
        (&[8, 0], &[0], Flaw::DifferentResult { position: 2 }),
        (&[8, 0], &[], Flaw::DifferentResult { position: 0 }),
        // Another letter in the replacement.
        (
            &[8, 0],
            &[1, 8],
            Flaw::NotApplicable {
                step: 0,
                position: 1,
            },
        ),
        (
            &[8, 0],
            &[0, 9],
            Flaw::NotApplicable {
                step: 1,
                position: 3,
            },
        ),
        // Another letter in the word.
        (
            &[9, 0],
            &[0, 8],
            Flaw::NotApplicable {
                step: 1,
                position: 3,
            },
        ),
        // Not redundant, but impossible: after 1 1 no arrow is down.
        (&[0, 0], &[0], Flaw::Impossible { step: 1 }),
        (&[0, 3, 3], &[3], Flaw::Impossible { step: 2 }),
        // No such rule.
        (
            &[12, 0],
            &[0],
            Flaw::UnknownRule {
                part: Part::Word,
                rule: RuleId(12),
            },
        ),
        (
            &[8, 0],
            &[u32::MAX],
            Flaw::UnknownRule {
                part: Part::Replacement,
                rule: RuleId(u32::MAX),
            },
        ),
    ] {
        assert_eq!(
            check(&arrow, word, replacement),
            Err(flaw),
            "{word:?} {replacement:?}"
        );
    }
}

#[test]
fn the_first_bad_certificate_is_named() {
    let arrow = arrow();
    let words = [rules(&[8, 0]), rules(&[9, 0]), rules(&[0, 0])];
    let replacements = [rules(&[0, 8]), rules(&[0, 9]), rules(&[0])];
    let certificates = words
        .iter()
        .zip(&replacements)
        .map(|(word, replacement)| Certificate { word, replacement });
    let failure = check_words(&arrow, certificates, ORDER).unwrap_err();
    let expected = WordFailure {
        index: 2,
        flaw: Flaw::Impossible { step: 1 },
    };
    assert_eq!(failure, expected);
    assert_eq!(
        failure.to_string(),
        "certificate 3: the word is impossible, not redundant: no state allows its rule 2"
    );
}

#[test]
fn a_replacement_that_costs_more_is_refused_and_a_cheaper_one_is_not() {
    // Two rules that exchange two values.
    let flips = |left: u64, right: u64| {
        let mut builder = GameBuilder::new();
        let bit = builder.domain(Domain::new("bit", ["off", "on"]).unwrap());
        let [a, b] = [0, 1].map(|symbol| Cell::symbol(SymbolId(symbol)));
        builder.variable(bit);
        builder.variable(bit);
        builder.rule(None, vec![a, b], vec![b, a], left);
        builder.rule(None, vec![a, b], vec![b, a], right);
        builder.build().unwrap()
    };
    assert_eq!(check(&flips(2, 2), &[1], &[0]), Ok(()));
    assert_eq!(check(&flips(1, 2), &[1], &[0]), Ok(()));
    let costs_more = Flaw::CostsMore {
        word: 1,
        replacement: 2,
    };
    assert_eq!(check(&flips(2, 1), &[1], &[0]), Err(costs_more));
    // Sums are exact beyond 32 bits, the width of a rule's cost.
    let huge = flips(u32::MAX.into(), 0);
    let costs_more = Flaw::CostsMore {
        word: u32::MAX.into(),
        replacement: 2 * u128::from(u32::MAX),
    };
    assert_eq!(check(&huge, &[1, 1, 0], &[0, 0]), Err(costs_more));
}

/// The example of Burch & Holte 2011 for the interaction of pruning and transposition tables.
#[test]
fn ghi_example() {
    // In the paper's order the general sequence comes second, and so does not replace the first.
    let paper = game(
        "4  2 2 2 2
         A B 0 0 => B A 1 0  LABEL R1
         A B 0 0 => A A 1 0  LABEL R2
         0 0 1 0 => 1 1 0 1  LABEL R3
         GOAL 1 1 0 1",
    );
    assert_eq!(check(&paper, &[0, 2], &[1, 2]), Err(Flaw::NotBefore));
    // R1 R3 needs the second position to be 0, and R2 R3 does not.
    assert_eq!(
        check(&paper, &[1, 2], &[0, 2]),
        Err(Flaw::NotApplicable {
            step: 1,
            position: 0
        })
    );
    let reordered = game(
        "4  2 2 2 2
         A B 0 0 => A A 1 0  LABEL R2
         A B 0 0 => B A 1 0  LABEL R1
         0 0 1 0 => 1 1 0 1  LABEL R3
         GOAL 1 1 0 1",
    );
    assert_eq!(check(&reordered, &[1, 2], &[0, 2]), Ok(()));
}

#[test]
fn equalities_are_used_and_not_invented() {
    let game = game(
        "3  3 3 3
         A A - => A A 0  LABEL PAIR
         A B - => B A -  LABEL SWAP
         - B B => 0 B B  LABEL OTHER_PAIR
         - A - => - - A  LABEL COPY
         GOAL 0 0 0",
    );
    // A swap of equal values does nothing, both before and after the test for equality.
    assert_eq!(check(&game, &[1, 0], &[0]), Ok(()));
    assert_eq!(check(&game, &[0, 1], &[0]), Ok(()));
    // Of different values it does something.
    assert_eq!(
        check(&game, &[1, 3], &[3]),
        Err(Flaw::DifferentResult { position: 0 })
    );
    // The replacement demands an equality that the word does not.
    assert_eq!(
        check(&game, &[3, 3], &[2]),
        Err(Flaw::NotApplicable {
            step: 0,
            position: 2
        })
    );
    // The same equal values, but another value is written.
    assert_eq!(
        check(&game, &[0, 3], &[0]),
        Err(Flaw::DifferentResult { position: 2 })
    );
    // After the copy, the second and third are equal, so a second test makes no difference.
    assert_eq!(check(&game, &[2, 3], &[2]), Ok(()));
    // A value isn't an unknown that may happen to equal it: x1 = x2 = 0 is not demanded.
    assert_eq!(
        check(&game, &[2, 0], &[0]),
        Err(Flaw::NotApplicable {
            step: 0,
            position: 1
        })
    );
}

/// The effect of a word on a state, by the meaning of rules alone.
fn carry_out(game: &Game, word: &[RuleId], state: Box<[Value]>) -> Option<Box<[Value]>> {
    word.iter().try_fold(state, |state, rule| {
        let rule = &game.rule(*rule).canonical;
        rule.applies_to(&state).then(|| rule.apply(&state))
    })
}

/// On random games and random pairs of words, the checker agrees with trying all states.
#[test]
fn the_checker_agrees_with_brute_force() {
    let mut outcomes = [0_u32; 5];
    for seed in 0..cases(1500) {
        let shape = GameShape {
            several_domains: seed % 2 == 0,
            lost_values: seed % 3 != 0,
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let mut random = SplitMix64::new(seed);
        for _ in 0..40 {
            let mut draw = |longest: usize| -> Vec<RuleId> {
                let length = random.below(longest + 1);
                (0..length)
                    .map(|_| RuleId::from_index(random.below(game.rules().len())))
                    .collect()
            };
            let (word, replacement) = (draw(3), draw(2));
            let certificate = Certificate {
                word: &word,
                replacement: &replacement,
            };
            let cost = |word: &[RuleId]| -> u64 {
                word.iter().map(|r| game.rule(*r).canonical.cost()).sum()
            };
            let is_before = (replacement.len(), &replacement) < (word.len(), &word);
            let both = all_states(&game).filter_map(|state| {
                let end = carry_out(&game, &word, state.clone())?;
                Some((end, carry_out(&game, &replacement, state)))
            });
            let both: Vec<_> = both.collect();
            let verdict = check_word(&game, certificate, ORDER);
            let outcome = match verdict {
                Err(Flaw::NotBefore) => {
                    assert!(!is_before);
                    0
                }
                Err(Flaw::CostsMore { .. }) => {
                    assert!(cost(&replacement) > cost(&word));
                    0
                }
                Err(Flaw::Impossible { .. }) => {
                    assert!(both.is_empty());
                    1
                }
                Err(Flaw::NotApplicable { .. }) => {
                    assert!(both.iter().any(|(_, other)| other.is_none()));
                    2
                }
                Err(Flaw::DifferentResult { position }) => {
                    assert!(both.iter().all(|(_, other)| other.is_some()));
                    assert!(both.iter().any(|(end, other)| {
                        other
                            .as_ref()
                            .is_some_and(|other| end[position] != other[position])
                    }));
                    3
                }
                Ok(()) => {
                    assert!(is_before && cost(&replacement) <= cost(&word));
                    assert!(!both.is_empty());
                    assert!(both.iter().all(|(end, other)| other.as_ref() == Some(end)));
                    4
                }
                Err(other) => panic!("seed {seed}: {other}"),
            };
            outcomes[outcome] += 1;
        }
    }
    // Every verdict occurs often.
    assert!(outcomes.iter().all(|n| *n > 500), "{outcomes:?}");
}

/// One expensive way and a longer cheap one, and two ways of the same cost and length.
fn ways() -> Game {
    game(
        "2  3 2
         0 - => 2 -  LABEL FLY   COST 5
         0 - => 1 -  LABEL WALK  COST 1
         1 - => 2 -  LABEL SWIM  COST 1
         - 0 => - 1  LABEL PACK  COST 1
         GOAL 2 1",
    )
}

#[test]
fn the_order_by_cost_allows_longer_replacements_that_cost_no_more() {
    let game = ways();
    let by = |order: Order, word: &[u32], replacement: &[u32]| {
        let (word, replacement) = (rules(word), rules(replacement));
        let certificate = Certificate {
            word: &word,
            replacement: &replacement,
        };
        check_word(&game, certificate, order)
    };
    let (length, cost) = (Order::LengthLexicographic, Order::CostLengthLexicographic);
    assert_eq!(by(cost, &[0], &[1, 2]), Ok(()));
    assert_eq!(by(length, &[0], &[1, 2]), Err(Flaw::NotBefore));
    // The reverse is shorter, but costs more.
    let costs_more = Err(Flaw::CostsMore {
        word: 2,
        replacement: 5,
    });
    assert_eq!(by(cost, &[1, 2], &[0]), costs_more);
    assert_eq!(by(length, &[1, 2], &[0]), costs_more);
    // Words of one cost are ordered by length and letters.
    assert_eq!(by(cost, &[3, 1], &[1, 3]), Ok(()));
    assert_eq!(by(cost, &[1, 3], &[3, 1]), Err(Flaw::NotBefore));
    assert_eq!(by(cost, &[1, 3], &[1, 3]), Err(Flaw::NotBefore));
    // It still has to lead to the same state.
    let elsewhere = Err(Flaw::DifferentResult { position: 0 });
    assert_eq!(by(cost, &[0], &[1]), elsewhere);
}

#[test]
fn letters_can_be_compared_by_rank() {
    let game = ways();
    let by = |order: WordOrder<'_>, word: &[u32], replacement: &[u32]| {
        let (word, replacement) = (rules(word), rules(replacement));
        let certificate = Certificate {
            word: &word,
            replacement: &replacement,
        };
        check_word(&game, certificate, order)
    };
    let ranks = RuleRanks::new(&rules(&[3, 2, 0, 1])).unwrap();
    for order in [Order::LengthLexicographic, Order::CostLengthLexicographic] {
        let order = WordOrder::with_ranks(order, &ranks);
        assert_eq!(by(order, &[1, 3], &[3, 1]), Ok(()));
        assert_eq!(by(order, &[3, 1], &[1, 3]), Err(Flaw::NotBefore));
    }
    let too_few = RuleRanks::new(&rules(&[2, 1, 0])).unwrap();
    let order = WordOrder::with_ranks(Order::LengthLexicographic, &too_few);
    let unranked = Flaw::Unranked {
        part: Part::Replacement,
        rule: RuleId(3),
    };
    assert_eq!(by(order, &[2, 1], &[1, 3]), Err(unranked));
    for (list, place) in [(&[0, 1, 1][..], 2), (&[0, 3, 1], 1), (&[u32::MAX], 0)] {
        let refused = RuleRanks::new(&rules(list)).unwrap_err();
        assert_eq!((refused.n_rules, refused.place), (list.len(), place));
        assert_eq!(refused.rule, RuleId(list[place]));
    }
    assert!(RuleRanks::new(&[]).is_ok());
}
