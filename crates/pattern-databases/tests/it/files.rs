//! Files can be written and read, and damaged ones are refused.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use abstraction::Abstraction;
use pattern_databases::{
    AdditiveSet, BuildError, FileError, Limits, Options, PatternDatabase, StopReason, Watch,
};
use psvn_ir::Game;
use psvn_ir::testing::SplitMix64;
use search::Heuristic;
use search::check::{Sample, sampled};
use tempfile::TempDir;

use crate::support::{cells, domain, save, with_memory};

/// Build the tables of an additive set one by one, as programs do that write them to files.
fn tables(game: &Game, patterns: &[Abstraction]) -> Vec<PatternDatabase> {
    let build =
        |number| AdditiveSet::build_one(game, patterns, number, &Options::default()).unwrap();
    (0..patterns.len()).map(build).collect()
}

fn additive(game: &Game) -> Vec<PatternDatabase> {
    let pattern = |text| Abstraction::from_pattern(game, text).unwrap();
    tables(game, &[pattern("keep 1-3"), pattern("keep 4-6 8")])
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let game = domain("sliding-tiles:3:3");
    let path = folder.path().join("table.pdb");
    let mut random = SplitMix64::new(1);
    let states: Vec<Vec<u32>> = (0..200)
        .map(|_| {
            let mut state: Vec<u32> = (0..9).collect();
            (1..9)
                .rev()
                .for_each(|i| state.swap(i, random.below(i + 1)));
            state
        })
        .collect();
    let mut opened = Vec::new();
    for table in additive(&game) {
        save(&game, &table, &path);
        let read = PatternDatabase::open(&path, &game).unwrap();
        for state in &states {
            assert_eq!(read.estimate(state), table.estimate(state));
        }
        assert_eq!(read.distribution(), table.distribution());
        assert_eq!(read.assumed(), table.assumed());
        assert_eq!(
            (read.width(), read.n_bytes()),
            (table.width(), table.n_bytes())
        );
        opened.push(read);
    }
    // They are still an additive set.
    let set = AdditiveSet::from_tables(&game, opened).unwrap();
    assert_eq!(set.not_covered(), ["7"]);
    let hanoi = domain("hanoi:3:9");
    let table = PatternDatabase::build(&hanoi, &Abstraction::identity(&hanoi), &Options::default())
        .unwrap();
    save(&hanoi, &table, &path);
    let read = PatternDatabase::open(&path, &hanoi).unwrap();
    assert_eq!(
        (read.width().bits(), read.distribution()),
        (16, table.distribution())
    );
}

/// A game of 300 states in a ring, whose steps cost 3 and have one direction.
fn chain() -> Game {
    psvn_ir::load(include_str!("../data/chain.psvn"))
        .game
        .unwrap()
}

/// Build a table of each kind of file, with its name, small enough to try every byte.
fn kinds() -> Vec<(&'static str, Game, PatternDatabase)> {
    let within = |memory| Options {
        budget: with_memory(memory),
        ..Options::default()
    };
    let mut kinds = Vec::new();
    let pancakes = domain("pancake:6");
    let pattern = Abstraction::from_pattern(&pancakes, "keep 1 2 3").unwrap();
    let table = PatternDatabase::build(&pancakes, &pattern, &Options::default()).unwrap();
    kinds.push(("plain", pancakes, table));
    let tiles = domain("sliding-tiles:2:3");
    let pattern = |text| Abstraction::from_pattern(&tiles, text).unwrap();
    let patterns = [pattern("keep 1 2"), pattern("keep 3-5")];
    for (name, table) in ["additive-1", "additive-2"]
        .into_iter()
        .zip(tables(&tiles, &patterns))
    {
        assert!(
            table
                .charged_values(psvn_ir::DomainId::from_index(0))
                .is_some()
        );
        kinds.push((name, domain("sliding-tiles:2:3"), table));
    }
    let blocks = domain("blocks:3");
    let whole = Abstraction::identity(&blocks);
    let table = PatternDatabase::build(&blocks, &whole, &within(5000)).unwrap();
    assert_eq!(table.ranking().describe(), "a list of states");
    kinds.push(("listed", blocks, table));
    for (name, memory) in [("saturated", 5000), ("short", 1 << 20)] {
        let chain = chain();
        let whole = Abstraction::identity(&chain);
        let table = PatternDatabase::build(&chain, &whole, &within(memory)).unwrap();
        assert_eq!(table.is_saturated(), name == "saturated");
        kinds.push((name, chain, table));
    }
    kinds
}

/// Open a file with these bytes.
fn open(folder: &Path, game: &Game, bytes: &[u8]) -> Result<PatternDatabase, FileError> {
    let path = folder.join("table.pdb");
    std::fs::write(&path, bytes).unwrap();
    PatternDatabase::open(&path, game)
}

/// Make a folder for thousands of files: in memory where there is such a place, since writing to a
/// disk takes most of the time.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// Check that every change of one byte, every other length, and every exchange of two parts is
/// refused.
fn assert_guarded(name: &str, game: &Game, bytes: &[u8]) {
    let folder = folder();
    let refused = |what: &str, bytes: &[u8]| {
        assert!(open(folder.path(), game, bytes).is_err(), "{name}: {what}");
    };
    for place in 0..bytes.len() {
        let mut damaged = bytes.to_vec();
        for damage in [1 << (place % 8), 255] {
            damaged[place] = bytes[place] ^ damage;
            refused(&format!("byte {place}"), &damaged);
        }
        if place % 7 == 0 {
            refused(&format!("{place} bytes"), &bytes[..place]);
        }
    }
    refused("a byte more", &[bytes, &[0]].concat());
    let mut swapped = bytes.to_vec();
    let last = bytes.len() - 1;
    let other = bytes.iter().rposition(|byte| *byte != bytes[last]).unwrap();
    swapped.swap(last, other);
    refused("two bytes exchanged", &swapped);
}

#[test]
fn damage_is_refused_wherever_it_is() {
    for (name, game, table) in kinds() {
        let mut bytes = Vec::new();
        table.write(&game, &mut bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let read = open(folder.path(), &game, &bytes).unwrap();
        assert_eq!(read.distribution(), table.distribution(), "{name}");
        assert_eq!(read.n_bytes(), table.n_bytes(), "{name}");
        assert_guarded(name, &game, &bytes);
    }
}

/// Files of the first version of the format, written by a program of that time.
#[test]
fn files_of_version_1_are_read_and_guarded() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for (name, game, table) in kinds() {
        let path = data.join(format!("version-1-{name}.pdb"));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[8..12], [1, 0, 0, 0], "{name}");
        let read = PatternDatabase::open(&path, &game).unwrap();
        assert_eq!(read.distribution(), table.distribution(), "{name}");
        assert_eq!(read.is_saturated(), table.is_saturated(), "{name}");
        let goal = cells(game.goal_state().unwrap().values());
        assert_eq!(read.estimate(&goal), 0, "{name}");
        assert_guarded(name, &game, &bytes);
        // Written again, it has this version.
        let mut again = Vec::new();
        read.write(&game, &mut again).unwrap();
        let mut expected = Vec::new();
        table.write(&game, &mut expected).unwrap();
        assert_eq!(again, expected, "{name}");
    }
}

#[test]
fn unknown_versions_and_flags_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_, game, table) = kinds().swap_remove(0);
    let mut bytes = Vec::new();
    table.write(&game, &mut bytes).unwrap();
    let mut other = bytes.clone();
    other[8] = 9;
    let error = open(folder.path(), &game, &other).unwrap_err();
    assert!(matches!(error, FileError::Version(9)), "{error}");
    for place in [73, 90] {
        let mut other = bytes.clone();
        other[place] = 1;
        let checksum = crc32fast::hash(&other[..124]).to_le_bytes();
        other[124..128].copy_from_slice(&checksum);
        let error = open(folder.path(), &game, &other).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent(_)), "{error}");
    }
}

#[test]
fn files_are_opened_within_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pdb");
    for (name, game, table) in kinds() {
        save(&game, &table, &path);
        let interrupted = Options {
            budget: Watch::new(Limits {
                interrupt: Some(Arc::new(AtomicBool::new(true))),
                ..Limits::default()
            }),
            ..Options::default()
        };
        let error = PatternDatabase::open_with(&path, &game, &interrupted).unwrap_err();
        assert!(
            matches!(
                error,
                FileError::Build(BuildError::Stopped(StopReason::Interrupted))
            ),
            "{name}: {error}"
        );
        // The list of 22 states is in memory; the mapped table doesn't count.
        let abstract_game = Options {
            budget: with_memory(351),
            ..Options::default()
        };
        let opened = PatternDatabase::open_with(&path, &game, &abstract_game);
        assert_eq!(opened.is_err(), name == "listed", "{name}");
    }
}

#[test]
fn files_of_other_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let game = domain("sliding-tiles:3:3");
    let path = folder.path().join("table.pdb");
    save(&game, &additive(&game)[0], &path);
    let error = PatternDatabase::open(&path, &domain("sliding-tiles:2:4")).unwrap_err();
    assert!(matches!(error, FileError::OtherGame { .. }), "{error}");
    let text = domains::generate_reference("sliding-tiles:3:3").unwrap();
    let other_goal = text.replace("GOAL 0 1 2", "GOAL 1 0 2");
    assert_ne!(text, other_goal);
    let other_goal = psvn_ir::load(&other_goal).game.unwrap();
    let error = PatternDatabase::open(&path, &other_goal).unwrap_err();
    assert!(matches!(error, FileError::OtherGoals), "{error}");
}

/// A heuristic that is too large in one of many states.
struct Lying<'a>(&'a PatternDatabase);

impl Heuristic for Lying<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.0.estimate(state) + u64::from(state[0] == 3) * 5
    }
}

#[test]
fn samples_find_what_is_wrong() {
    let game = domain("sliding-tiles:3:3");
    let whole = Abstraction::from_pattern(&game, "keep 0-4").unwrap();
    let whole = PatternDatabase::build(&game, &whole, &Options::default()).unwrap();
    assert!(whole.is_consistent());
    let mut inconsistent = 0;
    for table in additive(&game).into_iter().chain([whole]) {
        let sample = Sample {
            n_walks: 20,
            length: 40,
            seed: 1,
        };
        let report = sampled(&game, &table, |_| true, &sample).unwrap();
        assert!(
            report.is_admissible() && report.is_incremental(),
            "{report}"
        );
        assert_eq!(report.n_states, 20 * 41);
        inconsistent += report.n_drops;
        assert!(report.is_consistent() || !table.is_consistent(), "{report}");
        let report = sampled(&game, &Lying(&table), |_| true, &sample).unwrap();
        assert!(!report.is_admissible() || !report.is_consistent());
    }
    // The places of the blank with the least entries differ from entry to entry.
    assert!(inconsistent > 0);
}
