//! Random games explored with every storage, forward and backward.

use psvn::{Environment, Exploration, ExplorationReport, ExplorationStorage, Game, Lints, State};
use psvn_ir::testing::{SplitMix64, cases};

use super::oracle::Oracle;
use super::random_text::{RandomGame, joined};

/// Explore a game from a start, or from its goals, with every storage; each counts the layers that
/// the oracle has, or refuses. Return the number of explorations that weren't refused, by storage.
pub(super) fn explore(
    game: &Game,
    name: &str,
    start: Option<&State>,
    layers: &[u64],
    depth: Option<u64>,
) -> [usize; 4] {
    let env = Environment::default();
    let folder = tempfile::tempdir().unwrap();
    let storages = [
        ExplorationStorage::Automatic,
        ExplorationStorage::Memory,
        ExplorationStorage::Ranked,
        ExplorationStorage::Disk(folder.path().to_owned()),
    ];
    storages.map(|storage| {
        let exploration = Exploration {
            starts: start.into_iter().cloned().collect(),
            depth,
            storage,
            ..Exploration::default()
        };
        let report = exploration.run(game, &env, &mut |_| {});
        let storage = &exploration.storage;
        match report {
            Ok(report) => judge(&report, &format!("{name}, {storage:?}"), layers, depth),
            // Only ranks may be refused: a state may have none.
            Err(error) => {
                let is_ranked = *storage == ExplorationStorage::Ranked;
                assert!(is_ranked, "{name}, {storage:?}: {error}");
                0
            }
        }
    })
}

fn judge(report: &ExplorationReport, name: &str, layers: &[u64], depth: Option<u64>) -> usize {
    let found: Vec<u64> = report.layers.iter().map(|layer| layer.states).collect();
    let most = depth.map_or(layers.len(), |depth| depth as usize + 1);
    assert_eq!(found, layers[..most.min(layers.len())], "{name}");
    // Whether the last layer is the last of all may be unknown at the depth itself.
    if report.complete {
        assert_eq!(found, layers, "{name}");
        assert_eq!(
            report.greatest_distance,
            Some(layers.len() as u64 - 1),
            "{name}"
        );
    }
    if depth.is_none() {
        assert!(report.complete, "{name}");
    }
    1
}

#[test]
fn all_storages_count_the_same_states() {
    let env = Environment::default().with_lints(Lints::None);
    let mut explored = [0; 4];
    for seed in 0..cases(150) {
        let mut random = SplitMix64::new(seed);
        let drawn = RandomGame::draw(&mut random);
        let oracle = drawn.oracle();
        let text = drawn.text();
        let game = Game::parse("random", &text, &env).unwrap();
        let number = random.below(oracle.states.len());
        let start = game
            .state("the start", &joined(&oracle.states[number]))
            .unwrap();
        let forward = oracle.layers(&[number]);
        for depth in [None, Some(random.next_u64() % 4)] {
            let origins = [(Some(&start), &forward), (None, &oracle.layers_to_goals())];
            for (start, layers) in origins {
                let name = format!("seed {seed}, {start:?}, {depth:?}\n{text}");
                let n = explore(&game, &name, start, layers, depth);
                explored.iter_mut().zip(n).for_each(|(sum, n)| *sum += n);
            }
        }
    }
    println!("explorations by storage: {explored:?}");
    // In random games hardly any move can be undone, so ranks are refused; those of puzzles aren't.
    let [automatic, memory, _, disk] = explored;
    assert_eq!([automatic, memory, disk], [600; 3]);
}

/// A game whose moves can't be undone is explored from its goals along its rules against them.
#[test]
fn one_way_moves_lead_to_the_goal() {
    let env = Environment::default();
    let text = "1\n3\n0 => 1\n1 => 2\nGOAL 2\n";
    let game = Game::parse("one way", text, &env).unwrap();
    let oracle = Oracle::new(
        (0..3).map(|value| vec![value]),
        |state| {
            (state[0] < 2)
                .then(|| (1, vec![state[0] + 1]))
                .into_iter()
                .collect()
        },
        |state| state[0] == 2,
    );
    let layers = oracle.layers_to_goals();
    assert_eq!(layers, [1, 1, 1]);
    explore(&game, "one way", None, &layers, None);
}
