//! Machines, and trees of forbidden words, as pictures.

mod possible;
mod remembered;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use drawing::{Edge, Graph, GraphState};
use fsm::{Dense, Machine, OpenFile};

pub use self::possible::Possible;
pub use self::remembered::Remembered;
pub use self::words::draw_words;

use psvn::machine::LetterNames;
use psvn::machine::file::unreadable;
use psvn::{Environment, Error, Game};

/// The most characters of the label of an arrow, or of a line in a state.
const MOST_OF_LABEL: usize = 30;

/// With more arrows, those are left out whose letter leads from the start to the same state.
const MOST_TO_DRAW_ALL: usize = 24;

/// Which arrows of a machine are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// All of them.
    All,
    /// All of them if they are few. Otherwise arrows are left out whose letter leads from the start
    /// to the same state, and each state lists the letters that it forbids.
    Readable,
}

/// Draw the states of a machine and the arrows between them.
///
/// States are named by the words that the machine remembers in them. Where arrows are left out,
/// states are in layers by the length of these words. Letters between the same two states share an
/// arrow; the rejecting state is left out, as in figures 2 and 4 of Taylor 1992. With the game, so
/// are arrows of rules that can never follow, and states that no arrow reaches.
///
/// # Errors
/// When the machine is too large for a table, or the file is damaged or fits another game.
pub fn draw_machine(
    file: &OpenFile,
    game: Option<&Game>,
    path: &Path,
    arrows: Arrows,
    env: &Environment,
) -> Result<Graph, Error> {
    let machine = file.machine().to_dense();
    let machine = machine.map_err(|error| Error::limit(error.to_string()))?;
    let possible = match game {
        Some(game) => Possible::in_game(&machine, file, path, game, env)?,
        None => Possible::anything(&machine),
    };
    let remembered = Remembered::of(&machine, file.words(), &possible)
        .map_err(|error| unreadable(&path.display().to_string(), &error))?;
    let names = LetterNames::new(game.map(Game::ir), file);
    let drawing = MachineDrawing {
        machine: &machine,
        letter_name: &|letter| names.name(letter),
        possible: &possible,
        start: machine.number(machine.start()),
    };
    let mut graph = drawing.graph(&remembered, arrows);
    graph.title = format!("The machine of {}", path.display());
    if game.is_some() {
        graph
            .notes
            .push("Moves that can never follow are left out.".to_owned());
    }
    Ok(graph)
}

struct MachineDrawing<'a, N> {
    machine: &'a Dense,
    letter_name: &'a N,
    possible: &'a Possible,
    /// The number of its start.
    start: usize,
}

/// The letters that lead from one state to another.
type Merged = BTreeMap<(usize, usize), Vec<u32>>;

impl<N: Fn(u32) -> String> MachineDrawing<'_, N> {
    fn graph(&self, remembered: &Remembered, arrows: Arrows) -> Graph {
        // The start comes first in a picture.
        let others = (1..=self.machine.n_states()).filter(|state| *state != self.start);
        let states: Vec<usize> = std::iter::once(self.start)
            .chain(others.filter(|state| self.possible.is_reached(*state)))
            .collect();
        let mut edges = self.merged(&states, |_, _| true);
        let is_readable = edges.len() <= MOST_TO_DRAW_ALL
            && edges
                .values()
                .all(|letters| self.listed(letters, MOST_OF_LABEL).is_complete);
        let leaves_out = arrows == Arrows::Readable && !is_readable;
        let mut notes = vec!["A state is named by the moves that it remembers.".to_owned()];
        if leaves_out {
            let home: Vec<usize> = self.machine.successors(self.start).collect();
            edges = self.merged(&states, |state, (letter, next)| {
                let usual = if state == self.start {
                    self.start
                } else {
                    home[letter]
                };
                next != usual
            });
            notes.push(
                "Arrows that are not drawn lead where the same move leads from the".to_owned(),
            );
            notes.push("start; from the start itself, back to the start.".to_owned());
        }
        // Graphviz finds room for all names.
        let room = match arrows {
            Arrows::All => usize::MAX,
            Arrows::Readable => MOST_OF_LABEL,
        };
        let place: BTreeMap<usize, usize> = states.iter().copied().zip(0..).collect();
        Graph {
            title: String::new(),
            states: states
                .iter()
                .map(|state| GraphState {
                    name: self.name(*state, remembered),
                    remark: if leaves_out {
                        self.forbidden(*state)
                    } else {
                        String::new()
                    },
                    // Where everything is drawn, the arrows decide.
                    layer: leaves_out.then(|| remembered.length(*state)),
                })
                .collect(),
            edges: edges
                .into_iter()
                .map(|((from, to), letters)| Edge {
                    from: place[&from],
                    to: place[&to],
                    label: self.listed(&letters, room).text,
                })
                .collect(),
            notes,
        }
    }

    /// The possible arrows of wanted letters.
    fn merged(&self, states: &[usize], wanted: impl Fn(usize, (usize, usize)) -> bool) -> Merged {
        let mut merged = Merged::new();
        for state in states {
            for (letter, next) in self.machine.successors(*state).enumerate() {
                let letter_id = letter as u32;
                if next != 0
                    && self.possible.can_follow(*state, letter_id)
                    && wanted(*state, (letter, next))
                {
                    merged.entry((*state, next)).or_default().push(letter_id);
                }
            }
        }
        merged
    }

    fn name(&self, state: usize, remembered: &Remembered) -> Vec<String> {
        if state == self.start {
            return vec!["start".to_owned()];
        }
        let spell = |word: &Vec<u32>| {
            let names: Vec<String> = word.iter().map(|it| (self.letter_name)(*it)).collect();
            shortened(&names)
        };
        let words = remembered.words(state);
        // Three lines at most.
        let n_shown = if words.len() > 3 { 2 } else { words.len() };
        let mut lines: Vec<String> = words.iter().take(n_shown).map(spell).collect();
        if words.len() > n_shown {
            lines.push(format!("{} more", words.len() - n_shown));
        }
        let n_lines = lines.len();
        for line in lines.iter_mut().take(n_lines.saturating_sub(1)) {
            line.push_str(" or");
        }
        lines
    }

    /// The letters that could follow and are forbidden.
    fn forbidden(&self, state: usize) -> String {
        let next = self.machine.successors(state);
        let letters = (0..)
            .zip(next)
            .filter(|(letter, next)| *next == 0 && self.possible.can_follow(state, *letter));
        let letters: Vec<u32> = letters.map(|(letter, _)| letter).collect();
        if letters.is_empty() {
            String::new()
        } else {
            format!("not {}", self.listed(&letters, MOST_OF_LABEL).text)
        }
    }

    /// The names that fit into `room`, and the number of the others.
    fn listed(&self, letters: &[u32], room: usize) -> Listed {
        let mut text = String::new();
        for (i, letter) in letters.iter().enumerate() {
            let name = (self.letter_name)(*letter);
            if i > 0 && text.chars().count() + name.chars().count() > room {
                text.push_str(&format!(", +{}", letters.len() - i));
                return Listed {
                    text,
                    is_complete: false,
                };
            }
            if i > 0 {
                text.push_str(", ");
            }
            text.push_str(&name);
        }
        Listed {
            text,
            is_complete: true,
        }
    }
}

/// Names of letters in a line.
struct Listed {
    text: String,
    /// Whether all of them are there.
    is_complete: bool,
}

/// The end of a word, as long as fits.
fn shortened(names: &[String]) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate().rev() {
        if i + 1 == names.len() {
            text.clone_from(name);
        } else if text.chars().count() + name.chars().count() > MOST_OF_LABEL {
            return format!("\u{2026} {text}");
        } else {
            text = format!("{name} {text}");
        }
    }
    text
}

#[cfg(test)]
mod tests;
