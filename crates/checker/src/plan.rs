//! Carries a plan out by the meaning of PSVN's source rules.
//!
//! Searches run on compiled canonical rules. Here each move follows the language manual of 2014,
//! from the two sides as written: `-` on the left is not tested. `*token` neither tests nor binds.
//! A symbol is bound at its first position and compared at later ones. `-` on the right keeps the
//! value. A symbol of the right side without a value stands for any value. An error in the
//! canonical form, or in code built on it, would have to be made twice to stay undetected.
//!
//! Several rules may share a label, and a rule may lead to several states; a plan of labels is
//! valid if some choice of rules carries it out. The check follows all states that the moves so far
//! can lead to.

use std::collections::BTreeMap;

use psvn_ir::{
    CanonicalRule, CellKind, Game, Goal, RuleId, SourceRule, State, Term, TermKind, Value, VarId,
};

/// The most states that a plan may lead to at once.
const MOST_STATES: usize = 100_000;

/// One move of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMove {
    /// The rules that the move may stand for: one, or all with a label.
    pub rules: Vec<RuleId>,
}

/// The result of a plan that can be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPlan {
    /// The states on the way, start and end included.
    pub states: Vec<State>,
    /// The rule of each move, by its place in [`Game::source_rules`].
    pub sources: Vec<usize>,
    /// The sum of the rules' costs. If there are several ways to carry out the plan, those that
    /// reach a goal are preferred, and among them the one of least cost.
    pub cost: u128,
    /// Whether the last state satisfies a goal.
    pub reaches_goal: bool,
}

/// Why a plan can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFlaw {
    /// None of the rules that a move may stand for applies.
    #[error("move {}: none of its possible rules applies", step + 1)]
    Inapplicable {
        /// The move, counted from 0.
        step: usize,
        /// A state that the moves before lead to.
        state: State,
        /// For a move that stands for one rule: the position whose test fails there, from 0.
        position: Option<usize>,
    },
    /// The rules named don't exist.
    #[error("move {}: there is no such rule", step + 1)]
    UnknownRule {
        /// The move, counted from 0.
        step: usize,
    },
    /// The start is not a state of the game.
    #[error("the start state belongs to another game")]
    Start,
    /// The labels allow too many ways to carry out the plan.
    #[error("move {}: the labels leave more than {MOST_STATES} states open; name the rules", step + 1)]
    TooManyStates {
        /// The move, counted from 0.
        step: usize,
    },
}

/// How a state was reached: the least cost, the state before (by its place in the layer) and the
/// rule.
#[derive(Clone, Copy)]
struct Origin {
    cost: u128,
    before: usize,
    source: usize,
}

type Layer = Vec<(Box<[Value]>, Origin)>;

/// Carry a plan out from a start.
///
/// Takes time linear in the number of moves, of rules that each may stand for, and of variables, if
/// all rules of a label lead to one state.
///
/// # Errors
/// The first move that can't be made.
pub fn check_plan(game: &Game, start: &State, moves: &[PlanMove]) -> Result<CheckedPlan, PlanFlaw> {
    let fits =
        |(i, value): (usize, &Value)| value.index() < game.domain_of(VarId::from_index(i)).size();
    let values = start.values();
    if values.len() != game.n_variables() || !values.iter().enumerate().all(fits) {
        return Err(PlanFlaw::Start);
    }
    let origin = Origin {
        cost: 0,
        before: 0,
        source: 0,
    };
    let mut layers: Vec<Layer> = vec![vec![(values.into(), origin)]];
    for (step, plan_move) in moves.iter().enumerate() {
        let layer = next_layer(game, &layers[step], plan_move, step)?;
        layers.push(layer);
    }
    Ok(trace_back(game, &layers))
}

fn next_layer(
    game: &Game,
    layer: &Layer,
    plan_move: &PlanMove,
    step: usize,
) -> Result<Layer, PlanFlaw> {
    let mut next: BTreeMap<Box<[Value]>, Origin> = BTreeMap::new();
    let mut position = None;
    for (before, (state, origin)) in layer.iter().enumerate() {
        for id in &plan_move.rules {
            let rule = game
                .rules()
                .get(id.index())
                .ok_or(PlanFlaw::UnknownRule { step })?;
            let source = &game.source_rules()[rule.source];
            let bound = match bind(source, state) {
                Ok(bound) => bound,
                Err(failed) => {
                    position = Some(failed);
                    continue;
                }
            };
            let origin = Origin {
                cost: origin.cost + u128::from(source.cost),
                before,
                source: rule.source,
            };
            let Some(child) = successor(source, &rule.canonical, state, bound) else {
                continue;
            };
            let known = next.entry(child).or_insert(origin);
            if origin.cost < known.cost {
                *known = origin;
            }
            if next.len() > MOST_STATES {
                return Err(PlanFlaw::TooManyStates { step });
            }
        }
    }
    if next.is_empty() {
        return Err(PlanFlaw::Inapplicable {
            step,
            state: State::new(layer[0].0.clone()),
            position: position.filter(|_| plan_move.rules.len() == 1 && layer.len() == 1),
        });
    }
    Ok(next.into_iter().collect())
}

/// The values of a rule's symbols in a state that its left side matches; else the first position
/// that doesn't match.
fn bind(rule: &SourceRule, state: &[Value]) -> Result<Vec<Option<Value>>, usize> {
    let mut bound: Vec<Option<Value>> = Vec::new();
    for (position, cell) in rule.lhs.iter().enumerate() {
        if cell.starred {
            continue;
        }
        let holds = match cell.kind {
            CellKind::Dash => true,
            CellKind::Constant(value) => state[position] == value,
            CellKind::Symbol(symbol) => {
                if bound.len() <= symbol.index() {
                    bound.resize(symbol.index() + 1, None);
                }
                *bound[symbol.index()].get_or_insert(state[position]) == state[position]
            }
        };
        if !holds {
            return Err(position);
        }
    }
    Ok(bound)
}

/// The state that an instance of a rule leads to. `None` if the instance gives one symbol two
/// values.
///
/// Only the values of unbound symbols are taken from the instance.
fn successor(
    rule: &SourceRule,
    instance: &CanonicalRule,
    state: &[Value],
    mut bound: Vec<Option<Value>>,
) -> Option<Box<[Value]>> {
    let mut child = Vec::with_capacity(state.len());
    for (position, cell) in rule.rhs.iter().enumerate() {
        child.push(match cell.kind {
            CellKind::Dash => state[position],
            CellKind::Constant(value) => value,
            CellKind::Symbol(symbol) => {
                if bound.len() <= symbol.index() {
                    bound.resize(symbol.index() + 1, None);
                }
                let value = &mut bound[symbol.index()];
                match (*value, instance.actions()[position].kind()) {
                    (Some(value), _) => value,
                    (None, TermKind::Constant(chosen)) => *value.insert(chosen),
                    (None, TermKind::Variable(var)) => *value.insert(state[var.index()]),
                }
            }
        });
    }
    // A symbol at several positions takes its value from the first.
    let agrees = |(action, value): (&Term, &Value)| match action.kind() {
        TermKind::Constant(constant) => constant == *value,
        TermKind::Variable(var) => state[var.index()] == *value,
    };
    let agree = instance.actions().iter().zip(&child).all(agrees);
    agree.then(|| child.into())
}

/// Whether a state satisfies one of the goals.
pub(crate) fn is_goal(game: &Game, state: &[Value]) -> bool {
    let holds = |goal: &Goal| {
        goal.conditions()
            .iter()
            .zip(state)
            .all(|(term, value)| match term.kind() {
                TermKind::Constant(constant) => constant == *value,
                TermKind::Variable(var) => state[var.index()] == *value,
            })
    };
    game.goals().iter().any(holds)
}

fn trace_back(game: &Game, layers: &[Layer]) -> CheckedPlan {
    let last = &layers[layers.len() - 1];
    let best = (0..last.len()).min_by_key(|i| (!is_goal(game, &last[*i].0), last[*i].1.cost));
    let mut place = best.expect("a layer has a state");
    let (end, origin) = &last[place];
    let (cost, reaches_goal) = (origin.cost, is_goal(game, end));
    let mut states = Vec::with_capacity(layers.len());
    let mut sources = Vec::with_capacity(layers.len());
    for (step, layer) in layers.iter().enumerate().rev() {
        let (state, origin) = &layer[place];
        states.push(State::new(state.clone()));
        if step > 0 {
            sources.push(origin.source);
        }
        place = origin.before;
    }
    states.reverse();
    sources.reverse();
    CheckedPlan {
        states,
        sources,
        cost,
        reaches_goal,
    }
}
