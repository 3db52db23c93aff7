//! `psvn play`: games of two players.

mod against;
mod board;
mod report;

use std::io::Write;

use game_tree::{
    Algorithm, Analysis, Analyzer, BoardEvaluation, Evaluator, Iteration, Limits, NoEvaluation,
    NoMove, Settings, SolveError, SolveLimits, StopReason, Turn, TwoPlayerGame, Wins, picture,
    record, solve, table_7_1,
};
use psvn_ir::{State, VarId};

use self::board::Layout;
use crate::args::{
    AlgorithmChoice, EvaluationChoice, NoMoveChoice, PlayArgs, TreeForm, WinsChoice,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::progress::Progress;
use crate::output::two_players::WHY_NOT_PRUNED;
use crate::session::Context;
use crate::session::interrupt;
use psvn::store::atomic as atomic_file;
use psvn::{Game, Source};

/// The most nodes of a picture. Nobody can read a larger tree.
const MAX_PICTURE: u64 = 20_000;

/// What every task of the command needs.
struct Task<'a> {
    args: &'a PlayArgs,
    name: &'a str,
    game: &'a TwoPlayerGame,
    layout: &'a Layout,
    start: State,
    settings: Settings,
}

pub(crate) fn run(args: &PlayArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("play")?;
    if args.prune.is_some() {
        return Err(Failure::usage(
            "redundant sequences can't be left out of a game of two players",
        )
        .hint(WHY_NOT_PRUNED));
    }
    let source = Source::read(&args.file)?;
    let layout = Layout::of(&source.text);
    let named = Game::from_source(source, &cx.env)?;
    let turn = match args.turn {
        None => Turn::find(named.ir()),
        Some(number) => match number.checked_sub(1) {
            Some(index) => Turn::named(named.ir(), VarId(index)),
            None => return Err(Failure::usage("variables are counted from 1")),
        },
    };
    let turn = turn.map_err(|error| {
        let failure = Failure::input(format!("{}: {error}", named.name()));
        match error {
            game_tree::TurnError::Ambiguous(_) => failure.hint("say which one with `--turn N`"),
            _ => failure,
        }
    })?;
    let no_move = match args.no_move {
        NoMoveChoice::Draw => NoMove::Draw,
        NoMoveChoice::Loss => NoMove::Loss,
        NoMoveChoice::Win => NoMove::Win,
    };
    let game = TwoPlayerGame::new(named.ir(), turn, no_move)
        .map_err(|error| Failure::limit(format!("{}: {error}", named.name())))?;
    let start = match &args.start {
        None => game.default_start(),
        Some(text) => game
            .game()
            .parse_state(text)
            .map_err(|error| Failure::input(format!("--start: {error}")))?,
    };
    game.player(&start)
        .map_err(|error| Failure::input(format!("the start: {error}")))?;
    let interrupt = interrupt::flag(&cx.env);
    let task = Task {
        args,
        name: named.name(),
        layout: &layout,
        start,
        settings: settings(args, interrupt),
        game: &game,
    };
    match args.evaluation {
        EvaluationChoice::Board => task.run(&BoardEvaluation, cx),
        EvaluationChoice::None => task.run(&NoEvaluation, cx),
    }
}

fn settings(args: &PlayArgs, interrupt: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Settings {
    let standard = Settings::default();
    Settings {
        algorithm: match args.algorithm {
            AlgorithmChoice::Minimax => Algorithm::Minimax,
            AlgorithmChoice::Negmax => Algorithm::NegMax,
            AlgorithmChoice::Alphabeta => Algorithm::AlphaBeta,
            AlgorithmChoice::Deepening => Algorithm::Deepening,
        },
        wins: match args.wins {
            WinsChoice::Distance => Wins::ByDistance,
            WinsChoice::Equal => Wins::Equal,
        },
        table_bytes: args.memory.unwrap_or(standard.table_bytes),
        order_moves: true,
        find_line: args.against.is_none(),
        limits: Limits {
            memory: None,
            nodes: args.limits.nodes,
            time: args.limits.time,
            interrupt: Some(interrupt),
        },
    }
}

impl Task<'_> {
    fn run<E: Evaluator + Copy>(&self, evaluator: &E, cx: &mut Context) -> Result<Exit, Failure> {
        if let Some(player) = &self.args.against {
            against::run(self, player, *evaluator, cx)
        } else if let Some(form) = self.args.tree {
            self.picture(form, evaluator, cx)
        } else if self.args.solve {
            self.solve(cx)
        } else if self.args.table_7_1 {
            self.table(cx)
        } else {
            self.analyze(*evaluator, cx)
        }
    }

    fn analyze<E: Evaluator>(&self, evaluator: E, cx: &mut Context) -> Result<Exit, Failure> {
        let mut analyzer = Analyzer::new(self.game, evaluator, self.settings.clone());
        let mut progress = Progress::new(cx.progress);
        let analysis = analyzer
            .analyze(&self.start, self.args.ply, |iteration| {
                show_progress(&mut progress, iteration);
            })
            .map_err(|error| Failure::input(error.to_string()))?;
        drop(progress);
        let report = report::Analyzed::new(self, &analysis);
        match cx.format {
            Format::Json => cx.out.json(&report)?,
            Format::Text | Format::Csv => report.print(self, &analysis, cx)?,
        }
        Ok(exit_of(&analysis))
    }

    fn picture<E: Evaluator>(
        &self,
        form: TreeForm,
        evaluator: &E,
        cx: &mut Context,
    ) -> Result<Exit, Failure> {
        let mut settings = self.settings.clone();
        let nodes = settings.limits.nodes.unwrap_or(MAX_PICTURE);
        settings.limits.nodes = Some(nodes.min(MAX_PICTURE));
        let tree = record(self.game, evaluator, &settings, &self.start, self.args.ply)
            .map_err(|error| Failure::input(error.to_string()))?;
        let show = |state: &State| self.layout.show(self.game, state);
        let text = match (cx.format, form) {
            (Format::Json, _) => {
                let nodes = report::nodes(self, &tree);
                let mut text = serde_json::to_string_pretty(&nodes)
                    .map_err(|error| Failure::input(error.to_string()))?;
                text.push('\n');
                text
            }
            (_, TreeForm::Text) => picture::to_text(self.game, &tree, &show),
            (_, TreeForm::Dot) => picture::to_dot(self.game, &tree, &show),
            (_, TreeForm::Svg) => picture::to_svg(self.game, &tree, &show),
        };
        match &self.args.output {
            Some(path) => atomic_file::write(path, text.as_bytes())?,
            None => cx.out.write_all(text.as_bytes())?,
        }
        match tree.stopped {
            None => Ok(Exit::Done),
            Some(reason) => {
                cx.log.warning(&format!(
                    "the picture isn't whole: {reason} ({} positions, and {MAX_PICTURE} at most); look \
                     fewer moves ahead with `--ply`",
                    tree.nodes.len()
                ));
                Ok(exit_of_stop(reason))
            }
        }
    }

    fn solve(&self, cx: &mut Context) -> Result<Exit, Failure> {
        let limits = SolveLimits {
            bytes: self.args.memory.unwrap_or(SolveLimits::default().bytes),
            limits: self.settings.limits.clone(),
        };
        match solve(self.game, &self.start, &limits) {
            Ok(solution) => {
                let report = report::Solved::new(self, &solution);
                match cx.format {
                    Format::Json => cx.out.json(&report)?,
                    Format::Text | Format::Csv => report.print(cx)?,
                }
                Ok(Exit::Done)
            }
            Err(SolveError::Stopped { reason, positions }) => {
                let message = format!("not solved: {reason}, after {positions} positions");
                Err(match reason {
                    StopReason::Interrupted => Failure::interrupted(message),
                    StopReason::Memory => {
                        Failure::limit(message).hint("allow more with `--memory`")
                    }
                    _ => Failure::limit(message),
                })
            }
            Err(error) => Err(Failure::input(error.to_string())),
        }
    }

    fn table(&self, cx: &mut Context) -> Result<Exit, Failure> {
        const ROWS: u32 = 3;
        const DEPTH: u32 = 9;
        let limits = &self.settings.limits;
        let rows = table_7_1(self.game, &self.start, DEPTH, ROWS, limits)
            .map_err(|error| Failure::input(error.to_string()))?;
        let rows = rows.map_err(|reason| match reason {
            StopReason::Interrupted => Failure::interrupted("the table isn't finished"),
            _ => Failure::limit(format!("the table isn't finished: {reason}")),
        })?;
        report::table(&rows, cx)?;
        Ok(Exit::Done)
    }
}

fn show_progress(progress: &mut Progress, iteration: &Iteration) {
    progress.show(
        || {
            format!(
                "{} moves ahead, {} positions",
                iteration.ply, iteration.nodes
            )
        },
        None,
    );
}

fn exit_of(analysis: &Analysis) -> Exit {
    analysis.stopped.map_or(Exit::Done, exit_of_stop)
}

fn exit_of_stop(reason: StopReason) -> Exit {
    match reason {
        StopReason::Interrupted => Exit::Interrupted,
        _ => Exit::Limit,
    }
}
