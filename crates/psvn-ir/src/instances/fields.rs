//! Lines with fields between colons: `ID : STATE : .. : COST : ..`, or `STATE : COST`.

use psvn_syntax::Diagnostic;

use super::Parts;
use super::line::{self, Word, span_of};
use super::words::WordMap;
use crate::Game;

/// The meaning of the fields in the lines of a file, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// The name of the instance.
    id: Option<usize>,
    /// The state.
    state: usize,
    /// The least cost.
    cost: Option<usize>,
    /// Fields of numbers, if there are several and it is unclear which of them is the cost.
    unclear: Vec<usize>,
    /// The greatest number of fields.
    number: usize,
}

/// The parts of a line between colons.
pub(super) fn split<'t>(words: &[Word<'t>]) -> Vec<Vec<Word<'t>>> {
    let mut fields = vec![Vec::new()];
    for word in words {
        let mut start = word.start;
        for (i, text) in word.text.split(':').enumerate() {
            if i > 0 {
                fields.push(Vec::new());
            }
            if let (Some(field), false) = (fields.last_mut(), text.is_empty()) {
                field.push(Word { text, start });
            }
            start += text.len() + 1;
        }
    }
    fields
}

/// Find the meaning of the fields, if the lines have more of them than `ID: STATE`.
///
/// # Errors
/// When two fields may be the state.
pub(super) fn find(
    lines: &[Vec<Word<'_>>],
    header: Option<&[Word<'_>]>,
    map: &WordMap,
    game: &Game,
) -> Result<Option<Fields>, Box<Diagnostic>> {
    let is_wider = |words: &Vec<Word<'_>>| {
        words.iter().any(|word| word.text == ":")
            || words
                .iter()
                .map(|word| word.text.matches(':').count())
                .sum::<usize>()
                > 1
            || words.last().is_some_and(|word| word.text.ends_with(':'))
            || words.iter().skip(1).any(|word| word.text.contains(':'))
    };
    if 2 * lines.iter().filter(|words| is_wider(words)).count() <= lines.len() {
        return Ok(None);
    }
    let has_colon = |value: &String| value.contains(':');
    if game
        .domains()
        .iter()
        .any(|domain| domain.values().iter().any(has_colon))
    {
        return Ok(None);
    }
    let split: Vec<Vec<Vec<Word<'_>>>> = lines.iter().map(|words| split(words)).collect();
    let number = split.iter().map(Vec::len).max().unwrap_or(0);
    // For each field, the number of lines with a state there, and of lines with as many words as a
    // state.
    let scores: Vec<(usize, usize)> = (0..number)
        .map(|place| {
            let states = split.iter().filter_map(|fields| fields.get(place));
            let long = states
                .map(|words| line::without_cost(words))
                .filter(|words| words.len() == game.n_variables());
            let mut score = (0, 0);
            for words in long {
                let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
                score.0 += usize::from(map.state(&texts, game).is_ok());
                score.1 += 1;
            }
            score
        })
        .collect();
    let best = scores.iter().max().copied().unwrap_or_default();
    if 2 * best.1 <= lines.len() {
        return Ok(None);
    }
    let mut states = (0..number).filter(|place| scores[*place] == best);
    let state = states.next().unwrap_or_default();
    if let Some(other) = states.next() {
        let message = format!(
            "fields {} and {} may both be the state of this instance",
            state + 1,
            other + 1
        );
        return Err(Box::new(
            Diagnostic::error("ambiguous-line", message)
                .at(span_of(&lines[0]), "two fields have the form of a state")
                .hint("write `ID: STATE = COST`, where only the state is required"),
        ));
    }
    let id = (state > 0).then_some(0);
    let is_numeric = |place: &usize| {
        let mut some = false;
        split.iter().all(|fields| {
            let words = fields.get(*place).map_or(&[][..], Vec::as_slice);
            some |= cost_of(words).is_some();
            cost_of(words).is_some() || is_unknown(words)
        }) && some
    };
    let numeric: Vec<usize> = (0..number)
        .filter(|place| *place != state && Some(*place) != id)
        .filter(is_numeric)
        .collect();
    let named = header.and_then(|words| named_cost(words, number));
    let (cost, unclear) = match (
        named.filter(|place| numeric.contains(place)),
        numeric.as_slice(),
    ) {
        (Some(named), _) => (Some(named), Vec::new()),
        (None, []) => (None, Vec::new()),
        (None, [only]) => (Some(*only), Vec::new()),
        (None, _) => (None, numeric),
    };
    Ok(Some(Fields {
        id,
        state,
        cost,
        unclear,
        number,
    }))
}

/// The field that a header calls the cost.
fn named_cost(header: &[Word<'_>], number: usize) -> Option<usize> {
    let names: Vec<String> = match split(header) {
        fields if fields.len() == number => fields
            .iter()
            .map(|words| words.iter().map(|word| word.text.to_lowercase()).collect())
            .collect(),
        _ if header.len() == number => header.iter().map(|word| word.text.to_lowercase()).collect(),
        _ => return None,
    };
    let is_cost = |name: &String| {
        [
            "cost", "least", "opt", "length", "depth", "dist", "moves", "solution",
        ]
        .iter()
        .any(|word| name.contains(word))
    };
    let mut found = (0..number).filter(|place| is_cost(&names[*place]));
    found.next().filter(|_| found.next().is_none())
}

/// The number that a field is.
fn cost_of(words: &[Word<'_>]) -> Option<u128> {
    match words {
        [word] if word.text.bytes().all(|byte| byte.is_ascii_digit()) => word.text.parse().ok(),
        _ => None,
    }
}

/// Whether a field marks a number as unknown.
fn is_unknown(words: &[Word<'_>]) -> bool {
    match words {
        [] => true,
        [word] => ["-", "?", "na", "none", "unknown"].contains(&word.text.to_lowercase().as_str()),
        _ => false,
    }
}

impl Fields {
    /// Describe how the lines are read.
    pub(super) fn describe(&self) -> String {
        let name = |place: usize| {
            if Some(place) == self.id {
                "id"
            } else if place == self.state {
                "state"
            } else if Some(place) == self.cost {
                "cost"
            } else {
                ".."
            }
        };
        let names: Vec<&str> = (0..self.number).map(name).collect();
        let mut text = format!("read as `{}`", names.join(" : "));
        if !self.unclear.is_empty() {
            let places: Vec<String> = self.unclear.iter().map(|p| (p + 1).to_string()).collect();
            text.push_str(&format!(
                "; fields {} are numbers, and it is unclear which is the least cost, so no cost is read",
                places.join(", ")
            ));
        }
        text
    }

    /// The parts of a line.
    pub(super) fn parts<'t>(
        &self,
        words: &[Word<'t>],
        number: usize,
    ) -> Result<Parts<'t>, Box<Diagnostic>> {
        let mut fields = split(words);
        let field = |place: Option<usize>| place.and_then(|place| fields.get(place));
        let id: Option<String> = field(self.id).map(|words| {
            let words: Vec<&str> = words.iter().map(|word| word.text).collect();
            words.join(" ")
        });
        let cost = field(self.cost).and_then(|words| cost_of(words));
        let state = if self.state < fields.len() {
            fields.swap_remove(self.state)
        } else {
            Vec::new()
        };
        let (state, known_cost) = line::split_cost(state, usize::MAX)?;
        Ok(Parts {
            id: id
                .filter(|id| !id.is_empty())
                .unwrap_or_else(|| number.to_string()),
            whole: span_of(if state.is_empty() { words } else { &state }),
            state,
            known_cost: known_cost.or(cost),
        })
    }
}
