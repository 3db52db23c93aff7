//! The files of a crate import each other in one direction, but for a type and its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::style::{files, without_comments};

/// The most files that may import each other in a circle: a type and its parts.
const MOST_IN_CIRCLE: usize = 3;

/// A module, as the names from the root of its crate to it.
type Module = Vec<String>;

/// The imports of a crate's files.
struct Imports {
    modules: BTreeSet<Module>,
    /// For each module the names that it exports, with their origins.
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
    /// For each module the paths that it uses.
    uses: BTreeMap<Module, Vec<Module>>,
}

impl Imports {
    fn of(src: &Path) -> Self {
        let mut paths = Vec::new();
        files(src, &["rs"], &mut paths);
        let mut texts: BTreeMap<Module, String> = BTreeMap::new();
        for path in paths {
            let inside = path.strip_prefix(src).unwrap().with_extension("");
            let mut module: Module = inside
                .iter()
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            if matches!(module.last().unwrap().as_str(), "mod" | "lib" | "main") {
                module.pop();
            }
            let text = without_comments(&fs::read_to_string(&path).unwrap());
            // Tests may use anything.
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            texts.insert(module, text.to_owned());
        }
        let mut imports = Self {
            modules: texts.keys().cloned().collect(),
            exports: BTreeMap::new(),
            uses: BTreeMap::new(),
        };
        for (module, text) in &texts {
            imports.read(module, text);
        }
        imports
    }

    /// Add the imports and exports of a module's text.
    fn read(&mut self, module: &Module, text: &str) {
        let mut exports = BTreeMap::new();
        let mut uses = Vec::new();
        let mut rest = text.to_owned();
        for item in text.split(';') {
            let Some((before, tree)) = item
                .rsplit_once("use ")
                .filter(|(before, _)| before.is_empty() || before.ends_with(['\n', ' ', ')']))
            else {
                continue;
            };
            let is_exported = before.lines().last().is_some_and(|it| it.contains("pub"));
            for (mut path, alias) in leaves(tree) {
                if path.last().is_some_and(|name| name == "self") {
                    path.pop();
                }
                let Some(absolute) = self.absolute(module, &path) else {
                    continue;
                };
                match (is_exported, alias.or_else(|| path.last().cloned())) {
                    (true, Some(name)) => drop(exports.insert(name, absolute)),
                    _ => uses.push(absolute),
                }
            }
            rest = rest.replace(&format!("use {tree};"), "");
        }
        // Full paths within code.
        for (at, mark) in rest.match_indices("crate::") {
            let path: String = rest[at + mark.len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || "_:".contains(*c))
                .collect();
            uses.push(path.split("::").map(str::to_owned).collect());
        }
        self.exports.insert(module.clone(), exports);
        self.uses.insert(module.clone(), uses);
    }

    /// The path from the root of the crate; `None` where it leads to another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                base.push(first.to_owned());
                let is_child = self.modules.contains(&base);
                base.pop();
                if !is_child {
                    return None;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The file that holds the item of a path, found through the exports of other files.
    fn resolve(&self, path: &[String], depth: usize) -> Module {
        let mut module = Module::new();
        for (place, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.modules.contains(&module) {
                continue;
            }
            module.pop();
            let exported = self.exports.get(&module).and_then(|it| it.get(name));
            if let Some(from) = exported.filter(|_| depth < 10) {
                let path: Module = from.iter().chain(&path[place + 1..]).cloned().collect();
                return self.resolve(&path, depth + 1);
            }
            break;
        }
        module
    }

    /// For each file the others that it imports.
    fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let files_of = |(module, paths): (&Module, &Vec<Module>)| {
            let found = paths.iter().map(|path| self.resolve(path, 0));
            let found = found.filter(|file| !file.is_empty() && file != module);
            (module.clone(), found.collect())
        };
        self.uses.iter().map(files_of).collect()
    }
}

/// The paths of a tree of imports, with the names that they get.
fn leaves(tree: &str) -> Vec<(Module, Option<String>)> {
    let tree = tree.trim();
    let names = |text: &str| -> Module {
        let names = text.split("::").map(str::trim);
        names
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let Some((head, body)) = tree.split_once('{') else {
        return match tree.split_once(" as ") {
            Some((path, alias)) => vec![(names(path), Some(alias.trim().to_owned()))],
            None => vec![(names(tree), None)],
        };
    };
    let body = body.rsplit_once('}').map_or(body, |(body, _)| body);
    let mut found = Vec::new();
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &body[begin..at];
                begin = (at + 1).min(body.len());
                if part.trim().is_empty() {
                    continue;
                }
                for (path, alias) in leaves(part) {
                    let whole = names(head).into_iter().chain(path).collect();
                    found.push((whole, alias));
                }
            }
            _ => {}
        }
    }
    found
}

/// All that can be reached from a node.
fn reached<'e>(
    from: &Module,
    edges: &'e BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeSet<&'e Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = edges.get(from).into_iter().flatten().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(edges.get(next).into_iter().flatten());
        }
    }
    found
}

/// The sets of nodes that lead to each other, of two or more.
fn circles(edges: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<&Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = edges
        .keys()
        .map(|node| (node, reached(node, edges)))
        .collect();
    let circle_of = |node: &&Module| -> BTreeSet<&Module> {
        let others = reached[*node].iter().copied();
        let is_back = |other: &&Module| reached.get(other).is_some_and(|it| it.contains(*node));
        others.filter(is_back).collect()
    };
    let found = reached.keys().map(circle_of);
    found.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn files_import_each_other_in_one_direction() {
    let mut wrong = Vec::new();
    let mut n_edges = 0;
    for folder in crate::crate_folders() {
        let edges = Imports::of(&folder.join("src")).edges();
        n_edges += edges.values().map(BTreeSet::len).sum::<usize>();
        for circle in circles(&edges) {
            if circle.len() > MOST_IN_CIRCLE {
                let names: Vec<String> = circle.iter().map(|it| it.join("::")).collect();
                let name = folder.file_name().unwrap().to_string_lossy().into_owned();
                wrong.push(format!("{name}: {}", names.join(", ")));
            }
        }
    }
    assert!(n_edges > 1000, "only {n_edges} imports were found");
    assert!(
        wrong.is_empty(),
        "circles of imports:\n{}",
        wrong.join("\n")
    );
}

/// The modules of the facade, each of which may use those before it.
const ROOMS: &[&str] = &[
    "text",
    "error",
    "store",
    "environment",
    "game",
    "analysis",
    "machine",
    "heuristic",
    "solve",
    "certificate",
];

#[test]
fn the_modules_of_psvn_import_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/psvn/src");
    let place = |module: &Module| {
        let room = module.first().unwrap();
        let found = ROOMS.iter().position(|name| name == room);
        found.unwrap_or_else(|| panic!("room `{room}` has no place"))
    };
    let mut wrong = Vec::new();
    for (from, files) in Imports::of(&src).edges() {
        for to in files.iter().filter(|_| !from.is_empty()) {
            if place(to) > place(&from) {
                wrong.push(format!("{} uses {}", from.join("::"), to.join("::")));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "against the direction:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn trees_of_imports_are_read() {
    let tree = "crate::a::{self, b::{C, D as E}, f}";
    let found: Vec<String> = leaves(tree)
        .into_iter()
        .map(|(path, alias)| format!("{} {}", path.join("::"), alias.unwrap_or_default()))
        .collect();
    assert_eq!(
        found,
        [
            "crate::a::self ",
            "crate::a::b::C ",
            "crate::a::b::D E",
            "crate::a::f "
        ]
    );
}
