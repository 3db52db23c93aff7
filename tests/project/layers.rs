//! Layers depend one way: each manifest is compared with the dependencies that its layer may have.

use std::collections::BTreeSet;
use std::path::Path;

/// For each crate the workspace crates it may depend on. `docs/architecture.md` gives the reasons.
const ALLOWED: &[(&str, &[&str])] = &[
    ("budget", &[]),
    ("advisor", &[]),
    ("container", &[]),
    ("host", &["budget", "container"]),
    ("sorted-states", &[]),
    ("psvn-syntax", &[]),
    ("psvn-ir", &["budget", "psvn-syntax"]),
    ("domains", &[]),
    ("formats", &["budget", "psvn-syntax", "psvn-ir"]),
    ("checker", &["psvn-ir"]),
    ("invariants", &["budget", "psvn-ir"]),
    ("lint", &["psvn-syntax", "psvn-ir", "invariants"]),
    ("macro-compose", &["psvn-ir"]),
    ("move-prune", &["budget", "psvn-ir", "macro-compose"]),
    ("fsm", &["container"]),
    ("ideal-tree", &["budget", "psvn-ir", "macro-compose", "fsm"]),
    (
        "rule-splits",
        &[
            "budget",
            "psvn-ir",
            "macro-compose",
            "move-prune",
            "fsm",
            "ideal-tree",
        ],
    ),
    (
        "redundancy",
        &[
            "budget",
            "psvn-ir",
            "checker",
            "invariants",
            "macro-compose",
            "move-prune",
            "fsm",
            "rule-splits",
        ],
    ),
    (
        "analyses",
        &[
            "budget",
            "container",
            "host",
            "psvn-ir",
            "checker",
            "invariants",
            "move-prune",
            "fsm",
            "ideal-tree",
            "rule-splits",
            "redundancy",
        ],
    ),
    ("search", &["budget", "sorted-states", "psvn-ir", "fsm"]),
    ("drawing", &[]),
    ("game-tree", &["budget", "psvn-ir"]),
    ("abstraction", &["psvn-syntax", "psvn-ir"]),
    (
        "certificates",
        &[
            "budget",
            "psvn-ir",
            "invariants",
            "move-prune",
            "fsm",
            "search",
            "abstraction",
        ],
    ),
    (
        "pattern-databases",
        &[
            "budget",
            "container",
            "psvn-ir",
            "invariants",
            "search",
            "abstraction",
        ],
    ),
    (
        "explore",
        &[
            "budget",
            "sorted-states",
            "psvn-ir",
            "search",
            "abstraction",
            "pattern-databases",
        ],
    ),
    (
        "scale-out",
        &[
            "budget",
            "sorted-states",
            "psvn-ir",
            "search",
            "pattern-databases",
            "explore",
        ],
    ),
    (
        "heuristics",
        &[
            "budget",
            "psvn-ir",
            "invariants",
            "search",
            "abstraction",
            "pattern-databases",
        ],
    ),
    (
        "heuristic-choice",
        &[
            "advisor",
            "budget",
            "container",
            "host",
            "psvn-ir",
            "invariants",
            "search",
            "abstraction",
            "pattern-databases",
            "heuristics",
        ],
    ),
    (
        "length-choice",
        &[
            "advisor",
            "budget",
            "container",
            "host",
            "psvn-ir",
            "invariants",
            "move-prune",
            "fsm",
            "ideal-tree",
            "rule-splits",
            "redundancy",
            "analyses",
            "search",
            "heuristics",
            "heuristic-choice",
        ],
    ),
    (
        "psvn",
        &[
            "budget",
            "container",
            "host",
            "analyses",
            "length-choice",
            "psvn-syntax",
            "psvn-ir",
            "domains",
            "formats",
            "checker",
            "certificates",
            "move-prune",
            "fsm",
            "rule-splits",
            "redundancy",
            "invariants",
            "lint",
            "search",
            "drawing",
            "heuristics",
            "heuristic-choice",
            "game-tree",
            "abstraction",
            "pattern-databases",
            "explore",
            "scale-out",
        ],
    ),
    ("c-export", &["psvn", "psvn-ir", "fsm"]),
    (
        "pictures",
        &[
            "drawing",
            "fsm",
            "invariants",
            "move-prune",
            "psvn",
            "psvn-ir",
            "search",
        ],
    ),
    (
        "experiment",
        &[
            "psvn",
            "psvn-syntax",
            "psvn-ir",
            "invariants",
            "fsm",
            "search",
            "game-tree",
        ],
    ),
    ("report", &["budget", "drawing", "psvn", "experiment"]),
    (
        "two-players",
        &[
            "budget",
            "psvn-syntax",
            "psvn-ir",
            "abstraction",
            "game-tree",
            "psvn",
        ],
    ),
    (
        "language-server",
        &["budget", "lint", "psvn", "psvn-ir", "psvn-syntax"],
    ),
    (
        "studio",
        &[
            "psvn",
            "language-server",
            "psvn-syntax",
            "psvn-ir",
            "invariants",
            "fsm",
            "search",
            "drawing",
            "pictures",
        ],
    ),
    (
        "cli",
        &[
            "psvn",
            "c-export",
            "pictures",
            "experiment",
            "report",
            "two-players",
            "language-server",
            "studio",
            "psvn-syntax",
            "psvn-ir",
            "domains",
            "lint",
            "fsm",
            "drawing",
        ],
    ),
];

#[test]
fn crates_depend_on_lower_layers_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: &Path| -> toml::Table { std::fs::read_to_string(path).unwrap().parse().unwrap() };
    let members: BTreeSet<String> = read(&root.join("Cargo.toml"))["workspace"]["members"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|member| {
            let (home, name) = member.as_str().unwrap().split_once('/')?;
            crate::HOMES.contains(&home).then(|| name.to_owned())
        })
        .collect();
    let listed: BTreeSet<String> = ALLOWED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        members, listed,
        "every crate needs its place among the layers"
    );
    for (name, allowed) in ALLOWED {
        let manifest = read(&crate::crate_folder(name).unwrap().join("Cargo.toml"));
        for table in ["dependencies", "build-dependencies"] {
            let Some(table) = manifest.get(table) else {
                continue;
            };
            for dependency in table.as_table().unwrap().keys() {
                assert!(
                    !members.contains(dependency) || allowed.contains(&dependency.as_str()),
                    "{name} must not depend on {dependency}"
                );
            }
        }
    }
}

/// What stands beside the core is a matter of features: the core never needs it.
#[test]
fn the_core_depends_on_extras_by_features_only() {
    let extras: BTreeSet<String> = crate::crate_folders()
        .iter()
        .filter(|folder| folder.parent().is_some_and(|home| home.ends_with("extras")))
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let mut n_optional = 0;
    for folder in crate::crate_folders() {
        if !folder.parent().is_some_and(|home| home.ends_with("crates")) {
            continue;
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for (name, dependency) in dependencies.into_iter().flatten() {
            if extras.contains(name) {
                let is_optional = dependency.get("optional").and_then(toml::Value::as_bool);
                assert_eq!(is_optional, Some(true), "{} on {name}", folder.display());
                n_optional += 1;
            }
        }
    }
    assert!(n_optional >= 10, "only {n_optional} dependencies");
}

/// The extension of the Python package depends on the facade, and on what stands beside it.
#[test]
fn python_depends_on_the_facade_and_on_extras_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("python/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let crates: Vec<&String> = manifest["dependencies"]
        .as_table()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(
        crates,
        [
            "experiment",
            "pictures",
            "psvn",
            "pyo3",
            "report",
            "serde",
            "serde_json"
        ]
    );
}

/// Profiles are part of what a user gets: whoever depends on these crates has their own.
#[test]
fn profiles_are_few_and_releases_are_optimized() {
    fn settings(table: &toml::Table) -> Vec<(&str, &toml::Value)> {
        table
            .iter()
            .flat_map(|(name, value)| match value {
                toml::Value::Table(inner) => settings(inner),
                _ => vec![(name.as_str(), value)],
            })
            .collect()
    }
    let manifest = std::fs::read_to_string(crate::root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let profiles = manifest["profile"].as_table().unwrap();
    assert!(settings(profiles).len() <= 10, "{profiles:#?}");
    for (name, value) in settings(profiles["release"].as_table().unwrap()) {
        let is_slow = name == "opt-level" && value.as_integer().is_none_or(|level| level < 2);
        assert!(!is_slow, "a release with {name} = {value}");
        assert!(name != "panic", "a library's user may catch what unwinds");
    }
}

/// The fuzz targets are a separate workspace, so no build here notices when a crate that they
/// depend on is renamed.
#[test]
fn fuzz_targets_name_packages_that_exist() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let read =
        |path: &Path| -> toml::Table { std::fs::read_to_string(path).unwrap().parse().unwrap() };
    let manifest = read(&fuzz.join("Cargo.toml"));
    let mut n_compared = 0;
    for (key, dependency) in manifest["dependencies"].as_table().unwrap() {
        let Some(path) = dependency.get("path").and_then(toml::Value::as_str) else {
            continue;
        };
        let name = dependency
            .get("package")
            .and_then(toml::Value::as_str)
            .unwrap_or(key);
        let package = read(&fuzz.join(path).join("Cargo.toml"));
        assert_eq!(package["package"]["name"].as_str(), Some(name), "{key}");
        n_compared += 1;
    }
    assert!(n_compared >= 7, "only {n_compared} crates");
}

/// The packages that are compiled for `package`, one a line, each with its version.
fn tree(package: &str) -> String {
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal,build"])
        .args(["--prefix", "none", "--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{tree:?}");
    String::from_utf8(tree.stdout).unwrap()
}

/// Games, machines and searches don't depend on the parser.
#[test]
fn searches_bring_no_parser() {
    for name in ["psvn-macro-compose", "psvn-move-prune", "psvn-search"] {
        let tree = tree(name);
        assert!(tree.contains("psvn-ir "), "{tree}");
        assert!(
            !tree.contains("lalrpop"),
            "{name} brings the parser: {tree}"
        );
    }
}
