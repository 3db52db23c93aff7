//! The checker proves the results about parts, and rejects altered claims.

use checker::{
    Fact, Flaw, Invariant, Limits, Order, PartCertificate, PartsFailure, PartsFlaw,
    ProvedInvariants, ProvedParts, RulePart,
};
use invariants::Invariants;
use move_prune::Options;
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, random_game};
use psvn_ir::{Game, RuleId, State, Value, VarId};
use rule_splits::{Split, SplitGame, analyze};

use crate::known::Known;

fn random_splits(game: &Game, random: &mut SplitMix64) -> Vec<Split> {
    (0..1 + random.below(8))
        .map(|_| Split {
            rule: RuleId::from_index(random.below(game.rules().len())),
            position: VarId::from_index(random.below(game.n_variables())),
        })
        .collect()
}

/// The parts in the words of the checker.
fn parts_of(split: &SplitGame) -> Vec<RulePart> {
    let part = |letter: &rule_splits::Letter| RulePart {
        rule: letter.rule,
        conditions: letter
            .conditions
            .iter()
            .map(|it| Fact {
                var: it.position,
                value: it.term.as_constant().unwrap(),
            })
            .collect(),
    };
    split.letters().iter().map(part).collect()
}

/// By brute force: whether in each state exactly one part of each applicable rule applies.
fn are_the_rules(game: &Game, parts: &[RulePart], matters: impl Fn(&State) -> bool) -> bool {
    let fits = |part: &RulePart, state: &State| {
        let mut conditions = part.conditions.iter();
        conditions.all(|fact| state.values()[fact.var.index()] == fact.value)
    };
    all_states(game)
        .map(State::new)
        .filter(matters)
        .all(|state| {
            game.rules_with_ids().all(|(id, rule)| {
                let of_rule = parts.iter().filter(|part| part.rule == id);
                !rule.canonical.applies_to(state.values())
                    || of_rule.filter(|part| fits(part, &state)).count() == 1
            })
        })
}

fn prove<'g>(
    game: &'g Game,
    known: &ProvedInvariants,
    parts: &[RulePart],
) -> Result<ProvedParts<'g>, PartsFlaw> {
    match ProvedParts::prove(game, known, parts.to_vec(), &Limits::default()) {
        Ok(proved) => Ok(proved),
        Err(PartsFailure::Flaw(flaw)) => Err(flaw),
        Err(other) => panic!("{other}"),
    }
}

fn claims(known: &Invariants) -> Vec<Invariant> {
    let fact = |fact: invariants::Fact| Fact {
        var: fact.var,
        value: fact.value,
    };
    let counts = known.counts().map(|count| Invariant::Count {
        facts: count.facts.iter().copied().map(fact).collect(),
        number: count.number,
    });
    let never = known
        .unreachable_facts()
        .map(|it| Invariant::Never(fact(it)));
    let pairs = known.exclusive_pairs();
    let pairs = pairs.map(|(one, other)| Invariant::Exclusive(fact(one), fact(other)));
    counts.chain(never).chain(pairs).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// A part left out, duplicated, of another rule, or with another condition is rejected, unless
    /// the parts still are the rules.
    #[test]
    fn planted_faults_in_parts_are_found(seed in any::<u64>(), fault in 0_usize..5) {
        let game = random_game(seed, &GameShape::default());
        let random = &mut SplitMix64::new(!seed);
        let splits = random_splits(&game, random);
        let split = SplitGame::new(&game, &splits, &|_| true, 100_000).unwrap();
        let nothing = ProvedInvariants::none(&game);
        let mut parts = parts_of(&split);
        prop_assert!(prove(&game, &nothing, &parts).is_ok());
        let place = random.below(parts.len());
        match fault {
            0 => drop(parts.remove(place)),
            1 => parts.push(parts[place].clone()),
            2 => parts[place].rule = RuleId::from_index(random.below(game.rules().len())),
            3 => drop(parts[place].conditions.pop()),
            _ => {
                let var = VarId::from_index(random.below(game.n_variables()));
                let value = Value::from_index(random.below(game.domain_of(var).size()));
                parts[place].conditions.push(Fact { var, value });
            }
        }
        let proved = prove(&game, &nothing, &parts);
        prop_assert_eq!(proved.is_ok(), are_the_rules(&game, &parts, |_| true));
        if fault < 2 {
            prop_assert!(proved.is_err());
        }
    }

    /// Within the invariants of a start, by words of parts: all are proved, and each is replaced in
    /// all states that can be reached.
    #[test]
    fn words_are_proved_within_invariants(seed in any::<u64>(), max_length in 1_usize..=3) {
        let game = random_game(seed, &GameShape::default());
        let random = &mut SplitMix64::new(!seed);
        let splits = random_splits(&game, random);
        let n_states = all_states(&game).count();
        let start = State::new(all_states(&game).nth(random.below(n_states)).unwrap());
        let known = Invariants::from_states(&game, std::slice::from_ref(&start));
        let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
        let within = Known(&known);
        let options = Options { admits: Some(&within), ..Options::up_to(max_length) };
        let of_rules = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
        let split = SplitGame::new(&game, &splits, &|it| known.admits(it), 100_000).unwrap();
        let found = analyze(&game, &split, &of_rules, None, &within, &Default::default()).unwrap();
        let proved = ProvedInvariants::prove(&game, &claims(&known), &Limits::default()).unwrap();
        let parts = parts_of(&split);
        let has_all = |state: &State| known.check_state(&game, state).is_ok();
        prop_assert!(are_the_rules(&game, &parts, has_all));
        let of_parts = prove(&game, &proved, &parts);
        prop_assert!(of_parts.is_ok(), "{:?}", of_parts.err());
        let of_parts = of_parts.unwrap();
        let certificates: Vec<PartCertificate<'_>> = found
            .redundant
            .iter()
            .map(|it| PartCertificate { word: &it.word, replacement: &it.replacement })
            .collect();
        let order = Order::LengthLexicographic;
        prop_assert_eq!(of_parts.find_flaws(Some(&proved), &certificates, order), []);
        // With the words of other certificates, they are wrong, or right by brute force.
        let Some(last) = found.redundant.len().checked_sub(1) else {
            return Ok(());
        };
        let (one, other) = (random.below(last + 1), random.below(last + 1));
        let forged = PartCertificate {
            word: &found.redundant[one].word,
            replacement: &found.redundant[other].replacement,
        };
        let flaws = of_parts.find_flaws(Some(&proved), &[forged], order);
        if flaws.is_empty() {
            for state in all_states(&game).map(State::new).filter(has_all) {
                let run = |game: &Game, word: Vec<RuleId>| {
                    word.into_iter().try_fold(state.values().to_vec(), |state, rule| {
                        let rule = &game.rule(rule).canonical;
                        rule.applies_to(&state).then(|| rule.apply(&state).to_vec())
                    })
                };
                let letters = forged.word.iter().copied().map(RuleId).collect();
                if let Some(end) = run(split.game(), letters) {
                    let instead = run(&game, forged.replacement.to_vec());
                    prop_assert_eq!(instead, Some(end));
                }
            }
        } else {
            prop_assert!(flaws.iter().all(|it| it.flaw != Flaw::Excluded));
        }
    }
}
