//! The effects of rules on the digits of a rank, as tables.

use std::iter::zip;

use ahash::HashMap;
use psvn_ir::Term;

use super::tables::{Component, NONE};
use crate::backward::Backward;
use crate::ranking::{Factor, Ranking};

/// By value of a digit: the change of the rank, or [`NONE`] if the rule doesn't apply.
pub(super) type Table = Vec<i64>;

/// How the table of a rule is made.
#[derive(Clone, Copy, Debug)]
enum Making {
    /// By ranking states.
    Ranked,
    /// By following another rule twice.
    Twice(usize),
    /// By following another rule against its direction.
    Back(usize),
}

/// Return, by rule, the digits that it tests or changes, ascending, with their tables. Rules don't
/// tie digits of different factors together.
pub(super) fn effects(
    ranking: &Ranking,
    components: &[Component],
    rules: &[Backward],
    factor_of: &[usize],
) -> Vec<Vec<(usize, Table)>> {
    let mut effects = vec![Vec::new(); rules.len()];
    for (number, component) in components.iter().enumerate() {
        let factor = &ranking.factors[component.factor];
        let touches = |backward: &Backward| {
            let mut touched = backward.rule.tests().chain(backward.rule.changes());
            let mut forbidden = backward.forbidden.iter();
            touched.any(|(var, _)| factor_of[var.index()] == component.factor)
                || forbidden.any(|(var, _)| factor_of[*var as usize] == component.factor)
        };
        let touching = (0..rules.len()).filter(|rule| touches(&rules[*rule]));
        let makings = makings(rules, touching, &factor.vars());
        let is_ranked = |(_, making): &&(usize, Making)| matches!(making, Making::Ranked);
        let ranked = makings.iter().filter(is_ranked).map(|(rule, _)| *rule);
        let ranked: Vec<usize> = ranked.collect();
        let mut tables: Vec<Table> = vec![Table::new(); rules.len()];
        for (rule, table) in zip(&ranked, ranked_tables(ranking, component, rules, &ranked)) {
            tables[*rule] = table;
        }
        for (rule, making) in &makings {
            let (Making::Twice(other) | Making::Back(other)) = *making else {
                continue;
            };
            let table = &tables[other];
            tables[*rule] = match making {
                // What follows isn't known where the other rule leads to no rank.
                _ if table.contains(&NONE) => {
                    ranked_tables(ranking, component, rules, &[*rule]).remove(0)
                }
                Making::Twice(_) => twice(table, component.stride),
                _ => back(table, component.stride),
            };
        }
        for (rule, _) in makings {
            effects[rule].push((number, std::mem::take(&mut tables[rule])));
        }
    }
    effects
}

/// Choose for each rule how its table is made. Rules that only move values are often turns of one
/// thing: by a quarter, by half, and back.
fn makings(
    rules: &[Backward],
    touching: impl Iterator<Item = usize>,
    vars: &[u32],
) -> Vec<(usize, Making)> {
    let mut known: HashMap<Vec<u32>, Making> = HashMap::default();
    let mut places = vec![u32::MAX; rules.first().map_or(0, |it| it.rule.actions().len())];
    for (place, var) in (0..).zip(vars) {
        places[*var as usize] = place;
    }
    let making = |rule: usize| {
        let Some(sources) = sources(&rules[rule], vars, &places) else {
            return (rule, Making::Ranked);
        };
        if let Some(making) = known.get(&sources) {
            return (rule, *making);
        }
        let twice = sources.iter().map(|from| sources[*from as usize]).collect();
        let mut back = vec![0; sources.len()];
        for (to, from) in (0..).zip(&sources) {
            back[*from as usize] = to;
        }
        known.entry(back).or_insert(Making::Back(rule));
        known.entry(twice).or_insert(Making::Twice(rule));
        (rule, Making::Ranked)
    };
    touching.map(making).collect()
}

/// Return for each place of some variables the place from which its value comes; `None` if the rule
/// does more than to permute them.
fn sources(backward: &Backward, vars: &[u32], places: &[u32]) -> Option<Vec<u32>> {
    let rule = &backward.rule;
    let is_free = |var: &u32| {
        rule.preconditions()[*var as usize].is_own_variable(*var as usize)
            && backward.forbidden.iter().all(|(other, _)| other != var)
    };
    if !vars.iter().all(is_free) {
        return None;
    }
    let source = |var: &u32| {
        let from = rule.actions()[*var as usize].as_variable()?;
        Some(places[from.index()])
    };
    let sources: Vec<u32> = vars.iter().map(source).collect::<Option<_>>()?;
    let mut is_used = vec![false; vars.len()];
    let is_new = |from: &u32| {
        let used = is_used.get_mut(*from as usize);
        used.is_some_and(|used| !std::mem::replace(used, true))
    };
    sources.iter().all(is_new).then_some(sources)
}

/// Return the table of following a rule twice.
fn twice(table: &[i64], stride: u64) -> Table {
    let follow = |(digit, change): (usize, &i64)| {
        let next = digit as i64 + change / stride as i64;
        change + table[next as usize]
    };
    table.iter().enumerate().map(follow).collect()
}

/// Return the table of following a rule against its direction.
fn back(table: &[i64], stride: u64) -> Table {
    let mut back = vec![0; table.len()];
    for (digit, change) in table.iter().enumerate() {
        back[(digit as i64 + change / stride as i64) as usize] = -change;
    }
    back
}

/// Return the tables of some rules, by ranking states.
fn ranked_tables(
    ranking: &Ranking,
    component: &Component,
    rules: &[Backward],
    chosen: &[usize],
) -> Vec<Table> {
    let factor = &ranking.factors[component.factor];
    let vars = factor.vars();
    let mut state = vec![0; ranking.n_variables()];
    let mut child = state.clone();
    let mut tables = vec![Table::with_capacity(component.size as usize); chosen.len()];
    for digit in 0..component.size {
        factor.unrank(digit * component.within, &mut state);
        for (table, rule) in zip(&mut tables, chosen) {
            let rule = &rules[*rule];
            let change = effect(factor, &vars, component, digit, rule, &state, &mut child);
            table.push(change);
        }
    }
    tables
}

/// Return the change of the rank when a digit has this value, and the variables of its factor have
/// their values in `state`.
fn effect(
    factor: &Factor,
    vars: &[u32],
    component: &Component,
    digit: u64,
    backward: &Backward,
    state: &[u32],
    child: &mut [u32],
) -> i64 {
    let rule = &backward.rule;
    for var in vars {
        let i = *var as usize;
        // Positions tied to this one are in the same factor.
        let value = |term: Term| match (term.as_constant(), term.as_variable()) {
            (Some(value), _) => value.0,
            (None, Some(from)) => state[from.index()],
            (None, None) => 0,
        };
        if value(rule.preconditions()[i]) != state[i] {
            return NONE;
        }
        child[i] = value(rule.actions()[i]);
        if backward.forbidden.contains(&(*var, child[i])) {
            return NONE;
        }
    }
    match factor.rank_of(child) {
        None => NONE,
        Some(rank) => {
            let new = rank / component.within % component.size;
            (new as i64 - digit as i64) * component.stride as i64
        }
    }
}
