//! Instances in the layout that Korf published: a number, the least cost, counts of nodes, the
//! state.

use psvn_syntax::Diagnostic;

use super::Parts;
use super::line::{Word, span_of};
use super::words::WordMap;
use crate::Game;

/// More numbers than this in front of a state are a mistake.
const MOST_NUMBERS: usize = 16;

/// Whether all lines have this layout: the same number of numbers, at least two, followed by as
/// many words as a state has.
///
/// One word more than a state has may be a typing error, and is never taken for a name.
///
/// # Errors
/// When the state may also be in front of the numbers.
pub(super) fn is_meant(
    lines: &[Vec<Word<'_>>],
    map: &WordMap,
    game: &Game,
) -> Result<bool, Box<Diagnostic>> {
    let n = game.n_variables();
    let extra = |words: &Vec<Word<'_>>| words.len().saturating_sub(n);
    let Some(first) = lines.first().map(extra) else {
        return Ok(false);
    };
    let is_laid_out = (2..=MOST_NUMBERS).contains(&first)
        && lines.iter().all(|words| {
            extra(words) == first
                && words[0].text.parse::<u64>().is_ok()
                && words[1].text.parse::<u64>().is_ok()
                && words[2..first].iter().all(|word| is_count(word.text))
                // `STATE = COST` also has numbers in front if the state begins with them.
                && !words.iter().any(|word| word.text.starts_with('='))
                && !words.iter().any(|word| word.text.starts_with(':') || word.text.ends_with(':'))
        });
    if !is_laid_out {
        return Ok(false);
    }
    let texts = |words: &[Word<'_>]| -> Vec<String> {
        let values = words.iter().map(|word| map.value_of(word.text));
        values.map(str::to_ascii_lowercase).collect()
    };
    let is_state = |words: &[Word<'_>]| {
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        map.state(&texts, game).is_ok()
    };
    let is_back = |words: &Vec<Word<'_>>| {
        is_state(&words[..n]) && words[n..].iter().all(|word| is_count(word.text))
    };
    if !lines.iter().all(is_back) {
        return Ok(true);
    }
    // If all states have exactly the goal's values, words with these values are a state.
    let has_values_of_goal = |words: &[Word<'_>]| {
        let goal = game.goal_state()?;
        let mut goal = game.format_state(goal.values()).to_ascii_lowercase();
        let sorted = |mut words: Vec<String>| {
            words.sort();
            words
        };
        let goal = sorted(
            std::mem::take(&mut goal)
                .split(' ')
                .map(str::to_owned)
                .collect(),
        );
        Some(sorted(texts(words)) == goal)
    };
    let all = |of: &dyn Fn(&Vec<Word<'_>>) -> Option<bool>| {
        lines.iter().all(|words| of(words) == Some(true))
    };
    let behind = all(&|words| has_values_of_goal(&words[first..]));
    let in_front = all(&|words| has_values_of_goal(&words[..n]));
    if behind && !in_front {
        return Ok(true);
    }
    let line = &lines[0];
    Err(Box::new(
        Diagnostic::error(
            "ambiguous-line",
            format!(
                "a state has {n} values, and this line has {} words: the state may come first or last",
                line.len()
            ),
        )
        .at(span_of(line), "both ends have the form of a state")
        .hint("write `ID: STATE = COST`"),
    ))
}

/// Describe how the lines are read.
pub(super) fn describe(lines: &[Vec<Word<'_>>], game: &Game) -> String {
    let extra = |words: &Vec<Word<'_>>| words.len().saturating_sub(game.n_variables());
    let names = match lines.iter().map(extra).max().unwrap_or(0) {
        0 | 1 => "id state",
        2 => "id cost state",
        _ => "id cost .. state",
    };
    format!("read as `{names}`")
}

/// A count of nodes; `-` if unknown.
fn is_count(text: &str) -> bool {
    text == "-"
        || text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
}

/// The parts of a line, with the state at its end.
pub(super) fn parts<'t>(words: &[Word<'t>], game: &Game) -> Result<Parts<'t>, Box<Diagnostic>> {
    let Some(n_extra) = words
        .len()
        .checked_sub(game.n_variables())
        .filter(|n| *n > 0)
    else {
        return Err(Box::new(
            Diagnostic::error(
                "wrong-state-length",
                format!(
                    "expected a number and a state of {} values, found {} words",
                    game.n_variables(),
                    words.len()
                ),
            )
            .at(span_of(words), "too short")
            .hint("a line of Korf's is `ID COST NODES.. STATE`"),
        ));
    };
    let (front, values) = words.split_at(n_extra);
    let known_cost = match front.get(1) {
        None => None,
        Some(word) if word.text == "-" => None,
        Some(word) => Some(word.text.parse().map_err(|_| {
            Box::new(
                Diagnostic::error(
                    "bad-instance-cost",
                    format!("expected the least cost, found `{}`", word.text),
                )
                .at(word.span(), "no whole number"),
            )
        })?),
    };
    Ok(Parts {
        id: front[0].text.trim_end_matches(':').to_owned(),
        state: values.to_vec(),
        whole: span_of(values),
        known_cost,
    })
}

#[cfg(test)]
mod tests {
    use super::super::line::split;
    use super::super::test_games::numbers;
    use super::*;

    #[test]
    fn numbers_in_front_of_every_state_are_told_from_slips() {
        let game = numbers(9, 2);
        let map = WordMap::default();
        let found = |text: &str| is_meant(&split(text), &map, &game);
        let is_korf = |text: &str| found(text).unwrap();
        assert!(is_korf("1 57 540,860 3 0\n2 55 - 0 4\n"));
        assert!(is_korf("# head\n1 57 3 0\n"));
        assert!(!is_korf("1 3 0\n2 0 4\n"), "one value too many");
        assert!(!is_korf("1 57 540 3 0\n2 55 0 4\n"), "of different lengths");
        assert!(!is_korf("a 57 540 3 0\n"));
        assert!(!is_korf("3 0 = 1\n"));
        assert!(!is_korf(""));
        // The state may be `1 1` in front or behind: the parser doesn't guess.
        assert_eq!(found("1 1 1 1\n").unwrap_err().code, "ambiguous-line");
        assert_eq!(found("2 1 1 1 1\n").unwrap_err().code, "ambiguous-line");
        assert!(
            !is_korf(&"1 ".repeat(1000)),
            "too many for numbers of nodes"
        );
        // Only the words behind have the values of the goal.
        assert!(is_korf("1 7 1 0\n2 8 0 1\n"));
        let line = &split("17 57 540 3 0")[0];
        let instance = parts(line, &game).unwrap().instance(&map, &game).unwrap();
        assert_eq!(
            (instance.id.as_str(), instance.known_cost),
            ("17", Some(57))
        );
        assert_eq!(game.format_state(instance.state.values()), "3 0");
    }
}
