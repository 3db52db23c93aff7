//! Random small games for property tests (feature `testing`).
//!
//! A game is made from a seed alone, so a failing test names a number from which every machine
//! makes the game again. Such games have few enough states to try all of them.
//!
//! ```
//! use psvn_ir::testing::{GameShape, all_states, random_game};
//!
//! let shape = GameShape::default();
//! let game = random_game(7, &shape);
//! assert_eq!(game.content_hash(), random_game(7, &shape).content_hash());
//! assert!(shape.n_rules.contains(&game.rules().len()));
//! assert!(all_states(&game).all(|state| game.format_state(&state).split(' ').count() >= 3));
//! ```

use std::ops::RangeInclusive;

pub use crate::game::state::all_states;
pub use crate::shared::random::SplitMix64;

use crate::game::Game;
use crate::game::domain::Domain;
use crate::ids::{DomainId, SymbolId, Value};
use crate::source::builder::GameBuilder;
use crate::source::cell::{Cell, CellKind};

/// The shape of random games. The default: 3 or 4 variables with 2 or 3 values, 4 to 6 rules of
/// costs 0 to 2 with everything that makes composition hard, one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameShape {
    /// The number of variables.
    pub n_variables: RangeInclusive<usize>,
    /// The number of values of a domain.
    pub n_values: RangeInclusive<usize>,
    /// The number of rules. Rules that would test and change nothing are drawn again.
    pub n_rules: RangeInclusive<usize>,
    /// The greatest cost of a rule; the least is 0.
    pub max_cost: u64,
    /// Whether there are two domains, each variable with a random one of them.
    pub several_domains: bool,
    /// The percentage of entries that are constants, on the left and on the right.
    pub constants: u32,
    /// Whether a symbol may be repeated on the left side, whose positions then must be equal.
    pub repeated_symbols: bool,
    /// Whether a rule may lose an unknown value. If not, every rule is one-to-one.
    pub lost_values: bool,
}

impl Default for GameShape {
    fn default() -> Self {
        Self {
            n_variables: 3..=4,
            n_values: 2..=3,
            n_rules: 4..=6,
            max_cost: 2,
            several_domains: false,
            constants: 35,
            repeated_symbols: true,
            lost_values: true,
        }
    }
}

/// The least number of random cases among which a fault that occurs in 1 % of them is found with a
/// probability of 99 %: `0.99^459` is less than 0.01.
pub const FEWEST_CASES: u64 = 459;

/// Return how many random cases to run where a test asks for `n`: `n` times the factor that the
/// environment variable `PSVN_CASES` holds, such as `10` before a release or `0.2` on a slow
/// machine, and `n` without it.
///
/// A factor below 1 leaves at least [`FEWEST_CASES`], and doesn't touch a test that asks for at
/// most that many because its cases are expensive. The variable changes how many cases a test
/// runs, never what it tests. What a test must have found among its cases holds for `n` of them, so
/// a test that counts may fail with a factor below 1.
///
/// # Panics
/// When the variable holds no positive number, or the product doesn't fit the type.
pub fn cases<N>(n: N) -> N
where
    N: TryFrom<u64> + TryInto<u64>,
{
    let factor = std::env::var("PSVN_CASES").map_or(1.0, |text| match text.parse() {
        Ok(factor) if factor > 0.0 => factor,
        _ => panic!("PSVN_CASES is `{text}`, which is no positive number"),
    });
    let Ok(n) = n.try_into() else {
        panic!("a number of cases is at most 2^64");
    };
    N::try_from(scaled(n, factor)).unwrap_or_else(|_| panic!("{n} cases times {factor}: too many"))
}

fn scaled(n: u64, factor: f64) -> u64 {
    let scaled = (n as f64 * factor).round() as u64;
    scaled.max(n.min(FEWEST_CASES))
}

/// How often a rule that does nothing is drawn again before it is accepted: a game of one variable
/// with one value has no other rules.
const DRAWS: usize = 100;

/// Make the random game of this shape with this seed.
///
/// # Panics
/// When a range of the shape is empty, or allows no values.
pub fn random_game(seed: u64, shape: &GameShape) -> Game {
    let mut random = SplitMix64::new(seed);
    let mut builder = GameBuilder::new();
    let n_domains = 1 + usize::from(shape.several_domains);
    let sizes: Vec<usize> = (0..n_domains)
        .map(|_| random.within(&shape.n_values))
        .collect();
    for (name, size) in ["first", "second"].into_iter().zip(&sizes) {
        let values = (0..*size).map(|value| value.to_string());
        builder.domain(Domain::new(name, values).expect("numbers are distinct, and not too many"));
    }
    let homes: Vec<DomainId> = (0..random.within(&shape.n_variables))
        .map(|_| DomainId::from_index(random.below(n_domains)))
        .collect();
    for home in &homes {
        builder.variable(*home);
    }
    let mut drawer = Drawer {
        random,
        shape,
        homes: &homes,
        sizes: &sizes,
    };
    for _ in 0..drawer.random.within(&shape.n_rules) {
        let (lhs, rhs) = drawer.rule();
        let cost = drawer.random.next_u64() % (shape.max_cost + 1);
        builder.rule(None, lhs, rhs, cost);
    }
    builder.goal(drawer.goal());
    builder.build().expect("entries are drawn to fit")
}

/// Draws the entries of rules.
struct Drawer<'a> {
    random: SplitMix64,
    shape: &'a GameShape,
    /// The domain of each position.
    homes: &'a [DomainId],
    /// The number of values of each domain.
    sizes: &'a [usize],
}

impl Drawer<'_> {
    fn constant(&mut self, position: usize) -> Cell {
        let size = self.sizes[self.homes[position].index()];
        Cell::constant(Value::from_index(self.random.below(size)))
    }

    fn rule(&mut self) -> (Vec<Cell>, Vec<Cell>) {
        let mut rule = self.draw();
        for _ in 0..DRAWS {
            if !does_nothing(&rule.0, &rule.1) {
                break;
            }
            rule = self.draw();
        }
        rule
    }

    fn draw(&mut self) -> (Vec<Cell>, Vec<Cell>) {
        let lhs = self.left_side();
        let rhs = if self.shape.lost_values {
            self.any_right_side(&lhs)
        } else {
            self.faithful_right_side(&lhs)
        };
        (lhs, rhs)
    }

    /// Constants, symbols of one position, and, where they may, symbols of earlier positions.
    fn left_side(&mut self) -> Vec<Cell> {
        let mut lhs: Vec<Cell> = Vec::with_capacity(self.homes.len());
        for position in 0..self.homes.len() {
            let earlier = self.symbols_for(&lhs, position);
            let cell = if self.random.chance(self.shape.constants) {
                self.constant(position)
            } else if self.shape.repeated_symbols && !earlier.is_empty() && self.random.chance(30) {
                earlier[self.random.below(earlier.len())]
            } else {
                Cell::symbol(SymbolId::from_index(position))
            };
            lhs.push(cell);
        }
        lhs
    }

    /// The symbols of a left side, or of its first entries, that are allowed at a position.
    fn symbols_for(&self, lhs: &[Cell], position: usize) -> Vec<Cell> {
        lhs.iter()
            .zip(self.homes)
            .filter(|(cell, home)| {
                matches!(cell.kind, CellKind::Symbol(_)) && **home == self.homes[position]
            })
            .map(|(cell, _)| *cell)
            .collect()
    }

    /// Constants, symbols of the left side, and unchanged positions.
    fn any_right_side(&mut self, lhs: &[Cell]) -> Vec<Cell> {
        (0..lhs.len())
            .map(|position| {
                let symbols = self.symbols_for(lhs, position);
                if self.random.chance(self.shape.constants) {
                    self.constant(position)
                } else if symbols.is_empty() || self.random.chance(40) {
                    Cell::DASH
                } else {
                    symbols[self.random.below(symbols.len())]
                }
            })
            .collect()
    }

    /// The left side with some positions of a domain exchanged and some constants replaced; no
    /// symbol is lost.
    fn faithful_right_side(&mut self, lhs: &[Cell]) -> Vec<Cell> {
        let mut rhs = lhs.to_vec();
        for _ in 0..2 {
            let (i, j) = (self.random.below(rhs.len()), self.random.below(rhs.len()));
            if self.homes[i] == self.homes[j] {
                rhs.swap(i, j);
            }
        }
        for (position, cell) in rhs.iter_mut().enumerate() {
            if matches!(cell.kind, CellKind::Constant(_)) && self.random.chance(50) {
                *cell = self.constant(position);
            }
        }
        rhs
    }

    fn goal(&mut self) -> Vec<Cell> {
        (0..self.homes.len())
            .map(|position| {
                if self.random.chance(70) {
                    self.constant(position)
                } else {
                    Cell::DASH
                }
            })
            .collect()
    }
}

/// Whether a rule without stars tests nothing and changes nothing.
fn does_nothing(lhs: &[Cell], rhs: &[Cell]) -> bool {
    lhs.iter().zip(rhs).enumerate().all(|(i, (left, right))| {
        let untested =
            matches!(left.kind, CellKind::Symbol(_)) && lhs[..i].iter().all(|other| other != left);
        untested && (right == left || right.kind == CellKind::Dash)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rule::term::Term;

    #[test]
    fn enough_cases_are_left() {
        for (n, factor, expected) in [
            (5_000, 1.0, 5_000),
            (5_000, 10.0, 50_000),
            (5_000, 0.5, 2_500),
            (5_000, 0.01, FEWEST_CASES),
            (FEWEST_CASES, 0.01, FEWEST_CASES),
            (20, 0.01, 20),
            (20, 1.5, 30),
        ] {
            assert_eq!(scaled(n, factor), expected, "{n} times {factor}");
        }
        // A fault in 1 % of the cases.
        let missed = |n| 0.99_f64.powi(n as i32);
        assert!(missed(FEWEST_CASES) < 0.01 && missed(FEWEST_CASES - 1) > 0.01);
    }

    #[test]
    fn games_keep_to_their_shape() {
        let shape = GameShape {
            several_domains: true,
            ..GameShape::default()
        };
        let mut hashes = HashSet::new();
        for seed in 0..200 {
            let game = random_game(seed, &shape);
            assert!(shape.n_variables.contains(&game.n_variables()));
            assert!(shape.n_rules.contains(&game.rules().len()));
            assert_eq!((game.domains().len(), game.goals().len()), (2, 1));
            for domain in game.domains() {
                assert!(shape.n_values.contains(&domain.size()));
            }
            assert!(game.rules().iter().all(|rule| rule.canonical.cost() <= 2));
            hashes.insert(game.content_hash());
        }
        assert_eq!(hashes.len(), 200);
    }

    /// How many of 200 games have a rule with this property.
    fn with(shape: &GameShape, property: impl Fn(&crate::CanonicalRule) -> bool) -> usize {
        let has = |seed: &u64| {
            let game = random_game(*seed, shape);
            game.rules().iter().any(|rule| property(&rule.canonical))
        };
        (0..200).filter(has).count()
    }

    #[test]
    fn what_a_shape_rules_out_does_not_occur_and_the_rest_does() {
        let everything = GameShape::default();
        let repeats = |rule: &crate::CanonicalRule| rule.tests().any(|(_, t)| !t.is_constant());
        let loses = |rule: &crate::CanonicalRule| !rule.is_one_to_one();
        let constant = |rule: &crate::CanonicalRule| {
            let terms = rule.preconditions().iter().chain(rule.actions());
            terms.copied().any(Term::is_constant)
        };
        assert!(with(&everything, repeats) > 150);
        assert!(with(&everything, loses) > 150);
        assert!(with(&everything, constant) > 150);
        let plain = GameShape {
            repeated_symbols: false,
            ..everything.clone()
        };
        assert_eq!(with(&plain, repeats), 0);
        let faithful = GameShape {
            lost_values: false,
            ..everything.clone()
        };
        assert_eq!(with(&faithful, loses), 0);
        let symbols = GameShape {
            constants: 0,
            ..everything
        };
        assert_eq!(with(&symbols, constant), 0);
    }

    #[test]
    fn all_states_are_all_states() {
        let shape = GameShape {
            several_domains: true,
            ..GameShape::default()
        };
        for seed in 0..50 {
            let game = random_game(seed, &shape);
            let sizes = game.variables().iter().map(|id| game.domain(*id).size());
            let states: Vec<_> = all_states(&game).collect();
            assert_eq!(states.len(), sizes.product::<usize>());
            assert!(states.is_sorted());
            let distinct: HashSet<_> = states.iter().collect();
            assert_eq!(distinct.len(), states.len());
        }
    }

    #[test]
    fn a_game_of_one_state_is_made_too() {
        let shape = GameShape {
            n_variables: 1..=1,
            n_values: 1..=1,
            constants: 0,
            ..GameShape::default()
        };
        let game = random_game(0, &shape);
        let mut rules = game.rules().iter();
        assert!(rules.all(|rule| rule.canonical.is_identity()));
        assert_eq!(all_states(&game).count(), 1);
    }
}
