//! Groups of symmetries: the composition of two is also one.

use std::collections::HashSet;

use psvn_ir::Game;

use super::Symmetry;

impl Symmetry {
    /// Return the symmetries of a game as a group: with the identity first, and closed under
    /// composition. `None` if there are more than `most`.
    ///
    /// A game may have more symmetries than are found; the result is a group all the same.
    pub fn group(game: &Game, most: usize) -> Option<Vec<Self>> {
        let generators = Self::find(game, most);
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
}
