//! The analysis of a position, as data.

use budget::StopReason;
use game_tree::{Analysis, Status, Value};
use psvn::text::units::{count, per_second};
use psvn::{Environment, Error};
use psvn_ir::{RuleId, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TwoPlayers, no_position};

/// The result of analyzing a position.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PositionReport {
    /// The game.
    pub file: String,
    /// The position.
    pub start: String,
    /// The player to move.
    pub player: String,
    /// The status by the rules: `open`, `won` or `drawn`.
    pub status: String,
    /// What the player to move can reach: `win`, `loss`, `draw`, `open`, or `unknown`.
    pub value: String,
    /// The moves of both players until then, where they are known.
    pub moves_to_end: Option<u32>,
    /// The score for the player to move.
    pub score: Option<i32>,
    /// The label of the best move.
    pub best: Option<String>,
    /// The labels of the moves that follow if both play their best.
    pub line: Vec<String>,
    /// The number of moves that the last search looked ahead.
    pub ply: Option<u32>,
    /// Whether looking further ahead would change nothing.
    pub certain: bool,
    /// The positions visited.
    pub nodes: u64,
    /// The positions whose score in the table was good enough.
    pub table_hits: u64,
    /// The searches, each of which looked further ahead.
    pub iterations: Vec<PositionIteration>,
    /// The time.
    pub seconds: f64,
    /// The positions visited in a second.
    pub nodes_per_second: f64,
    /// Whether no limit stopped the search.
    pub complete: bool,
    /// Why the search stopped early, if it did.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
    /// How the game ends, or the worth of the position, in words.
    #[serde(skip)]
    pub verdict: String,
}

/// The result of looking a number of moves ahead.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PositionIteration {
    /// The number of moves.
    pub ply: u32,
    /// The score for the player to move.
    pub score: i32,
    /// The label of the best move.
    pub best: Option<String>,
    /// The positions visited so far.
    pub nodes: u64,
    /// The time so far.
    pub seconds: f64,
}

impl TwoPlayers {
    /// Find the best move of a position, and how the game ends.
    ///
    /// # Errors
    /// When the state isn't a position of the game.
    pub fn analyze(&self, state: &State, env: &Environment) -> Result<PositionReport, Error> {
        let settings = self.settings(true, env);
        let mut analyzer = self.analyzer(settings);
        let phase = env.begin();
        let analysis = analyzer.analyze(state, self.options.ply, |iteration| {
            let (ply, nodes) = (iteration.ply, iteration.nodes);
            phase.show(|| format!("{ply} moves ahead, {nodes} positions"), None);
        });
        let analysis = analysis.map_err(no_position)?;
        Ok(self.report(state, &analysis))
    }

    fn report(&self, state: &State, analysis: &Analysis) -> PositionReport {
        let label = |rule: RuleId| self.label(rule).to_owned();
        let last = analysis.last();
        let (value, moves_to_end) = match analysis.value() {
            None => ("unknown", None),
            Some(Value::Win(moves)) => ("win", moves),
            Some(Value::Loss(moves)) => ("loss", moves),
            Some(Value::Open(0)) if analysis.is_certain => ("draw", None),
            Some(Value::Open(_)) => ("open", None),
        };
        let status = match analysis.status {
            Status::Open => "open",
            Status::Won(_) => "won",
            Status::Drawn => "drawn",
        };
        let iterations = analysis.iterations.iter();
        let iteration = |iteration: &game_tree::Iteration| PositionIteration {
            ply: iteration.ply,
            score: iteration.score,
            best: iteration.best.map(label),
            nodes: iteration.nodes,
            seconds: iteration.elapsed.as_secs_f64(),
        };
        PositionReport {
            file: self.game.name().to_owned(),
            start: self.state_text(state),
            player: self.tree.name(analysis.player).to_owned(),
            status: status.to_owned(),
            value: value.to_owned(),
            moves_to_end,
            score: last.map(|last| last.score),
            best: last.and_then(|last| last.best).map(label),
            line: analysis.line.iter().copied().map(label).collect(),
            ply: last.map(|last| last.ply),
            certain: analysis.is_certain,
            nodes: analysis.nodes,
            table_hits: analysis.table_hits,
            iterations: iterations.map(iteration).collect(),
            seconds: analysis.elapsed.as_secs_f64(),
            nodes_per_second: per_second(u128::from(analysis.nodes), analysis.elapsed),
            complete: analysis.stopped.is_none(),
            stopped: analysis.stopped,
            verdict: self.verdict(analysis),
        }
    }

    /// The result of an analysis, in words.
    pub(super) fn verdict(&self, analysis: &Analysis) -> String {
        let player = self.tree.name(analysis.player);
        let other = self.tree.name(analysis.player.other());
        let in_moves = |moves: Option<u32>| {
            moves.map_or(String::new(), |n| {
                format!(" in {}", count(n as usize, "move"))
            })
        };
        match (analysis.status, analysis.value()) {
            (Status::Won(winner), _) => format!("{} has won", self.tree.name(winner)),
            (Status::Drawn, _) => "drawn: no move is possible".to_owned(),
            (Status::Open, None) => "nothing was found out".to_owned(),
            (Status::Open, Some(Value::Win(moves))) => format!("{player} wins{}", in_moves(moves)),
            (Status::Open, Some(Value::Loss(moves))) => format!("{other} wins{}", in_moves(moves)),
            (Status::Open, Some(Value::Open(0))) if analysis.is_certain => {
                "a draw, if both play their best".to_owned()
            }
            (Status::Open, Some(Value::Open(0))) => "even as far as the search went".to_owned(),
            (Status::Open, Some(Value::Open(score))) => format!("score {score:+} for {player}"),
        }
    }
}
