//! Maps: grids of the Moving AI Lab, their scenarios, and road networks of the DIMACS challenge on
//! shortest paths.
//!
//! A map becomes a game of two variables: the place, and the destination, which no rule changes. So
//! a start is a place and a destination, and one game serves all pairs. Each step is a rule.

mod octile;
mod roads;
mod scenarios;

use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::{Diagnostic, Span};

pub use octile::{DIAGONAL, STRAIGHT, parse as parse_octile};
pub use roads::parse as parse_roads;
pub use scenarios::instances;

use crate::imported::{Imported, Rejected};
use crate::meter::Meter;
use crate::problems::Problems;

/// Places and the steps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// What the map is, in lines without marks of comments.
    pub title: String,
    /// The names of the places.
    pub places: Vec<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Where the file counts its places and steps.
    pub span: Span,
}

/// A step from place to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place where it begins, from 0.
    pub from: usize,
    /// The place where it ends.
    pub to: usize,
    /// Its cost.
    pub cost: u32,
    /// Its name, if it has one.
    pub label: Option<&'static str>,
}

/// Write a map as PSVN.
///
/// # Errors
/// When the map has no step, or a limit is reached.
pub fn to_psvn(map: &Map, limits: &LoadLimits<'_>) -> Result<Imported, Rejected> {
    let mut problems = Problems::default();
    if map.steps.is_empty() {
        let found = Diagnostic::error("map-no-steps", "no step leads from one place to another");
        problems.push(found.at(map.span, "").hint("a game needs a rule"));
        return Err(problems.into());
    }
    let text = match write(map, &Meter::new(limits)) {
        Ok(text) => text,
        Err(stop) => {
            let (code, message) = match stop {
                LoadStop::Requested => ("map-time", "the time ran out while the map was read"),
                _ => (
                    "map-too-large",
                    "the map has more steps than the limits allow",
                ),
            };
            problems.stop(stop, Diagnostic::error(code, message).at(map.span, ""));
            return Err(problems.into());
        }
    };
    Imported::unless_wrong(text, Vec::new(), problems)
}

fn write(map: &Map, meter: &Meter<'_>) -> Result<String, LoadStop> {
    if map.steps.len() > meter.limits().rules {
        return Err(LoadStop::Rules);
    }
    let mut text = String::new();
    for line in map.title.lines() {
        text.push_str(format!("# {line}").trim_end());
        text.push('\n');
    }
    meter.words(map.places.len() + 10, text.len())?;
    let (n, places) = (map.places.len(), map.places.join(" "));
    text.push_str(&format!(
        "#\n# A state is a place and the destination.\n\n\
         DOMAIN place {n} {places}\n\n2\nplace  # where one is\nplace  # where one goes\n\n"
    ));
    for step in &map.steps {
        // Both sides, the arrow, label and cost.
        meter.words(9, text.len())?;
        meter.work(9)?;
        let [from, to] = [step.from, step.to].map(|place| &map.places[place]);
        text.push_str(from);
        text.push_str(" - => ");
        text.push_str(to);
        text.push_str(" -");
        if let Some(label) = step.label {
            text.push_str(" LABEL ");
            text.push_str(label);
        }
        match step.cost {
            1 => text.push('\n'),
            cost => text.push_str(&format!(" COST {cost}\n")),
        }
    }
    text.push_str("\nGOAL here here\n");
    Ok(text)
}
