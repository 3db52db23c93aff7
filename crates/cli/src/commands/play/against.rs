//! A game against the program, with moves read from standard input.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use psvn::store::read::{self, Line};
use psvn::{Environment, State};
use two_players::{Contest, ContestEvent, NextTurn, Reply, TwoPlayers};

use crate::args::PlayArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

/// The time between checks for an interruption while waiting for input.
const PATIENCE: Duration = Duration::from_millis(50);

/// The most bytes of a line. Labels are much shorter.
const MOST_LINE: usize = 4096;

/// The number of lines that are read ahead of the game.
const LINES_AHEAD: usize = 64;

const HELP: &str =
    "A move by its label or its number; `moves`, `hint`, `undo`, `board`, `help`, `quit`";

/// The help on each command word.
const LONG_HELP: &str = "\
  LABEL or NUMBER  make this move
  moves            list the moves, with their numbers
  hint             show what the program would play
  undo             take back your last move and the answer
  board            show the position again
  quit             end the game; so does the end of the input";

/// The input of the player.
enum Heard {
    Line(String),
    /// The line of this number is longer than [`MOST_LINE`].
    TooLong(u64),
    End,
    /// The user interrupts.
    Interrupted,
}

/// Read lines of standard input in a separate thread, so that waiting can be interrupted. It reads
/// only a few lines ahead.
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
fn next_line(lines: &Receiver<Heard>, env: &Environment) -> Heard {
    loop {
        if env.is_cancelled() {
            return Heard::Interrupted;
        }
        match lines.recv_timeout(PATIENCE) {
            Ok(heard) => return heard,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Heard::End,
        }
    }
}

pub(super) fn run(
    args: &PlayArgs,
    game: &TwoPlayers,
    start: &State,
    you: &str,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    if args.file == Path::new("-") {
        return Err(Failure::usage(
            "the game and the moves can't both be read from standard input",
        )
        .hint("name a file"));
    }
    let (mut contest, event) = game.play(start, you, &cx.env)?;
    let is_text = cx.format != Format::Json;
    let lines = lines();
    say(&event, &contest, game, cx)?;
    loop {
        match contest.next_turn()? {
            NextTurn::Over(event) => {
                say(&event, &contest, game, cx)?;
                return Ok(Exit::Done);
            }
            NextTurn::Moved(event, stopped) => {
                match &event {
                    Some(event) => say(event, &contest, game, cx)?,
                    // Stopped before anything was found.
                    None => return Ok(Exit::of(stopped)),
                }
                match Exit::of(stopped) {
                    Exit::Interrupted => return Ok(Exit::Interrupted),
                    _ => continue,
                }
            }
            _ => {}
        }
        if is_text {
            write!(cx.out, "{}> ", contest.you())?;
            cx.out.flush()?;
        }
        let line = match next_line(&lines, &cx.env) {
            Heard::Line(line) => line,
            Heard::TooLong(number) => {
                return Err(Failure::input(format!(
                    "line {number} of standard input is longer than {MOST_LINE} bytes, so it \
                     can't be a move"
                )));
            }
            Heard::End => {
                if is_text {
                    writeln!(cx.out)?;
                }
                return Ok(Exit::Done);
            }
            Heard::Interrupted => return Ok(Exit::Interrupted),
        };
        match contest.obey(&line)? {
            Reply::Event(event) => say(&event, &contest, game, cx)?,
            Reply::Board => show(&contest, game, cx)?,
            Reply::Help if is_text => writeln!(cx.out, "{LONG_HELP}")?,
            Reply::Help => cx.log.note(HELP),
            Reply::Quit => return Ok(Exit::Done),
            Reply::Refused(reason) => cx.log.error(&reason),
            _ => {}
        }
    }
}

/// Print an event, and the position if it has changed.
fn say(
    event: &ContestEvent,
    contest: &Contest<'_>,
    game: &TwoPlayers,
    cx: &mut Context,
) -> Result<(), Failure> {
    if cx.format == Format::Json {
        return cx.out.json_line(event);
    }
    let help = match event {
        ContestEvent::Start { .. } => format!(" {HELP}"),
        _ => String::new(),
    };
    writeln!(cx.out, "{event}{help}")?;
    cx.out.flush()?;
    if event.changes_position() {
        show(contest, game, cx)
    } else {
        Ok(())
    }
}

/// Print the position, for people only.
fn show(contest: &Contest<'_>, game: &TwoPlayers, cx: &mut Context) -> Result<(), Failure> {
    if cx.format != Format::Json {
        writeln!(cx.out)?;
        super::print_board(game, contest.state(), cx)?;
        writeln!(cx.out)?;
        cx.out.flush()?;
    }
    Ok(())
}
