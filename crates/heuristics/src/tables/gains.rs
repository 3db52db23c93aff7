//! The gain of a table of two values over two tables of one value each.

use abstraction::Abstraction;
use pattern_databases::{AdditiveSet, Options, Patterns};
use psvn_ir::{DomainId, Game, State, Value};

use crate::Combined;

/// Return the mean estimate of a table of some values over some states.
fn mean(
    game: &Game,
    domain: DomainId,
    values: &[Value],
    states: &[State],
    options: &Options<'_>,
) -> Option<f64> {
    let keep = |id, value| id == domain && values.contains(&value);
    let pattern = Abstraction::keep_values(game, keep);
    let set = AdditiveSet::build(game, &[pattern], options).ok()?;
    let table = Patterns::sum(game, set).ok()?;
    Combined::new(None, table, "").mean_of(states)
}

/// Return, by pair of values, how much the mean estimate of the table of both over `states` exceeds
/// the sum of the means of the single tables.
///
/// Only pairs that are `near` are compared; the others have no gain. `None` if a table can't be
/// built. Small tables are built for each value and each such pair.
pub(super) fn gains(
    game: &Game,
    domain: DomainId,
    values: &[Value],
    near: impl Fn(usize, usize) -> bool,
    states: &[State],
    options: &Options<'_>,
) -> Option<Vec<Vec<f64>>> {
    let mean = |values: &[Value]| mean(game, domain, values, states, options);
    let alone: Vec<f64> = values
        .iter()
        .map(|value| mean(&[*value]))
        .collect::<Option<_>>()?;
    let n = values.len();
    let mut gains = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in (0..i).filter(|j| near(i, *j)) {
            let gain = mean(&[values[i], values[j]])? - alone[i] - alone[j];
            (gains[i][j], gains[j][i]) = (gain, gain);
        }
    }
    Some(gains)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the 15-puzzle with its blank in a corner, the last move is by one of the corner's two
    /// neighbors. Tables of single tiles don't count that one of the two has to make room, so these
    /// two have the largest gain.
    #[test]
    fn the_neighbors_of_the_blank_belong_together() {
        let text = domains::generate("sliding-tiles", &["4", "4"]).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let known = invariants::Invariants::from_goals(&game);
        let states = crate::tables::sample_states(&game, &known, 200, 1);
        let domain = game.variables()[0];
        let tiles = [1, 2, 4, 5, 15].map(Value);
        let all = |_, _| true;
        let gains = gains(&game, domain, &tiles, all, &states, &Options::default());
        let gains = gains.expect("small tables");
        let best = gains[0][2];
        assert!(best > 0.1, "{gains:?}");
        for (i, row) in gains.iter().enumerate() {
            for (j, gain) in row.iter().enumerate() {
                assert!(*gain > -1e-9 && gain.to_bits() == gains[j][i].to_bits());
                assert!([(0, 2), (2, 0)].contains(&(i, j)) || *gain < best);
            }
        }
    }
}
