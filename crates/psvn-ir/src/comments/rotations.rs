//! Turns of a whole puzzle, which only change how it is held.

use std::collections::HashMap;
use std::sync::Arc;

/// For each turn, the move that each move becomes: with the puzzle turned, a move is made at
/// another place.
#[derive(Clone, Debug, Default)]
pub struct Rotations(Arc<HashMap<String, HashMap<String, String>>>);

impl Rotations {
    /// Find the comment lines `# rotation: NAME = MOVE -> MOVE ...` of a text.
    pub fn of(text: &str) -> Self {
        let mut rotations = HashMap::new();
        for line in super::lines_of(text, "rotation") {
            let Some((name, moves)) = line.split_once('=') else {
                continue;
            };
            let words: Vec<&str> = moves.split_whitespace().collect();
            let pairs = words.chunks_exact(3).filter(|words| words[1] == "->");
            let pairs = pairs.map(|words| (words[0].to_owned(), words[2].to_owned()));
            let known = rotations.entry(name.trim().to_owned());
            known.or_insert_with(|| pairs.collect());
        }
        Self(Arc::new(rotations))
    }

    /// Return the name of a turn, and the move that each move becomes.
    pub fn get(&self, name: &str) -> Option<(&str, &HashMap<String, String>)> {
        let (name, moves) = self.0.get_key_value(name)?;
        Some((name, moves))
    }
}
