//! Comments that say what the rules of a puzzle can't.

use std::collections::HashMap;

use super::to_psvn::{Encoding, Writer};
use super::turns::{Group, Turn};

impl Writer<'_> {
    /// Comments with other names of moves, for scrambles.
    pub(super) fn other_names(&self) -> String {
        let labels = self.names.iter().filter(|(label, name)| label != name);
        let labels = labels.map(|(label, name)| (name, label));
        let aliases = self
            .puzzle
            .aliases
            .iter()
            .map(|(name, moves)| (name, moves));
        aliases
            .chain(labels)
            .filter(|(name, _)| is_word(name))
            .map(|(name, moves)| format!("# alias: {name} = {moves}\n"))
            .collect()
    }

    /// Comments with the turns of the whole puzzle: which move each move becomes.
    pub(super) fn rotations(&self) -> String {
        let group = Group::of(&self.puzzle.sets);
        // Of moves with one effect, the first one counts.
        let by_effect: HashMap<&[Turn], &str> = self
            .effects
            .iter()
            .rev()
            .map(|(turns, label)| (&**turns, &**label))
            .collect();
        let mut text = String::new();
        for rotation in self.puzzle.rotations.iter().filter(|it| is_word(&it.name)) {
            let seen = self.effects.iter().filter_map(|(turns, label)| {
                let seen = by_effect.get(&*group.conjugate(&rotation.turns, turns))?;
                Some(format!("  {label} -> {seen}"))
            });
            let seen: String = seen.collect();
            text.push_str(&format!("# rotation: {} ={seen}\n", rotation.name));
        }
        text
    }

    /// Comments with the values that no state has together: pieces at places where they may not be,
    /// and marks that aren't those of the pieces.
    pub(super) fn illegal(&self) -> String {
        let mut text = String::new();
        for marks in &self.marks {
            let set = &self.puzzle.sets[marks.set];
            let (begin, width) = self.layout[marks.set];
            let words_of = |is_meant: &dyn Fn(usize) -> bool| -> String {
                let values = self.all_seen(set).into_iter();
                let mut words: Vec<String> = values
                    .filter(|(piece, _)| is_meant(*piece))
                    .map(|seen| match self.encoding {
                        Encoding::Stickers => self.word(set, seen),
                        Encoding::Pieces => (seen.0 + self.first).to_string(),
                    })
                    .collect();
                words.dedup();
                words.join(" ")
            };
            for place in 0..set.places() {
                let (piece, mark) = (begin + place * width + 1, marks.begin + place + 1);
                for (kind, forbidden) in marks.forbidden.iter().enumerate() {
                    let word = marks.word(kind);
                    let others = words_of(&|piece| marks.kind_of(piece) != kind);
                    text.push_str(&format!("# illegal: {piece} = {others}, {mark} = {word}\n"));
                    if forbidden.contains(&place) {
                        let these = words_of(&|piece| marks.kind_of(piece) == kind);
                        text.push_str(&format!("# illegal: {piece} = {these}\n"));
                    }
                }
            }
        }
        text
    }
}

/// Whether a name can stand in a comment and in a scramble.
fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control())
}
