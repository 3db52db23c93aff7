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

/// How often each verdict was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    proved_instances: usize,
    refused_replacements: usize,
    refused_without_one: usize,
    proved_claims: usize,
    claims_not_before: usize,
    impossible_claims: usize,
    refused_claims: usize,
}

/// Checks certificates of one game, as they are and altered.
struct Altering<'a> {
    seed: u64,
    all: &'a Analyzed,
    checker: LabelWords<'a>,
    random: SplitMix64,
    counts: &'a mut Counts,
}

impl Altering<'_> {
    /// A word as the analysis lists it, with changes, and by label words alone.
    fn check_word(&mut self, redundant: &RedundantOperatorWord) {
        let (all, word) = (self.all, &*redundant.word);
        let listed = certificates(redundant);
        let n_instances = redundant.instances.len();
        let verdict = self.checker.check_instances(word, &listed);
        assert_eq!(verdict, Ok(n_instances));
        let replacements = all.replacements(redundant);
        let replacements = slices(&replacements);
        let certificate = LabelCertificate {
            word,
            replacements: &replacements,
        };
        let verdict = self.checker.check(certificate);
        assert_eq!(verdict, Ok(n_instances), "seed {}", self.seed);
        self.counts.proved_instances += n_instances;

        // One instance less.
        let mut fewer = listed;
        let dropped = fewer.remove(self.random.below(n_instances));
        let instance = dropped.word.to_vec();
        let refused = self.checker.check_instances(word, &fewer);
        assert_eq!(refused, Err(LabelFlaw::Unlisted { instance }));
        self.check_wrong_instances(word, &fewer, dropped);
        self.check_other_replacements(word, &fewer, dropped);
        // One replacement less.
        if let [_, fewer @ ..] = replacements.as_slice()
            && !fewer.is_empty()
        {
            let certificate = LabelCertificate {
                word,
                replacements: fewer,
            };
            match self.checker.check(certificate) {
                Ok(_) => assert!(all.is_covered(word, fewer) || self.seed % 2 == 1),
                Err(LabelFlaw::Irreplaceable { .. }) => self.counts.refused_without_one += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }

    /// An instance that replaces itself; one of another word; a rule that isn't there.
    fn check_wrong_instances(
        &self,
        word: &[u32],
        fewer: &[Certificate<'_>],
        dropped: Certificate<'_>,
    ) {
        let flaw_with = |certificate| {
            let listed = [fewer, &[certificate]].concat();
            self.checker.check_instances(word, &listed).unwrap_err()
        };
        let itself = Certificate {
            word: dropped.word,
            replacement: dropped.word,
        };
        assert!(matches!(
            flaw_with(itself),
            LabelFlaw::Instance {
                flaw: Flaw::NotBefore,
                ..
            }
        ));
        let shorter = Certificate {
            word: &dropped.word[1..],
            replacement: dropped.replacement,
        };
        assert!(matches!(flaw_with(shorter), LabelFlaw::NoInstance { .. }));
        let unknown = Certificate {
            word: dropped.word,
            replacement: &[RuleId(99)],
        };
        assert!(matches!(
            flaw_with(unknown),
            LabelFlaw::Instance {
                flaw: Flaw::UnknownRule { .. },
                ..
            }
        ));
    }

    /// Each rule as the replacement of an instance: right where the instance alone says so.
    fn check_other_replacements(
        &mut self,
        word: &[u32],
        fewer: &[Certificate<'_>],
        dropped: Certificate<'_>,
    ) {
        let all = self.all;
        for rule in 0..all.game.rules().len() {
            let replacement = [RuleId::from_index(rule)];
            let other = Certificate {
                word: dropped.word,
                replacement: &replacement,
            };
            let listed = [fewer, &[other]].concat();
            let verdict = self.checker.check_instances(word, &listed);
            let order = checker::Order::LengthLexicographic;
            let is_right = checker::check_word_within(&all.game, &all.known, other, order);
            if all.label_word(&replacement).len() < word.len() {
                let seed = self.seed;
                assert_eq!(verdict.is_ok(), is_right.is_ok(), "seed {seed}: {listed:?}");
            }
            self.counts.refused_replacements += usize::from(verdict.is_err());
        }
    }

    fn draw(&mut self, longest: usize) -> Vec<u32> {
        let length = self.random.below(longest + 1);
        let n_letters = self.all.operators.len();
        let letters = (0..length).map(|_| self.random.below(n_letters) as u32);
        letters.collect()
    }

    /// A random claim: if it is accepted, it is right.
    fn check_random_claim(&mut self) {
        let (seed, all) = (self.seed, self.all);
        let word = self.draw(3);
        let replacements = [self.draw(2), self.draw(2)];
        let replacements = slices(&replacements);
        let before = |other: &&[u32]| (other.len(), *other) < (word.len(), &*word);
        let verdict = self.checker.check(LabelCertificate {
            word: &word,
            replacements: &replacements,
        });
        let counts = &mut *self.counts;
        match verdict {
            Ok(_) => {
                assert!(replacements.iter().all(before));
                assert!(
                    all.is_covered(&word, &replacements),
                    "seed {seed}: {word:?}"
                );
                counts.proved_claims += 1;
            }
            Err(LabelFlaw::NotBefore { replacement }) => {
                assert!(!before(&replacements[replacement]));
                counts.claims_not_before += 1;
            }
            Err(LabelFlaw::Impossible) => {
                let mut states = all_states(&all.game);
                assert!(states.all(|state| all.ends(&word, &state).is_empty()));
                counts.impossible_claims += 1;
            }
            Err(LabelFlaw::Irreplaceable { .. }) => {
                counts.refused_claims += usize::from(!all.is_covered(&word, &replacements));
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn redundant_words_are_proved_and_altered_ones_refused() {
    let limits = Limits::default();
    let mut counts = Counts::default();
    for seed in 0..cases(500) {
        let game = game_of(seed);
        let has_knowledge = seed % 2 == 1;
        let known = if has_knowledge {
            Invariants::from_goals(&game)
        } else {
            Invariants::none(&game)
        };
        let all = analyzed(game, &known, 3);
        let mut altering = Altering {
            seed,
            checker: all.words(&all.known, &limits),
            all: &all,
            random: SplitMix64::new(seed),
            counts: &mut counts,
        };
        for redundant in &all.redundant {
            altering.check_word(redundant);
        }
        for _ in 0..if has_knowledge { 0 } else { 60 } {
            altering.check_random_claim();
        }
    }
    let enough = counts.proved_instances > 5_000
        && counts.refused_replacements > 5_000
        && counts.refused_without_one > 20
        && counts.proved_claims > 100
        && counts.claims_not_before > 5_000
        && counts.impossible_claims > 500
        && counts.refused_claims > 2_000;
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
