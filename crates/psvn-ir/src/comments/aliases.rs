//! Other names of moves, and names of sequences of moves.

use std::collections::HashMap;
use std::sync::Arc;

/// The moves that each name stands for.
#[derive(Clone, Debug, Default)]
pub struct Aliases(Arc<HashMap<String, Vec<String>>>);

impl Aliases {
    /// Find the comment lines `# alias: NAME = MOVES` of a text.
    pub fn of(text: &str) -> Self {
        let mut aliases = HashMap::new();
        for line in super::lines_of(text, "alias") {
            if let Some((name, moves)) = line.split_once(" = ") {
                let moves = moves.split_whitespace().map(str::to_owned).collect();
                aliases.entry(name.trim().to_owned()).or_insert(moves);
            }
        }
        Self(Arc::new(aliases))
    }

    /// Return the moves that a name stands for.
    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }
}
