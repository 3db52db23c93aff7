//! The rules of one move: one, or one for each combination of values that a rule must test.

use super::{Encoding, Writer};
use crate::twisty::turns::Turn;

impl Writer<'_> {
    /// The rows of a move, one for each combination of values that it must know. `None` if there
    /// are too many.
    pub(super) fn rows(&self, turns: &[Turn], most: usize) -> Option<Vec<String>> {
        // For each variable, the source of its value, and the amount added to an orientation.
        let n = self.variables.len();
        let mut source: Vec<usize> = (0..n).collect();
        let mut added = vec![0; n];
        for (index, variable) in self.variables.iter().enumerate() {
            let turn = &turns[variable.set];
            let (begin, width) = self.layout[variable.set];
            let (from, twist) = (turn.from[variable.place], turn.twist[variable.place]);
            let sticker = match (self.encoding, variable.sticker) {
                (Encoding::Stickers, sticker) => (sticker + width - twist % width) % width,
                (Encoding::Pieces, sticker) => {
                    added[index] = if sticker == 1 { twist } else { 0 };
                    sticker
                }
            };
            source[index] = begin + from * width + sticker;
        }
        for marks in &self.marks {
            let turn = &turns[marks.set];
            source.extend(turn.from.iter().map(|from| marks.begin + from));
        }
        added.resize(source.len(), 0);
        // The variables that must be known, each with its possible values.
        let mut choices: Vec<(usize, Vec<String>)> = Vec::new();
        for (index, twist) in added.iter().enumerate().filter(|(_, twist)| **twist > 0) {
            let set = &self.puzzle.sets[self.variables[index].set];
            debug_assert!(*twist < set.orientations);
            choices.push((
                source[index],
                (0..set.orientations).map(|it| it.to_string()).collect(),
            ));
        }
        for marks in &self.marks {
            choices.extend(marks.tests(&turns[marks.set]));
        }
        let n_rows = choices.iter().map(|(_, values)| values.len());
        let n_rows = n_rows.fold(1_usize, usize::saturating_mul);
        if n_rows > most {
            return None;
        }
        let row = |number: usize| self.row(&source, &added, &choices, number);
        Some((0..n_rows).map(row).collect())
    }

    /// The row of a choice.
    fn row(
        &self,
        source: &[usize],
        added: &[usize],
        choices: &[(usize, Vec<String>)],
        mut number: usize,
    ) -> String {
        let mut known: Vec<Option<&str>> = vec![None; source.len()];
        for (variable, values) in choices.iter().rev() {
            known[*variable] = Some(&values[number % values.len()]);
            number /= values.len();
        }
        let mut is_used = vec![false; source.len()];
        for (index, from) in source.iter().enumerate() {
            is_used[*from] |= index != *from;
        }
        let left = (0..source.len()).map(|index| match known[index] {
            Some(value) => value.to_owned(),
            None if is_used[index] => format!("x{}", index + 1),
            None => "-".to_owned(),
        });
        let left: Vec<String> = left.collect();
        let right = source
            .iter()
            .enumerate()
            .map(|(index, from)| match known[*from] {
                Some(value) if added[index] > 0 => {
                    let n = self.puzzle.sets[self.variables[index].set].orientations;
                    ((value.parse::<usize>().unwrap_or_default() + added[index]) % n).to_string()
                }
                Some(value) => value.to_owned(),
                None if *from == index => "-".to_owned(),
                None => format!("x{}", from + 1),
            });
        let right: Vec<String> = right.collect();
        format!("{} => {}", left.join(" "), right.join(" "))
    }
}
