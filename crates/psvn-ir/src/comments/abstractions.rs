//! Abstraction blocks in the text of a game.
//!
//! A comment line `# abstraction: NAME` in front of a block names it. A block without one is called
//! by its number among all blocks, from 1.

use std::sync::Arc;

use psvn_syntax::ast::{AbstractionDecl, Item};

/// The abstraction blocks of a text.
#[derive(Clone, Debug, Default)]
pub struct Abstractions {
    text: Arc<str>,
    /// With their names.
    blocks: Arc<[(String, AbstractionDecl)]>,
}

/// An abstraction block of a game's text.
#[derive(Clone, Copy, Debug)]
pub struct AbstractionBlock<'g> {
    /// Its name.
    pub name: &'g String,
    /// The block itself.
    pub block: &'g AbstractionDecl,
    /// The text that contains it.
    pub text: &'g str,
}

impl Abstractions {
    /// Find the blocks of the text of a game.
    pub fn of(text: &str) -> Self {
        // Most games have none, and parsing the text again would double the time of reading.
        if !mentions_abstractions(text) {
            return Self::default();
        }
        let mut blocks: Vec<(String, AbstractionDecl)> = Vec::new();
        let mut end = 0;
        for item in psvn_syntax::parse(text).file.items {
            match item {
                Item::Abstraction(block) => {
                    let before = text.get(end..block.span.start).unwrap_or_default();
                    let number = blocks.len() + 1;
                    let name = declared(before).unwrap_or_else(|| number.to_string());
                    end = block.span.end;
                    blocks.push((name, block));
                }
                Item::Rule(rule) => end = rule.span.end,
                Item::Goal(goal) => end = goal.span.end,
            }
        }
        Self {
            text: text.into(),
            blocks: blocks.into(),
        }
    }

    /// Return the names of the blocks, in the order of the text.
    pub fn names(&self) -> Vec<&str> {
        self.blocks.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Return the first block with a name, in any case.
    pub fn get(&self, name: &str) -> Option<AbstractionBlock<'_>> {
        let mut blocks = self.blocks.iter();
        let (name, block) = blocks.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(AbstractionBlock {
            name,
            block,
            text: &self.text,
        })
    }
}

/// Return whether a text may have abstraction blocks.
pub fn mentions_abstractions(text: &str) -> bool {
    const KEYWORD: &[u8] = b"abstraction";
    let mut words = text.split_ascii_whitespace();
    words.any(|word| word.as_bytes().eq_ignore_ascii_case(KEYWORD))
}

/// The name that the last comment of its kind gives.
fn declared(text: &str) -> Option<String> {
    super::lines(text)
        .filter_map(|comment| comment.trim().strip_prefix("abstraction:"))
        .map(|name| name.trim().to_owned())
        .rfind(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_names_or_numbers() {
        let text = "2 2 2\n0 - => 1 -\n# abstraction: first only\nabstraction {\nprojection { K P }\n}\n\
                    GOAL 1 1\nabstraction { projection { P K } }\n";
        let found = Abstractions::of(text);
        assert_eq!(found.names(), ["first only", "2"]);
        assert!(
            found
                .get("First Only")
                .is_some_and(|it| it.block.projection.is_some())
        );
        assert!(found.get("1").is_none());
        assert!(
            Abstractions::of("2 2 2\n0 - => 1 - # no abstraction here\n")
                .names()
                .is_empty()
        );
    }
}
