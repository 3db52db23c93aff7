//! Plans as text, either records of `psvn solve --format json` or labels; and checks of them.

mod checking;

use psvn_ir::RuleId;
use serde::Deserialize;

use crate::error::Error;
use crate::game::RuleNames;
use crate::text::{Task, message};

pub use self::checking::{PlanChecker, PlanRecord, PlanReport, PlanTotals, PlanVerdict};

/// A plan to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The line of the file that it begins on, from 1.
    pub line: usize,
    /// The instance that it belongs to, if the file says so.
    pub instance: Option<String>,
    /// The start state, if the file says so.
    pub start: Option<String>,
    /// The moves; `None` for an instance without a solution.
    pub moves: Option<Vec<String>>,
    /// Its cost according to the file.
    pub cost: Option<u128>,
    /// Its number of moves according to the file.
    pub length: Option<usize>,
}

/// The fields of a record of `psvn solve --format json` that matter here.
#[derive(Deserialize)]
struct Record {
    instance: Option<Name>,
    start: Option<String>,
    cost: Option<Cost>,
    length: Option<usize>,
    moves: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Text(String),
    Number(u64),
}

/// Large numbers are written as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Cost {
    Number(u64),
    Text(String),
}

/// Return the plans of a file.
///
/// # Errors
/// When the text can't be parsed; the error names the first place.
pub fn parse(text: &str, name: &str) -> Result<Vec<Plan>, Error> {
    let text = text.trim_start_matches('\u{feff}');
    let plans = if text.trim_start().starts_with('{') {
        records(text, name)?
    } else {
        labels(text)
    };
    if plans.is_empty() {
        return Err(
            Error::input(format!("{name}: there is no plan")).with_hint(message![
                "write the labels of the moves, or use what ",
                Task::PrintSolveRecord
            ]),
        );
    }
    Ok(plans)
}

fn records(text: &str, name: &str) -> Result<Vec<Plan>, Error> {
    let mut plans = Vec::new();
    let mut records = serde_json::Deserializer::from_str(text).into_iter::<Record>();
    loop {
        let offset = records.byte_offset();
        let skipped = text[offset..].len() - text[offset..].trim_start().len();
        let line = 1 + text[..offset + skipped].matches('\n').count();
        let Some(record) = records.next() else {
            return Ok(plans);
        };
        let wrong = |what: String| {
            Error::input(format!("{name}: {what}")).with_hint(message![
                "a record has the form that ",
                Task::PrintSolveRecord,
                ": instance, start, cost, moves"
            ])
        };
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let cost = match record.cost {
            None => None,
            Some(Cost::Number(number)) => Some(number.into()),
            Some(Cost::Text(text)) => Some(
                text.parse()
                    .map_err(|_| wrong(format!("line {line}: `{text}` isn't a cost")))?,
            ),
        };
        plans.push(Plan {
            line,
            instance: record.instance.map(|name| match name {
                Name::Text(text) => text,
                Name::Number(number) => number.to_string(),
            }),
            start: record.start,
            moves: record.moves,
            cost,
            length: record.length,
        });
    }
}

/// Parse plans of labels: a single plan, which may take several lines, or one in each line, where
/// lines begin with a name and a colon. Steps of a planner's plan may be numbered from 0, as in
/// `0: (op a b)` or `0.000: (op a b) [1]`. A planner's comment `; cost = N` ends a plan with its
/// cost.
fn labels(text: &str) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    let has_numbers = has_numbered_steps(text);
    for (number, line) in (1..).zip(text.lines()) {
        let begin = |instance| Plan {
            line: number,
            instance,
            start: None,
            moves: Some(Vec::new()),
            cost: None,
            length: None,
        };
        if let Some(cost) = claimed_cost(line) {
            match plans.last_mut().filter(|plan| plan.cost.is_none()) {
                Some(plan) => plan.cost = Some(cost),
                // A plan without moves.
                None => plans.push(Plan {
                    cost: Some(cost),
                    ..begin(None)
                }),
            }
            continue;
        }
        let mut words = words_of(line).peekable();
        let Some(first) = words.peek() else {
            continue;
        };
        let mut instance = first.strip_suffix(':').map(str::to_owned);
        if instance.is_some() {
            words.next();
        }
        let mut moves = moves(words);
        if has_numbers {
            instance = instance.filter(|name| !is_number(name));
            // Behind an operator, in brackets, stands how long it takes.
            moves.retain(|word| !is_duration(word));
        }
        let goes_on = |plan: &&mut Plan| instance.is_none() && plan.cost.is_none();
        match plans.last_mut().filter(goes_on) {
            Some(plan) => plan.moves.get_or_insert_default().extend(moves),
            None => plans.push(Plan {
                moves: Some(moves),
                ..begin(instance)
            }),
        }
    }
    plans
}

/// The words of a line in front of a comment.
fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split_whitespace();
    words.take_while(|word| !word.starts_with(['#', ';']))
}

/// Whether numbers in front of operators are those of steps, or their times, from 0 on, and not
/// names of instances.
fn has_numbered_steps(text: &str) -> bool {
    let mut lines = text.lines().map(words_of);
    let first = lines.find_map(|mut words| Some((words.next()?, words.next())));
    first.is_some_and(|(number, operator)| {
        let number = number.strip_suffix(':').filter(|word| is_number(word));
        let is_zero = number.is_some_and(|number| number.chars().all(|c| c == '0' || c == '.'));
        is_zero && operator.is_some_and(|word| word.starts_with('('))
    })
}

/// Whether a word is a number, such as `0.001`.
fn is_number(word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(is_digit)
}

/// Whether a word is a duration as planners write it: `[1.000]`.
fn is_duration(word: &str) -> bool {
    let inner = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'));
    inner.is_some_and(is_number)
}

/// The cost that a planner's comment claims for a plan: `; cost = 12 (general cost)`.
fn claimed_cost(line: &str) -> Option<u128> {
    let comment = line.trim_start().strip_prefix(';')?.trim_start();
    let (name, rest) = comment.split_once('=')?;
    let cost = rest.split_whitespace().next()?;
    let is_cost = name.trim().eq_ignore_ascii_case("cost");
    cost.parse().ok().filter(|_| is_cost)
}

/// The moves of a line: its words, or those of a planner, from `(` to `)`.
fn moves<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in words {
        match moves.last_mut().filter(|_| is_open) {
            Some(operator) => {
                operator.push(' ');
                operator.push_str(word);
            }
            None => moves.push(word.to_owned()),
        }
        is_open = (is_open || word.starts_with('(')) && !word.ends_with(')');
    }
    moves
}

/// Return the rules that a word of a plan may stand for: one, or all with a label. `(pick a b)`, as
/// planners write it, stands for those that the operator `pick a b` of a task became.
///
/// # Errors
/// When the word isn't the name of a rule.
fn rules_of(word: &str, names: &RuleNames<'_>) -> Result<Vec<RuleId>, Error> {
    let operator = word
        .strip_prefix('(')
        .and_then(|word| word.strip_suffix(')'));
    let operator = operator.map(label_of_operator);
    let of_operator = |operator: &String| names.labeled(operator).to_vec();
    let labeled = match names.labeled(word) {
        [] => operator.as_ref().map(of_operator).unwrap_or_default(),
        labeled => labeled.to_vec(),
    };
    if labeled.is_empty() {
        return Ok(vec![names.resolve(operator.as_deref().unwrap_or(word))?]);
    }
    Ok(labeled)
}

/// The label of the rules that an operator of a planning task became.
#[cfg(feature = "formats")]
fn label_of_operator(name: &str) -> String {
    formats::sas::label(name)
}

/// Games are never made from planning tasks, so the name stands for itself.
#[cfg(not(feature = "formats"))]
fn label_of_operator(name: &str) -> String {
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(plan: &Plan) -> String {
        plan.moves
            .as_ref()
            .map(|moves| moves.join(" "))
            .unwrap_or_default()
    }

    #[test]
    fn labels_in_one_plan_or_one_a_line() {
        let plans = labels("# a plan\nup down\n\nR#1 # and so on\n");
        assert_eq!(plans.len(), 1);
        assert_eq!(
            (plans[0].line, moves(&plans[0]).as_str()),
            (2, "up down R#1")
        );
        let plans = labels("a: up down\nb:\n c: R\n left\n");
        let names: Vec<_> = plans.iter().map(|plan| plan.instance.as_deref()).collect();
        assert_eq!(names, [Some("a"), Some("b"), Some("c")]);
        assert_eq!(
            plans.iter().map(moves).collect::<Vec<_>>(),
            ["up down", "", "R left"]
        );
    }

    #[test]
    fn plans_of_planners() {
        let text = "(pick ball a)\n(move  a b )\n( drop\tball b)\n; cost = 3 (unit cost)\n";
        let plans = labels(text);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].moves.as_deref().unwrap().len(), 3);
        assert_eq!(moves(&plans[0]), "(pick ball a) (move a b ) ( drop ball b)");
        assert_eq!((plans[0].line, plans[0].cost), (1, Some(3)));
        // What follows a cost is another plan; a cost alone is a plan without moves.
        let plans = labels("; Plan\n(a) ; a comment\n(b)\n; cost = 2\nc\n");
        let costs: Vec<_> = plans.iter().map(|plan| plan.cost).collect();
        assert_eq!(costs, [Some(2), None]);
        assert_eq!(
            (moves(&plans[0]).as_str(), moves(&plans[1]).as_str()),
            ("(a) (b)", "c")
        );
        for numbered in [
            "0: (pick ball a)\n1: (move a b)\n; cost = 2\n",
            "0.000: (pick ball a) [1.000]\n1.001: (move a b) [12]\n; cost = 2\n",
        ] {
            let plans = labels(numbered);
            assert_eq!((plans.len(), &plans[0].instance), (1, &None));
            assert_eq!(moves(&plans[0]), "(pick ball a) (move a b)");
            assert_eq!(plans[0].cost, Some(2));
        }
        // Other numbers are names of instances.
        for named in ["0: up down\n1: up\n", "1: (up)\n2: (up)\n"] {
            assert_eq!(labels(named).len(), 2);
        }
        let plans = labels("; cost = 0 (unit cost)\n");
        assert_eq!(
            (plans.len(), moves(&plans[0]).as_str(), plans[0].cost),
            (1, "", Some(0))
        );
    }

    #[test]
    fn records_of_searches() {
        let text = "{\"instance\":\"1\",\"cost\":2,\"moves\":[\"a\",\"b\"],\"more\":1}\n\n\
                    {\"instance\":2,\"cost\":\"18446744073709551616\",\"moves\":null}\n";
        let plans = parse(text, "f").unwrap();
        assert_eq!((plans[0].line, plans[1].line), (1, 3));
        assert_eq!(plans[0].cost, Some(2));
        assert_eq!(plans[1].cost, Some(1 << 64));
        assert_eq!((moves(&plans[0]).as_str(), &plans[1].moves), ("a b", &None));
        assert_eq!(plans[1].instance.as_deref(), Some("2"));
        for wrong in [
            "",
            "# none\n",
            "{\"moves\":3}",
            "{\"moves\":[]",
            "{} x",
            "{\"cost\":\"x\"}",
        ] {
            assert!(parse(wrong, "f").is_err(), "{wrong}");
        }
    }
}
