//! Tables that were built earlier.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use abstraction::Abstraction;
use invariants::Invariants;
use pattern_databases::{
    AdditiveSet, BuildError, CoordinatePattern, CoordinateTable, Options, PatternDatabase,
    TableStore, WriteTable,
};
use psvn_ir::{Game, State};
use search::Heuristic;

use crate::support::{domain, with_memory};

/// Keeps every table, whatever time it took to build.
struct Folder {
    path: PathBuf,
    names: Mutex<Vec<String>>,
    /// Whether each file that was found could be used.
    opened: Mutex<Vec<bool>>,
}

impl Folder {
    fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            names: Mutex::default(),
            opened: Mutex::default(),
        }
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        let names = self.names.lock().unwrap();
        let number = names.iter().position(|it| it == name)?;
        Some(self.path.join(format!("{number}.pdb")))
    }

    fn n_kept(&self) -> usize {
        self.names.lock().unwrap().len()
    }

    /// Whether each file that was found since the last call could be used.
    fn opened(&self) -> Vec<bool> {
        std::mem::take(&mut self.opened.lock().unwrap())
    }
}

impl TableStore for Folder {
    fn find(&self, name: &str) -> Option<PathBuf> {
        self.file(name)
    }

    fn opened(&self, _: &Path, result: Result<(), &dyn Error>) {
        self.opened.lock().unwrap().push(result.is_ok());
    }

    fn keep(&self, name: &str, _: Duration, bytes: u64, write: &WriteTable<'_>) {
        if self.file(name).is_none() {
            self.names.lock().unwrap().push(name.to_owned());
        }
        let mut out = Vec::new();
        write(&mut out as &mut dyn Write).unwrap();
        assert!(out.len() as u64 > bytes);
        fs::write(self.file(name).unwrap(), out).unwrap();
    }
}

fn build(game: &Game, pattern: &str, options: &Options<'_>) -> PatternDatabase {
    let pattern = Abstraction::from_pattern(game, pattern).unwrap();
    PatternDatabase::build(game, &pattern, options).unwrap()
}

fn with(store: &Folder) -> Options<'_> {
    Options {
        store: Some(store),
        ..Options::default()
    }
}

#[test]
fn a_kept_table_is_the_one_that_would_be_built() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let game = domain("sliding-tiles:2:3");
    let same = |pattern: &str, options: &Options<'_>, is_kept: bool| {
        let table = build(&game, pattern, options);
        let plain = build(&game, pattern, &Options::default());
        assert_eq!(
            store.opened(),
            vec![true; usize::from(is_kept)],
            "{pattern}"
        );
        assert_eq!(table.distribution(), plain.distribution());
        assert_eq!(table.is_consistent(), plain.is_consistent());
    };
    same("keep 0-3", &with(&store), false);
    same("keep 0-3", &with(&store), true);
    same("keep 0-2", &with(&store), false);
    same("keep 0-2", &with(&store), true);
    assert_eq!(store.n_kept(), 2);
    // The assumed invariants also determine a table.
    let known = Invariants::none(&game);
    let other = Options {
        invariants: Some(known),
        ..with(&store)
    };
    assert_ne!(
        build(&game, "keep 0-3", &other).assumed(),
        build(&game, "keep 0-3", &with(&store)).assumed()
    );
    assert_eq!(store.opened(), [true]);
    assert_eq!(store.n_kept(), 3);
    // So does the game.
    build(&domain("sliding-tiles:3:2"), "keep 0-3", &with(&store));
    assert_eq!((store.opened(), store.n_kept()), (vec![], 4));
}

#[test]
fn tables_of_a_sum_are_kept_with_what_they_pay_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let game = domain("sliding-tiles:2:3");
    let sum = |patterns: &[&str]| {
        let patterns = patterns.iter();
        let patterns = patterns.map(|text| Abstraction::from_pattern(&game, text).unwrap());
        let patterns: Vec<Abstraction> = patterns.collect();
        let sum = AdditiveSet::build(&game, &patterns, &with(&store)).unwrap();
        let tables = sum.tables().iter();
        tables
            .map(PatternDatabase::distribution)
            .collect::<Vec<_>>()
    };
    let first = sum(&["keep 1 2", "keep 3-5"]);
    assert_eq!((store.opened(), store.n_kept()), (vec![], 2));
    assert_eq!(sum(&["keep 1 2", "keep 3-5"]), first);
    assert_eq!((store.opened(), store.n_kept()), (vec![true; 2], 2));
    // The full costs of the same values are another table.
    build(&game, "keep 1 2", &with(&store));
    assert_eq!((store.opened(), store.n_kept()), (vec![], 3));
}

#[test]
fn no_table_of_a_sum_is_built_if_a_larger_one_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let game = domain("sliding-tiles:3:3");
    let patterns = ["keep 1 2", "keep 3-8"];
    let patterns = patterns.map(|text| Abstraction::from_pattern(&game, text).unwrap());
    let build = |memory: usize| {
        let options = Options {
            budget: with_memory(memory),
            ..with(&store)
        };
        AdditiveSet::build(&game, &patterns, &options)
    };
    assert!(matches!(
        build(100_000).unwrap_err(),
        BuildError::Memory { .. }
    ));
    assert_eq!(store.n_kept(), 0);
    // They stay in the order of the patterns.
    let built = build(1 << 30).unwrap();
    let sizes: Vec<u64> = built
        .tables()
        .iter()
        .map(PatternDatabase::n_entries)
        .collect();
    assert_eq!((sizes[0], store.n_kept()), (72, 2));
    assert!(sizes[1] > 72);
}

#[test]
fn files_that_are_damaged_or_another_table_are_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let game = domain("sliding-tiles:2:3");
    let plain = build(&game, "keep 0-3", &Options::default()).distribution();
    build(&game, "keep 0-3", &with(&store));
    build(&game, "keep 0-2", &with(&store));
    let [first, second] = ["0.pdb", "1.pdb"].map(|name| folder.path().join(name));
    let whole = fs::read(&first).unwrap();
    let broken: [&dyn Fn() -> io::Result<()>; 3] = [
        &|| fs::write(&first, &whole[..whole.len() - 1]),
        &|| fs::write(&first, "gibberish"),
        &|| fs::copy(&second, &first).map(|_| ()),
    ];
    for damage in broken {
        damage().unwrap();
        let again = build(&game, "keep 0-3", &with(&store));
        assert_eq!(again.distribution(), plain);
        assert_eq!(store.opened(), [false]);
        // It was replaced.
        assert_eq!(fs::read(&first).unwrap(), whole);
    }
}

#[test]
fn what_is_kept_changes_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let text = include_str!("../data/chain.psvn");
    let game = psvn_ir::load(text).game.unwrap();
    let whole = Abstraction::identity(&game);
    let build = |memory: usize| {
        let options = Options {
            budget: with_memory(memory),
            ..with(&store)
        };
        PatternDatabase::build(&game, &whole, &options).unwrap()
    };
    // Tables with saturated distances are not kept, and wider ones not used without the memory.
    assert!(build(5000).is_saturated());
    assert_eq!(store.n_kept(), 0);
    assert!(!build(1 << 20).is_saturated());
    assert_eq!((store.n_kept(), store.opened()), (1, vec![]));
    assert!(build(5000).is_saturated());
    assert!(!build(1 << 20).is_saturated());
    // Lists of states are made if little memory is left, and are not kept.
    let blocks = domain("blocks:3");
    let options = Options {
        budget: with_memory(5000),
        ..with(&store)
    };
    for _ in 0..2 {
        let listed = PatternDatabase::build(&blocks, &Abstraction::identity(&blocks), &options);
        assert_eq!(listed.unwrap().ranking().describe(), "a list of states");
    }
    assert_eq!(store.n_kept(), 1);
}

/// Damaged or foreign distances are found anew.
#[test]
fn distances_for_duals_are_kept_with_tables_of_coordinates() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::new(folder.path());
    let game = domain("topspin:7:3");
    let table = |text: &str, options: &Options<'_>| {
        let pattern = CoordinatePattern::parse(&game, text).unwrap();
        let table = CoordinateTable::build(&game, &pattern, options).unwrap();
        let table = table.with_duals(&game, options).unwrap();
        assert!(table.has_duals());
        table
    };
    let estimates = |table: &CoordinateTable| {
        let mut state = game.goal_state().unwrap();
        let mut estimates = Vec::new();
        for step in 0..200 {
            let rule = &game.rules()[step * step % game.rules().len()];
            state = State::new(rule.canonical.apply(state.values()).to_vec());
            let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
            estimates.push(table.estimate(&cells));
        }
        estimates
    };
    let text = "like 1 3 apart at 1";
    let plain = estimates(&table(text, &Options::default()));
    assert_eq!(estimates(&table(text, &with(&store))), plain);
    // The second is kept after the table.
    assert_eq!((store.opened(), store.n_kept()), (vec![], 2));
    assert_eq!(estimates(&table(text, &with(&store))), plain);
    assert_eq!(store.opened(), [true; 2]);
    let [fine, coarse] = ["0.pdb", "1.pdb"].map(|name| folder.path().join(name));
    assert!(CoordinateTable::is_file(&fine) && !CoordinateTable::is_file(&coarse));
    let whole = fs::read(&coarse).unwrap();
    for at in [
        0,
        8,
        12,
        20,
        60,
        64,
        68,
        100,
        130,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&coarse, damaged).unwrap();
        assert_eq!(estimates(&table(text, &with(&store))), plain);
        assert_eq!(store.opened(), [true, false], "{at}");
        assert_eq!(fs::read(&coarse).unwrap(), whole);
    }
    // All patterns with the same coarser one share its distances.
    table("like 1 3 apart at 2", &with(&store));
    assert_eq!((store.opened(), store.n_kept()), (vec![true], 3));
    // Those of another one are others, also where they are read in its place.
    let other = "like 2 apart at 1";
    let plain = estimates(&table(other, &Options::default()));
    table(other, &with(&store));
    fs::copy(&coarse, folder.path().join("4.pdb")).unwrap();
    store.opened();
    assert_eq!(estimates(&table(other, &with(&store))), plain);
    assert_eq!(store.opened(), [true, false]);
}
