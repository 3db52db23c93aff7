//! Heuristics by name, and the maximum of several.

use std::fmt;
use std::iter::zip;
use std::str::FromStr;
use std::sync::Arc;

use budget::{StopReason, Watch};
use invariants::Invariants;
use psvn_ir::{Game, State, near_miss};
use search::{
    DEAD_END, Estimated, Heuristic, IncrementalHeuristic, Memo, PathNode, Properties, Sibling,
    ValueSums, in_wide_cells,
};

use crate::cells::cells;
use crate::effort::Effort;
use crate::estimates::abstractions::cartesian::CartesianAbstractions;
use crate::estimates::abstractions::merge_and_shrink::MergeAndShrink;
use crate::estimates::abstractions::projections::Projections;
use crate::estimates::counts::{goal_count_within, misplaced_within, plain_goal_count, weak};
use crate::estimates::delete_relaxation::landmark_cut::LandmarkCut;
use crate::estimates::delete_relaxation::pairs::PairCosts;
use crate::estimates::delete_relaxation::relaxed_costs::{RelaxedCost, RelaxedCosts};
use crate::estimates::delete_relaxation::triples::TripleCosts;
use crate::estimates::evaluators::{BadEvaluator, GoodEvaluator};
use crate::estimates::gap::Gap;
use crate::estimates::linear_conflict::LinearConflict;
use crate::estimates::manhattan::manhattan_within;
use crate::estimates::potentials::Potentials;
use crate::estimates::potentials::operator_counting::OperatorCounting;
use crate::estimates::sums::GoalSums;
use crate::refusal::Refusal;

/// The heuristics that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// [`manhattan`](crate::manhattan)
    Manhattan,
    /// [`LinearConflict`]
    LinearConflict,
    /// [`Gap`]
    Gap,
    /// [`misplaced`](crate::misplaced)
    Misplaced,
    /// [`goal_count`](crate::goal_count)
    GoalCount,
    /// [`LandmarkCut`]
    LmCut,
    /// [`RelaxedCosts`], by [`RelaxedCost::Max`]
    HMax,
    /// [`PairCosts`]
    H2,
    /// [`TripleCosts`]
    H3,
    /// [`CartesianAbstractions`]
    Cartesian,
    /// [`Projections`]
    Projections,
    /// [`MergeAndShrink`]
    MergeAndShrink,
    /// [`Potentials`]
    Potentials,
    /// [`OperatorCounting`]
    OperatorCounting,
    /// [`RelaxedCosts`], by [`RelaxedCost::Add`]
    HAdd,
    /// [`RelaxedCosts`], by [`RelaxedCost::Plan`]
    Ff,
    /// [`plain_goal_count`]
    PlainGoalCount,
    /// [`GoodEvaluator`]
    Good,
    /// [`weak`]
    Weak,
    /// [`BadEvaluator`]
    Bad,
    /// [`search::ZeroHeuristic`]
    Zero,
}

impl Name {
    /// All of them.
    pub const ALL: [Name; 21] = [
        Name::Manhattan,
        Name::LinearConflict,
        Name::Gap,
        Name::Misplaced,
        Name::GoalCount,
        Name::LmCut,
        Name::HMax,
        Name::H2,
        Name::H3,
        Name::Cartesian,
        Name::Projections,
        Name::MergeAndShrink,
        Name::Potentials,
        Name::OperatorCounting,
        Name::HAdd,
        Name::Ff,
        Name::PlainGoalCount,
        Name::Good,
        Name::Weak,
        Name::Bad,
        Name::Zero,
    ];

    /// Return the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Name::Manhattan => "manhattan",
            Name::LinearConflict => "linear-conflict",
            Name::Gap => "gap",
            Name::Misplaced => "misplaced",
            Name::GoalCount => "goal-count",
            Name::LmCut => "lm-cut",
            Name::HMax => "h-max",
            Name::H2 => "h2",
            Name::H3 => "h3",
            Name::Cartesian => "cartesian",
            Name::Projections => "projections",
            Name::MergeAndShrink => "merge-and-shrink",
            Name::HAdd => "h-add",
            Name::Ff => "ff",
            Name::Potentials => "potentials",
            Name::OperatorCounting => "operator-counting",
            Name::PlainGoalCount => "plain-goal-count",
            Name::Good => "good",
            Name::Weak => "weak",
            Name::Bad => "bad",
            Name::Zero => "zero",
        }
    }

    /// Describe it in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Name::Manhattan => "distances of the pieces from their places in the goal",
            Name::LinearConflict => {
                "Manhattan distance plus the extra moves of tiles in reversed order in a line"
            }
            Name::Gap => "adjacent pairs that aren't adjacent in the goal",
            Name::Misplaced => {
                "values out of their places, divided by the most that one rule fixes"
            }
            Name::GoalCount => {
                "goal conditions not met, divided by the most that one rule makes true"
            }
            Name::LmCut => "landmark cuts: about the cost if nothing is deleted; slow",
            Name::HMax => "the most expensive condition of the goal if nothing is deleted",
            Name::H3 => "the most expensive three conditions of the goal; small games only",
            Name::H2 => "the most expensive pair of conditions of the goal; very slow",
            Name::Cartesian => "sums over abstractions by sets of values, refined for the starts",
            Name::Projections => "sums over projections to few variables, which overlap",
            Name::MergeAndShrink => "the cost in an abstraction of products of variables",
            Name::HAdd => "all conditions of the goal, each for itself, if nothing is deleted",
            Name::Ff => "the cost of a plan, not the best one, if nothing is deleted",
            Name::Potentials => "numbers for values, found by a linear program; fast",
            Name::OperatorCounting => {
                "how often rules are used at least, by a linear program for each state; very slow"
            }
            Name::PlainGoalCount => "goal conditions not met",
            Name::Good => {
                "sliding tiles: Manhattan distance and 3 or more times the sequence score"
            }
            Name::Weak => "sliding tiles: misplaced tiles",
            Name::Bad => "sliding tiles: differences of opposite tiles",
            Name::Zero => "0",
        }
    }

    /// Return whether it never estimates too high, wherever it fits.
    pub fn is_admissible(self) -> bool {
        !matches!(
            self,
            Name::HAdd | Name::Ff | Name::PlainGoalCount | Name::Good | Name::Bad
        )
    }

    /// Return whether it is admissible and no step costs less than its estimate falls.
    pub fn is_consistent(self) -> bool {
        self.is_admissible() && !matches!(self, Name::LmCut | Name::OperatorCounting)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error that no heuristic has a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no heuristic is called `{name}`{}", near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
pub struct UnknownName {
    /// The unknown name.
    pub name: String,
    /// The name that was probably meant.
    pub near: Option<&'static str>,
}

impl FromStr for Name {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Name::ALL.into_iter();
        if let Some(name) = all.find(|name| name.as_str().eq_ignore_ascii_case(text)) {
            return Ok(name);
        }
        let names = Name::ALL.map(Name::as_str);
        let near = near_miss(text, names.iter().copied()).map(str::to_owned);
        Err(UnknownName {
            name: text.to_owned(),
            near: near.and_then(|near| names.into_iter().find(|name| *name == near)),
        })
    }
}

/// A heuristic that doesn't fit a game, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the heuristic `{name}` doesn't fit this game: {refusal}")]
pub struct Misfit {
    /// The heuristic.
    pub name: Name,
    /// The reason.
    #[source]
    pub refusal: Refusal,
}

/// The approximate steps of a visit to a fact or an action for `lm-cut`.
const STEPS_OF_VISIT: f64 = 3.0;

/// The maximum number of heuristics that can be combined.
pub const MAX_PARTS: usize = 4;

/// A named heuristic, made for a game.
#[derive(Clone, Debug)]
enum Part {
    Sums(GoalSums),
    LinearConflict(LinearConflict),
    Gap(Gap),
    Potentials(Potentials),
    LmCut(LandmarkCut),
    OfState(OfState),
    /// An empty sum: searches handle sums specially.
    Zero(ValueSums),
}

/// A heuristic that is computed from the state alone, which takes long beside others.
#[derive(Clone)]
struct OfState {
    heuristic: Arc<dyn Heuristic + Send + Sync>,
    /// The bytes of its tables, if these are large.
    n_bytes: usize,
    /// About the steps of an estimate, if they are known.
    steps: f64,
}

impl OfState {
    fn new(heuristic: impl Heuristic + Send + 'static) -> Self {
        Self::with_tables(heuristic, 0)
    }

    fn with_tables(heuristic: impl Heuristic + Send + 'static, n_bytes: usize) -> Self {
        Self {
            heuristic: Arc::new(heuristic),
            n_bytes,
            steps: 0.0,
        }
    }
}

impl fmt::Debug for OfState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfState").finish_non_exhaustive()
    }
}

/// The maximum of some named heuristics, or the only one. Admissible and consistent if all are.
#[derive(Clone, Debug)]
pub struct Named {
    names: Vec<Name>,
    parts: Vec<Part>,
}

impl Named {
    /// Make heuristics for a game and starts that satisfy the invariants `known`. Without a name it
    /// is [`Name::Zero`].
    ///
    /// # Errors
    /// If one doesn't fit the game, or there are more than [`MAX_PARTS`].
    pub fn new(game: &Game, known: &Invariants, names: &[Name]) -> Result<Self, Misfit> {
        Self::within(game, known, &[], names, &Watch::default())
    }

    /// The same within limits on time and memory, with starts, for which [`Name::Cartesian`] is
    /// refined. A node, whose number may be limited, too, is a look at a term of a rule or at a
    /// value of a variable. Those of [`Name::LmCut`], [`Name::Cartesian`],
    /// [`Name::OperatorCounting`] and [`Name::MergeAndShrink`] aren't counted.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Refusal::Stopped`] if a limit is reached.
    pub fn within(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        names: &[Name],
        limits: &Watch,
    ) -> Result<Self, Misfit> {
        Self::with_effort(game, known, starts, names, &Effort::within(limits))
    }

    fn with_effort(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        names: &[Name],
        effort: &Effort<'_>,
    ) -> Result<Self, Misfit> {
        let mut distinct: Vec<Name> = Vec::new();
        for name in names {
            if distinct.contains(name) {
                continue;
            }
            if distinct.len() == MAX_PARTS {
                return Err(Misfit {
                    name: *name,
                    refusal: Refusal::kind("no more heuristics with a name can be combined"),
                });
            }
            distinct.push(*name);
        }
        if distinct.is_empty() {
            distinct.push(Name::Zero);
        }
        let parts: Result<Vec<Part>, Misfit> = distinct
            .iter()
            .map(|name| {
                Part::new(game, known, starts, *name, effort).map_err(|refusal| Misfit {
                    name: *name,
                    refusal,
                })
            })
            .collect();
        Ok(Self {
            names: distinct,
            parts: parts?,
        })
    }

    /// Return about the bytes of the tables of sums and abstractions, which are the largest ones.
    pub fn n_bytes(&self) -> u64 {
        let of_part = |part: &Part| match part {
            Part::Sums(sums) => sums.n_bytes() as u64,
            Part::Potentials(part) => part.n_bytes() as u64,
            Part::OfState(part) => part.n_bytes as u64,
            _ => 0,
        };
        self.parts.iter().map(of_part).sum()
    }

    /// Return the names.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Return whether no estimate is too high.
    pub fn is_admissible(&self) -> bool {
        self.names.iter().all(|name| name.is_admissible())
    }

    /// Return the approximate number of steps, about a nanosecond each, of an estimate by `lm-cut`;
    /// `None` if it isn't among the names.
    pub fn steps_of_cuts(&self) -> Option<f64> {
        self.cuts().map(|cuts| cuts.visits() * STEPS_OF_VISIT)
    }

    /// Return the approximate number of steps, about a nanosecond each, of an estimate by Cartesian
    /// abstractions; 0 if they aren't among the names.
    pub fn steps_of_abstractions(&self) -> f64 {
        let of_part = |part: &Part| match part {
            Part::OfState(part) => part.steps,
            _ => 0.0,
        };
        self.parts.iter().map(of_part).sum()
    }

    /// Count the steps of `lm-cut` on some states, unless that was done before.
    pub fn weigh_cuts(&self, states: &[State]) {
        if let Some(cuts) = self.cuts() {
            cuts.weigh(states);
        }
    }

    /// Return whether `lm-cut` is among the names and estimates less than it could, since the
    /// instances of the rules are too many.
    pub fn cuts_lack_instances(&self) -> bool {
        self.cuts().is_some_and(|cuts| !cuts.has_instances())
    }

    fn cuts(&self) -> Option<&LandmarkCut> {
        self.parts.iter().find_map(|part| match part {
            Part::LmCut(part) => Some(part),
            _ => None,
        })
    }

    /// Return the estimate of a state, or any number above `cutoff` and up to the estimate.
    pub(crate) fn estimate_within(&self, state: &[u32], cutoff: u64) -> u64 {
        let parts = self.parts.iter();
        parts.fold(0, |most, part| most.max(part.first(state, most, cutoff).0))
    }

    /// Return the estimate of a state; [`search::DEAD_END`] if no goal is reachable.
    pub fn of_state(&self, state: &State) -> u64 {
        self.estimate(&cells(state.values()))
    }
}

impl fmt::Display for Named {
    /// Return the name, or `max(a, b)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names.iter().map(|name| name.as_str()).collect();
        match names[..] {
            [name] => f.write_str(name),
            _ => write!(f, "max({})", names.join(", ")),
        }
    }
}

/// Parts get the greatest estimate so far, `known`. Slow ones return it if it is more than
/// `cutoff`.
impl Part {
    fn new(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        name: Name,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        Ok(match name {
            Name::Manhattan => Part::Sums(manhattan_within(game, known, effort)?),
            Name::LinearConflict => {
                Part::LinearConflict(LinearConflict::within(game, known, effort)?)
            }
            Name::Gap => Part::Gap(Gap::within(game, effort)?),
            Name::Misplaced => Part::Sums(misplaced_within(game, known, effort)?),
            Name::GoalCount => Part::Sums(goal_count_within(game, effort)?),
            Name::LmCut => Part::LmCut(LandmarkCut::within(game, known, effort)?),
            Name::Potentials => Part::Potentials(Potentials::within(game, known, starts, effort)?),
            Name::HMax | Name::HAdd | Name::Ff => {
                let cost = match name {
                    Name::HMax => RelaxedCost::Max,
                    Name::HAdd => RelaxedCost::Add,
                    _ => RelaxedCost::Plan,
                };
                let made = RelaxedCosts::within(game, known, cost, effort)?;
                Part::OfState(OfState::new(made))
            }
            Name::H2 => Part::OfState(OfState::new(PairCosts::within(game, known, effort)?)),
            Name::H3 => Part::OfState(OfState::new(TripleCosts::within(game, known, effort)?)),
            Name::Cartesian => {
                let made = CartesianAbstractions::within(game, known, starts, effort)?;
                let (n_bytes, steps) = (made.n_bytes(), made.steps());
                Part::OfState(OfState {
                    steps,
                    ..OfState::with_tables(made, n_bytes)
                })
            }
            Name::Projections => {
                let made = Projections::within(game, known, starts, effort)?;
                let n_bytes = made.n_bytes();
                Part::OfState(OfState::with_tables(made, n_bytes))
            }
            Name::MergeAndShrink => {
                let made = MergeAndShrink::within(game, known, starts, effort)?;
                let n_bytes = made.n_bytes();
                Part::OfState(OfState::with_tables(made, n_bytes))
            }
            Name::OperatorCounting => {
                let made = OperatorCounting::within(game, known, effort)?;
                Part::OfState(OfState::new(made))
            }
            Name::PlainGoalCount => Part::Sums(plain_goal_count(game)?),
            Name::Good => Part::OfState(OfState::new(GoodEvaluator::new(game)?)),
            Name::Weak => Part::Sums(weak(game)?),
            Name::Bad => Part::OfState(OfState::new(BadEvaluator::new(game)?)),
            Name::Zero => Part::Zero(ValueSums::new(game, |_, _| 0)),
        })
    }

    fn first(&self, state: &[u32], known: u64, cutoff: u64) -> (u64, u64) {
        match self {
            Part::Sums(part) => part.first(state),
            Part::LinearConflict(part) => part.first(state),
            Part::Gap(part) => part.first(state),
            Part::Potentials(part) => part.first(state),
            Part::LmCut(_) | Part::OfState(_) if known > cutoff => (known, 0),
            Part::LmCut(part) => (part.estimate(state), 0),
            Part::OfState(part) => (part.heuristic.estimate(state), 0),
            Part::Zero(_) => (0, 0),
        }
    }

    #[inline]
    fn next(
        &self,
        sibling: Sibling,
        parent: &[u8],
        memo: u64,
        child: &[u8],
        known: u64,
    ) -> (u64, u64) {
        let Sibling { rule, cutoff } = sibling;
        match self {
            Part::Sums(part) => part.next(rule, parent, &memo, child),
            Part::LinearConflict(part) => part.next(rule, parent, &memo, child),
            Part::Gap(part) => part.next(rule, parent, &memo, child),
            Part::Potentials(part) => part.next(rule, parent, &memo, child),
            Part::LmCut(_) | Part::OfState(_) | Part::Zero(_) => {
                in_wide_cells(child, |child| self.first(child, known, cutoff))
            }
        }
    }
}

/// The memos of the parts.
type Memos = [u64; MAX_PARTS];

impl Heuristic for Named {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.estimate_within(state, DEAD_END)
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        let memos = memo.get_mut::<Memos>();
        in_wide_cells(state, |state| {
            let parts = zip(memos, &self.parts);
            parts.fold(0, |most, (memo, part)| {
                let (estimate, first) = part.first(state, most, DEAD_END);
                *memo = first;
                most.max(estimate)
            })
        })
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let before = node.memo.read::<Memos>();
        let children = states.chunks_exact(node.state.len()).zip(siblings);
        for ((child, sibling), estimated) in children.zip(estimated) {
            let memos = zip(before, estimated.memo.get_mut::<Memos>());
            let parts = zip(&self.parts, memos);
            estimated.estimate = parts.fold(0, |most, (part, (before, memo))| {
                let (estimate, next) = part.next(*sibling, node.state, *before, child, most);
                *memo = next;
                most.max(estimate)
            });
        }
    }

    fn properties(&self) -> Properties<'_> {
        let value_sums = match &self.parts[..] {
            [Part::Sums(sums)] => sums.value_sums(),
            [Part::Zero(sums)] => Some(sums),
            _ => None,
        };
        Properties {
            value_sums,
            ..Properties::default()
        }
    }
}

/// The heuristic that was chosen for some starts.
#[derive(Clone, Debug)]
pub struct Automatic {
    /// The heuristic.
    pub heuristic: Named,
    /// The sums of the fitting heuristics' estimates over all starts; the chosen one first, then in
    /// the order in which they were tried.
    pub estimates: Vec<(Name, u128)>,
    /// The limit that left out other ones, if there is one.
    pub stopped: Option<StopReason>,
}

/// The order in which [`automatic`] tries heuristics. Of equally good ones it takes the first,
/// which is the fastest.
const TRIED: [Name; 6] = [
    Name::Manhattan,
    Name::Gap,
    Name::Misplaced,
    Name::GoalCount,
    Name::LinearConflict,
    Name::Zero,
];

/// Choose the admissible heuristic with the highest sum of estimates over the starts, among those
/// that fit and can be made within the limits, as in [`Named::within`].
pub fn automatic(game: &Game, known: &Invariants, starts: &[State], limits: &Watch) -> Automatic {
    let effort = Effort::within(limits);
    let mut stopped = None;
    let mut tried: Vec<(Named, Name, u128)> = Vec::new();
    for name in TRIED {
        let heuristic = match Named::with_effort(game, known, starts, &[name], &effort) {
            Ok(heuristic) => heuristic,
            Err(Misfit { refusal, .. }) => {
                if let Refusal::Stopped { reason } = refusal {
                    stopped.get_or_insert(reason);
                }
                continue;
            }
        };
        let estimates = starts
            .iter()
            .map(|start| u128::from(heuristic.of_state(start)));
        let sum = estimates.sum();
        tried.push((heuristic, name, sum));
    }
    let highest = tried.iter().map(|(_, _, sum)| *sum).max().unwrap_or(0);
    let best = tried
        .iter()
        .position(|(_, _, sum)| *sum == highest)
        .unwrap_or(0);
    let chosen = tried.remove(best);
    let others = tried.iter().map(|(_, name, sum)| (*name, *sum));
    Automatic {
        estimates: std::iter::once((chosen.1, chosen.2))
            .chain(others)
            .collect(),
        heuristic: chosen.0,
        stopped,
    }
}
