//! Manhattan distance, derived from the rules.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, Term, Value, VarId};
use search::ValueSums;

use crate::effort::Effort;
use crate::estimates::sums::{Drops, GoalSums, Ratio};
use crate::refusal::Refusal;
use crate::structure::goal_facts::{GoalFacts, MAX_FACTS, asks_invariants, n_facts, with_value};
use crate::structure::pieces::{Pieces, Step};

/// Sum the distances of all pieces from their places in the goal.
///
/// A piece's distances are measured in the graph with an edge from place i to place j for each rule
/// that may move it from i to j, at the rule's cost. Values are taken as the pieces and variables
/// as their places; or, if that doesn't fit, variables as pieces and their values as places. Each
/// rule's cost is charged to one piece. In sliding-tile puzzles that is the tile; the blank, which
/// every move takes along, is never charged, and the sum is Manhattan distance.
///
/// It is a sum of additive pattern databases with one value each (Korf & Felner 2002), and equals
/// Manhattan distance where a board is a grid. A piece with several places in the goal counts with
/// the nearest one; of several goal conditions the least sum counts. It is admissible and
/// consistent: the edge of a rule bounds how much the sum falls, and this is proved again for each
/// rule and each sum.
///
/// It is valid for starts that satisfy the invariants `known`, which add knowledge about goals that
/// leave variables open.
///
/// # Errors
/// If the game has no goal; if a rule moves several pieces and it isn't clear which one to charge,
/// or makes or removes pieces; if all distances are 0; if the tables would be too large.
pub fn manhattan(game: &Game, known: &Invariants) -> Result<GoalSums, Refusal> {
    manhattan_within(game, known, &Effort::within(&Watch::default()))
}

/// The same within limits.
pub(crate) fn manhattan_within(
    game: &Game,
    known: &Invariants,
    effort: &Effort<'_>,
) -> Result<GoalSums, Refusal> {
    let goals = GoalFacts::of_goals_within(game, known, effort)?;
    let sums = |pieces: Pieces| distances(game, known, &pieces, &goals, effort);
    let by_values = match Pieces::by_values(game, effort).and_then(sums) {
        Ok(found) => return Ok(found),
        Err(refusal @ Refusal::Stopped { .. }) => return Err(refusal),
        Err(refusal) => refusal,
    };
    match Pieces::by_variables(game, effort).and_then(sums) {
        Ok(found) => Ok(found),
        Err(refusal @ (Refusal::TooLarge { .. } | Refusal::Stopped { .. })) => Err(refusal),
        Err(by_variables) => Err(Refusal::Both {
            by_values: Box::new(by_values),
            by_variables: Box::new(by_variables),
        }),
    }
}

/// The numbers of one goal condition.
struct Numbers {
    distances: Vec<Vec<u32>>,
    dead: Vec<Vec<bool>>,
    any_dead: bool,
}

fn distances(
    game: &Game,
    known: &Invariants,
    pieces: &Pieces,
    goals: &[GoalFacts],
    effort: &Effort<'_>,
) -> Result<GoalSums, Refusal> {
    if n_facts(game).saturating_mul(goals.len()) > MAX_FACTS {
        return Err(Refusal::TooLarge { limit: MAX_FACTS });
    }
    let bytes = n_facts(game) * goals.len() * BYTES_OF_FACT + most_places(game) * BYTES_OF_PLACE;
    effort.spend(0, bytes)?;
    let numbers: Result<Vec<Numbers>, Refusal> = goals
        .iter()
        .map(|goal| of_goal(game, known, pieces, goal, effort))
        .collect();
    let numbers = numbers?;
    if numbers
        .iter()
        .any(|it| it.distances.iter().flatten().all(|d| *d == 0) && !it.any_dead)
    {
        return Err(Refusal::kind("all distances are 0"));
    }
    let sums: Vec<ValueSums> = numbers
        .iter()
        .map(|it| ValueSums::new(game, |var, value| it.distances[var.index()][value.index()]))
        .collect();
    // The proof: no rule lowers a sum by more than its cost.
    let drops: Vec<Drops<'_>> = sums.iter().map(|sums| Drops::new(game, sums)).collect();
    for (id, rule) in game.rules_with_ids() {
        let mut most = None;
        for drops in &drops {
            most = most.max(Some(drops.largest(&rule.canonical, effort)?));
        }
        if let Some(drop) = most
            && drop > rule.canonical.cost()
        {
            let reason = format!(
                "costs {} and may bring pieces nearer to the goal by {drop}",
                rule.canonical.cost()
            );
            return Err(Refusal::rule(game, id, reason));
        }
    }
    drop(drops);
    let dead = if numbers.iter().any(|it| it.any_dead) {
        let dead = numbers.iter().map(|it| {
            ValueSums::new(game, |var, value| {
                u32::from(it.dead[var.index()][value.index()])
            })
        });
        dead.collect()
    } else {
        Vec::new()
    };
    Ok(GoalSums::new(game, sums, Ratio::ONE).with_dead_ends(dead))
}

/// About the bytes of a fact in the tables of a goal: its distance, whether it is dead, and both
/// again as sums.
const BYTES_OF_FACT: usize = 16;

/// About the bytes of a place in the search for distances.
const BYTES_OF_PLACE: usize = 64;

/// Return the number of places of the pieces that have most of them.
fn most_places(game: &Game) -> usize {
    let sizes = game.domains().iter().map(psvn_ir::Domain::size);
    sizes.max().unwrap_or(0).max(game.n_variables())
}

fn of_goal(
    game: &Game,
    known: &Invariants,
    pieces: &Pieces,
    goal: &GoalFacts,
    effort: &Effort<'_>,
) -> Result<Numbers, Refusal> {
    let n = game.n_variables();
    let sizes: Vec<usize> = (0..n)
        .map(|i| game.domain_of(VarId::from_index(i)).size())
        .collect();
    let mut numbers = Numbers {
        distances: sizes.iter().map(|size| vec![0; *size]).collect(),
        dead: sizes.iter().map(|size| vec![false; *size]).collect(),
        any_dead: false,
    };
    let asks = asks_invariants(game, known);
    let anything: Vec<Term> = (0..n)
        .map(|i| Term::variable(VarId::from_index(i)))
        .collect();
    for (group, of_group) in pieces.groups.iter().enumerate() {
        for (piece, charged) in of_group.charged.iter().enumerate() {
            if !charged {
                continue;
            }
            // The variable and value that represent the piece at a place.
            let fact = |place: usize| {
                if pieces.by_values {
                    (place, Value(piece as u32))
                } else {
                    (group, Value(place as u32))
                }
            };
            let n_places = if pieces.by_values { n } else { sizes[group] };
            effort.spend(n_places + of_group.shared.len(), 0)?;
            let is_place =
                |place: usize| !pieces.by_values || game.variables()[place].index() == group;
            let is_target = |place: usize| {
                let (var, value) = fact(place);
                is_place(place) && goal.allows(var, value)
            };
            let steps = of_group.shared.iter().chain(&of_group.own[piece]);
            let found = to_targets(n_places, steps, is_target);
            // Infinite distances are capped, which makes no step larger.
            let cut_off = |distance: u64| {
                u32::try_from(distance)
                    .unwrap_or(u32::MAX >> 2)
                    .min(u32::MAX >> 2)
            };
            let farthest = found.iter().flatten().copied().max().map_or(0, cut_off);
            for place in (0..n_places).filter(|place| is_place(*place)) {
                let (var, value) = fact(place);
                let (distance, dead) = match found[place] {
                    Some(distance) => (cut_off(distance), false),
                    // The piece can never get home from there, and no rule brings it nearer.
                    None if asks => {
                        effort.spend(n, 0)?;
                        (farthest, known.admits(&with_value(&anything, var, value)))
                    }
                    None => (farthest, true),
                };
                numbers.distances[var][value.index()] = distance;
                numbers.dead[var][value.index()] = dead;
                numbers.any_dead |= dead;
            }
        }
    }
    Ok(numbers)
}

/// Return the least cost from each place to a target: Dijkstra's algorithm from all targets,
/// backward. Any place, at either end of a step, is a place of its own.
fn to_targets<'s>(
    n_places: usize,
    steps: impl Iterator<Item = &'s Step>,
    is_target: impl Fn(usize) -> bool,
) -> Vec<Option<u64>> {
    let (from_any, to_any) = (n_places, n_places + 1);
    let mut into: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n_places + 2];
    for step in steps {
        let from = step.from.unwrap_or(from_any);
        into[step.to.unwrap_or(to_any)].push((from, step.cost));
    }
    let mut found: Vec<Option<u64>> = vec![None; n_places + 2];
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    for place in (0..n_places).filter(|place| is_target(*place)) {
        found[place] = Some(0);
        queue.push(Reverse((0, place)));
    }
    while let Some(Reverse((distance, place))) = queue.pop() {
        if found[place] != Some(distance) {
            continue;
        }
        let mut reach = |from: usize, cost: u64| {
            let farther = distance.saturating_add(cost);
            if found[from].is_none_or(|known| farther < known) {
                found[from] = Some(farther);
                queue.push(Reverse((farther, from)));
            }
        };
        into[place]
            .iter()
            .for_each(|(from, cost)| reach(*from, *cost));
        if place == from_any {
            (0..n_places).for_each(|from| reach(from, 0));
        } else if place != to_any {
            reach(to_any, 0);
        }
    }
    found.truncate(n_places);
    found
}
