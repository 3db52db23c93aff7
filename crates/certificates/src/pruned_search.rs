//! The words that a search leaves out, for bounds that a checker proves by searching again.

use budget::{Limits, Watch};
use fsm::{Dense, WordAutomaton, minimize_unless};
use move_prune::{Options, RedundantWord, analyze_game};
use psvn_ir::{Game, RuleId};

use crate::error::CertificateError;
use crate::lines::write_numbers;

/// Redundant words with what replaces them, and the machine that forbids them.
pub struct PrunedSearch {
    words: Vec<RedundantWord>,
    machine: Dense,
}

impl PrunedSearch {
    /// Find the redundant words up to a length.
    ///
    /// # Errors
    /// When a limit is reached while the machine is made. The analysis of words only ends earlier
    /// then: any subset of the redundant words may be forbidden.
    ///
    /// # Panics
    /// Never: words are of the game's rules.
    pub fn up_to(game: &Game, length: usize, watch: &Watch) -> Result<Self, CertificateError> {
        let options = Options {
            limits: watch.part(&Limits::default()),
            ..Options::up_to(length)
        };
        let analysis = analyze_game(game, &[], &options, |_| ());
        let letters = game.rules().len() as u32;
        let automaton = WordAutomaton::forbidding(letters, analysis.redundant_letters());
        let machine = automaton
            .and_then(|automaton| automaton.build())
            .expect("words of rules make a machine");
        watch.check_resources(machine.bytes())?;
        let machine = minimize_unless(&machine, &|| watch.is_over()).unwrap_or(machine);
        watch.check_resources(machine.bytes())?;
        Ok(Self {
            words: analysis.redundant,
            machine,
        })
    }

    /// Write the machine and its words.
    pub(crate) fn write(&self, text: &mut String) {
        let number = |rule: &RuleId| rule.index() + 1;
        for RedundantWord { word, replacement } in &self.words {
            text.push_str("word");
            write_numbers(text, word.iter().map(number));
            text.push_str(" =");
            write_numbers(text, replacement.iter().map(number));
            text.push('\n');
        }
        let letters: Vec<usize> = (0..self.machine.n_letters() as usize).collect();
        write_rows(text, &self.machine, &letters);
    }
}

/// Write a line for each state of a machine, with the next states after some letters.
pub(crate) fn write_rows(text: &mut String, machine: &Dense, letters: &[usize]) {
    for state in 1..=machine.n_states() {
        text.push_str("state");
        let row: Vec<usize> = machine.successors(state).collect();
        write_numbers(text, letters.iter().map(|letter| row[*letter]));
        text.push('\n');
    }
}
