//! Writes a puzzle as PSVN.
//!
//! If a move turns pieces, a rule can't add to an orientation: the language has no arithmetic.
//! Stickers avoid this. A piece with three orientations shows three stickers, a turn moves them,
//! and so each move is one rule without tests.

mod rows;

use std::collections::HashSet;

use budget::format_bytes;
use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::{Diagnostic, Span};

use super::marks::Marks;
use super::puzzle::{Arrangement, Puzzle, Set};
use super::turns::{Group, MOST_ORDER, Turn};
use crate::imported::{Imported, Rejected};
use crate::meter::Meter;
use crate::problems::Problems;
use crate::words::{Unique, legal};

/// The most rules that the moves of a puzzle may become.
pub const MOST_RULES: usize = 100_000;

/// The most entries of all rows: a bound on the length of the text.
const MOST_ENTRIES: usize = 50_000_000;

/// How variables represent pieces and their orientations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A variable for each place and orientation, whose value is a sticker. A move is one rule.
    #[default]
    Stickers,
    /// A variable for the piece in each place, and one for its orientation. A move that turns k
    /// pieces with n orientations becomes n^k rules.
    Pieces,
}

/// Write a puzzle as PSVN. Moves and their multiples become rules, their names labels; pieces are
/// numbered from `first`.
///
/// # Errors
/// When there are more than `most_rules` rules, a move has too many multiples, or `encoding` can't
/// represent the puzzle.
pub fn to_psvn(
    puzzle: &Puzzle,
    encoding: Encoding,
    first: usize,
    most_rules: usize,
) -> Result<Imported, Vec<Diagnostic>> {
    let limits = LoadLimits {
        rules: most_rules,
        ..LoadLimits::default()
    };
    to_psvn_within(puzzle, encoding, first, &limits).map_err(|rejected| rejected.diagnostics)
}

/// Like [`to_psvn`] within limits, and with at most [`MOST_RULES`] rules.
///
/// # Errors
/// As [`to_psvn`], or the limit that is reached.
pub fn to_psvn_within(
    puzzle: &Puzzle,
    encoding: Encoding,
    first: usize,
    limits: &LoadLimits<'_>,
) -> Result<Imported, Rejected> {
    let mut writer = Writer::new(puzzle, encoding, first, Meter::new(limits));
    let text = writer.write(limits.rules.min(MOST_RULES));
    Imported::unless_wrong(text, writer.names, writer.problems)
}

/// A value that a variable of a set may have: its piece and the visible sign.
pub(super) type Seen = (usize, usize);

/// A variable: the set, the place, and the number of the sticker there. With pieces as variables,
/// sticker 0 is the piece, and 1 its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) set: usize,
    pub(super) place: usize,
    pub(super) sticker: usize,
}

pub(super) struct Writer<'p> {
    pub(super) puzzle: &'p Puzzle,
    pub(super) encoding: Encoding,
    pub(super) first: usize,
    pub(super) variables: Vec<Variable>,
    /// For each set, the index of its first variable and the number of variables per place; 0 if
    /// the set is left out because nothing in it can be distinguished.
    pub(super) layout: Vec<(usize, usize)>,
    /// The variables behind those, which show where pieces may not be.
    pub(super) marks: Vec<Marks>,
    /// The effects of the moves, with their labels, if the puzzle can be turned as a whole.
    pub(super) effects: Vec<(Vec<Turn>, String)>,
    problems: Problems,
    pub(super) names: Vec<(String, String)>,
    meter: Meter<'p>,
}

/// The number of variables per place of a set.
fn width(set: &Set, encoding: Encoding) -> usize {
    let says_nothing = set.is_alike();
    match (set.orientations, encoding) {
        (1, _) if says_nothing => 0,
        (1, _) => 1,
        _ if says_nothing && set.distinct.iter().all(|n| *n == 1) => 0,
        // Nothing turns that can be seen.
        _ if set.distinct.iter().all(|n| *n == 1) => 1,
        (n, Encoding::Stickers) => n,
        (_, Encoding::Pieces) => 2,
    }
}

impl<'p> Writer<'p> {
    fn new(puzzle: &'p Puzzle, encoding: Encoding, first: usize, meter: Meter<'p>) -> Self {
        let mut variables = Vec::new();
        let mut layout = Vec::new();
        for (index, set) in puzzle.sets.iter().enumerate() {
            let width = width(set, encoding);
            layout.push((variables.len(), width));
            for place in 0..set.places() {
                variables.extend((0..width).map(|sticker| Variable {
                    set: index,
                    place,
                    sticker,
                }));
            }
        }
        let mut marks: Vec<Marks> = Vec::new();
        let mut begin = variables.len();
        for (index, set) in puzzle.sets.iter().enumerate() {
            let has_variables = layout[index].1 > 0;
            let found = Marks::of(index, set, &puzzle.illegal, begin);
            if let Some(found) = found.filter(|_| has_variables) {
                begin += set.places();
                marks.push(found);
            }
        }
        let (mut problems, names) = (Problems::default(), Vec::new());
        puzzle
            .notes
            .iter()
            .cloned()
            .for_each(|note| problems.push(note));
        Self {
            puzzle,
            encoding,
            first,
            variables,
            layout,
            marks,
            effects: Vec::new(),
            problems,
            names,
            meter,
        }
    }

    /// The number of variables.
    fn n_variables(&self) -> usize {
        let marked = self.marks.iter().map(|marks| marks.set);
        let n_marks = marked.map(|set| self.puzzle.sets[set].places());
        self.variables.len() + n_marks.sum::<usize>()
    }

    fn refuse(&mut self, code: &'static str, message: String, span: Span, hint: &str) {
        self.problems
            .push(Diagnostic::error(code, message).at(span, "").hint(hint));
    }

    /// The words of the variables when the pieces of each set are arranged.
    fn words_of<'a>(&self, arrangements: impl Fn(usize) -> &'a Arrangement) -> String {
        let words = self.variables.iter().map(|variable| {
            let set = &self.puzzle.sets[variable.set];
            let arrangement = arrangements(variable.set);
            let piece = arrangement.pieces[variable.place];
            let orientation = arrangement.orientation[variable.place];
            match (self.encoding, variable.sticker) {
                (Encoding::Pieces, 1) => orientation.to_string(),
                (Encoding::Pieces, _) => (piece + self.first).to_string(),
                (_, sticker) => self.word(set, set.seen(piece, orientation, sticker)),
            }
        });
        let marks = self.marks.iter().flat_map(|marks| {
            let pieces = arrangements(marks.set).pieces.iter();
            pieces.map(|piece| marks.word(marks.kind_of(*piece)))
        });
        words.chain(marks).collect::<Vec<_>>().join(" ")
    }

    /// All signs that stickers of a set may show, in order.
    pub(super) fn all_seen(&self, set: &Set) -> Vec<Seen> {
        let places = 0..set.places();
        let seen = places.flat_map(|place| (0..set.distinct[place]).map(move |n| (place, n)));
        let mut seen: Vec<Seen> = seen
            .map(|(place, n)| (set.solved.pieces[place], n))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// The word for a sticker's sign: the piece, and a letter if there are several signs.
    pub(super) fn word(&self, set: &Set, (piece, shown): Seen) -> String {
        let number = piece + self.first;
        match set.distinct_of(piece) {
            1 => number.to_string(),
            n if n <= 26 => format!("{number}{}", char::from(b'a' + shown as u8)),
            _ => format!("{number}.{shown}"),
        }
    }

    fn write(&mut self, most_rules: usize) -> String {
        let has_open = |set: &Set| {
            let open = set.distinct.iter().any(|n| *n != set.orientations);
            let are_alike = set.is_alike();
            (open || are_alike) && set.distinct.iter().any(|n| *n > 1)
        };
        if let Some(set) = self.puzzle.sets.iter().find(|set| has_open(set))
            && self.encoding == Encoding::Pieces
        {
            let message = format!(
                "the pieces of `{}` have no variables of their own",
                set.name
            );
            let hint = "some are identical, or differ in the number of visible orientations: use the sticker encoding";
            self.refuse("twisty-encoding", message, set.span, hint);
            return String::new();
        }
        if self.variables.is_empty() {
            let span = self
                .puzzle
                .sets
                .first()
                .map(|set| set.span)
                .unwrap_or_default();
            let message = "all pieces of the puzzle look alike".to_owned();
            self.refuse("twisty-alike", message, span, "every state would be solved");
            return String::new();
        }
        let mut text = match (&self.puzzle.heading, self.puzzle.name.as_str()) {
            (Some(heading), _) => heading.clone(),
            (None, "") => "# A twisty puzzle.\n".to_owned(),
            (None, name) => format!(
                "# The twisty puzzle {}.\n",
                name.replace(char::is_control, " ")
            ),
        };
        let rules = self.rules(most_rules);
        text.push_str(&self.other_names());
        text.push_str(&self.rotations());
        text.push_str(&self.illegal());
        if !self.puzzle.start.is_empty() {
            let start = self.words_of(|set| &self.puzzle.start[set]);
            text.push_str(&format!("# start: {start}\n"));
        }
        text.push('\n');
        text.push_str(&self.head());
        text.push_str(&rules);
        text.push_str("\nGOAL ");
        text.push_str(&self.words_of(|set| &self.puzzle.sets[set].solved));
        text.push('\n');
        text
    }

    /// The domains and variables.
    fn head(&self) -> String {
        let mut text = String::new();
        let mut names = Unique::default();
        let mut domains = Vec::new();
        for (set, (_, width)) in self.puzzle.sets.iter().zip(&self.layout) {
            let name = if set.name.starts_with(|c: char| c.is_ascii_digit()) {
                legal(&format!("set-{}", set.name))
            } else {
                legal(&set.name)
            };
            let name = names.make(name);
            if *width > 0 && self.encoding == Encoding::Stickers {
                let words: Vec<String> = self
                    .all_seen(set)
                    .into_iter()
                    .map(|seen| self.word(set, seen))
                    .collect();
                text.push_str(&format!(
                    "DOMAIN {name} {} {}\n",
                    words.len(),
                    words.join(" ")
                ));
            } else if *width > 0 {
                let mut pieces = set.solved.pieces.clone();
                pieces.sort_unstable();
                pieces.dedup();
                let words: Vec<String> = pieces
                    .iter()
                    .map(|piece| (piece + self.first).to_string())
                    .collect();
                text.push_str(&format!(
                    "DOMAIN {name} {} {}\n",
                    words.len(),
                    words.join(" ")
                ));
            }
            domains.push(name);
        }
        let mut of_marks = Vec::new();
        for marks in &self.marks {
            let name = names.make(format!("{}-kind", domains[marks.set]));
            let words = marks.words();
            let n = words.len();
            text.push_str(&format!("DOMAIN {name} {n} {}\n", words.join(" ")));
            let places = self.puzzle.sets[marks.set].places();
            of_marks.extend(std::iter::repeat_n(name, places));
        }
        text.push_str(&format!("\n{}\n", self.n_variables()));
        let of = |variable: &Variable| match (self.encoding, variable.sticker) {
            (Encoding::Pieces, 1) => self.puzzle.sets[variable.set].orientations.to_string(),
            _ => domains[variable.set].clone(),
        };
        let row: Vec<String> = self.variables.iter().map(of).chain(of_marks).collect();
        text.push_str(&row.join(" "));
        text.push_str("\n\n");
        text
    }

    /// The words of a rule: both sides, the arrow, and the label.
    fn words_of_rule(&self) -> usize {
        2 * self.n_variables() + 3
    }

    /// Report that a limit is reached by a move.
    fn stop(&mut self, limit: LoadStop, name: &str, span: Span) {
        let (code, message) = match limit {
            LoadStop::Requested => ("twisty-time", format!("the time ran out at move `{name}`")),
            _ => {
                let memory = format_bytes(self.meter.limits().memory as u128);
                let message = format!(
                    "reading this puzzle takes more memory than the limit of {memory}: the rules \
                     of move `{name}` don't fit"
                );
                ("twisty-too-large", message)
            }
        };
        let found = Diagnostic::error(code, message).at(span, "");
        self.problems.stop(limit, found);
    }

    /// The rules of all moves and of their multiples.
    fn rules(&mut self, most_rules: usize) -> String {
        let puzzle = self.puzzle;
        let group = Group::of(&puzzle.sets);
        self.warn_of_rotations();
        let declared: HashSet<&str> = puzzle.moves.iter().map(|it| &*it.name).collect();
        let mut labels = Unique::default();
        let mut text = String::new();
        let mut n_rules = 0;
        for it in &puzzle.moves {
            let Some(powers) = it.named_multiples(&group) else {
                let message = format!("move `{}` has more than {MOST_ORDER} multiples", it.name);
                self.refuse(
                    "twisty-order",
                    message,
                    it.span,
                    "is its permutation right?",
                );
                continue;
            };
            for (power, name) in powers {
                if name != it.name && declared.contains(&*name) {
                    continue;
                }
                let most = most_rules.saturating_sub(n_rules);
                let most_in_memory = self.meter.rows_left(self.words_of_rule());
                let Some(rows) = self.rows(&power, most.min(most_in_memory)) else {
                    if most_in_memory < most {
                        self.stop(LoadStop::Size, &name, it.span);
                        return text;
                    }
                    let span = puzzle
                        .illegal
                        .first()
                        .map_or(it.span, |illegal| illegal.span);
                    let message = format!("move `{name}` takes too many rules");
                    let hint = "a rule can't ask which pieces come to a place, nor add to an \
                                orientation; there is one for each choice";
                    self.refuse("twisty-too-many-rules", message, span, hint);
                    return text;
                };
                n_rules += rows.len();
                let words = rows.len().saturating_mul(self.words_of_rule());
                let counted = self.meter.words(words, text.len());
                if let Err(limit) = counted.and_then(|()| self.meter.work(words)) {
                    self.stop(limit, &name, it.span);
                    return text;
                }
                if n_rules.saturating_mul(self.n_variables()) > MOST_ENTRIES {
                    let message = "the puzzle is too large".to_owned();
                    self.refuse("twisty-too-large", message, it.span, "");
                    return text;
                }
                let label = labels.make(legal(&name));
                let cost = match it.cost {
                    1 => String::new(),
                    cost => format!(" COST {cost}"),
                };
                for row in rows {
                    text.push_str(&format!("{row} LABEL {label}{cost}\n"));
                }
                if !puzzle.rotations.is_empty() {
                    self.effects.push((power, label.clone()));
                }
                self.names.push((label, name));
            }
        }
        text
    }

    /// Say that turns of the whole puzzle are no moves of the game.
    fn warn_of_rotations(&mut self) {
        let Some(first) = self.puzzle.rotations.first() else {
            return;
        };
        let names = self.puzzle.rotations.iter();
        let names: Vec<String> = names.map(|it| format!("`{}`", it.name)).collect();
        let message = format!(
            "turns of the whole puzzle are no moves of the game: {}",
            names.join(", ")
        );
        let found = Diagnostic::warning("twisty-rotation", message).at(first.span, "");
        self.problems.push(
            found.hint("twisty programs don't search such moves either; scrambles may have them"),
        );
    }
}
