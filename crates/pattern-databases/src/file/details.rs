//! The texts of a file, which describe its table.

use container::Reader;
use psvn_ir::Game;

use crate::database::Recipe;

/// The texts between the header and the table.
pub(super) struct Details {
    pub(super) abstraction: String,
    pub(super) charged_values: String,
    pub(super) goals: String,
    pub(super) assumed: String,
    pub(super) ranking: String,
}

impl Details {
    fn texts(&self) -> [&str; 5] {
        [
            &self.abstraction,
            &self.charged_values,
            &self.goals,
            &self.assumed,
            &self.ranking,
        ]
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in self.texts() {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader::new(bytes);
        let mut text = || {
            let length = rest.u32().ok()? as usize;
            let text = rest.take(length).ok()?;
            String::from_utf8(text.to_vec()).ok()
        };
        let details = Self {
            abstraction: text()?,
            charged_values: text()?,
            goals: text()?,
            assumed: text()?,
            ranking: text()?,
        };
        rest.rest().is_empty().then_some(details)
    }
}

/// Return the goal conditions as text: the content hash doesn't cover them, and the table depends
/// on them.
pub(crate) fn goals_text(game: &Game) -> String {
    let goals = game.goals().iter();
    let lines: Vec<String> = goals
        .map(|goal| game.format_terms(goal.conditions()))
        .collect();
    lines.join("\n")
}

/// Return what is charged to the table, as text; `None` if it pays for everything.
pub(super) fn charged_text(recipe: &Recipe) -> Option<String> {
    let values = recipe.charged_values.as_deref().map(charged_values_text);
    let rules = || Some(line_of(recipe.charged_rules.as_deref()?));
    values.or_else(rules)
}

/// Return a digit for each item.
fn line_of(charged: &[bool]) -> String {
    let digit = |is_charged: &bool| if *is_charged { '1' } else { '0' };
    charged.iter().map(digit).collect()
}

fn parse_line(line: &str) -> Option<Vec<bool>> {
    let digit = |byte: u8| match byte {
        b'0' => Some(false),
        b'1' => Some(true),
        _ => None,
    };
    line.bytes().map(digit).collect()
}

/// Read the rules whose costs are charged to a table: a digit for each.
pub(super) fn parse_charged_rules(game: &Game, text: &str) -> Option<Vec<bool>> {
    parse_line(text).filter(|charged| charged.len() == game.rules().len())
}

/// Return the values whose costs are charged to the table, as text: one line for each domain, one
/// digit for each value.
fn charged_values_text(charged_values: &[Vec<bool>]) -> String {
    let lines = charged_values.iter().map(|charged| line_of(charged));
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn parse_charged_values(game: &Game, text: &str) -> Option<Vec<Vec<bool>>> {
    let charged_values: Vec<Vec<bool>> = text.split('\n').map(parse_line).collect::<Option<_>>()?;
    let sizes = game.domains().iter().map(psvn_ir::Domain::size);
    charged_values
        .iter()
        .map(Vec::len)
        .eq(sizes)
        .then_some(charged_values)
}
