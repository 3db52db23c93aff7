//! The expanders one by one, for tests that compare them.

use crate::build::Plan;
use crate::build::expand::Expander;
use crate::build::expand::moves::MoveExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::expand::states::StateExpander;
use crate::build::expand::tables::TableExpander;

/// An expander.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By moves of values between places.
    Moves,
    /// By moves of single values.
    Singles,
    /// The same where only half of the ranks belong to states, which are numbered by themselves.
    Halves,
    /// By look-ups for each factor.
    Tables,
    /// By states.
    States,
}

/// The neighbors of a rank, with the costs of the steps, in ascending order.
pub type Neighbors = Vec<(u64, u64)>;

/// The neighbors of some ranks, and these as whole ranks.
pub type Expanded = (Vec<Neighbors>, Vec<u64>);

fn all<X: Expander>(expander: &X, ranks: &[u64]) -> Vec<Neighbors> {
    let mut scratch = expander.scratch();
    let neighbors = |rank: &u64| {
        let mut found = Vec::new();
        expander.expand_once(*rank, &mut scratch, &mut |rank, cost| {
            found.push((rank, cost));
        });
        found.sort_unstable();
        found
    };
    ranks.iter().map(neighbors).collect()
}

/// Return the neighbors of ranks by one expander, and the whole rank of each; `None` if the
/// expander doesn't fit.
pub(crate) fn neighbors(plan: &Plan, goal: u64, way: Way, ranks: &[u64]) -> Option<Expanded> {
    let (ranking, rules) = (&plan.ranking, &plan.rules);
    let moves = || MoveExpander::new(ranking.as_partial_permutation()?, rules);
    let singles = || SingleExpander::<16>::new(&moves()?);
    let found = match way {
        Way::Moves => all(&moves()?, ranks),
        Way::Singles => all(&singles()?, ranks),
        Way::Halves => {
            let singles = singles()?;
            let halves = singles.halved(&[goal])?;
            let whole = ranks.iter().map(|rank| halves.whole_rank(*rank));
            return Some((all(&halves, ranks), whole.collect()));
        }
        Way::Tables => all(&TableExpander::new(ranking, rules, None)?, ranks),
        Way::States => all(&StateExpander::new(ranking, rules), ranks),
    };
    Some((found, ranks.to_vec()))
}
