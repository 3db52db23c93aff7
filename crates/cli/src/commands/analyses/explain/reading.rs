//! How a machine reads a sequence.

use std::io::Write;
use std::path::Path;

use psvn_ir::RuleId;
use serde::Serialize;

use crate::failure::Failure;
use psvn::Game;
use psvn::machine::LetterNames;
use psvn::machine::file as machine_file;

/// The path of a sequence through a machine.
#[derive(Serialize)]
pub(super) struct Reading {
    machine: String,
    states: usize,
    /// What is read, letter by letter, up to where it is forbidden.
    steps: Vec<Step>,
    /// Whether nothing forbids the sequence.
    accepted: bool,
    /// The forbidden words of the file that end where the machine rejects.
    forbidden: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct Step {
    letter: String,
    /// The number of the state before, as in `psvn fsm --dot`; 1 is the start.
    from: usize,
    /// The state behind; `null` where the word is forbidden.
    to: Option<usize>,
}

/// Reads rules with the machine of a file that was made for the game.
pub(super) fn read(path: &Path, named: &Game, word: &[RuleId]) -> Result<Reading, Failure> {
    let game = named.ir();
    let file = machine_file::open_for(path, game, named.name())?;
    let operator_of = file.operator_of();
    let letters: Vec<u32> = word
        .iter()
        .map(|id| operator_of.get(id.index()).copied().unwrap_or(id.0))
        .collect();
    let names = LetterNames::new(game, &file);
    let machine = file
        .machine()
        .to_dense()
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let mut state = machine.number(fsm::Machine::start(&*machine));
    let mut steps = Vec::new();
    let mut accepted = true;
    for letter in &letters {
        let next = machine
            .state(state)
            .and_then(|state| fsm::Machine::next(&*machine, state, *letter))
            .map(|next| machine.number(next));
        steps.push(Step {
            letter: names.name(*letter),
            from: state,
            to: next,
        });
        match next {
            Some(next) => state = next,
            None => {
                accepted = false;
                break;
            }
        }
    }
    let mut forbidden = Vec::new();
    if !accepted {
        let read = &letters[..steps.len()];
        for certified in file.words() {
            let certified = certified
                .map_err(|error| machine_file::unreadable(&path.display().to_string(), &error))?;
            if read.ends_with(&certified.word) {
                forbidden.push(names.names(&certified.word));
            }
        }
    }
    Ok(Reading {
        machine: path.display().to_string(),
        states: machine.n_states(),
        steps,
        accepted,
        forbidden,
    })
}

impl Reading {
    pub(super) fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "\n  {}, {} states:", self.machine, self.states)?;
        let start = self.steps.first().map_or(1, |step| step.from);
        write!(out, "    state {start}")?;
        for step in &self.steps {
            match step.to {
                Some(to) => write!(out, " --{}--> {to}", step.letter)?,
                None => write!(out, " --{}--> forbidden", step.letter)?,
            }
        }
        writeln!(out)?;
        if self.accepted {
            writeln!(out, "    it forbids nothing of the sequence")?;
        } else if let Some(word) = self.forbidden.first() {
            writeln!(out, "    the forbidden sequence is {}", word.join(" "))?;
        } else {
            writeln!(
                out,
                "    no forbidden sequence of the file ends here: rules are in the wrong order, or impossible"
            )?;
        }
        Ok(())
    }
}
