//! A game against the program, with moves read from standard input.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use game_tree::{Analysis, Analyzer, Evaluator, Player, Status};
use psvn_ir::{RuleId, State, near_miss};
use serde::Serialize;

use psvn::store::read::{self, Line};

use super::Task;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

/// How often a wait for input looks whether the user interrupts.
const PATIENCE: Duration = Duration::from_millis(50);

/// The most bytes of a line. Labels are much shorter.
const MOST_LINE: usize = 4096;

/// How many lines are read ahead of the game.
const LINES_AHEAD: usize = 64;

const HELP: &str =
    "A move by its label or its number; `moves`, `hint`, `undo`, `board`, `help`, `quit`";

/// Something that happens in a game, as JSON.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Start {
        file: &'a str,
        state: String,
        you: &'a str,
    },
    Move {
        player: &'a str,
        #[serde(rename = "move")]
        by: &'a str,
        state: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
    },
    Undo {
        state: String,
    },
    Over {
        winner: Option<&'a str>,
        state: String,
    },
    Moves {
        moves: Vec<&'a str>,
    },
    Hint {
        #[serde(rename = "move")]
        by: Option<&'a str>,
        verdict: String,
    },
}

/// What the user types.
enum Typed {
    Move(RuleId),
    Moves,
    Hint,
    Undo,
    Board,
    Help,
    Quit,
    Unknown(String),
}

/// What is read.
enum Heard {
    Line(String),
    /// The line of this number is longer than [`MOST_LINE`].
    TooLong(u64),
    End,
    /// The user interrupts.
    Interrupted,
}

/// Lines of standard input, read by a thread of their own so that waiting can be interrupted. It
/// reads no more than a few lines ahead.
fn lines() -> Receiver<Heard> {
    let (sender, receiver) = sync_channel(LINES_AHEAD);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        for number in 1.. {
            let mut line = Vec::new();
            let heard = match read::read_line(&mut input, MOST_LINE, &mut line) {
                Ok(Line::Read) => Heard::Line(String::from_utf8_lossy(&line).into_owned()),
                Ok(Line::TooLong) => Heard::TooLong(number),
                Ok(Line::End) | Err(_) => break,
            };
            let is_last = !matches!(heard, Heard::Line(_));
            if sender.send(heard).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

/// The next line.
fn next_line(lines: &Receiver<Heard>, interrupt: Option<&Arc<AtomicBool>>) -> Heard {
    loop {
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Heard::Interrupted;
        }
        match lines.recv_timeout(PATIENCE) {
            Ok(heard) => return heard,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Heard::End,
        }
    }
}

pub(super) fn run<E: Evaluator>(
    task: &Task<'_>,
    you: &str,
    evaluator: E,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    if task.args.file == Path::new("-") {
        return Err(Failure::usage(
            "the game and the moves can't both be read from standard input",
        )
        .hint("name a file"));
    }
    let you = player_named(task, you)?;
    let mut game = Playing {
        task,
        you,
        analyzer: Analyzer::new(task.game, evaluator, task.settings.clone()),
        states: vec![task.start.clone()],
    };
    game.play(cx)
}

fn player_named(task: &Task<'_>, name: &str) -> Result<Player, Failure> {
    let found = Player::BOTH
        .into_iter()
        .find(|player| task.game.name(*player).eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let [first, second] = Player::BOTH.map(|player| task.game.name(player));
        Failure::usage(format!("there is no player `{name}`"))
            .hint(format!("the players are `{first}` and `{second}`"))
    })
}

/// A game that is being played.
struct Playing<'a, E> {
    task: &'a Task<'a>,
    you: Player,
    analyzer: Analyzer<'a, E>,
    /// All positions so far.
    states: Vec<State>,
}

impl<'a, E: Evaluator> Playing<'a, E> {
    fn state(&self) -> &State {
        self.states.last().unwrap_or(&self.task.start)
    }

    fn say(&self, event: &Event<'_>, text: &str, cx: &mut Context) -> Result<(), Failure> {
        match cx.format {
            Format::Json => cx.out.json_line(event)?,
            Format::Text | Format::Csv => {
                writeln!(cx.out, "{text}")?;
                cx.out.flush()?;
            }
        }
        Ok(())
    }

    /// The position, for people only.
    fn show(&self, cx: &mut Context) -> Result<(), Failure> {
        if cx.format != Format::Json {
            writeln!(cx.out)?;
            for line in self.task.layout.show(self.task.game, self.state()) {
                writeln!(cx.out, "  {line}")?;
            }
            writeln!(cx.out)?;
            cx.out.flush()?;
        }
        Ok(())
    }

    fn play(&mut self, cx: &mut Context) -> Result<Exit, Failure> {
        let task = self.task;
        let game = task.game;
        let lines = lines();
        let (you, program) = (game.name(self.you), game.name(self.you.other()));
        let start = Event::Start {
            file: task.name,
            state: task.state_text(&task.start),
            you,
        };
        self.say(
            &start,
            &format!("You are {you}, the program is {program}. {HELP}"),
            cx,
        )?;
        self.show(cx)?;
        loop {
            let state = self.state().clone();
            let position = |error: game_tree::PositionError| Failure::input(error.to_string());
            let status = game.status(&state).map_err(position)?;
            let player = game.player(&state).map_err(position)?;
            if status != Status::Open {
                return self.end(status, cx);
            }
            if player != self.you {
                let analysis = self.analyze(&state)?;
                let Some(best) = analysis.last().and_then(|last| last.best) else {
                    // Stopped before anything was found.
                    return Ok(super::exit_of(&analysis));
                };
                self.make(player, best, Some(&analysis), cx)?;
                if super::exit_of(&analysis) == Exit::Interrupted {
                    return Ok(Exit::Interrupted);
                }
                continue;
            }
            if cx.format != Format::Json {
                write!(cx.out, "{you}> ")?;
                cx.out.flush()?;
            }
            let interrupt = task.settings.limits.interrupt.as_ref();
            let line = match next_line(&lines, interrupt) {
                Heard::Line(line) => line,
                Heard::TooLong(number) => {
                    return Err(Failure::input(format!(
                        "line {number} of standard input is longer than {MOST_LINE} bytes, so it is no move"
                    )));
                }
                Heard::End => {
                    if cx.format != Format::Json {
                        writeln!(cx.out)?;
                    }
                    return Ok(Exit::Done);
                }
                Heard::Interrupted => return Ok(Exit::Interrupted),
            };
            let rules = game.rules_from(&state).map_err(position)?;
            match self.understand(line.trim(), &rules) {
                None => {}
                Some(Typed::Quit) => return Ok(Exit::Done),
                Some(typed) => self.obey(typed, player, &rules, cx)?,
            }
        }
    }

    fn obey(
        &mut self,
        typed: Typed,
        player: Player,
        rules: &[RuleId],
        cx: &mut Context,
    ) -> Result<(), Failure> {
        let task = self.task;
        match typed {
            Typed::Move(rule) => self.make(player, rule, None, cx)?,
            Typed::Moves => {
                let moves: Vec<&str> = rules.iter().map(|rule| task.label(*rule)).collect();
                let listed: Vec<String> = (1..)
                    .zip(&moves)
                    .map(|(number, label)| format!("{number} {label}"))
                    .collect();
                self.say(&Event::Moves { moves }, &listed.join(", "), cx)?;
            }
            Typed::Hint => {
                let state = self.state().clone();
                let analysis = self.analyze(&state)?;
                let by = analysis.last().and_then(|last| last.best);
                let by = by.map(|rule| task.label(rule));
                let verdict = task.verdict(&analysis);
                let text = format!("{}: {verdict}", by.unwrap_or("no move"));
                self.say(&Event::Hint { by, verdict }, &text, cx)?;
            }
            Typed::Undo => {
                let earlier = self.states[..self.states.len() - 1]
                    .iter()
                    .rposition(|state| task.game.player(state) == Ok(self.you));
                match earlier {
                    None => cx.log.error("there is no move of yours to take back"),
                    Some(place) => {
                        self.states.truncate(place + 1);
                        let state = task.state_text(self.state());
                        self.say(&Event::Undo { state }, "Taken back.", cx)?;
                        self.show(cx)?;
                    }
                }
            }
            Typed::Board => self.show(cx)?,
            Typed::Help => cx.log.note(HELP),
            Typed::Unknown(message) => cx.log.error(&message),
            Typed::Quit => {}
        }
        Ok(())
    }

    fn analyze(&mut self, state: &State) -> Result<Analysis, Failure> {
        let ply = self.task.args.ply.max(1);
        self.analyzer
            .analyze(state, ply, |_| ())
            .map_err(|error| Failure::input(error.to_string()))
    }

    fn make(
        &mut self,
        player: Player,
        rule: RuleId,
        analysis: Option<&Analysis>,
        cx: &mut Context,
    ) -> Result<(), Failure> {
        let task = self.task;
        self.states.push(task.game.after(self.state(), rule));
        let verdict = analysis.map(|analysis| task.verdict(analysis));
        let (player, by) = (task.game.name(player), task.label(rule));
        let text = match &verdict {
            Some(verdict) => format!("{player} plays {by} ({verdict})"),
            None => format!("{player} plays {by}"),
        };
        let event = Event::Move {
            player,
            by,
            state: task.state_text(self.state()),
            verdict,
            nodes: analysis.map(|analysis| analysis.nodes),
        };
        self.say(&event, &text, cx)?;
        self.show(cx)
    }

    fn end(&self, status: Status, cx: &mut Context) -> Result<Exit, Failure> {
        let winner = match status {
            Status::Won(winner) => Some(winner),
            Status::Drawn | Status::Open => None,
        };
        let text = match winner {
            None => "The game is drawn.".to_owned(),
            Some(winner) if winner == self.you => "You have won.".to_owned(),
            Some(winner) => format!("{} has won.", self.task.game.name(winner)),
        };
        let event = Event::Over {
            winner: winner.map(|winner| self.task.game.name(winner)),
            state: self.task.state_text(self.state()),
        };
        self.say(&event, &text, cx)?;
        Ok(Exit::Done)
    }

    /// What a line means; nothing if it is empty.
    fn understand(&self, word: &str, rules: &[RuleId]) -> Option<Typed> {
        let task = self.task;
        let labeled: Vec<RuleId> = rules
            .iter()
            .copied()
            .filter(|rule| task.label(*rule).eq_ignore_ascii_case(word))
            .collect();
        let numbered = || rules.get(word.parse::<usize>().ok()?.checked_sub(1)?);
        Some(
            match (word.to_ascii_lowercase().as_str(), labeled.as_slice()) {
                ("", _) => return None,
                (_, [rule]) => Typed::Move(*rule),
                (_, [_, _, ..]) => Typed::Unknown(format!(
                    "`{word}` is the label of several moves here; give the number that `moves` shows"
                )),
                ("moves", _) => Typed::Moves,
                ("hint", _) => Typed::Hint,
                ("undo", _) => Typed::Undo,
                ("board", _) => Typed::Board,
                ("help", _) => Typed::Help,
                ("quit", _) => Typed::Quit,
                _ => match numbered() {
                    Some(rule) => Typed::Move(*rule),
                    None => {
                        Typed::Unknown(unknown(word, rules.iter().map(|rule| task.label(*rule))))
                    }
                },
            },
        )
    }
}

fn unknown<'l>(word: &str, labels: impl Iterator<Item = &'l str>) -> String {
    match near_miss(word, labels) {
        Some(near) => format!("there is no move `{word}` here; did you mean `{near}`?"),
        None => format!("there is no move `{word}` here; `moves` lists what there is"),
    }
}
