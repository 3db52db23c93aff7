//! A game that is played against the program, move by move.

use std::fmt;

use budget::StopReason;
use game_tree::{Analysis, Analyzer, Player, Status};
use psvn::{Environment, Error};
use psvn_ir::{RuleId, State, near_miss};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TwoPlayers, no_position};

/// A game that is played against the program.
pub struct Contest<'g> {
    players: &'g TwoPlayers,
    you: Player,
    analyzer: Analyzer<'g>,
    /// All positions so far, the start first.
    states: Vec<State>,
}

/// An event of a game. Its text is for people.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ContestEvent {
    /// The game begins.
    Start {
        /// The game.
        file: String,
        /// The position.
        state: String,
        /// The player who isn't the program.
        you: String,
        /// The program.
        #[serde(skip)]
        program: String,
    },
    /// A player moves.
    Move {
        /// The player.
        player: String,
        /// The label of the move.
        #[serde(rename = "move")]
        by: String,
        /// The position after it.
        state: String,
        /// The program's forecast of the end, with its own moves.
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<String>,
        /// The positions that it visited for the move.
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
    },
    /// A move and the program's reply to it are taken back.
    Undo {
        /// The position now.
        state: String,
    },
    /// The game is over.
    Over {
        /// The winner; `None` for a draw.
        winner: Option<String>,
        /// The last position.
        state: String,
        /// Whether the winner isn't the program.
        #[serde(skip)]
        is_yours: bool,
    },
    /// The moves that may be made.
    Moves {
        /// Their labels, in the order of their numbers.
        moves: Vec<String>,
    },
    /// A good move.
    Hint {
        /// The label of the move.
        #[serde(rename = "move")]
        by: Option<String>,
        /// How the game ends with it.
        verdict: String,
    },
}

/// The next turn of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum NextTurn {
    /// The game is over.
    Over(ContestEvent),
    /// The program has moved; there is no move if a limit stopped it before it found one.
    Moved(Option<ContestEvent>, Option<StopReason>),
    /// It is your turn.
    Yours,
}

/// The result of a line that a player types.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reply {
    /// The line is empty.
    Nothing,
    /// An event.
    Event(ContestEvent),
    /// The player wants to see the position.
    Board,
    /// The player wants to see the commands.
    Help,
    /// The player wants to end the game.
    Quit,
    /// The line means nothing here, for this reason.
    Refused(String),
}

impl ContestEvent {
    /// Return whether the position has changed.
    pub fn changes_position(&self) -> bool {
        matches!(
            self,
            Self::Start { .. } | Self::Move { .. } | Self::Undo { .. }
        )
    }
}

impl fmt::Display for ContestEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { you, program, .. } => {
                write!(f, "You are {you}, the program is {program}.")
            }
            Self::Move {
                player,
                by,
                verdict,
                ..
            } => match verdict {
                Some(verdict) => write!(f, "{player} plays {by} ({verdict})"),
                None => write!(f, "{player} plays {by}"),
            },
            Self::Undo { .. } => f.write_str("Taken back."),
            Self::Over { winner: None, .. } => f.write_str("The game is drawn."),
            Self::Over { is_yours: true, .. } => f.write_str("You have won."),
            Self::Over {
                winner: Some(winner),
                ..
            } => write!(f, "{winner} has won."),
            Self::Moves { moves } => {
                for (number, label) in (1..).zip(moves) {
                    let comma = if number == 1 { "" } else { ", " };
                    write!(f, "{comma}{number} {label}")?;
                }
                Ok(())
            }
            Self::Hint { by, verdict } => {
                write!(f, "{}: {verdict}", by.as_deref().unwrap_or("no move"))
            }
        }
    }
}

impl TwoPlayers {
    /// Begin a game against the program, as the player of a name. Return it with its first event.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn play(
        &self,
        start: &State,
        you: &str,
        env: &Environment,
    ) -> Result<(Contest<'_>, ContestEvent), Error> {
        let is_named = |player: &Player| self.tree.name(*player).eq_ignore_ascii_case(you);
        let Some(you) = Player::BOTH.into_iter().find(is_named) else {
            let [first, second] = Player::BOTH.map(|player| self.tree.name(player));
            return Err(Error::usage(format!("there is no player `{you}`"))
                .with_hint(format!("the players are `{first}` and `{second}`")));
        };
        let settings = self.settings(false, env);
        let contest = Contest {
            players: self,
            you,
            analyzer: self.analyzer(settings),
            states: vec![start.clone()],
        };
        let event = ContestEvent::Start {
            file: self.game.name().to_owned(),
            state: self.state_text(start),
            you: self.tree.name(you).to_owned(),
            program: self.tree.name(you.other()).to_owned(),
        };
        Ok((contest, event))
    }
}

impl Contest<'_> {
    /// Return the position.
    ///
    /// # Panics
    /// Never: the start is never taken back.
    pub fn state(&self) -> &State {
        self.states.last().expect("the start is never taken back")
    }

    /// Return the player who isn't the program.
    pub fn you(&self) -> &str {
        self.players.tree.name(self.you)
    }

    /// Continue until it is your turn: the program makes at most one move.
    ///
    /// # Errors
    /// When the start isn't a position of the game.
    pub fn next_turn(&mut self) -> Result<NextTurn, Error> {
        let game = &self.players.tree;
        let status = game.status(self.state()).map_err(no_position)?;
        let player = game.player(self.state()).map_err(no_position)?;
        if status != Status::Open {
            return Ok(NextTurn::Over(self.over(status)));
        }
        if player == self.you {
            return Ok(NextTurn::Yours);
        }
        let analysis = self.analyze()?;
        let best = analysis.last().and_then(|last| last.best);
        let event = best.map(|best| self.make(player, best, Some(&analysis)));
        Ok(NextTurn::Moved(event, analysis.stopped))
    }

    /// Carry out a line when it is your turn: a move, given by its label or its number, or `moves`,
    /// `hint`, `undo`, `board`, `help`, `quit`.
    ///
    /// # Errors
    /// When the start isn't a position of the game.
    pub fn obey(&mut self, line: &str) -> Result<Reply, Error> {
        let word = line.trim();
        let rules = self.players.tree.rules_from(self.state());
        let rules = rules.map_err(no_position)?;
        let is_meant = |rule: &RuleId| self.players.label(*rule).eq_ignore_ascii_case(word);
        let labeled: Vec<RuleId> = rules.iter().copied().filter(is_meant).collect();
        match (word.to_ascii_lowercase().as_str(), labeled.as_slice()) {
            ("", _) => Ok(Reply::Nothing),
            (_, [rule]) => Ok(Reply::Event(self.make(self.you, *rule, None))),
            (_, [_, _, ..]) => Ok(Reply::Refused(format!(
                "`{word}` is the label of several moves here; give the number that `moves` shows"
            ))),
            ("moves", _) => {
                let labels = rules
                    .iter()
                    .map(|rule| self.players.label(*rule).to_owned());
                let moves = labels.collect();
                Ok(Reply::Event(ContestEvent::Moves { moves }))
            }
            ("hint", _) => self.hint().map(Reply::Event),
            ("undo", _) => Ok(self.undo()),
            ("board", _) => Ok(Reply::Board),
            ("help", _) => Ok(Reply::Help),
            ("quit", _) => Ok(Reply::Quit),
            _ => {
                let number = word.parse::<usize>().ok();
                let place = number.and_then(|number| number.checked_sub(1));
                Ok(match place.and_then(|place| rules.get(place)) {
                    Some(rule) => Reply::Event(self.make(self.you, *rule, None)),
                    None => {
                        let labels = rules.iter().map(|rule| self.players.label(*rule));
                        Reply::Refused(unknown(word, labels))
                    }
                })
            }
        }
    }

    fn analyze(&mut self) -> Result<Analysis, Error> {
        let state = self.states.last().expect("the start is never taken back");
        let ply = self.players.options.ply.max(1);
        self.analyzer
            .analyze(state, ply, |_| ())
            .map_err(no_position)
    }

    fn hint(&mut self) -> Result<ContestEvent, Error> {
        let analysis = self.analyze()?;
        let by = analysis.last().and_then(|last| last.best);
        Ok(ContestEvent::Hint {
            by: by.map(|rule| self.players.label(rule).to_owned()),
            verdict: self.players.verdict(&analysis),
        })
    }

    fn undo(&mut self) -> Reply {
        let before = &self.states[..self.states.len() - 1];
        let is_yours = |state: &State| self.players.tree.player(state) == Ok(self.you);
        let Some(place) = before.iter().rposition(is_yours) else {
            return Reply::Refused("you have made no move to take back".to_owned());
        };
        self.states.truncate(place + 1);
        let state = self.players.state_text(self.state());
        Reply::Event(ContestEvent::Undo { state })
    }

    fn make(&mut self, player: Player, rule: RuleId, analysis: Option<&Analysis>) -> ContestEvent {
        let players = self.players;
        self.states.push(players.tree.after(self.state(), rule));
        ContestEvent::Move {
            player: players.tree.name(player).to_owned(),
            by: players.label(rule).to_owned(),
            state: players.state_text(self.state()),
            verdict: analysis.map(|analysis| players.verdict(analysis)),
            nodes: analysis.map(|analysis| analysis.nodes),
        }
    }

    fn over(&self, status: Status) -> ContestEvent {
        let winner = match status {
            Status::Won(winner) => Some(winner),
            Status::Drawn | Status::Open => None,
        };
        ContestEvent::Over {
            winner: winner.map(|winner| self.players.tree.name(winner).to_owned()),
            state: self.players.state_text(self.state()),
            is_yours: winner == Some(self.you),
        }
    }
}

fn unknown<'l>(word: &str, labels: impl Iterator<Item = &'l str>) -> String {
    match near_miss(word, labels) {
        Some(near) => format!("there is no move `{word}` here; did you mean `{near}`?"),
        None => format!("there is no move `{word}` here; `moves` lists the possible moves"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayOptions;

    #[test]
    fn a_game_is_played_to_its_end_and_taken_back() {
        let env = Environment::default();
        let options = PlayOptions::default();
        let game = TwoPlayers::open("gen:nim:1:2:2", &options, &env).expect("a built-in game");
        let start = game.default_start();
        let (mut contest, event) = game.play(&start, "a", &env).expect("A is a player");
        assert_eq!(event.to_string(), "You are A, the program is B.");
        assert!(matches!(contest.next_turn(), Ok(NextTurn::Yours)));
        assert!(matches!(contest.obey("h9-9"), Ok(Reply::Refused(_))));
        assert!(matches!(contest.obey("undo"), Ok(Reply::Refused(_))));
        let made = contest.obey("H1-1");
        assert!(matches!(made, Ok(Reply::Event(ContestEvent::Move { .. }))));
        assert!(matches!(
            contest.next_turn(),
            Ok(NextTurn::Moved(Some(_), None))
        ));
        let undone = contest.obey("undo");
        assert!(matches!(
            undone,
            Ok(Reply::Event(ContestEvent::Undo { .. }))
        ));
        assert_eq!(contest.state(), &start);
        let mut winner = None;
        for _ in 0..10 {
            match contest.next_turn().expect("a position") {
                NextTurn::Over(ContestEvent::Over { winner: found, .. }) => {
                    winner = found;
                    break;
                }
                NextTurn::Yours => {
                    let hint = contest.obey("hint").expect("a position");
                    let Reply::Event(ContestEvent::Hint { by: Some(by), .. }) = hint else {
                        panic!("{hint:?}");
                    };
                    contest.obey(&by).expect("a position");
                }
                _ => {}
            }
        }
        assert_eq!(winner.as_deref(), Some("A"));
    }

    #[test]
    fn a_player_must_exist() {
        let env = Environment::default();
        let game = TwoPlayers::open("gen:tic-tac-toe", &PlayOptions::default(), &env);
        let game = game.expect("a built-in game");
        let error = game.play(&game.default_start(), "Z", &env).err();
        let hint = error.and_then(|error| error.hint().map(ToString::to_string));
        assert_eq!(hint.as_deref(), Some("the players are `X` and `O`"));
    }
}
