//! Mutants of a game's text: mistakes of authors who write puzzles by hand.

use psvn_ir::testing::SplitMix64;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    /// A rule is left out.
    Drop,
    /// All entries of a rule shift by one position; the last one comes to the front.
    Wrap,
    /// A value of a rule is misspelled.
    Misspell,
    /// Two entries of one side of a rule are exchanged.
    Swap,
    /// A value of a rule is replaced by another one of its domain.
    WrongValue,
    /// A rule and the one that undoes it are both left out.
    DropBoth,
    /// A rule and the one that undoes it both shift by one position.
    WrapBoth,
}

pub(crate) const SLIPS: [Slip; 7] = [
    Slip::Drop,
    Slip::Wrap,
    Slip::Misspell,
    Slip::Swap,
    Slip::WrongValue,
    Slip::DropBoth,
    Slip::WrapBoth,
];

/// A rule's line as words.
#[derive(Clone, Debug)]
struct Row {
    line: usize,
    sides: [Vec<String>; 2],
    rest: String,
}

impl Row {
    fn text(&self) -> String {
        let [left, right] = &self.sides;
        format!("{} => {} {}", left.join(" "), right.join(" "), self.rest)
    }

    fn wrapped(&self) -> Self {
        let mut row = self.clone();
        for side in &mut row.sides {
            side.rotate_right(1);
        }
        row
    }
}

/// A text from a generator, one rule per line, with the values of each position and the inverses.
pub(crate) struct Original {
    lines: Vec<String>,
    rows: Vec<Row>,
    /// The names of the values of each position.
    values: Vec<Vec<String>>,
    inverse: Vec<Option<usize>>,
}

impl Original {
    pub(crate) fn new(text: &str) -> Self {
        let game = psvn_ir::load(text).game.unwrap();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let is_rule = |line: &str| !line.starts_with('#') && line.contains(" => ");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let rows = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| is_rule(line))
            .map(|(number, line)| {
                let (left, right) = line.split_once(" => ").unwrap();
                let (right, label) = right.split_once("LABEL").unwrap();
                Row {
                    line: number,
                    sides: [words(left), words(right)],
                    rest: format!("LABEL{label}"),
                }
            })
            .collect();
        let relations = psvn_ir::Relations::of(&game);
        Self {
            lines,
            rows,
            values: game
                .variables()
                .iter()
                .map(|domain| game.domain(*domain).values().to_vec())
                .collect(),
            inverse: game
                .rules_with_ids()
                .map(|(id, _)| relations.inverse(id).map(psvn_ir::RuleId::index))
                .collect(),
        }
    }

    /// At most `most` texts with the mistake, drawn by a seed if there would be more.
    pub(crate) fn mutants(&self, slip: Slip, most: usize, seed: u64) -> Vec<String> {
        let mut all: Vec<Vec<(usize, String)>> = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            let gone = |row: &Row| (row.line, String::new());
            let here = |row: &Row| (row.line, row.text());
            let inverse = self.inverse[number].filter(|other| *other >= number);
            let inverse = inverse.map(|other| &self.rows[other]);
            match slip {
                Slip::Drop => all.push(vec![gone(row)]),
                Slip::Wrap => all.push(vec![here(&row.wrapped())]),
                Slip::DropBoth => {
                    all.extend(inverse.map(|inverse| vec![gone(row), gone(inverse)]));
                }
                Slip::WrapBoth => all.extend(
                    inverse.map(|inverse| vec![here(&row.wrapped()), here(&inverse.wrapped())]),
                ),
                Slip::Misspell | Slip::WrongValue => {
                    let variants = self.other_values(row, slip == Slip::Misspell);
                    all.extend(variants.iter().map(|row| vec![here(row)]));
                }
                Slip::Swap => all.extend(self.swaps(row).iter().map(|row| vec![here(row)])),
            }
        }
        let mut random = SplitMix64::new(seed);
        while all.len() > most {
            all.swap_remove(random.below(all.len()));
        }
        all.iter().map(|changes| self.with(changes)).collect()
    }

    fn with(&self, changes: &[(usize, String)]) -> String {
        let mut lines = self.lines.clone();
        for (number, line) in changes {
            lines[*number].clone_from(line);
        }
        lines.join("\n") + "\n"
    }

    /// The row with one of its values misspelled, or replaced by another one.
    fn other_values(&self, row: &Row, misspelled: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        for side in 0..2 {
            for (position, values) in self.values.iter().enumerate() {
                let word = &row.sides[side][position];
                if !values.contains(word) {
                    continue;
                }
                let words = if misspelled {
                    misspellings(word)
                } else {
                    values
                        .iter()
                        .filter(|other| *other != word)
                        .cloned()
                        .collect()
                };
                for word in words {
                    if misspelled && values.contains(&word) {
                        continue;
                    }
                    let mut row = row.clone();
                    row.sides[side][position] = word;
                    rows.push(row);
                }
            }
        }
        rows
    }

    fn swaps(&self, row: &Row) -> Vec<Row> {
        let mut rows = Vec::new();
        let n = self.values.len();
        for side in 0..2 {
            for one in 0..n {
                for other in one + 1..n {
                    let words = &row.sides[side];
                    if words[one] == words[other] || self.values[one] != self.values[other] {
                        continue;
                    }
                    let mut row = row.clone();
                    row.sides[side].swap(one, other);
                    rows.push(row);
                }
            }
        }
        rows
    }
}

/// Typing errors of a word: a look-alike, a doubled or a missing character.
fn misspellings(word: &str) -> Vec<String> {
    let mut found = vec![format!("{word}{}", &word[word.len() - 1..])];
    match word {
        "0" => found.push("O".to_owned()),
        "1" => found.push("l".to_owned()),
        _ if word.len() > 2 => found.push(format!("{}{}", &word[..1], &word[2..])),
        _ => {}
    }
    found
}
