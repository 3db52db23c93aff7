//! The tree that a search visits, as data and as pictures.

use budget::StopReason;
use game_tree::{RecordedTree, picture, record};
use psvn::text::Parameter;
use psvn::{Environment, Error, message};
use psvn_ir::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TwoPlayers, no_position};

/// The most nodes of a picture. Nobody can read a larger tree.
const MAX_PICTURE: u64 = 20_000;

/// The positions that a search visits, in their order.
#[derive(Debug)]
pub struct PlayTree<'g> {
    players: &'g TwoPlayers,
    tree: RecordedTree,
}

/// A node of the tree.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlayNode {
    /// The place of the node above, in the list of all nodes.
    pub parent: Option<usize>,
    /// The number of moves from the root.
    pub depth: u32,
    /// The label of the move that leads here.
    #[serde(rename = "move")]
    pub by: Option<String>,
    /// The position.
    pub state: String,
    /// The lower end of the window when the position was reached.
    pub alpha: i32,
    /// Its upper end.
    pub beta: i32,
    /// The score that was returned.
    pub score: Option<i32>,
    /// Whether the game is over here.
    pub over: bool,
    /// Whether this is the best move of the node above.
    pub best: bool,
    /// The number of moves from here that weren't searched.
    pub cut: usize,
}

impl TwoPlayers {
    /// Record what a search visits. A tree that is too large for a picture is cut short, with a
    /// warning.
    ///
    /// # Errors
    /// When the state isn't a position of the game.
    pub fn draw(&self, start: &State, env: &Environment) -> Result<PlayTree<'_>, Error> {
        let mut settings = self.settings(true, env);
        let nodes = settings.limits.nodes.unwrap_or(MAX_PICTURE);
        settings.limits.nodes = Some(nodes.min(MAX_PICTURE));
        let ply = self.options.ply;
        let evaluator = self.options.evaluation.evaluator();
        let tree = record(&self.tree, &*evaluator, &settings, start, ply);
        let tree = tree.map_err(no_position)?;
        if let Some(reason) = tree.stopped {
            env.warning(message![
                format!(
                    "the picture isn't whole: {reason} ({} positions, and {MAX_PICTURE} at \
                     most); look fewer moves ahead with `",
                    tree.nodes.len()
                ),
                Parameter::Ply,
                "`"
            ]);
        }
        Ok(PlayTree {
            players: self,
            tree,
        })
    }
}

impl PlayTree<'_> {
    /// Why the search stopped early, if it did.
    pub fn stopped(&self) -> Option<StopReason> {
        self.tree.stopped
    }

    /// Return the nodes in the order in which they were visited.
    pub fn nodes(&self) -> Vec<PlayNode> {
        let players = self.players;
        let node = |node: &game_tree::RecordedNode| PlayNode {
            parent: node.parent,
            depth: node.depth,
            by: node.rule.map(|rule| players.label(rule).to_owned()),
            state: players.state_text(&node.state),
            alpha: node.window.0,
            beta: node.window.1,
            score: node.score,
            over: node.is_over,
            best: node.is_best,
            cut: node.cut,
        };
        self.tree.nodes.iter().map(node).collect()
    }

    /// Return the tree as indented text.
    pub fn text(&self) -> String {
        let show = |state: &State| self.players.board(state);
        picture::to_text(&self.players.tree, &self.tree, &show)
    }

    /// Return the tree in the DOT language of Graphviz.
    pub fn dot(&self) -> String {
        let show = |state: &State| self.players.board(state);
        picture::to_dot(&self.players.tree, &self.tree, &show)
    }

    /// Return the tree as SVG.
    pub fn svg(&self) -> String {
        let show = |state: &State| self.players.board(state);
        picture::to_svg(&self.players.tree, &self.tree, &show)
    }
}
