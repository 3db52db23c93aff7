//! Search trees as pictures: pruned branches are drawn, with the reason.

use std::path::Path;

use drawing::{BoardLayout, MOST_NODES, Status, Tree, TreeNode};
use fsm::OpenFile;
use move_prune::Limits;
use psvn::analysis::{SearchFor, Task, analyze_rules};
use psvn::machine::{LetterNames, file as machine_file};
use psvn::solve::TreeRequest;
use psvn::text::{Message, Parameter};
use psvn::{Environment, Error, Game, RuleNames, message};
use psvn_ir::{RuleId, State};
use search::Bound;

/// Words that are left out, with their replacements.
struct Forbidden {
    /// The letter of each rule.
    letters: Vec<u32>,
    words: Vec<(Vec<u32>, Vec<Vec<u32>>)>,
    names: Vec<String>,
}

/// The pruning of the tree.
enum Pruner {
    Parents,
    Words(Forbidden),
}

/// Draw a tree, with its pruned branches and the reasons.
///
/// One way of pruning is shown: by one machine file, of parents, or of redundant sequences up to
/// the greatest length of the request. The bound is a depth.
///
/// # Errors
/// When more than one way of pruning is requested, the machine file can't be used from this start,
/// or the tree is too large for a picture.
pub fn draw_tree(
    named: &Game,
    start: &State,
    request: &TreeRequest,
    layout: Option<&BoardLayout>,
    env: &Environment,
) -> Result<Tree, Error> {
    let depth = match request.bound {
        Bound::Depth(depth) => depth,
        Bound::Cost(_) => return Err(Error::usage("a picture goes down to a depth")),
    };
    Walk {
        named,
        names: named.rule_names(),
        layout,
        pruner: pruner(named, start, request, env)?,
    }
    .tree(start, depth)
}

/// One way of pruning: by a machine file, of parents, or by the longest requested sequences.
fn pruner(
    named: &Game,
    start: &State,
    request: &TreeRequest,
    env: &Environment,
) -> Result<Pruner, Error> {
    let game = named.ir();
    match (request.machines.as_slice(), request.parents) {
        ([], true) => Ok(Pruner::Parents),
        ([], false) => {
            let known = env.invariants(game, std::slice::from_ref(start));
            let length = request.lengths.iter().copied().max().unwrap_or(0);
            let limits = Limits {
                time: request.limits.time,
                ..Limits::default()
            };
            let known = Some(&known).filter(|_| request.within_invariants);
            let analysis = analyze_rules(game, &Task::up_to(length, known, limits), env);
            let letters = |word: &[RuleId]| word.iter().map(|rule| rule.0).collect::<Vec<u32>>();
            let names = named.rule_names();
            Ok(Pruner::Words(Forbidden {
                letters: (0..).take(game.rules().len()).collect(),
                words: analysis
                    .redundant
                    .iter()
                    .map(|found| (letters(&found.word), vec![letters(&found.replacement)]))
                    .collect(),
                names: game
                    .rules_with_ids()
                    .map(|(id, _)| names.name(id))
                    .collect(),
            }))
        }
        ([path], false) => {
            let file = machine_file::open_for(path, game, named.name())?;
            machine_file::check_starts(&file, path, game, std::slice::from_ref(start))?;
            let name = path.display().to_string();
            machine_file::check_ignored(
                file.assumptions(),
                &name,
                SearchFor::States,
                game,
                named.name(),
            )?;
            Ok(Pruner::Words(words_of(path, &file, named)?))
        }
        _ => Err(Error::usage(message![
            "a picture shows one way of pruning: a length, `",
            Parameter::Parent,
            "`, or one machine file"
        ])),
    }
}

fn words_of(path: &Path, file: &OpenFile, named: &Game) -> Result<Forbidden, Error> {
    if !file.parts().is_empty() {
        return Err(Error::usage(format!(
            "a picture shows rules, and the letters of `{}` are parts of rules",
            path.display()
        ))
        .with_hint(message![
            "analyze the game again with `",
            Parameter::Split.is("none"),
            "`"
        ]));
    }
    let n_letters = file.machine().n_letters();
    let names = LetterNames::new(named.ir(), file);
    let mut words = Vec::new();
    for word in file.words() {
        let word =
            word.map_err(|error| machine_file::unreadable(&path.display().to_string(), &error))?;
        let replacements = word.replacements.iter().map(|other| other.to_vec());
        words.push((word.word.to_vec(), replacements.collect()));
    }
    let operator_of = file.operator_of();
    Ok(Forbidden {
        letters: if operator_of.is_empty() {
            (0..n_letters).collect()
        } else {
            operator_of.to_vec()
        },
        words,
        names: (0..n_letters).map(|letter| names.name(letter)).collect(),
    })
}

impl Forbidden {
    /// Return why a path is pruned at its last rule: the redundant word at its end, and the
    /// replacement.
    fn reason(&self, path: &[RuleId]) -> Option<String> {
        let letter = |rule: &RuleId| self.letters.get(rule.0 as usize).copied();
        let letters: Vec<u32> = path.iter().filter_map(letter).collect();
        let (word, replacements) = self
            .words
            .iter()
            .find(|(word, _)| letters.ends_with(word))?;
        let spell = |word: &[u32]| {
            let names = word.iter().map(|letter| {
                let name = self.names.get(*letter as usize);
                name.map_or_else(|| (letter + 1).to_string(), Clone::clone)
            });
            names.collect::<Vec<String>>().join(" ")
        };
        let instead = match replacements.as_slice() {
            [one] if one.is_empty() => "nothing".to_owned(),
            [one] => spell(one),
            several => format!("one of {}", several.len()),
        };
        Some(format!("{} = {instead}", spell(word)))
    }
}

struct Walk<'g> {
    named: &'g Game,
    names: RuleNames<'g>,
    layout: Option<&'g BoardLayout>,
    pruner: Pruner,
}

/// A node that may get children.
struct Open {
    place: usize,
    path: Vec<RuleId>,
    state: State,
    parent: Option<State>,
}

impl Walk<'_> {
    fn tree(&self, start: &State, depth: u64) -> Result<Tree, Error> {
        let game = self.named.ir();
        let mut tree = Tree {
            title: format!(
                "{}: the tree below {}",
                self.named.name(),
                game.format_state(start.values())
            ),
            nodes: vec![self.node(start, String::new())],
        };
        let mut open = vec![Open {
            place: 0,
            path: Vec::new(),
            state: start.clone(),
            parent: None,
        }];
        for _ in 0..depth {
            let mut next = Vec::new();
            for node in &open {
                for (id, rule) in game.rules_with_ids() {
                    if !rule.canonical.applies_to(node.state.values()) {
                        continue;
                    }
                    if tree.nodes.len() > MOST_NODES {
                        return Err(too_large(format!(
                            "the tree has more than {MOST_NODES} nodes, which are too many for a picture"
                        )));
                    }
                    let child = State::new(rule.canonical.apply(node.state.values()));
                    let mut path = node.path.clone();
                    path.push(id);
                    let reason = match &self.pruner {
                        Pruner::Parents => (node.parent.as_ref() == Some(&child))
                            .then(|| "as its grandparent".to_owned()),
                        Pruner::Words(forbidden) => forbidden.reason(&path),
                    };
                    let place = tree.nodes.len();
                    let mut drawn = self.node(&child, self.names.name(id));
                    match reason {
                        Some(reason) => {
                            drawn.status = Status::Pruned;
                            drawn.note = reason;
                        }
                        None => next.push(Open {
                            place,
                            path,
                            state: child,
                            parent: Some(node.state.clone()),
                        }),
                    }
                    tree.nodes.push(drawn);
                    tree.nodes[node.place].children.push(place);
                }
            }
            open = next;
        }
        Ok(tree)
    }

    fn node(&self, state: &State, edge: String) -> TreeNode {
        let game = self.named.ir();
        let values = self.named.value_names(state);
        TreeNode {
            lines: match self.layout {
                Some(layout) => layout.text(&values),
                None => vec![game.format_state(state.values())],
            },
            board: self.layout.and_then(|layout| layout.cells(&values)),
            edge,
            status: if game.is_goal(state.values()) {
                Status::Goal
            } else {
                Status::Plain
            },
            ..TreeNode::default()
        }
    }
}

fn too_large(message: impl Into<Message>) -> Error {
    Error::limit(message).with_hint(message![
        "draw less of it, with a smaller `",
        Parameter::Depth,
        "`"
    ])
}
