//! Groups of symmetries: the composition of two is also one.

use std::collections::HashSet;

use psvn_ir::Game;

use super::{Mapped, Symmetry};

impl Symmetry {
    /// Return the symmetries of a game as a group: with the identity first, and closed under
    /// composition. `None` if there are more than `most`.
    ///
    /// A game may have more symmetries than are found; the result is a group all the same.
    pub fn group(game: &Game, most: usize) -> Option<Vec<Self>> {
        Self::group_mapping(Mapped::All, game, most)
    }

    /// Return the symmetries of a game's rules, whatever its goals, that map only some things, as a
    /// group with the identity first. `None` if there are more than `most`.
    ///
    /// A game may have more symmetries than are found; the result is a group all the same.
    pub fn group_of_rules(mapped: Mapped, game: &Game, most: usize) -> Option<Vec<Self>> {
        Self::group_mapping(mapped, &game.with_goals([]), most)
    }

    fn group_mapping(mapped: Mapped, game: &Game, most: usize) -> Option<Vec<Self>> {
        let generators = Self::find_mapping(mapped, game, most);
        let nothing = Self::identity(game);
        let mut seen: HashSet<Self> = HashSet::from([nothing.clone()]);
        let mut group = vec![nothing];
        let mut next = 0;
        while next < group.len() {
            for generator in &generators {
                let product = group[next].followed_by(game, generator);
                if seen.insert(product.clone()) {
                    group.push(product);
                    if group.len() > most {
                        return None;
                    }
                }
            }
            next += 1;
        }
        Some(group)
    }

    fn identity(game: &Game) -> Self {
        let values = |domain: &psvn_ir::Domain| {
            let values = 0..domain.size();
            values.map(psvn_ir::Value::from_index).collect()
        };
        let variables = 0..game.n_variables();
        Self {
            variables: variables.map(psvn_ir::VarId::from_index).collect(),
            values: game.domains().iter().map(values).collect(),
        }
    }

    /// Compose this one with another one that is applied after it.
    fn followed_by(&self, game: &Game, other: &Self) -> Self {
        let through = |var: &psvn_ir::VarId| other.variables[var.index()];
        let values = (0..game.domains().len()).map(|domain| {
            let through = |value: &psvn_ir::Value| other.values[domain][value.index()];
            self.values[domain].iter().map(through).collect()
        });
        Self {
            variables: self.variables.iter().map(through).collect(),
            values: values.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    #[test]
    fn groups_are_closed() {
        for (reference, size) in [
            ("sliding-tiles:3:3", 2),
            ("sliding-tiles:3:4", 1),
            ("rubik:2", 48),
            ("hanoi:4:3", 6),
        ] {
            let game = game(reference);
            let group = Symmetry::group(&game, 100).expect("few symmetries");
            assert_eq!(group.len(), size, "{reference}");
            assert!(group.iter().all(|symmetry| symmetry.holds(&game)));
            for one in &group {
                for other in &group {
                    assert!(group.contains(&one.followed_by(&game, other)));
                }
            }
            let start = game.goal_state().expect("a goal state");
            let [first, second] = [&group[0], &group[size - 1]];
            let image = second.image(&game, first.image(&game, start.values()).values());
            let product = first.followed_by(&game, second);
            assert_eq!(product.image(&game, start.values()), image);
        }
        assert_eq!(Symmetry::group(&game("rubik:2"), 47), None);
    }

    #[test]
    fn rules_have_more_symmetries_than_goals() {
        let size = |mapped, reference| {
            let group = Symmetry::group_of_rules(mapped, &game(reference), 500);
            group.map(|group| group.len())
        };
        // Turns and reflections of a square, an oblong board and a ring; of a cube, each with all
        // corners twisted alike or not, and all edges flipped or not, which changes no move.
        assert_eq!(size(Mapped::Positions, "sliding-tiles:3:3"), Some(8));
        assert_eq!(size(Mapped::Positions, "sliding-tiles:2:3"), Some(4));
        assert_eq!(size(Mapped::Positions, "topspin:6:3"), Some(12));
        assert_eq!(size(Mapped::Positions, "rubik:2"), Some(144));
        assert_eq!(size(Mapped::Positions, "rubik:3"), Some(288));
        assert_eq!(size(Mapped::Positions, "pancake:5"), Some(1));
        // Any names of the tiles.
        assert_eq!(size(Mapped::Values, "sliding-tiles:2:2"), Some(6));
        assert_eq!(size(Mapped::All, "sliding-tiles:2:2"), Some(48));
        assert_eq!(size(Mapped::Values, "sliding-tiles:3:3"), None);
    }

    /// By brute force: of all permutations of the positions, those that map rules to rules.
    #[test]
    fn all_symmetries_of_positions_are_found() {
        use psvn_ir::VarId;
        use psvn_ir::testing::{GameShape, cases, random_game};
        let mut n_found = 0;
        for seed in 0..cases(500) {
            let shape = GameShape {
                n_rules: 1..=3,
                several_domains: seed % 3 == 0,
                ..GameShape::default()
            };
            let game = random_game(seed, &shape).with_goals([]);
            let nothing = Symmetry::identity(&game);
            let mut orders: Vec<Vec<VarId>> = vec![Vec::new()];
            for _ in 0..game.n_variables() {
                let longer = orders.iter().flat_map(|order| {
                    let others = (0..game.n_variables()).map(VarId::from_index);
                    let others = others.filter(|var| !order.contains(var));
                    others.map(|var| [&order[..], &[var]].concat())
                });
                orders = longer.collect();
            }
            let all: HashSet<Symmetry> = orders
                .into_iter()
                .map(|variables| Symmetry {
                    variables,
                    ..nothing.clone()
                })
                .filter(|symmetry| symmetry.holds(&game))
                .collect();
            let group = Symmetry::group_of_rules(Mapped::Positions, &game, 50);
            let group: HashSet<Symmetry> = group.expect("few symmetries").into_iter().collect();
            assert_eq!(group, all, "seed {seed}");
            n_found += all.len() - 1;
        }
        assert!(n_found > 50, "{n_found}");
    }

    /// By brute force: a state satisfies the image of a goal if it is the image of a goal state.
    #[test]
    fn images_of_goals_hold_in_images_of_goal_states() {
        use psvn_ir::testing::{GameShape, all_states, cases, random_game};
        let shape = GameShape {
            n_rules: 1..=3,
            ..GameShape::default()
        };
        let mut n_found = 0;
        for seed in 0..cases(300) {
            let game = random_game(seed, &shape);
            for mapped in [Mapped::Positions, Mapped::Values, Mapped::All] {
                let group = Symmetry::group_of_rules(mapped, &game, 50).unwrap_or_default();
                for symmetry in group {
                    n_found += 1;
                    let images: Vec<psvn_ir::Goal> = game
                        .goals()
                        .iter()
                        .map(|goal| symmetry.image_of_goal(&game, goal))
                        .collect();
                    for state in all_states(&game) {
                        let image = symmetry.image(&game, &state);
                        let holds = images.iter().any(|goal| goal.holds_in(image.values()));
                        assert_eq!(game.is_goal(&state), holds, "seed {seed}");
                        // Values only change places.
                        let sorted = [&state, image.values()].map(|values| {
                            let mut values = values.to_vec();
                            values.sort_unstable();
                            values
                        });
                        assert!(sorted[0] == sorted[1] || mapped != Mapped::Positions);
                    }
                }
            }
        }
        assert!(n_found > 1000, "{n_found}");
    }
}
