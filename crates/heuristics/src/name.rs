//! Heuristics by name, and the maximum of several.

use std::fmt;
use std::iter::zip;
use std::str::FromStr;

use budget::{StopReason, Watch};
use invariants::Invariants;
use psvn_ir::{Game, RuleId, State, Value, near_miss};
use search::{Cell, DEAD_END, Heuristic, ValueSums};

use crate::effort::Effort;
use crate::estimates::counts::{goal_count_within, misplaced_within, plain_goal_count, weak};
use crate::estimates::evaluators::{BadEvaluator, GoodEvaluator};
use crate::estimates::gap::Gap;
use crate::estimates::landmark_cut::LandmarkCut;
use crate::estimates::linear_conflict::LinearConflict;
use crate::estimates::manhattan::manhattan_within;
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
    pub const ALL: [Name; 11] = [
        Name::Manhattan,
        Name::LinearConflict,
        Name::Gap,
        Name::Misplaced,
        Name::GoalCount,
        Name::LmCut,
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
        !matches!(self, Name::PlainGoalCount | Name::Good | Name::Bad)
    }

    /// Return whether it is admissible and no step costs less than its estimate falls.
    pub fn is_consistent(self) -> bool {
        self.is_admissible() && self != Name::LmCut
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
    LmCut(LandmarkCut),
    Good(GoodEvaluator),
    Bad(BadEvaluator),
    /// An empty sum: searches handle sums specially.
    Zero(ValueSums),
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
        Self::within(game, known, names, &Watch::default())
    }

    /// The same within limits on time and memory. A node, whose number may be limited, too, is a
    /// look at a term of a rule or at a value of a variable. Those of [`Name::LmCut`] aren't
    /// counted.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Refusal::Stopped`] if a limit is reached.
    pub fn within(
        game: &Game,
        known: &Invariants,
        names: &[Name],
        limits: &Watch,
    ) -> Result<Self, Misfit> {
        Self::with_effort(game, known, names, &Effort::within(limits))
    }

    fn with_effort(
        game: &Game,
        known: &Invariants,
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
                Part::new(game, known, *name, effort).map_err(|refusal| Misfit {
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

    /// Return about the bytes of the tables of sums, which are the largest ones.
    pub fn n_bytes(&self) -> u64 {
        let of_part = |part: &Part| match part {
            Part::Sums(sums) => sums.n_bytes() as u64,
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
    pub(crate) fn estimate_within<C: Cell>(&self, state: &[C], cutoff: u64) -> u64 {
        let mut most = 0;
        for part in &self.parts {
            most = most.max(part.start(state, most, cutoff).0);
        }
        most
    }

    /// Return the estimate of a state; [`search::DEAD_END`] if no goal is reachable.
    pub fn of_state(&self, state: &State) -> u64 {
        self.estimate(&cells(state.values()))
    }
}

/// Return a state as cells, wide enough for all games.
pub(crate) fn cells(state: &[Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
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
            Name::LmCut => Part::LmCut(LandmarkCut::new(game, known)?),
            Name::PlainGoalCount => Part::Sums(plain_goal_count(game)?),
            Name::Good => Part::Good(GoodEvaluator::new(game)?),
            Name::Weak => Part::Sums(weak(game)?),
            Name::Bad => Part::Bad(BadEvaluator::new(game)?),
            Name::Zero => Part::Zero(ValueSums::new(game, |_, _| 0)),
        })
    }

    #[inline]
    fn start<C: Cell>(&self, state: &[C], known: u64, cutoff: u64) -> (u64, u64) {
        match self {
            Part::Sums(part) => part.start(state),
            Part::LinearConflict(part) => part.start(state),
            Part::Gap(part) => part.start(state),
            Part::LmCut(_) if known > cutoff => (known, 0),
            Part::LmCut(part) => (part.estimate(state), 0),
            Part::Good(part) => (part.estimate(state), 0),
            Part::Bad(part) => (part.estimate(state), 0),
            Part::Zero(_) => (0, 0),
        }
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: u64,
        child: &[C],
        known: u64,
        cutoff: u64,
    ) -> (u64, u64) {
        match self {
            Part::Sums(part) => part.child(rule, parent, &memo, child),
            Part::LinearConflict(part) => part.child(rule, parent, &memo, child),
            Part::Gap(part) => part.child(rule, parent, &memo, child),
            Part::LmCut(_) if known > cutoff => (known, 0),
            Part::LmCut(part) => (part.estimate(child), 0),
            Part::Good(part) => (part.estimate(child), 0),
            Part::Bad(part) => (part.estimate(child), 0),
            Part::Zero(_) => (0, 0),
        }
    }
}

impl Heuristic for Named {
    /// The memos of the parts.
    type Memo = [u64; MAX_PARTS];

    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.start(state).0
    }

    #[inline]
    fn start<C: Cell>(&self, state: &[C]) -> (u64, Self::Memo) {
        let mut memo = [0; MAX_PARTS];
        let mut most = 0;
        for (kept, part) in zip(&mut memo, &self.parts) {
            let (estimate, keep) = part.start(state, most, DEAD_END);
            *kept = keep;
            most = most.max(estimate);
        }
        (most, memo)
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &Self::Memo,
        child: &[C],
    ) -> (u64, Self::Memo) {
        self.child_bounded(rule, parent, memo, child, DEAD_END)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &Self::Memo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, Self::Memo) {
        let mut memo = *memo;
        let mut most = 0;
        for (kept, part) in zip(&mut memo, &self.parts) {
            let (estimate, keep) = part.child(rule, parent, *kept, child, most, cutoff);
            *kept = keep;
            most = most.max(estimate);
        }
        (most, memo)
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        match &self.parts[..] {
            [Part::Sums(sums)] => sums.value_sums(),
            [Part::Zero(sums)] => Some(sums),
            _ => None,
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
        let heuristic = match Named::with_effort(game, known, &[name], &effort) {
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
