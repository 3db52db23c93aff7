//! Road networks in the format of the ninth DIMACS challenge (`.gr`).

use psvn_ir::MAX_COST;
use psvn_syntax::{Diagnostic, Span};

use super::{Map, Step};
use crate::lines::{Line, Lines};
use crate::problems::Problems;

/// The form of a line with an arc.
const ARC: &str = "an arc is `a FROM TO COST`, with places from 1 to the number in the line `p sp`";

/// The numbers of a line behind its letters.
fn numbers<const N: usize>(line: Line<'_>, letters: &[&str]) -> Option<[usize; N]> {
    let mut words = line.text.split_whitespace();
    if !letters.iter().all(|letter| words.next() == Some(*letter)) {
        return None;
    }
    let found: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    found?.try_into().ok()
}

/// Read a network: the line `p sp PLACES ARCS`, and lines `a FROM TO COST`. Arcs from a place to
/// itself are left out, and so are places without arcs.
///
/// # Errors
/// All errors of the text, each with its place.
pub fn parse(text: &str) -> Result<Map, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let mut lines = Lines::new(text, |line| line == "c" || line.starts_with("c "));
    let span = lines.place();
    let head = lines
        .next()
        .and_then(|line| numbers::<2>(line, &["p", "sp"]));
    let Some([n_places, n_arcs]) = head else {
        let found = Diagnostic::error("map-head", "expected `p sp PLACES ARCS`");
        problems.push(found.at(span, "").hint("both are numbers"));
        return Err(problems.finish());
    };
    let mut steps = Vec::new();
    let mut n_read = 0;
    while let Some(line) = lines.next() {
        n_read += 1;
        let is_place = |place: &usize| (1..=n_places).contains(place);
        match numbers::<3>(line, &["a"]) {
            Some([from, to, cost]) if is_place(&from) && is_place(&to) => {
                let Some(cost) = u32::try_from(cost)
                    .ok()
                    .filter(|it| u64::from(*it) <= MAX_COST)
                else {
                    let message = format!("the greatest cost is {MAX_COST}");
                    problems.push(Diagnostic::error("map-cost", message).at(line.span, ""));
                    continue;
                };
                if from != to {
                    steps.push(Step {
                        from,
                        to,
                        cost,
                        label: None,
                    });
                }
            }
            _ => {
                let found = Diagnostic::error("map-arc", "this isn't an arc of the network");
                problems.push(found.at(line.span, "").hint(ARC));
            }
        }
    }
    if n_read != n_arcs {
        let message = format!("the network has {n_read} arcs, and not {n_arcs}");
        problems.push(Diagnostic::error("map-arcs", message).at(span, "declared here"));
    }
    if problems.has_errors() {
        return Err(problems.finish());
    }
    Ok(between_places(n_places, steps, span))
}

/// The map of the places that steps connect, given by their numbers in the file.
fn between_places(n_places: usize, mut steps: Vec<Step>, span: Span) -> Map {
    let mut numbers: Vec<usize> = steps.iter().flat_map(|step| [step.from, step.to]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for step in &mut steps {
        for place in [&mut step.from, &mut step.to] {
            *place = numbers.partition_point(|number| *number < *place);
        }
    }
    Map {
        title: format!(
            "A network of {n_places} places, in the format of the DIMACS challenge. The {} that an\n\
             arc leads to or from are named by their numbers.",
            numbers.len()
        ),
        places: numbers.iter().map(usize::to_string).collect(),
        steps,
        span,
    }
}
