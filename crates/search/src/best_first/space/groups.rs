//! The choice of groups of variables that are packed together.

use psvn_ir::{Game, VarId};

use crate::best_first::space::packed::Group;

/// Return groups that save bits and have no variables in common. Their variables have two values
/// and are compared with constants and set to constants only. Larger groups come first.
pub(super) fn chosen(game: &Game, groups: &[Group]) -> Vec<Group> {
    let mut is_free: Vec<bool> = (0..game.n_variables())
        .map(|variable| game.domain_of(VarId::from_index(variable)).size() == 2)
        .collect();
    let rules = game.rules().iter().map(|rule| &rule.canonical);
    let of_rules = rules.flat_map(|rule| rule.tests().chain(rule.changes()));
    let of_goals = game.goals().iter().flat_map(|goal| {
        let conditions = goal.conditions().iter().enumerate();
        let tests = conditions.filter(|(position, term)| !term.is_own_variable(*position));
        tests.map(|(position, term)| (VarId::from_index(position), *term))
    });
    for (variable, term) in of_rules.chain(of_goals) {
        if let Some(other) = term.as_variable() {
            is_free[variable.index()] = false;
            is_free[other.index()] = false;
        }
    }
    let mut groups: Vec<&Group> = groups.iter().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut chosen: Vec<Group> = Vec::new();
    for group in groups {
        let all_free = group
            .iter()
            .all(|(variable, value)| *value < 2 && is_free.get(*variable) == Some(&true));
        if group.len() < 3 || !all_free {
            continue;
        }
        let mut group = group.clone();
        group.sort_unstable();
        let is_set = group.windows(2).all(|pair| pair[0].0 != pair[1].0);
        if is_set {
            group
                .iter()
                .for_each(|(variable, _)| is_free[*variable] = false);
            chosen.push(group);
        }
    }
    chosen
}
