//! Files go both ways, and damaged ones are refused.

use std::path::Path;

use abstraction::Abstraction;
use pattern_databases::{AdditiveSet, FileError, Options, PatternDatabase, Samples, check_samples};
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Game, Value};
use search::{Cell, Heuristic};

use crate::support::{cells, domain};

fn additive(game: &Game) -> Vec<PatternDatabase> {
    let pattern = |text| Abstraction::from_pattern(game, text).unwrap();
    let patterns = [pattern("keep 1-3"), pattern("keep 4-6 8")];
    AdditiveSet::build(game, &patterns, &Options::default())
        .unwrap()
        .into_tables()
}

fn save(game: &Game, table: &PatternDatabase, path: &Path) -> Vec<u8> {
    table.save(game, path).unwrap();
    std::fs::read(path).unwrap()
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
        PatternDatabase::verify_checksum(&path).unwrap();
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
    // They still are an additive set.
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

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let game = domain("sliding-tiles:3:3");
    let path = folder.path().join("table.pdb");
    let bytes = save(&game, &additive(&game)[0], &path);
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        PatternDatabase::open(&path, &game)
    };
    assert!(open(&bytes).is_ok());
    for length in [0, 7, 127, 128, 200, bytes.len() - 1] {
        assert!(open(&bytes[..length]).is_err(), "{length}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(open(&longer), Err(FileError::Length { .. })));
    // A flipped bit is noticed by opening, or by the checksum of the table, or lies in the padding.
    let mut random = SplitMix64::new(2);
    let (mut at_once, mut later) = (0, 0);
    for round in 0..600 {
        let mut damaged = bytes.clone();
        let at = if round < 300 {
            random.below(400)
        } else {
            random.below(bytes.len())
        };
        damaged[at] ^= 1 << random.below(8);
        match open(&damaged) {
            Err(_) => at_once += 1,
            Ok(table) => {
                later += u32::from(PatternDatabase::verify_checksum(&path).is_err());
                // It is used without harm.
                let _ = table.estimate(&cells(game.goal_state().unwrap().values()));
            }
        }
    }
    assert!(at_once > 200 && later > 50, "{at_once} {later}");
    let mut other = bytes.clone();
    other[8] = 9;
    assert!(matches!(open(&other), Err(FileError::Version(9))));
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

/// A heuristic that says more than there is in one state of many.
struct Lying<'a>(&'a PatternDatabase);

impl Heuristic for Lying<'_> {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.0.estimate(state) + u64::from(state[0].value() == Value(3)) * 5
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
        let samples = Samples {
            walks: 20,
            steps: 40,
            seed: 1,
            consistent: table.is_consistent(),
        };
        let report = check_samples(&game, &table, samples, |_| true).unwrap();
        assert_eq!((report.mistake, report.states), (None, 20 * 41));
        inconsistent += report.inconsistent;
        assert!(report.inconsistent == 0 || !table.is_consistent());
        let report = check_samples(&game, &Lying(&table), samples, |_| true).unwrap();
        assert!(report.mistake.is_some());
    }
    // The places of the blank for which entries are least differ from entry to entry.
    assert!(inconsistent > 0);
}
