//! Small state spaces as graphs.

use std::collections::HashMap;
use std::fmt::Write as _;

use psvn_ir::{RuleId, State};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::units::group_digits;

/// The states that some states lead to, with the moves between them.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// The states, in the order of their distance from the first ones.
    pub states: Vec<State>,
    /// The number of moves from the first states to each.
    pub depths: Vec<u32>,
    /// The moves by their states.
    pub moves: Vec<GraphMove>,
}

/// A move of a [`StateGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphMove {
    /// The place of the state where it begins.
    pub from: usize,
    /// The place of the state where it ends.
    pub to: usize,
    /// The rule.
    pub rule: RuleId,
}

impl StateGraph {
    /// Find all states that `starts` lead to, and all moves between them. Takes about 100 bytes for
    /// each state and 24 for each move.
    ///
    /// # Errors
    /// When there are more than `most` states, or the time of the environment is over.
    ///
    /// ```
    /// use psvn::{Environment, Game};
    /// use psvn::solve::StateGraph;
    ///
    /// let env = Environment::default();
    /// let game = Game::built_in("pancake:3", &env)?;
    /// let graph = StateGraph::of(&game, &[game.scramble_start()?], 10, &env)?;
    /// assert_eq!((graph.states.len(), graph.moves.len()), (6, 12));
    /// assert!(graph.to_graphml(&game).contains("<edge source=\"n0\" target=\"n1\">"));
    /// # Ok::<(), psvn::Error>(())
    /// ```
    pub fn of(
        game: &Game,
        starts: &[State],
        most: usize,
        env: &Environment,
    ) -> Result<Self, Error> {
        let mut graph = Self {
            states: Vec::new(),
            depths: Vec::new(),
            moves: Vec::new(),
        };
        let mut places: HashMap<State, usize> = HashMap::new();
        for start in starts {
            graph.place_of(start.clone(), 0, &mut places);
        }
        let mut from = 0;
        while from < graph.states.len() {
            if graph.states.len() > most {
                let most = group_digits(most as u128);
                return Err(Error::limit(format!("there are more than {most} states")));
            }
            if env.is_over() {
                return Err(Error::limit(
                    "the time was over before all states were found",
                ));
            }
            for (rule, it) in game.ir().rules_with_ids() {
                let state = graph.states[from].values();
                if !it.canonical.applies_to(state) {
                    continue;
                }
                let next = State::new(it.canonical.apply(state));
                let to = graph.place_of(next, graph.depths[from] + 1, &mut places);
                graph.moves.push(GraphMove { from, to, rule });
            }
            from += 1;
        }
        Ok(graph)
    }

    /// Return the place of a state, which is stored if it is new.
    fn place_of(&mut self, state: State, depth: u32, places: &mut HashMap<State, usize>) -> usize {
        *places.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.depths.push(depth);
            self.states.len() - 1
        })
    }

    /// Write the graph in [GraphML](http://graphml.graphdrawing.org), which networkx, Gephi, yEd
    /// and igraph read. Nodes have the attributes `state`, `depth` and `goal`, edges `rule` and
    /// `cost`.
    pub fn to_graphml(&self, game: &Game) -> String {
        let mut text = String::from(HEAD);
        let ir = game.ir();
        for (place, (state, depth)) in self.states.iter().zip(&self.depths).enumerate() {
            let goal = ir.is_goal(state.values());
            let state = escaped(&ir.format_state(state.values()));
            let _ = writeln!(
                text,
                "    <node id=\"n{place}\"><data key=\"state\">{state}</data>\
                 <data key=\"depth\">{depth}</data><data key=\"goal\">{goal}</data></node>"
            );
        }
        let names = game.rule_names();
        let names: Vec<String> = ir
            .rules_with_ids()
            .map(|(rule, _)| escaped(&names.name(rule)))
            .collect();
        for GraphMove { from, to, rule } in &self.moves {
            let (name, cost) = (&names[rule.index()], ir.rule(*rule).canonical.cost());
            let _ = writeln!(
                text,
                "    <edge source=\"n{from}\" target=\"n{to}\"><data key=\"rule\">{name}</data>\
                 <data key=\"cost\">{cost}</data></edge>"
            );
        }
        text.push_str("  </graph>\n</graphml>\n");
        text
    }
}

/// What comes before the nodes.
const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="state" for="node" attr.name="state" attr.type="string"/>
  <key id="depth" for="node" attr.name="depth" attr.type="int"/>
  <key id="goal" for="node" attr.name="goal" attr.type="boolean"/>
  <key id="rule" for="edge" attr.name="rule" attr.type="string"/>
  <key id="cost" for="edge" attr.name="cost" attr.type="long"/>
  <graph edgedefault="directed">
"#;

/// A text as XML has it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
