//! The machine that forbids redundant words: its states, and why they forbid what they forbid.

use std::collections::BTreeMap;
use std::sync::Arc;

use psvn::RuleNames;
use psvn_ir::RuleId;
use serde::{Deserialize, Serialize};

use super::Question;
use super::numbers;
use crate::analyzed::Analyzed;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;
use crate::states::States;

/// The most rules or words that are named.
const MOST_NAMED: usize = 200;

/// What does the machine look like around a state?
#[derive(Debug, Deserialize)]
pub(crate) struct Around {
    game: String,
    /// The number of the state; the start unless given.
    #[serde(default)]
    state: Option<usize>,
}

/// A part of the machine.
#[derive(Debug, Serialize)]
pub(crate) struct Part {
    n_states: usize,
    start: usize,
    /// Whether all states are there.
    is_whole: bool,
    /// Whether arrows are left out whose rule leads from the start to the same state.
    leaves_out: bool,
    states: Vec<DrawnState>,
    arrows: Vec<Arrow>,
    chosen: Chosen,
}

/// A state of the drawing.
#[derive(Debug, Serialize)]
struct DrawnState {
    state: usize,
    /// The words that it remembers, as texts.
    words: Vec<String>,
    /// The length of the shortest one.
    layer: usize,
    n_forbidden: usize,
}

/// An arrow of the drawing.
#[derive(Debug, Serialize)]
struct Arrow {
    from: usize,
    to: usize,
    rules: Vec<String>,
}

/// The chosen state.
#[derive(Debug, Serialize)]
struct Chosen {
    state: usize,
    words: Vec<String>,
    n_words: usize,
    forbidden: Vec<Forbidden>,
    n_forbidden: usize,
    next: Vec<Arrow>,
}

/// A rule that a state forbids, and because of which redundant word.
#[derive(Debug, Serialize)]
struct Forbidden {
    rule: u32,
    name: String,
    /// The number of the word, from 1; `None` where no word of the machine ends there.
    number: Option<usize>,
    word: Vec<String>,
    rules: Vec<u32>,
    replacement: Vec<String>,
    replaced_by: Vec<u32>,
}

impl Question for Around {
    type Answer = Part;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Part, Refusal> {
        let game = opened.game()?;
        let analyzed = opened.analyzed();
        let analyzed =
            analyzed.ok_or_else(|| Refusal::not_ready("redundant words weren't looked for yet"))?;
        let states = analyzed.states(game, &studio.env())?;
        let chosen = self.state.unwrap_or(states.start);
        if !(1..=states.machine.n_states()).contains(&chosen) {
            return Err(Refusal::wrong(format!("the machine has no state {chosen}")));
        }
        let view = View {
            states,
            names: game.rule_names(),
            analyzed: &analyzed,
        };
        let drawn = states.drawn(chosen);
        Ok(Part {
            n_states: states.machine.n_states(),
            start: states.start,
            is_whole: drawn.is_whole,
            leaves_out: drawn.leaves_out,
            states: drawn
                .states
                .iter()
                .map(|state| view.state(*state))
                .collect(),
            arrows: view.arrows(&drawn.arrows),
            chosen: view.chosen(chosen)?,
        })
    }
}

/// The states of a machine with the names of its rules.
struct View<'a> {
    states: &'a States,
    names: RuleNames<'a>,
    analyzed: &'a Analyzed,
}

impl View<'_> {
    fn spelled(&self, word: &[u32]) -> Vec<String> {
        let letters = word.iter().take(MOST_NAMED);
        letters
            .map(|letter| self.names.name(RuleId(*letter)))
            .collect()
    }

    fn words(&self, state: usize) -> Vec<String> {
        if state == self.states.start {
            return vec!["start".to_owned()];
        }
        let words = self.states.remembered.words(state).iter();
        words
            .take(MOST_NAMED)
            .map(|word| self.spelled(word).join(" "))
            .collect()
    }

    fn state(&self, state: usize) -> DrawnState {
        let mut words = self.words(state);
        words.truncate(3);
        DrawnState {
            state,
            words,
            layer: self.states.remembered.length(state),
            n_forbidden: self.forbidden(state).count(),
        }
    }

    fn arrows(&self, merged: &BTreeMap<(usize, usize), Vec<u32>>) -> Vec<Arrow> {
        let arrow = |((from, to), letters): (&(usize, usize), &Vec<u32>)| Arrow {
            from: *from,
            to: *to,
            rules: self.spelled(letters),
        };
        merged.iter().map(arrow).collect()
    }

    fn forbidden(&self, state: usize) -> impl Iterator<Item = u32> {
        let arrows = self.states.arrows(state);
        arrows
            .filter(|(_, next)| *next == 0)
            .map(|(letter, _)| letter)
    }

    fn chosen(&self, state: usize) -> Result<Chosen, Refusal> {
        let forbidden: Vec<u32> = self.forbidden(state).collect();
        let shown = forbidden.iter().take(MOST_NAMED);
        let reasons: Result<Vec<Forbidden>, Refusal> =
            shown.map(|letter| self.reason(state, *letter)).collect();
        Ok(Chosen {
            state,
            words: self.words(state),
            n_words: self.states.remembered.words(state).len(),
            n_forbidden: forbidden.len(),
            forbidden: reasons?,
            next: self.arrows(&self.states.merged(&[state], true)),
        })
    }

    /// The redundant word that a rule completes in a state.
    fn reason(&self, state: usize, letter: u32) -> Result<Forbidden, Refusal> {
        let machine = self.analyzed.machine()?;
        let mut words = self.states.remembered.words(state).iter();
        let found = words.find_map(|word| {
            let mut path = word.clone();
            path.push(letter);
            self.analyzed.at_end(&path)
        });
        let word = found.map(|(place, _)| &machine.words[place]);
        let letters = word.map_or(&[][..], |it| &it.word);
        let replacement = word.and_then(|it| it.replacements.first());
        let replacement = replacement.map_or(&[][..], |it| it);
        Ok(Forbidden {
            rule: letter + 1,
            name: self.names.name(RuleId(letter)),
            number: found.map(|(place, _)| place + 1),
            word: self.spelled(letters),
            rules: numbers(letters),
            replacement: self.spelled(replacement),
            replaced_by: numbers(replacement),
        })
    }
}
