//! Reads KPuzzle JSON, the format of cubing.js, as a puzzle.

mod json;

use std::collections::BTreeSet;

use psvn_syntax::{Diagnostic, Span};

use self::json::{Json, Node, parse as parse_json};
use super::definitions::{Definition, define};
use super::notation::parse as parse_sequence;
use super::puzzle::{Move, Multiples, Puzzle, Set};
use super::turns::Turn;
use super::tws::is_rotation;
use crate::problems::Problems;

/// The most places, or orientations, of an orbit.
const MOST_PLACES: usize = 10_000;

/// The greatest whole number that is exact, as are all below it.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Read a KPuzzle definition.
///
/// # Errors
/// When the text is no KPuzzle definition: all errors, each with its place.
pub fn parse(text: &str) -> Result<Puzzle, Vec<Diagnostic>> {
    let node = parse_json(text).map_err(|error| vec![*error])?;
    let mut reader = Reader::default();
    reader.puzzle(&node);
    if reader.problems.has_errors() {
        Err(reader.problems.finish())
    } else {
        Ok(Puzzle {
            heading: None,
            notes: reader.problems.finish(),
            ..reader.puzzle
        })
    }
}

#[derive(Default)]
struct Reader {
    problems: Problems,
    puzzle: Puzzle,
    /// The orbits that moves name, but the puzzle doesn't have, with their places.
    undeclared: Vec<(String, Span)>,
}

impl Reader {
    fn error(&mut self, code: &'static str, message: String, span: Span) {
        self.problems
            .push(Diagnostic::error(code, message).at(span, ""));
    }

    /// The member of a name, which must be there.
    fn member<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n Node> {
        let found = node.get(name);
        if found.is_none() {
            let span = Span::new(node.span.start, (node.span.start + 1).min(node.span.end));
            self.error(
                "kpuzzle-missing",
                format!("there is no member `{name}`"),
                span,
            );
        }
        found
    }

    fn members<'n>(&mut self, node: &'n Node, what: &str) -> &'n [(String, Span, Node)] {
        match &node.value {
            Json::Object(members) => members,
            _ => {
                self.error(
                    "kpuzzle-type",
                    format!("{what} must be an object"),
                    node.span,
                );
                &[]
            }
        }
    }

    /// A whole number within a range; the least of it if there is none.
    fn number(&mut self, node: &Node, least: usize, most: usize) -> usize {
        match node.value {
            Json::Number(number)
                if number.fract() == 0.0 && (least as f64..=most as f64).contains(&number) =>
            {
                number as usize
            }
            _ => {
                let message = format!("expected a whole number from {least} to {most}");
                self.error("kpuzzle-range", message, node.span);
                least
            }
        }
    }

    /// A list of `n` whole numbers below `end`.
    fn numbers(&mut self, node: &Node, n: usize, end: usize) -> Option<Vec<usize>> {
        let nodes = self.list(node, n)?;
        let numbers = nodes.iter();
        Some(
            numbers
                .map(|node| self.number(node, 0, end.max(1) - 1))
                .collect(),
        )
    }

    /// A list of `n` whole numbers, of which only the remainders by `modulus` matter.
    fn remainders(&mut self, node: &Node, n: usize, modulus: usize) -> Option<Vec<usize>> {
        let nodes = self.list(node, n)?;
        let remainder = |node: &Node| match node.value {
            Json::Number(number) if number.fract() == 0.0 && number.abs() <= MOST_EXACT => {
                (number as i64).rem_euclid(modulus as i64) as usize
            }
            _ => {
                self.error(
                    "kpuzzle-range",
                    "expected a whole number".to_owned(),
                    node.span,
                );
                0
            }
        };
        Some(nodes.iter().map(remainder).collect())
    }

    /// A list of `n` nodes.
    fn list<'n>(&mut self, node: &'n Node, n: usize) -> Option<&'n [Node]> {
        let Json::List(nodes) = &node.value else {
            self.error(
                "kpuzzle-type",
                "expected a list of numbers".to_owned(),
                node.span,
            );
            return None;
        };
        if nodes.len() != n {
            let message = format!("expected {n} numbers, found {}", nodes.len());
            self.error("kpuzzle-count", message, node.span);
            return None;
        }
        Some(nodes)
    }

    fn puzzle(&mut self, node: &Node) {
        if let Some(Json::Text(name)) = node.get("name").map(|name| &name.value) {
            self.puzzle.name.clone_from(name);
        }
        if let Some(orbits) = self.member(node, "orbits") {
            self.orbits(orbits);
        }
        // Older files call it otherwise.
        let pattern = node
            .get("defaultPattern")
            .or_else(|| node.get("startStateData"));
        match pattern {
            Some(pattern) => self.pattern(pattern),
            None => drop(self.member(node, "defaultPattern")),
        }
        if let Some(moves) = self.member(node, "moves") {
            let members = self.members(moves, "`moves`");
            for (name, span, node) in members {
                let turns = self.turns(node);
                let moves = if is_rotation(name) {
                    &mut self.puzzle.rotations
                } else {
                    &mut self.puzzle.moves
                };
                moves.push(Move {
                    name: name.clone(),
                    turns,
                    span: *span,
                    cost: 1,
                    multiples: Multiples::All,
                });
            }
            self.warn_of_undeclared();
            if members.is_empty() {
                self.error(
                    "kpuzzle-missing",
                    "the puzzle has no moves".to_owned(),
                    moves.span,
                );
            }
        }
        if let Some(derived) = node.get("derivedMoves") {
            self.derived(derived);
        }
    }

    /// Read the orbits: a list, or in older files an object.
    fn orbits(&mut self, node: &Node) {
        let mut orbits: Vec<(String, &Node)> = Vec::new();
        match &node.value {
            Json::List(nodes) => {
                for node in nodes {
                    let name = self.member(node, "orbitName");
                    match name.map(|name| (&name.value, name.span)) {
                        Some((Json::Text(name), _)) => orbits.push((name.clone(), node)),
                        Some((_, span)) => {
                            self.error("kpuzzle-type", "a name must be a text".to_owned(), span);
                        }
                        None => {}
                    }
                }
            }
            Json::Object(members) => {
                orbits.extend(members.iter().map(|(name, _, node)| (name.clone(), node)));
            }
            _ => self.error(
                "kpuzzle-type",
                "`orbits` must be a list".to_owned(),
                node.span,
            ),
        }
        for (name, node) in orbits {
            let mut of = |member| {
                let found = self.member(node, member)?;
                Some(self.number(found, 1, MOST_PLACES))
            };
            let (Some(places), Some(orientations)) = (of("numPieces"), of("numOrientations"))
            else {
                continue;
            };
            if self.puzzle.sets.iter().any(|set| set.name == name) {
                self.error(
                    "kpuzzle-twice",
                    format!("there are two orbits `{name}`"),
                    node.span,
                );
            }
            self.puzzle
                .sets
                .push(Set::new(&name, places, orientations, node.span));
        }
        if self.puzzle.sets.is_empty() && !self.problems.has_errors() {
            self.error(
                "kpuzzle-missing",
                "the puzzle has no orbits".to_owned(),
                node.span,
            );
        }
    }

    /// Warn once of the orbits that moves name, but the puzzle doesn't have. Other programs ignore
    /// them as well.
    fn warn_of_undeclared(&mut self) {
        let Some((first, span)) = self.undeclared.first() else {
            return;
        };
        let names: BTreeSet<&str> = self.undeclared.iter().map(|(name, _)| &**name).collect();
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "moves name orbits that the puzzle doesn't have, and they are ignored: {}",
            names.join(", ")
        );
        let found = Diagnostic::warning("kpuzzle-orbit", message).at(*span, "");
        let declared = self.puzzle.sets.iter().map(|set| set.name.as_str());
        self.problems
            .push(match psvn_ir::near_miss(first, declared) {
                Some(near) => found.hint(format!("did you mean `{near}`?")),
                None => found,
            });
    }

    /// The set of a name.
    fn set(&mut self, name: &str, span: Span) -> Option<usize> {
        let found = self.puzzle.sets.iter().position(|set| set.name == name);
        if found.is_none() {
            let names = self.puzzle.sets.iter().map(|set| set.name.as_str());
            let near = psvn_ir::near_miss(name, names);
            let error = Diagnostic::error("kpuzzle-orbit", format!("there is no orbit `{name}`"));
            let error = error.at(span, "");
            self.problems.push(match near {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            });
        }
        found
    }

    fn pattern(&mut self, node: &Node) {
        for (name, span, node) in self.members(node, "the pattern") {
            let Some(index) = self.set(name, *span) else {
                continue;
            };
            let (n, most) = (
                self.puzzle.sets[index].places(),
                self.puzzle.sets[index].orientations,
            );
            let pieces = self
                .member(node, "pieces")
                .and_then(|it| self.numbers(it, n, n));
            let orientation = node
                .get("orientation")
                .and_then(|it| self.numbers(it, n, most));
            let modulus = node
                .get("orientationMod")
                .map(|it| (it.span, self.numbers(it, n, most + 1)));
            let set = &mut self.puzzle.sets[index];
            set.solved.pieces = pieces.unwrap_or_else(|| set.solved.pieces.clone());
            set.solved.orientation = orientation.unwrap_or_else(|| set.solved.orientation.clone());
            if let Some((span, Some(modulus))) = modulus {
                // 0 stands for all.
                let all = |it: usize| if it == 0 { most } else { it };
                set.distinct = modulus.into_iter().map(all).collect();
                if set.distinct.iter().any(|it| most % it != 0) {
                    let message = format!("an orientation modulus must divide {most}");
                    set.distinct = vec![most; n];
                    self.error("kpuzzle-range", message, span);
                }
            }
            if self.puzzle.sets[index].contradiction().is_some() {
                let message = format!("identical pieces of `{name}` differ in their modulus");
                self.error("kpuzzle-identical", message, *span);
            }
        }
    }

    fn turns(&mut self, node: &Node) -> Vec<Turn> {
        let sets = self.puzzle.sets.iter();
        let mut turns: Vec<Turn> = sets.map(|set| Turn::identity(set.places())).collect();
        for (name, span, node) in self.members(node, "a move") {
            let Some(index) = self.puzzle.sets.iter().position(|set| set.name == *name) else {
                self.undeclared.push((name.clone(), *span));
                continue;
            };
            let (n, most) = (
                self.puzzle.sets[index].places(),
                self.puzzle.sets[index].orientations,
            );
            let permutation = self.member(node, "permutation");
            if let Some(it) = permutation
                && let Some(from) = self.numbers(it, n, n)
            {
                let mut seen = vec![false; n];
                if from
                    .iter()
                    .any(|it| std::mem::replace(&mut seen[*it], true))
                {
                    let message = "a number comes twice, so this isn't a permutation".to_owned();
                    self.error("kpuzzle-permutation", message, it.span);
                }
                turns[index].from = from;
            }
            // Older files call it otherwise.
            let delta = node
                .get("orientationDelta")
                .or_else(|| node.get("orientation"));
            if let Some(twist) = delta.and_then(|it| self.remainders(it, n, most)) {
                turns[index].twist = twist;
            }
        }
        turns
    }

    /// Read the moves that are defined by others.
    fn derived(&mut self, node: &Node) {
        let mut definitions = Vec::new();
        for (name, span, node) in self.members(node, "`derivedMoves`") {
            let Json::Text(text) = &node.value else {
                let message = "a derived move must be a text".to_owned();
                self.error("kpuzzle-type", message, node.span);
                continue;
            };
            match parse_sequence(text) {
                Ok(meaning) => definitions.push(Definition {
                    name: name.clone(),
                    span: *span,
                    meaning,
                    multiples: Some(Multiples::All),
                }),
                Err(reason) => self.leave_out(name, *span, &reason),
            }
        }
        if !self.problems.has_errors() {
            for (definition, reason) in define(&mut self.puzzle, &definitions) {
                self.leave_out(&definition.name, definition.span, &reason);
            }
        }
    }

    fn leave_out(&mut self, name: &str, span: Span, reason: &str) {
        let message = format!("the derived move `{name}` is left out: {reason}");
        let found = Diagnostic::warning("kpuzzle-derived", message).at(span, "");
        self.problems
            .push(found.hint("results are those of the puzzle without this move"));
    }
}
