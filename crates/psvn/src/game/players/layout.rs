//! Positions as the variables are laid out in the file: a line for each line of the declaration.

use std::ops::Range;

use game_tree::TwoPlayerGame;
use psvn_ir::{State, VarId};
use psvn_syntax::LineIndex;

/// Which variables stand on a line.
#[derive(Debug)]
pub(super) struct Layout {
    lines: Vec<Range<usize>>,
}

impl Layout {
    /// The layout of the variables of a text.
    pub(super) fn of(text: &str) -> Self {
        let parse = psvn_syntax::parse(text);
        let index = LineIndex::new(text);
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        let names = parse.file.variables.iter().flat_map(|decl| &decl.domains);
        for (variable, name) in names.enumerate() {
            let (line, _) = index.line_column(name.span.start);
            match lines.last_mut() {
                Some(range) if last == Some(line) => range.end = variable + 1,
                _ => lines.push(variable..variable + 1),
            }
            last = Some(line);
        }
        Self { lines }
    }

    /// A position as lines of text. The turn is left out, and so are lines with nothing else.
    pub(super) fn show(&self, game: &TwoPlayerGame, state: &State) -> Vec<String> {
        let name = |i: usize| {
            let domain = game.game().domain_of(VarId::from_index(i));
            domain.value_name(state.values()[i])
        };
        let turn = game.turn().variable.index();
        let shown = |i: &usize| *i != turn && *i < state.values().len();
        let width = (0..state.values().len())
            .filter(shown)
            .map(|i| name(i).chars().count())
            .max()
            .unwrap_or(1);
        self.lines
            .iter()
            .map(|range| range.clone().filter(shown).collect::<Vec<usize>>())
            .filter(|line| !line.is_empty())
            .map(|line| {
                let values: Vec<String> = line
                    .into_iter()
                    .map(|i| format!("{:<width$}", name(i)))
                    .collect();
                values.join(" ").trim_end().to_owned()
            })
            .collect()
    }
}
