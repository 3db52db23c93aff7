//! The pieces that rules move from place to place.
//!
//! A game has two interpretations. *By values*, a value is a piece and the variables are its
//! possible places (sliding tiles: a tile, and the squares). *By variables*, a variable is a piece
//! and its values are the places (a walk on a grid: the row and the column).

use psvn_ir::{CanonicalRule, DomainId, Game, RuleId, Term, TermKind, Value, VarId};

use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::{MAX_FACTS, n_facts};

/// A step from place to place, and its cost. `None` stands for any place: a rule that leaves the
/// value of a variable open is one step, not one for each pair of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    pub(crate) cost: u64,
}

/// The steps for which pieces are charged.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// Whether values are pieces, rather than variables.
    pub(crate) by_values: bool,
    /// For each domain (by values) or variable: the number of places, and the steps of each piece.
    pub(crate) groups: Vec<Group>,
}

/// Pieces with the same places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The steps that any piece may take.
    pub(crate) shared: Vec<Step>,
    /// The steps of one piece, by its number.
    pub(crate) own: Vec<Vec<Step>>,
    /// Whether the moves of a piece are charged, by its number.
    pub(crate) charged: Vec<bool>,
}

/// A term that a rule takes from some variables and puts into others.
struct Unit {
    term: Key,
    from: Vec<usize>,
    to: Vec<usize>,
}

/// A term with what it belongs to: equal values of different domains are different pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Named(DomainId, Value),
    Unknown(VarId),
}

impl Unit {
    /// Return whether it is one piece that moves from one place to another.
    fn is_one_move(&self) -> bool {
        self.from.len() == 1 && self.to.len() == 1
    }
}

fn key(game: &Game, position: VarId, term: Term) -> Key {
    match term.kind() {
        TermKind::Constant(value) => Key::Named(game.variables()[position.index()], value),
        TermKind::Variable(var) => Key::Unknown(var),
    }
}

/// Return the units that a rule moves, by values.
fn units(game: &Game, rule: &CanonicalRule) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut unit = |term: Key| match units.iter().position(|unit| unit.term == term) {
        Some(i) => i,
        None => {
            units.push(Unit {
                term,
                from: Vec::new(),
                to: Vec::new(),
            });
            units.len() - 1
        }
    };
    let mut ends: Vec<(usize, usize, bool)> = Vec::new();
    for (position, action) in rule.changes() {
        let precondition = rule.preconditions()[position.index()];
        ends.push((
            unit(key(game, position, precondition)),
            position.index(),
            false,
        ));
        ends.push((unit(key(game, position, action)), position.index(), true));
    }
    for (i, position, arrives) in ends {
        let unit = &mut units[i];
        let places = if arrives {
            &mut unit.to
        } else {
            &mut unit.from
        };
        places.push(position);
    }
    units
}

/// Charge no pieces that are moved together with an unknown piece, or made or lost.
///
/// # Errors
/// If a rule moves several unknown pieces, or makes or removes one.
fn leave_out_unclear(
    game: &Game,
    moved: &[Vec<Unit>],
    groups: &mut [Group],
) -> Result<(), Refusal> {
    for (i, units) in moved.iter().enumerate() {
        let id = RuleId::from_index(i);
        let unknown = units
            .iter()
            .filter(|unit| matches!(unit.term, Key::Unknown(_)));
        let n_unknown = unknown.clone().count();
        if n_unknown > 1 {
            let reason = format!("moves {n_unknown} values that it doesn't name");
            return Err(Refusal::rule(game, id, reason));
        }
        if unknown.clone().any(|unit| !unit.is_one_move()) {
            let reason = "copies or overwrites a value that it doesn't name";
            return Err(Refusal::rule(game, id, reason));
        }
        for unit in units {
            if let Key::Named(domain, value) = unit.term
                && (n_unknown > 0 || !unit.is_one_move())
            {
                groups[domain.index()].charged[value.index()] = false;
            }
        }
    }
    Ok(())
}

impl Pieces {
    /// Interpret values as pieces. Each rule is charged to the one piece that it moves; other
    /// pieces, such as the blank, are not charged.
    ///
    /// # Errors
    /// If a rule moves several pieces and it isn't clear which one to charge, or makes or removes
    /// pieces.
    pub(crate) fn by_values(game: &Game, effort: &Effort<'_>) -> Result<Self, Refusal> {
        check_size(game)?;
        effort.spend(n_terms(game), bytes(game))?;
        let mut groups: Vec<Group> = game
            .domains()
            .iter()
            .map(|it| Group::new(it.size()))
            .collect();
        let moved: Vec<Vec<Unit>> = game
            .rules()
            .iter()
            .map(|rule| units(game, &rule.canonical))
            .collect();
        leave_out_unclear(game, &moved, &mut groups)?;
        let named = |units: &[Unit]| -> Vec<(DomainId, Value)> {
            let named = units.iter().filter_map(|unit| match unit.term {
                Key::Named(domain, value) => Some((domain, value)),
                Key::Unknown(_) => None,
            });
            named.collect()
        };
        let charged = |groups: &[Group], (domain, value): &(DomainId, Value)| {
            groups[domain.index()].charged[value.index()]
        };
        let several: Vec<(RuleId, Vec<(DomainId, Value)>)> = moved
            .iter()
            .enumerate()
            .map(|(i, units)| (RuleId::from_index(i), named(units)))
            .map(|(id, mut named)| {
                named.retain(|piece| charged(&groups, piece));
                (id, named)
            })
            .filter(|(_, named)| named.len() > 1)
            .collect();
        if let Some((id, first)) = several.first() {
            let everywhere =
                |piece: &&(DomainId, Value)| several.iter().all(|(_, named)| named.contains(piece));
            let Some((domain, value)) = first.iter().find(everywhere) else {
                return Err(no_common_piece(game, *id, first.len(), "values"));
            };
            groups[domain.index()].charged[value.index()] = false;
        }
        for ((id, rule), units) in game.rules_with_ids().zip(&moved) {
            let cost = rule.canonical.cost();
            let charged_units: Vec<&Unit> = units
                .iter()
                .filter(|unit| match unit.term {
                    Key::Named(domain, value) => charged(&groups, &(domain, value)),
                    Key::Unknown(_) => true,
                })
                .collect();
            match charged_units[..] {
                [] => {}
                [unit] => {
                    let step = Step {
                        from: Some(unit.from[0]),
                        to: Some(unit.to[0]),
                        cost,
                    };
                    match unit.term {
                        Key::Named(domain, value) => {
                            groups[domain.index()].own[value.index()].push(step);
                        }
                        Key::Unknown(var) => {
                            let domain = game.variables()[var.index()];
                            groups[domain.index()].shared.push(step);
                        }
                    }
                }
                _ => {
                    return Err(no_common_piece(game, id, charged_units.len(), "values"));
                }
            }
        }
        Ok(Self {
            by_values: true,
            groups,
        })
    }

    /// Interpret variables as pieces.
    ///
    /// # Errors
    /// If a rule changes several variables, none of which all such rules change.
    pub(crate) fn by_variables(game: &Game, effort: &Effort<'_>) -> Result<Self, Refusal> {
        check_size(game)?;
        effort.spend(n_terms(game), bytes(game))?;
        let changed = |rule: &psvn_ir::Rule| -> Vec<usize> {
            rule.canonical
                .changes()
                .map(|(var, _)| var.index())
                .collect()
        };
        let mut charged = vec![true; game.n_variables()];
        let several: Vec<(RuleId, Vec<usize>)> = game
            .rules_with_ids()
            .map(|(id, rule)| (id, changed(rule)))
            .filter(|(_, changed)| changed.len() > 1)
            .collect();
        if let Some((id, first)) = several.first() {
            let everywhere =
                |var: &&usize| several.iter().all(|(_, changed)| changed.contains(var));
            let Some(var) = first.iter().find(everywhere) else {
                return Err(no_common_piece(game, *id, first.len(), "variables"));
            };
            charged[*var] = false;
        }
        let mut groups: Vec<Group> = Vec::new();
        for charged in &charged {
            groups.push(Group {
                charged: vec![*charged],
                ..Group::new(1)
            });
        }
        for (id, rule) in game.rules_with_ids() {
            let rule = &rule.canonical;
            let of_charged: Vec<(VarId, Term)> = rule
                .changes()
                .filter(|(var, _)| charged[var.index()])
                .collect();
            if let [_, _, ..] = of_charged[..] {
                return Err(no_common_piece(game, id, of_charged.len(), "variables"));
            }
            for (var, action) in of_charged {
                let place = |term: Term| term.as_constant().map(Value::index);
                groups[var.index()].shared.push(Step {
                    from: place(rule.preconditions()[var.index()]),
                    to: place(action),
                    cost: rule.cost(),
                });
            }
        }
        Ok(Self {
            by_values: false,
            groups,
        })
    }
}

impl Group {
    fn new(n_pieces: usize) -> Self {
        Self {
            shared: Vec::new(),
            own: vec![Vec::new(); n_pieces],
            charged: vec![true; n_pieces],
        }
    }
}

fn check_size(game: &Game) -> Result<(), Refusal> {
    if n_facts(game) > MAX_FACTS {
        return Err(Refusal::TooLarge { limit: MAX_FACTS });
    }
    Ok(())
}

/// Return the number of terms of all rules.
fn n_terms(game: &Game) -> usize {
    game.rules().len().saturating_mul(game.n_variables())
}

/// Return about the most bytes that pieces take: those of each value, and two moved units and a
/// step of each rule.
fn bytes(game: &Game) -> usize {
    let n_values: usize = game.domains().iter().map(psvn_ir::Domain::size).sum();
    let of_rule = 2 * size_of::<Unit>() + 4 * size_of::<usize>() + size_of::<Step>();
    n_values * size_of::<Vec<Step>>() + game.rules().len() * of_rule
}

fn no_common_piece(game: &Game, rule: RuleId, n: usize, pieces: &str) -> Refusal {
    let reason = format!("moves {n} {pieces} at once, and its cost can be charged to one only");
    Refusal::rule(game, rule, reason)
}
