//! Machines, and trees of forbidden words, as pictures.

use std::collections::BTreeMap;
use std::path::Path;

use drawing::{Edge, Graph, Status, Tree, TreeNode};
use fsm::{Dense, OpenFile};

use super::unreadable;
use crate::error::Error;
use crate::game::{Game, LetterNames};

/// The most characters of the label of an arrow.
const MOST_OF_LABEL: usize = 30;

/// Name the letters of a machine file: as the game says, or by number.
pub fn letter_names<'g>(
    game: Option<&'g Game>,
    file: &OpenFile,
) -> impl Fn(u32) -> String + use<'g> {
    let names = game.map(|game| LetterNames::new(game.ir(), file));
    move |letter: u32| match &names {
        Some(names) => names.name(letter),
        None => (letter + 1).to_string(),
    }
}

/// Draw the states of a machine and the arrows between them. Letters that lead from one state to
/// the same other one share an arrow; the rejecting state is left out, as in figures 2 and 4 of
/// Taylor
/// 1992. The picture calls the machine by the name of its file.
pub fn draw_machine(machine: &Dense, letter_name: &impl Fn(u32) -> String, name: &str) -> Graph {
    use fsm::Machine;
    let start = machine.number(machine.start());
    // The start comes first in a picture.
    let order: Vec<usize> = std::iter::once(start)
        .chain((1..=machine.n_states()).filter(|state| *state != start))
        .collect();
    let place: BTreeMap<usize, usize> = order.iter().copied().zip(0..).collect();
    let mut edges = Vec::new();
    for (from, state) in order.iter().enumerate() {
        let mut arrows: Vec<(usize, Vec<String>)> = Vec::new();
        for (letter, next) in (0..).zip(machine.successors(*state)) {
            if let Some(to) = place.get(&next) {
                match arrows.iter_mut().find(|(target, _)| target == to) {
                    Some((_, names)) => names.push(letter_name(letter)),
                    None => arrows.push((*to, vec![letter_name(letter)])),
                }
            }
        }
        edges.extend(arrows.into_iter().map(|(to, names)| Edge {
            from,
            to,
            label: label(&names),
        }));
    }
    Graph {
        title: format!("The machine of {name}"),
        states: order.iter().map(ToString::to_string).collect(),
        edges,
    }
}

/// As many names as there is room for, and how many more there are.
fn label(names: &[String]) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        if i > 0 && text.chars().count() + name.chars().count() > MOST_OF_LABEL {
            return format!("{text}, +{}", names.len() - i);
        }
        if i > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    text
}

/// Draw the tree of the words that a machine file forbids: whole words are dashed, with what
/// replaces them.
///
/// # Errors
/// When the file is damaged.
pub fn draw_words(
    file: &OpenFile,
    letter_name: &impl Fn(u32) -> String,
    path: &Path,
) -> Result<Tree, Error> {
    let mut nodes = vec![TreeNode {
        lines: vec!["1".to_owned()],
        ..TreeNode::default()
    }];
    let mut next: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut n_interior = 1;
    for word in file.words() {
        let word = word.map_err(|error| unreadable(path, &error))?;
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
                    edge: letter_name(*letter),
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
                [one] => {
                    let names: Vec<String> =
                        one.iter().map(|letter| letter_name(*letter)).collect();
                    format!("= {}", names.join(" "))
                }
                several => format!("= one of {}", several.len()),
            };
        }
    }
    Ok(Tree {
        title: format!("The words that {} forbids", path.display()),
        nodes,
    })
}
