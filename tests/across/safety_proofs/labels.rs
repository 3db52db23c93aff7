//! Words of operators: of the exact analysis, and learned from one state.

use checker::{
    Certificate, Flaw, LabelCertificate, LabelFlaw, LabelWords, Limits, Obstacle, Operators,
    ProvedInvariants,
};
use invariants::Invariants;
use move_prune::{OperatorOptions, RedundantOperatorWord, analyze_operators, learn};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, GameBuilder, RuleId, Term, Value, VarId};
use psvn_toolkit::{built_in, canonical_rules};

use crate::safety_proofs::{admitting, proved};

/// A random game in which some rules share labels.
fn game_of(seed: u64) -> Game {
    let shape = GameShape {
        lost_values: seed % 4 != 2,
        constants: [35, 20, 50][seed as usize % 3],
        max_cost: seed % 3,
        ..GameShape::default()
    };
    let plain = random_game(seed, &shape);
    let mut random = SplitMix64::new(seed);
    let mut builder = GameBuilder::new();
    for domain in plain.domains() {
        builder.domain(domain.clone());
    }
    for domain in plain.variables() {
        builder.variable(*domain);
    }
    for rule in plain.source_rules() {
        let label = ["L0", "L1", "L2"][random.below(3)];
        let (lhs, rhs) = (rule.lhs.to_vec(), rule.rhs.to_vec());
        builder.rule(Some(label), lhs, rhs, rule.cost);
    }
    for goal in plain.goals() {
        let cells = goal
            .conditions()
            .iter()
            .map(|term| match term.as_constant() {
                Some(value) => psvn_ir::Cell::constant(value),
                None => psvn_ir::Cell::DASH,
            });
        builder.goal(cells.collect());
    }
    builder.build().expect("a game with other labels")
}

struct Analyzed {
    game: Game,
    operators: Operators,
    known: ProvedInvariants,
    redundant: Vec<RedundantOperatorWord>,
}

/// The exact analysis, for states with these invariants.
fn analyzed(game: Game, known: &Invariants, max_length: usize) -> Analyzed {
    let operators = move_prune::Operators::by_label(&game);
    let admits = admitting(known);
    let options = OperatorOptions {
        admits: Some(&admits),
        ..OperatorOptions::up_to(max_length)
    };
    let rules = canonical_rules(&game);
    let analysis = analyze_operators(game.n_variables(), &rules, &operators, &options);
    assert!(analysis.is_complete());
    let labels: Vec<&str> = operators.names().collect();
    let by_label = Operators::by_label(&game, &labels).expect("all labels");
    assert_eq!(by_label.letters(), operators.letters());
    Analyzed {
        known: proved(&game, known),
        operators: by_label,
        redundant: analysis.redundant,
        game,
    }
}

impl Analyzed {
    fn words<'a>(&'a self, known: &'a ProvedInvariants, limits: &'a Limits) -> LabelWords<'a> {
        LabelWords::new(&self.game, &self.operators, known, limits).expect("no limit")
    }

    fn label_word(&self, sequence: &[RuleId]) -> Vec<u32> {
        let letter = |rule: &RuleId| self.operators.letters()[rule.index()];
        sequence.iter().map(letter).collect()
    }

    /// The label words of a redundant word's replacements.
    fn replacements(&self, redundant: &RedundantOperatorWord) -> Vec<Vec<u32>> {
        let pairs = redundant.instances.iter();
        let words = pairs.map(|pair| self.label_word(&pair.replacement));
        let mut words: Vec<Vec<u32>> = words.collect();
        words.sort();
        words.dedup();
        words
    }

    /// Where sequences of rules with these labels lead from a state, with their costs.
    fn ends(&self, word: &[u32], state: &[Value]) -> Vec<(Box<[Value]>, u64)> {
        let mut ends = vec![(Box::from(state), 0)];
        for letter in word {
            let rules = self.game.rules().iter().zip(self.operators.letters());
            let rules = rules.filter(|(_, other)| *other == letter);
            let rules: Vec<_> = rules.map(|(rule, _)| &rule.canonical).collect();
            ends = ends
                .iter()
                .flat_map(|(state, cost)| {
                    let applicable = rules.iter().filter(|rule| rule.applies_to(state));
                    applicable.map(move |rule| (rule.apply(state), cost + rule.cost()))
                })
                .collect();
        }
        ends
    }

    /// Whether in each state one of the other words does everything that a word does, at no greater
    /// cost.
    fn is_covered(&self, word: &[u32], others: &[&[u32]]) -> bool {
        all_states(&self.game).all(|state| {
            let others: Vec<_> = others.iter().flat_map(|o| self.ends(o, &state)).collect();
            let ends = self.ends(word, &state);
            ends.iter().all(|(end, cost)| {
                let mut others = others.iter();
                others.any(|(other, other_cost)| end == other && other_cost <= cost)
            })
        })
    }
}

fn certificates(redundant: &RedundantOperatorWord) -> Vec<Certificate<'_>> {
    let pairs = redundant.instances.iter();
    pairs
        .map(|pair| Certificate {
            word: &pair.instance,
            replacement: &pair.replacement,
        })
        .collect()
}

fn slices(words: &[Vec<u32>]) -> Vec<&[u32]> {
    words.iter().map(Vec::as_slice).collect()
}

#[test]
fn redundant_words_are_proved_and_altered_ones_refused() {
    let limits = Limits::default();
    let mut counts = [0; 7];
    for seed in 0..cases(500) {
        let game = game_of(seed);
        let known = match seed % 2 {
            0 => Invariants::none(&game),
            _ => Invariants::from_goals(&game),
        };
        let all = analyzed(game, &known, 3);
        let checker = all.words(&all.known, &limits);
        let n_letters = all.operators.len();
        let mut random = SplitMix64::new(seed);
        for redundant in &all.redundant {
            let word = &*redundant.word;
            // As the analysis lists it, and by label words alone.
            let listed = certificates(redundant);
            let n_instances = redundant.instances.len();
            assert_eq!(checker.check_instances(word, &listed), Ok(n_instances));
            let replacements = all.replacements(redundant);
            let replacements = slices(&replacements);
            let certificate = LabelCertificate {
                word,
                replacements: &replacements,
            };
            assert_eq!(checker.check(certificate), Ok(n_instances), "seed {seed}");
            counts[0] += n_instances;

            // One instance less.
            let mut fewer = listed.clone();
            let dropped = fewer.remove(random.below(n_instances));
            let instance = dropped.word.to_vec();
            let refused = checker.check_instances(word, &fewer);
            assert_eq!(refused, Err(LabelFlaw::Unlisted { instance }));
            // An instance that replaces itself; one of another word; a rule that isn't there.
            let replaced = |certificate| {
                let mut listed = fewer.clone();
                listed.push(certificate);
                checker.check_instances(word, &listed).unwrap_err()
            };
            let itself = Certificate {
                word: dropped.word,
                replacement: dropped.word,
            };
            let not_before =
                |flaw| matches!(flaw, LabelFlaw::Instance { flaw, .. } if flaw == Flaw::NotBefore);
            assert!(not_before(replaced(itself)));
            let shorter = Certificate {
                word: &dropped.word[1..],
                replacement: dropped.replacement,
            };
            assert!(matches!(replaced(shorter), LabelFlaw::NoInstance { .. }));
            let unknown = [RuleId(99)];
            let unknown = Certificate {
                word: dropped.word,
                replacement: &unknown,
            };
            assert!(matches!(
                replaced(unknown),
                LabelFlaw::Instance {
                    flaw: Flaw::UnknownRule { .. },
                    ..
                }
            ));
            // Another replacement for an instance.
            for rule in 0..all.game.rules().len() {
                let replacement = [RuleId::from_index(rule)];
                let other = Certificate {
                    word: dropped.word,
                    replacement: &replacement,
                };
                let mut listed = fewer.clone();
                listed.push(other);
                let verdict = checker.check_instances(word, &listed);
                let order = checker::Order::LengthLexicographic;
                let is_right = checker::check_word_within(&all.game, &all.known, other, order);
                if all.label_word(&replacement).len() < word.len() {
                    assert_eq!(verdict.is_ok(), is_right.is_ok(), "seed {seed}: {listed:?}");
                }
                counts[1] += usize::from(verdict.is_err());
            }
            // One replacement less.
            if replacements.len() > 1 {
                let certificate = LabelCertificate {
                    word,
                    replacements: &replacements[1..],
                };
                match checker.check(certificate) {
                    Ok(_) => assert!(all.is_covered(word, &replacements[1..]) || seed % 2 == 1),
                    Err(LabelFlaw::Irreplaceable { .. }) => counts[2] += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        }
        // Random claims: accepted ones are right.
        for _ in 0..if seed % 2 == 0 { 60 } else { 0 } {
            let mut draw = |longest: usize| -> Vec<u32> {
                let length = random.below(longest + 1);
                let letters = (0..length).map(|_| random.below(n_letters) as u32);
                letters.collect()
            };
            let word = draw(3);
            let replacements = [draw(2), draw(2)];
            let replacements = slices(&replacements);
            let before = |other: &&[u32]| (other.len(), *other) < (word.len(), &*word);
            match checker.check(LabelCertificate {
                word: &word,
                replacements: &replacements,
            }) {
                Ok(_) => {
                    assert!(replacements.iter().all(before));
                    assert!(
                        all.is_covered(&word, &replacements),
                        "seed {seed}: {word:?}"
                    );
                    counts[3] += 1;
                }
                Err(LabelFlaw::NotBefore { replacement }) => {
                    assert!(!before(&replacements[replacement]));
                    counts[4] += 1;
                }
                Err(LabelFlaw::Impossible) => {
                    let mut states = all_states(&all.game);
                    assert!(states.all(|state| all.ends(&word, &state).is_empty()));
                    counts[5] += 1;
                }
                Err(LabelFlaw::Irreplaceable { .. }) => {
                    counts[6] += usize::from(!all.is_covered(&word, &replacements));
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    let least = [5_000, 5_000, 20, 100, 5_000, 500, 2_000];
    let enough = counts
        .iter()
        .zip(least)
        .all(|(found, least)| *found > least);
    assert!(enough, "{counts:?}");
}

/// The board with the blank in the center and any tiles around it.
fn blank_in_the_center(size: usize) -> Vec<Term> {
    let unknown = |i| Term::variable(VarId::from_index(i));
    let mut start: Vec<Term> = (0..size * size).map(unknown).collect();
    start[size * size / 2] = Term::constant(Value(0));
    start
}

/// Whether the blank's walk fits on a board with these numbers of rows and columns.
fn fits(labels: &[&str], word: &[u32], board: [i32; 2]) -> bool {
    let mut place = [0_i32; 2];
    let (mut least, mut greatest) = (place, place);
    for letter in word {
        let (axis, step) = match labels[*letter as usize] {
            "U" => (0, -1),
            "D" => (0, 1),
            "L" => (1, -1),
            _ => (1, 1),
        };
        place[axis] += step;
        least[axis] = least[axis].min(place[axis]);
        greatest[axis] = greatest[axis].max(place[axis]);
    }
    (0..2).all(|axis| greatest[axis] - least[axis] < board[axis])
}

/// Learn words of operators on a board and prove them there and on smaller ones. Return the number
/// of words, and of rejected pairs.
fn learned_words_hold(size: usize, max_length: usize, boards: &[[i32; 2]]) -> [usize; 2] {
    let limits = Limits::default();
    let labels = ["U", "R", "D", "L"];
    let game = built_in(&format!("sliding-tiles:{size}:{size}"));
    let operators = move_prune::Operators::in_order(&game, &labels).expect("all labels");
    let known = Invariants::from_goals(&game);
    let admits = admitting(&known);
    let options = OperatorOptions {
        admits: Some(&admits),
        ..OperatorOptions::up_to(max_length)
    };
    let (rules, start) = (canonical_rules(&game), blank_in_the_center(size));
    let learned = learn(size * size, &rules, &operators, &start, &options);
    let learned = learned.expect("a generic state");
    let words: Vec<(&[u32], [&[u32]; 1])> = learned
        .duplicates
        .iter()
        .map(|duplicate| (&*duplicate.word, [&*duplicate.replacement]))
        .collect();
    let certificates: Vec<LabelCertificate<'_>> = words
        .iter()
        .map(|(word, replacements)| LabelCertificate { word, replacements })
        .collect();
    for [rows, columns] in boards {
        let reference = format!("sliding-tiles:{rows}:{columns}");
        let game = built_in(&reference);
        let operators = Operators::by_label(&game, &labels).expect("the same four labels");
        let known = proved(&game, &Invariants::from_goals(&game));
        let checker = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
        // Some don't fit on small boards; those that fit are right.
        let flaws = checker.find_flaws(&certificates);
        let only_impossible = flaws.iter().all(|f| f.flaw == LabelFlaw::Impossible);
        assert!(only_impossible, "{reference}: {:?}", flaws.first());
        let refused = flaws.iter().map(|failure| failure.index);
        let without_room = (0..certificates.len())
            .filter(|i| !fits(&labels, certificates[*i].word, [*rows, *columns]));
        assert!(refused.eq(without_room), "{reference}");

        // With two blanks, hardly anything holds: the second rule may move the other one.
        let none = ProvedInvariants::none(&game);
        let checker = LabelWords::new(&game, &operators, &none, &limits).expect("no limit");
        for certificate in certificates.iter().filter(|c| c.word.len() == 2) {
            let refused = checker.check(*certificate);
            assert!(matches!(refused, Err(LabelFlaw::Irreplaceable { .. })));
        }
    }
    // Words that lead to the same state and were rejected are refused for the same reason.
    let operators = Operators::by_label(&game, &labels).expect("all labels");
    let known = proved(&game, &known);
    let checker = LabelWords::new(&game, &operators, &known, &limits).expect("no limit");
    for rejected in &learned.rejected {
        let refused = checker.check(LabelCertificate {
            word: &rejected.word,
            replacements: &[&rejected.earlier],
        });
        let Err(LabelFlaw::Irreplaceable { obstacle, .. }) = refused else {
            panic!("{rejected:?}: {refused:?}");
        };
        assert_eq!(obstacle, Obstacle::Inapplicable);
    }
    [learned.duplicates.len(), learned.rejected.len()]
}

#[test]
fn learned_words_are_proved_on_each_board() {
    let found = learned_words_hold(5, 12, &[[5, 5], [3, 3], [2, 3]]);
    assert!(found[0] > 1_000 && found[1] == 0, "{found:?}");
}

/// The words of Taylor's table, and the pairs that he rejected by their bounding boxes.
#[test]
#[ignore = "takes 30 seconds: words of 14 moves"]
fn taylors_words_are_proved_on_each_board() {
    let found = learned_words_hold(7, 14, &[[7, 7], [4, 4]]);
    assert_eq!(found, [16_442, 88]);
    let found = learned_words_hold(9, 13, &[[9, 9], [5, 5]]);
    assert_eq!(found, [4_201, 16]);
}
