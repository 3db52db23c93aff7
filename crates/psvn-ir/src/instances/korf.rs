//! Instances as Korf's are published: a number, the least cost, counts of nodes, and the state.

use psvn_syntax::{Diagnostic, Span};

use super::Instance;
use super::line::{Word, span_of, state};
use crate::Game;

/// Whether all lines are laid out so: the same number of numbers, two at least, in front of what has the
/// length of a state.
///
/// One more word than a state has may be a slip of the pen, and so is never taken for a name.
pub(super) fn is_meant(lines: &[Vec<Word<'_>>], game: &Game) -> bool {
    let n = game.n_variables();
    let extra = |words: &Vec<Word<'_>>| words.len().saturating_sub(n);
    let Some(first) = lines.first().map(extra) else {
        return false;
    };
    first >= 2
        && lines.iter().all(|words| {
            extra(words) == first
                && words[0].text.parse::<u64>().is_ok()
                && words[1].text.parse::<u64>().is_ok()
                && words[2..first].iter().all(|word| is_count(word.text))
                // `STATE = COST` has numbers in front, too, if the state begins with them.
                && !words.iter().any(|word| word.text.starts_with('='))
        })
}

/// A count of nodes; `-` where it isn't known.
fn is_count(text: &str) -> bool {
    text == "-"
        || text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
}

/// Reads a line: the state is what stands at its end.
pub(super) fn parse(words: &[Word<'_>], game: &Game) -> Result<Instance, Box<Diagnostic>> {
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
    Ok(Instance {
        id: front[0].text.trim_end_matches(':').to_owned(),
        state: state(values, Span::default(), game)?,
        known_cost,
        span: span_of(values),
    })
}

#[cfg(test)]
mod tests {
    use super::super::line::split;
    use super::*;

    #[test]
    fn numbers_in_front_of_every_state_are_told_from_slips() {
        let game = crate::load("2  9 9\n0 A => A 0\nGOAL 0 1\n").game.unwrap();
        let is_korf = |text: &str| is_meant(&split(text), &game);
        assert!(is_korf("1 57 540,860 3 0\n2 55 - 0 4\n"));
        assert!(is_korf("# head\n1 57 3 0\n"));
        assert!(!is_korf("1 3 0\n2 0 4\n"), "one value too many");
        assert!(!is_korf("1 57 540 3 0\n2 55 0 4\n"), "of different lengths");
        assert!(!is_korf("a 57 540 3 0\n"));
        assert!(!is_korf("3 0 = 1\n"));
        assert!(!is_korf(""));
        let line = &split("17 57 540 3 0")[0];
        let instance = parse(line, &game).unwrap();
        assert_eq!(
            (instance.id.as_str(), instance.known_cost),
            ("17", Some(57))
        );
        assert_eq!(game.format_state(instance.state.values()), "3 0");
    }
}
