//! The gap heuristic.

use budget::Watch;
use psvn_ir::{CanonicalRule, Game, RuleId, Term, Value, VarId};
use search::{Cell, IncrementalHeuristic};

use crate::effort::Effort;
use crate::estimates::sums::Ratio;
use crate::refusal::Refusal;

/// The number of gaps: neighbors in the state that aren't neighbors in the goal (Helmert 2010).
///
/// In a stack of pancakes a flip separates two neighbors only, so that it closes at most one gap,
/// and the number of gaps is admissible. The plate counts as the neighbor of the last pancake.
///
/// In any other game, the rules determine which neighbors a rule may separate: all pairs of
/// neighboring places whose values are not in neighboring places after the rule. If a rule that
/// costs c may separate k pairs, a gap has the weight c / k, the least over the rules. Several
/// definitions of neighboring places are tried, all in the order of the variables: a row, a row
/// with a plate at its beginning, its end, or both, and a ring; the one with the highest possible
/// estimate is used.
///
/// The heuristic is admissible and consistent, and a child's gaps are computed from its parent's
/// and the pairs that the rule separates and joins.
#[derive(Clone, Debug)]
pub struct Gap {
    shape: Shape,
    ratio: Ratio,
    pairs: Vec<Pair>,
    /// Whether two values are neighbors in a goal, by both; the plate comes after the last value.
    neighbors: Vec<bool>,
    n_values: usize,
    /// The effects of each rule.
    changed: Vec<Changed>,
}

/// The way in which places are neighbors of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In a row.
    Row,
    /// In a row with a plate before the first place.
    PlateFirst,
    /// In a row with a plate after the last place.
    PlateLast,
    /// In a row between two plates.
    TwoPlates,
    /// In a ring.
    Ring,
}

impl Shape {
    const ALL: [Shape; 5] = [
        Shape::PlateLast,
        Shape::PlateFirst,
        Shape::Row,
        Shape::TwoPlates,
        Shape::Ring,
    ];

    fn pairs(self, n: usize) -> Vec<Pair> {
        let place = |i: usize| VarId::from_index(i);
        let mut pairs: Vec<Pair> = (1..n).map(|i| (place(i - 1), Some(place(i)))).collect();
        match self {
            Shape::Row => {}
            Shape::PlateFirst => pairs.push((place(0), None)),
            Shape::PlateLast => pairs.push((place(n - 1), None)),
            Shape::TwoPlates => pairs.extend([(place(0), None), (place(n - 1), None)]),
            Shape::Ring => pairs.push((place(n - 1), Some(place(0)))),
        }
        pairs
    }
}

/// Two neighboring places; `None` is the plate.
type Pair = (VarId, Option<VarId>);

/// The pairs of places that a rule separates, and those that it joins.
#[derive(Clone, Debug, Default)]
struct Changed {
    separated: Box<[Pair]>,
    joined: Box<[Pair]>,
}

/// The maximum number of pairs of values.
const MAX_PAIRS: usize = 1 << 24;

impl Gap {
    /// Make the heuristic for a game whose goals determine every variable.
    ///
    /// # Errors
    /// If a goal leaves a variable open, the variables have different domains, there are fewer than
    /// three of them, or a rule that separates neighbors costs nothing.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        Self::within(game, &Effort::within(&Watch::default()))
    }

    /// The same within limits.
    pub(crate) fn within(game: &Game, effort: &Effort<'_>) -> Result<Self, Refusal> {
        if game.goals().is_empty() {
            return Err(Refusal::NoGoal);
        }
        let n = game.n_variables();
        if n < 3 {
            return Err(Refusal::kind("fewer than three places have no order"));
        }
        if game.variables().iter().any(|it| *it != game.variables()[0]) {
            return Err(Refusal::kind("the variables have different domains"));
        }
        let states: Option<Vec<Vec<Value>>> = game
            .goals()
            .iter()
            .map(|goal| {
                goal.conditions()
                    .iter()
                    .map(|it| it.as_constant())
                    .collect()
            })
            .collect();
        let Some(states) = states else {
            return Err(Refusal::kind("a goal leaves variables open"));
        };
        let n_values = game.domain_of(VarId(0)).size();
        if (n_values + 1).saturating_mul(n_values + 1) > MAX_PAIRS {
            return Err(Refusal::TooLarge { limit: MAX_PAIRS });
        }
        let mut best: Option<(f64, Self)> = None;
        let mut refusal = None;
        for shape in Shape::ALL {
            match Self::of_shape(game, shape, &states, n_values, effort) {
                Ok(found) => {
                    let most = found.pairs.len() as f64 * found.ratio.as_f64();
                    if best.as_ref().is_none_or(|(known, _)| most > *known) {
                        best = Some((most, found));
                    }
                }
                Err(stopped @ Refusal::Stopped { .. }) => return Err(stopped),
                Err(other) => {
                    refusal.get_or_insert(other);
                }
            }
        }
        match (best, refusal) {
            (Some((_, found)), _) => Ok(found),
            (None, Some(refusal)) => Err(refusal),
            (None, None) => Err(Refusal::kind("no places are neighbors")),
        }
    }

    fn of_shape(
        game: &Game,
        shape: Shape,
        goals: &[Vec<Value>],
        n_values: usize,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        // Beside the best one so far.
        let n_neighbors = (n_values + 1) * (n_values + 1);
        let rules = game.rules().len().saturating_mul(size_of::<Changed>());
        effort.spend(n_neighbors / 8, 2 * (n_neighbors + rules))?;
        let pairs = shape.pairs(game.n_variables());
        let mut neighbors = vec![false; n_neighbors];
        for goal in goals {
            for (a, b) in &pairs {
                let a = goal[a.index()].index();
                let b = b.map_or(n_values, |b| goal[b.index()].index());
                neighbors[a * (n_values + 1) + b] = true;
                neighbors[b * (n_values + 1) + a] = true;
            }
        }
        let changed: Result<Vec<Changed>, Refusal> = game
            .rules()
            .iter()
            .map(|rule| {
                effort.spend(pairs.len(), 0)?;
                Ok(Changed::by(&rule.canonical, &pairs))
            })
            .collect();
        let changed = changed?;
        let separated =
            |id: RuleId, _: &CanonicalRule| Ok(changed[id.index()].separated.len() as u64);
        let ratio = Ratio::largest(game, separated, "neighbors")?;
        Ok(Self {
            shape,
            ratio,
            pairs,
            neighbors,
            n_values,
            changed,
        })
    }

    /// Return the way in which places are neighbors of each other.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Return the weight of a gap.
    pub fn ratio(&self) -> Ratio {
        self.ratio
    }

    #[inline]
    fn n_gaps<C: Cell>(&self, state: &[C], pairs: &[Pair]) -> u64 {
        let is_gap = |(a, b): &Pair| {
            let a = state[a.index()].index();
            let b = match b {
                Some(b) => state[b.index()].index(),
                None => self.n_values,
            };
            u64::from(!self.neighbors[a * (self.n_values + 1) + b])
        };
        pairs.iter().map(is_gap).sum()
    }
}

impl Changed {
    /// Compare the terms in neighboring places before and after a rule. A pair in both lists is the
    /// same pair of values, whatever the state.
    fn by(rule: &CanonicalRule, pairs: &[Pair]) -> Self {
        let of = |terms: &[Term], (a, b): &Pair| -> [Option<Term>; 2] {
            let mut pair = [Some(terms[a.index()]), b.map(|b| terms[b.index()])];
            pair.sort_unstable();
            pair
        };
        let sorted = |terms: &[Term]| -> Vec<([Option<Term>; 2], Pair)> {
            let mut all: Vec<_> = pairs.iter().map(|pair| (of(terms, pair), *pair)).collect();
            all.sort_unstable();
            all
        };
        let (before, after) = (sorted(rule.preconditions()), sorted(rule.actions()));
        let (mut separated, mut joined) = (Vec::new(), Vec::new());
        let (mut i, mut j) = (0, 0);
        while i < before.len() || j < after.len() {
            match (before.get(i), after.get(j)) {
                (Some((a, _)), Some((b, _))) if a == b => (i, j) = (i + 1, j + 1),
                (Some((a, pair)), Some((b, _))) if a < b => {
                    separated.push(*pair);
                    i += 1;
                }
                (Some((_, pair)), None) => {
                    separated.push(*pair);
                    i += 1;
                }
                (_, Some((_, pair))) => {
                    joined.push(*pair);
                    j += 1;
                }
                (None, None) => break,
            }
        }
        Self {
            separated: separated.into(),
            joined: joined.into(),
        }
    }
}

impl IncrementalHeuristic for Gap {
    /// The number of gaps.
    type Memo = u64;

    fn first(&self, state: &[u32]) -> (u64, u64) {
        let gaps = self.n_gaps(state, &self.pairs);
        (self.ratio.times(gaps), gaps)
    }

    fn next(&self, rule: RuleId, parent: &[u8], memo: &u64, child: &[u8]) -> (u64, u64) {
        let changed = &self.changed[rule.index()];
        let gaps =
            *memo + self.n_gaps(child, &changed.joined) - self.n_gaps(parent, &changed.separated);
        (self.ratio.times(gaps), gaps)
    }
}
