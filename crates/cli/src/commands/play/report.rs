//! What is said of positions, trees, solutions and tables.

use std::io::Write;

use game_tree::{Analysis, NutshellRow, Outcome, RecordedTree, Solution, Status, Value};
use psvn_ir::{RuleId, State};
use serde::Serialize;

use super::Task;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::text::units::{count, format_work, per_second};

impl Task<'_> {
    pub(super) fn label(&self, rule: RuleId) -> &str {
        &self.game.game().rule(rule).label
    }

    pub(super) fn state_text(&self, state: &State) -> String {
        self.game.game().format_state(state.values())
    }

    /// How the game ends, or what it is worth, in words.
    pub(super) fn verdict(&self, analysis: &Analysis) -> String {
        let player = self.game.name(analysis.player);
        let other = self.game.name(analysis.player.other());
        let in_moves = |moves: Option<u32>| {
            moves.map_or(String::new(), |n| {
                format!(" in {}", count(n as usize, "move"))
            })
        };
        match (analysis.status, analysis.value()) {
            (Status::Won(winner), _) => format!("{} has won", self.game.name(winner)),
            (Status::Drawn, _) => "drawn: there is no move".to_owned(),
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

/// An analysis.
#[derive(Serialize)]
pub(super) struct Analyzed {
    file: String,
    start: String,
    player: String,
    status: &'static str,
    value: &'static str,
    moves_to_end: Option<u32>,
    score: Option<i32>,
    best: Option<String>,
    line: Vec<String>,
    ply: Option<u32>,
    certain: bool,
    nodes: u64,
    table_hits: u64,
    iterations: Vec<IterationReport>,
    seconds: f64,
    nodes_per_second: f64,
    complete: bool,
}

#[derive(Serialize)]
struct IterationReport {
    ply: u32,
    score: i32,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
}

impl Analyzed {
    pub(super) fn new(task: &Task<'_>, analysis: &Analysis) -> Self {
        let label = |rule: RuleId| task.label(rule).to_owned();
        let last = analysis.last();
        let (value, moves_to_end) = match analysis.value() {
            None => ("unknown", None),
            Some(Value::Win(moves)) => ("win", moves),
            Some(Value::Loss(moves)) => ("loss", moves),
            Some(Value::Open(0)) if analysis.is_certain => ("draw", None),
            Some(Value::Open(_)) => ("open", None),
        };
        Self {
            file: task.name.to_owned(),
            start: task.state_text(&task.start),
            player: task.game.name(analysis.player).to_owned(),
            status: match analysis.status {
                Status::Open => "open",
                Status::Won(_) => "won",
                Status::Drawn => "drawn",
            },
            value,
            moves_to_end,
            score: last.map(|last| last.score),
            best: last.and_then(|last| last.best).map(label),
            line: analysis.line.iter().copied().map(label).collect(),
            ply: last.map(|last| last.ply),
            certain: analysis.is_certain,
            nodes: analysis.nodes,
            table_hits: analysis.table_hits,
            iterations: analysis
                .iterations
                .iter()
                .map(|iteration| IterationReport {
                    ply: iteration.ply,
                    score: iteration.score,
                    best: iteration.best.map(label),
                    nodes: iteration.nodes,
                    seconds: iteration.elapsed.as_secs_f64(),
                })
                .collect(),
            seconds: analysis.elapsed.as_secs_f64(),
            nodes_per_second: per_second(u128::from(analysis.nodes), analysis.elapsed),
            complete: analysis.stopped.is_none(),
        }
    }

    pub(super) fn print(
        &self,
        task: &Task<'_>,
        analysis: &Analysis,
        cx: &mut Context,
    ) -> Result<(), Failure> {
        for line in task.layout.show(task.game, &task.start) {
            writeln!(cx.out, "  {line}")?;
        }
        writeln!(cx.out)?;
        writeln!(
            cx.out,
            "{} to move: {}",
            self.player,
            task.verdict(analysis)
        )?;
        if let Some(best) = &self.best {
            writeln!(cx.out, "Best move: {best}")?;
            writeln!(cx.out, "Line: {}", self.line.join(" "))?;
        }
        if let Some(ply) = self.ply {
            let how = match (self.certain, analysis.stopped) {
                (true, _) => "nothing changes further ahead".to_owned(),
                (false, None) => "the limit of --ply".to_owned(),
                (false, Some(reason)) => reason.to_string(),
            };
            writeln!(
                cx.out,
                "Looked {} ahead: {how}",
                count(ply as usize, "move")
            )?;
        }
        writeln!(
            cx.out,
            "{}, {}",
            count(analysis.nodes as usize, "position"),
            format_work(u128::from(analysis.nodes), analysis.elapsed)
        )?;
        Ok(())
    }
}

/// A node of a recorded tree.
#[derive(Serialize)]
pub(super) struct NodeReport {
    parent: Option<usize>,
    depth: u32,
    #[serde(rename = "move")]
    by: Option<String>,
    state: String,
    alpha: i32,
    beta: i32,
    score: Option<i32>,
    over: bool,
    best: bool,
    cut: usize,
}

pub(super) fn nodes(task: &Task<'_>, tree: &RecordedTree) -> Vec<NodeReport> {
    tree.nodes
        .iter()
        .map(|node| NodeReport {
            parent: node.parent,
            depth: node.depth,
            by: node.rule.map(|rule| task.label(rule).to_owned()),
            state: task.state_text(&node.state),
            alpha: node.window.0,
            beta: node.window.1,
            score: node.score,
            over: node.is_over,
            best: node.is_best,
            cut: node.cut,
        })
        .collect()
}

/// A solution.
#[derive(Serialize)]
pub(super) struct Solved {
    file: String,
    start: String,
    player: String,
    outcome: &'static str,
    moves_to_end: Option<u32>,
    best: Option<String>,
    positions: usize,
    won: usize,
    lost: usize,
    drawn: usize,
    seconds: f64,
}

impl Solved {
    pub(super) fn new(task: &Task<'_>, solution: &Solution<'_>) -> Self {
        let (outcome, moves_to_end) = match solution.outcome(&task.start) {
            Some(Outcome::Win(moves)) => ("win", Some(moves)),
            Some(Outcome::Loss(moves)) => ("loss", Some(moves)),
            Some(Outcome::Draw) | None => ("draw", None),
        };
        let player = task.game.turn().player(&task.start);
        let [won, lost, drawn] = solution.counts();
        Self {
            file: task.name.to_owned(),
            start: task.state_text(&task.start),
            player: player.map_or_else(String::new, |player| task.game.name(player).to_owned()),
            outcome,
            moves_to_end,
            best: solution
                .best(&task.start)
                .map(|rule| task.label(rule).to_owned()),
            positions: solution.n_positions(),
            won,
            lost,
            drawn,
            seconds: solution.elapsed().as_secs_f64(),
        }
    }

    pub(super) fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let moves = self.moves_to_end.map_or_else(String::new, |n| {
            format!(" in {}", count(n as usize, "move"))
        });
        writeln!(cx.out, "{} to move: {}{moves}", self.player, self.outcome)?;
        if let Some(best) = &self.best {
            writeln!(cx.out, "Best move: {best}")?;
        }
        writeln!(
            cx.out,
            "{}: {} won, {} lost, {} drawn for the player to move",
            count(self.positions, "position"),
            self.won,
            self.lost,
            self.drawn
        )?;
        Ok(())
    }
}

/// A row of Table 7-1.
#[derive(Serialize)]
struct Row {
    k: u32,
    openings: u64,
    minimax: u64,
    alpha_beta: u64,
    /// The part of the positions that AlphaBeta doesn't visit.
    reduction: f64,
    /// The standard deviation of that part over the openings.
    variation: f64,
}

pub(super) fn table(rows: &[NutshellRow], cx: &mut Context) -> Result<(), Failure> {
    let rows: Vec<Row> = rows
        .iter()
        .map(|row| Row {
            k: row.k,
            openings: row.openings,
            minimax: row.minimax,
            alpha_beta: row.alpha_beta,
            reduction: 1.0 - row.alpha_beta as f64 / row.minimax.max(1) as f64,
            variation: row.variation / 100.0,
        })
        .collect();
    if cx.format == Format::Json {
        return cx.out.json(&rows);
    }
    let head = [
        "k",
        "openings",
        "Minimax",
        "AlphaBeta",
        "reduction",
        "variation",
    ];
    let mut table = Table::new(head.map(|title| (title, Align::Right)));
    for row in &rows {
        table.row([
            row.k.to_string(),
            row.openings.to_string(),
            row.minimax.to_string(),
            row.alpha_beta.to_string(),
            format!("{:.0}%", 100.0 * row.reduction),
            format!("±{:.1}%", 100.0 * row.variation),
        ]);
    }
    Ok(table.print(&mut cx.out)?)
}
