//! Symmetries of a game: maps of positions and values that change neither the rules nor the goals.
//!
//! The states of the 15-puzzle can be reflected on the main diagonal, if the tiles are renamed with
//! it; the cube can be turned and reflected in 48 ways. Such a map leads from each state to one
//! that is equally far from the goal, so estimates of one are valid for the other (Culberson &
//! Schaeffer 1998, "Pattern Databases", use reflections in this way).
//!
//! Symmetries are the automorphisms of a graph whose vertices are the variables, values, rules,
//! goals and their terms. They are found by refining colors and by trying the remaining choices
//! (McKay 1981, "Practical graph isomorphism"), and each is proved separately: the rules are
//! mapped, and the result must be the same set of rules.

mod graph;
mod group;

use std::collections::{HashMap, HashSet};

use psvn_ir::{CanonicalRule, Game, Goal, Rule, RuleId, State, Term, TermKind, Value, VarId};

use self::graph::{Graph, Pairing};

/// The maximum number of terms of a game whose symmetries are searched for.
const MOST_TERMS: usize = 1 << 16;
/// The maximum number of vertices and edges that are looked at to refine colors: a fraction of a
/// second. A number of refinements wouldn't do, since one may take thousands of times as long as
/// another one.
const MOST_STEPS: usize = 1 << 25;

/// What symmetries may map to something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapped {
    /// Positions: each value stays what it is.
    Positions,
    /// Values: each one stays in its position.
    Values,
    /// Both.
    All,
}

/// A map of positions to positions, and of the values of each domain to each other, that maps the
/// rules with their costs to the rules, and the goals to the goals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// By variable, the variable that gets its value.
    variables: Vec<VarId>,
    /// By domain and value: its image.
    values: Vec<Vec<Value>>,
}

impl Symmetry {
    /// Find at most `most` symmetries of a game, without the identity. If there are more, or the
    /// game is too large, the result has only some of them.
    pub fn find(game: &Game, most: usize) -> Vec<Self> {
        Self::find_mapping(Mapped::All, game, most)
    }

    /// Find at most `most` symmetries that map only some things, without the identity.
    fn find_mapping(mapped: Mapped, game: &Game, most: usize) -> Vec<Self> {
        let n_terms: usize = game.rules().len() * 2
            + game
                .rules()
                .iter()
                .map(|rule| rule.canonical.tests().count() + rule.canonical.changes().count())
                .sum::<usize>();
        if n_terms > MOST_TERMS || most == 0 {
            return Vec::new();
        }
        let mut graph = Graph::of(game);
        match mapped {
            Mapped::Positions => graph.fix_values(),
            Mapped::Values => graph.fix_variables(),
            Mapped::All => {}
        }
        let mut found = Vec::new();
        let mut budget = MOST_STEPS;
        graph.automorphisms(&mut budget, &mut |pairing: &Pairing<'_>| {
            let symmetry = Self::read(game, &graph, pairing);
            if !symmetry.is_identity() && !found.contains(&symmetry) && symmetry.holds(game) {
                found.push(symmetry);
            }
            found.len() < most
        });
        found
    }

    fn read(game: &Game, graph: &Graph, pairing: &Pairing<'_>) -> Self {
        let variables = (0..game.n_variables())
            .map(|var| VarId::from_index(pairing.of(graph.variable(var)) - graph.variable(0)));
        let domains = game.domains().iter().enumerate();
        let values = domains.map(|(d, domain)| {
            let image = |v| Value::from_index(pairing.of(graph.value(d, v)) - graph.value(d, 0));
            (0..domain.size()).map(image).collect()
        });
        Self {
            variables: variables.collect(),
            values: values.collect(),
        }
    }

    fn is_identity(&self) -> bool {
        let same = |(i, value): (usize, &Value)| value.index() == i;
        let vars = self.variables.iter().enumerate();
        vars.into_iter().all(|(i, var)| var.index() == i)
            && self
                .values
                .iter()
                .all(|values| values.iter().enumerate().all(same))
    }

    /// Return whether it is a symmetry of a game: a permutation of the variables that keeps
    /// domains, and of each domain's values, that maps the set of rules with their costs, and the
    /// set of goals, onto themselves.
    pub fn holds(&self, game: &Game) -> bool {
        let is_permutation = |images: Vec<usize>, n: usize| {
            let mut seen = vec![false; n];
            let fresh = images
                .into_iter()
                .all(|i| i < n && !std::mem::replace(&mut seen[i], true));
            fresh && seen.iter().all(|seen| *seen)
        };
        let vars = self.variables.iter().map(|var| var.index()).collect();
        let keeps_domains = self.variables.len() == game.n_variables()
            && is_permutation(vars, game.n_variables())
            && self
                .variables
                .iter()
                .zip(game.variables())
                .all(|(to, domain)| game.variables()[to.index()] == *domain)
            && self.values.len() == game.domains().len()
            && self
                .values
                .iter()
                .zip(game.domains())
                .all(|(values, domain)| {
                    let images = values.iter().map(|value| value.index()).collect();
                    values.len() == domain.size() && is_permutation(images, domain.size())
                });
        if !keeps_domains {
            return false;
        }
        let rules: HashSet<CanonicalRule> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.clone())
            .collect();
        let goals: HashSet<CanonicalRule> = game
            .goals()
            .iter()
            .map(|goal| condition(goal.conditions()))
            .collect();
        // An injective map of a finite set into itself is onto.
        let maps = |set: &HashSet<CanonicalRule>| {
            set.iter()
                .all(|rule| set.contains(&self.image_of_rule(game, rule)))
        };
        maps(&rules) && maps(&goals)
    }

    /// Return, for each rule, the one that it is mapped to; `None` if rules that differ in their
    /// labels alone aren't mapped to as many.
    ///
    /// # Panics
    /// If the rules are those of another game.
    pub fn rules(&self, game: &Game) -> Option<Vec<RuleId>> {
        let mut alike: HashMap<&CanonicalRule, Vec<RuleId>> = HashMap::new();
        for (id, rule) in game.rules_with_ids() {
            alike.entry(&rule.canonical).or_default().push(id);
        }
        let image = |(id, rule): (RuleId, &Rule)| {
            let from = &alike[&rule.canonical];
            let to = alike.get(&self.image_of_rule(game, &rule.canonical))?;
            let place = from.iter().position(|other| *other == id)?;
            (from.len() == to.len()).then(|| to[place])
        };
        game.rules_with_ids().map(image).collect()
    }

    fn image_of_rule(&self, game: &Game, rule: &CanonicalRule) -> CanonicalRule {
        let side = |terms: &[Term]| {
            let mut image = terms.to_vec();
            for (i, term) in terms.iter().enumerate() {
                image[self.variables[i].index()] = match term.kind() {
                    TermKind::Constant(value) => {
                        let domain = game.variables()[i].index();
                        Term::constant(self.values[domain][value.index()])
                    }
                    TermKind::Variable(from) => Term::variable(self.variables[from.index()]),
                };
            }
            image
        };
        let (before, after) = (side(rule.preconditions()), side(rule.actions()));
        CanonicalRule::canonicalize(&before, &after, rule.cost())
    }

    /// Return the goal to whose states it maps those of a goal.
    ///
    /// # Panics
    /// If the goal is that of another game.
    pub fn image_of_goal(&self, game: &Game, goal: &Goal) -> Goal {
        let image = self.image_of_rule(game, &condition(goal.conditions()));
        Goal::new(image.preconditions(), None)
    }

    /// Return the variable that gets the value of this one.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn variable(&self, var: VarId) -> VarId {
        self.variables[var.index()]
    }

    /// Return the image of a value of a domain.
    ///
    /// # Panics
    /// If there is no such domain or value.
    pub fn value(&self, domain: usize, value: Value) -> Value {
        self.values[domain][value.index()]
    }

    /// Return the image of a state.
    ///
    /// # Panics
    /// If the state belongs to another game.
    pub fn image(&self, game: &Game, state: &[Value]) -> State {
        let mut image = state.to_vec();
        for (i, value) in state.iter().enumerate() {
            let domain = game.variables()[i].index();
            image[self.variables[i].index()] = self.values[domain][value.index()];
        }
        State::new(image)
    }
}

/// Convert a goal's conditions to a rule that does nothing, so that equal conditions are equal.
fn condition(terms: &[Term]) -> CanonicalRule {
    CanonicalRule::canonicalize(terms, terms, 0)
}

#[cfg(test)]
mod tests {
    use psvn_ir::testing::{GameShape, all_states, random_game};

    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    fn number(reference: &str) -> usize {
        Symmetry::find(&game(reference), 1000).len()
    }

    #[test]
    fn well_known_games_have_their_symmetries() {
        // The reflection on the main diagonal.
        assert_eq!(number("sliding-tiles:3:3"), 1);
        assert_eq!(number("sliding-tiles:4:4"), 1);
        // No reflection of an oblong board leaves the blank's corner in place.
        assert_eq!(number("sliding-tiles:3:4"), 0);
        // 48 turns and reflections of the cube.
        assert_eq!(number("rubik:3"), 47);
        // The pegs that aren't the goal's.
        assert_eq!(number("hanoi:4:3"), 5);
    }

    /// Hundreds of values that change places with each other: there are more symmetries than can
    /// be found, and finding some isn't worth much work.
    #[test]
    fn the_search_ends_among_hundreds_of_values() {
        let text = "2\n600 600\nX Y => Y X\nGOAL 1 2\n";
        let game = psvn_ir::load(text).game.expect("a game");
        let graph = Graph::of(&game);
        let mut budget = MOST_STEPS;
        let mut n_found = 0;
        graph.automorphisms(&mut budget, &mut |_| {
            n_found += 1;
            true
        });
        assert_eq!((budget, n_found), (0, 0));
    }

    #[test]
    fn the_reflection_of_the_board() {
        let game = game("sliding-tiles:3:3");
        let found = Symmetry::find(&game, 8);
        let state = game.parse_state("1 2 5 3 4 0 6 7 8").expect("a state");
        let image = found[0].image(&game, state.values());
        assert_eq!(game.format_state(image.values()), "3 1 2 6 4 5 7 0 8");
        let mut wrong = found[0].clone();
        wrong.values[0].swap(1, 2);
        assert!(!wrong.holds(&game));
        wrong = found[0].clone();
        wrong.variables.swap(1, 2);
        assert!(!wrong.holds(&game));
    }

    /// By brute force: every step of the game is a step between images, at the same cost.
    #[test]
    fn steps_are_mapped_to_steps() {
        let shape = GameShape {
            n_variables: 2..=3,
            n_values: 2..=3,
            n_rules: 1..=3,
            ..GameShape::default()
        };
        let mut n_found = 0;
        for seed in 0..400 {
            let game = random_game(seed, &shape);
            for symmetry in Symmetry::find(&game, 5) {
                n_found += 1;
                for state in all_states(&game) {
                    let image = symmetry.image(&game, &state);
                    assert_eq!(game.is_goal(&state), game.is_goal(image.values()));
                    for rule in game.rules().iter().map(|rule| &rule.canonical) {
                        if rule.applies_to(&state) {
                            let there = symmetry.image(&game, &rule.apply(&state));
                            let step = |other: &psvn_ir::Rule| {
                                let other = &other.canonical;
                                other.cost() == rule.cost()
                                    && other.applies_to(image.values())
                                    && *other.apply(image.values()) == *there.values()
                            };
                            assert!(game.rules().iter().any(step));
                        }
                    }
                }
            }
        }
        assert!(n_found > 20, "{n_found}");
    }
}
