//! The words that a machine forbids, as a tree.

use std::collections::BTreeMap;
use std::path::Path;

use drawing::{Status, Tree, TreeNode};
use fsm::OpenFile;
use psvn::machine::LetterNames;
use psvn::machine::file::unreadable;
use psvn::{Error, Game};

/// Draw the tree of the words that a machine file forbids: whole words are dashed, with their
/// replacements. Without the game, letters have numbers as names.
///
/// # Errors
/// When the file is damaged.
pub fn draw_words(file: &OpenFile, game: Option<&Game>, path: &Path) -> Result<Tree, Error> {
    let names = LetterNames::new(game.map(Game::ir), file);
    let mut nodes = vec![TreeNode {
        lines: vec!["1".to_owned()],
        ..TreeNode::default()
    }];
    let mut next: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut n_interior = 1;
    for word in file.words() {
        let word = word.map_err(|error| unreadable(&path.display().to_string(), &error))?;
        let mut at = 0;
        for (i, letter) in word.word.iter().enumerate() {
            let is_last = i + 1 == word.word.len();
            at = *next.entry((at, *letter)).or_insert_with(|| {
                let place = nodes.len();
                n_interior += usize::from(!is_last);
                nodes.push(TreeNode {
                    lines: vec![if is_last {
                        "\u{d7}".to_owned()
                    } else {
                        n_interior.to_string()
                    }],
                    edge: names.name(*letter),
                    ..TreeNode::default()
                });
                nodes[at].children.push(place);
                place
            });
        }
        if at > 0 {
            nodes[at].status = Status::Pruned;
            nodes[at].note = match word.replacements.as_slice() {
                [one] if one.is_empty() => "= nothing".to_owned(),
                [one] => format!("= {}", names.replacement(one).join(" ")),
                several => format!("= one of {}", several.len()),
            };
        }
    }
    Ok(Tree {
        title: format!("The words that {} forbids", path.display()),
        nodes,
    })
}
