//! Pieces of work that are handed out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use budget::{Limits, StopReason, Watch};
use psvn_ir::{Game, State};
use scale_out::{ClusterError, Finished, HandedOut, Member, Round, hand_out};
use serde::{Deserialize, Serialize};

use crate::proxy::{self, Fault};
use crate::{members, tiles};

/// What the search below one root finds within a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Below {
    nodes: u64,
    next: Option<u64>,
    solution: Option<Vec<u32>>,
}

/// IDA* in the 8-puzzle, by hand.
struct Search<'g> {
    game: &'g Game,
    /// The paths to the roots.
    roots: Vec<Vec<u32>>,
    start: State,
}

/// Moves of the tiles to their places.
fn manhattan(state: &State) -> u64 {
    let tiles = state.values().iter().enumerate();
    let distance = |(place, tile): (usize, &psvn_ir::Value)| match tile.index() {
        0 => 0,
        tile => (place / 3).abs_diff(tile / 3) + (place % 3).abs_diff(tile % 3),
    };
    tiles.map(distance).sum::<usize>() as u64
}

impl<'g> Search<'g> {
    fn new(game: &'g Game, start: &str) -> Self {
        let start = game.parse_state(start).expect("a state");
        let mut search = Self {
            game,
            roots: vec![Vec::new()],
            start,
        };
        for _ in 0..4 {
            let longer = search.roots.iter().flat_map(|path| {
                let state = search.end(path);
                let moves = search.moves(&state);
                moves
                    .into_iter()
                    .map(move |(rule, _)| [&path[..], &[rule]].concat())
            });
            search.roots = longer.collect();
        }
        search
    }

    fn moves(&self, state: &State) -> Vec<(u32, State)> {
        let rules = self.game.rules_with_ids();
        rules
            .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
            .map(|(id, rule)| (id.0, State::new(rule.canonical.apply(state.values()))))
            .collect()
    }

    fn end(&self, path: &[u32]) -> State {
        path.iter().fold(self.start.clone(), |state, rule| {
            let rule = self.game.rule(psvn_ir::RuleId(*rule));
            State::new(rule.canonical.apply(state.values()))
        })
    }

    fn below(&self, bound: u64, state: &State, path: &mut Vec<u32>, found: &mut Below) {
        found.nodes += 1;
        let f = path.len() as u64 + manhattan(state);
        if f > bound {
            found.next = Some(found.next.map_or(f, |next| next.min(f)));
            return;
        }
        if self.game.is_goal(state.values()) {
            found.solution.get_or_insert_with(|| path.clone());
            return;
        }
        for (rule, child) in self.moves(state) {
            path.push(rule);
            self.below(bound, &child, path, found);
            path.pop();
        }
    }

    fn piece(&self, bound: u64, piece: u64) -> Below {
        let mut path = self.roots[piece as usize].clone();
        let mut found = Below::default();
        let state = self.end(&path);
        self.below(bound, &state, &mut path, &mut found);
        found
    }

    /// The next bound, until there is a solution.
    fn next(&self, rounds: &[Finished<Below>]) -> Option<Round> {
        let bound = match rounds.last() {
            None => manhattan(&self.start),
            Some(last) if last.results.iter().any(|it| it.solution.is_some()) => return None,
            Some(last) => last.results.iter().filter_map(|it| it.next).min()?,
        };
        Some(Round {
            parameter: bound,
            pieces: self.roots.len() as u64,
        })
    }
}

/// Let all members do pieces together.
fn together(
    members: Vec<Member>,
    search: &Search<'_>,
    work: &(dyn Fn(usize, u64, u64) -> Result<Below, StopReason> + Sync),
    budget: &(dyn Fn(usize) -> Watch + Sync),
) -> Vec<Result<HandedOut<Below>, ClusterError>> {
    let run = |member: Member| {
        let process = member.process;
        let work = |bound, piece| work(process, bound, piece);
        let mut next = |rounds: &[Finished<Below>]| search.next(rounds);
        hand_out(member, "the 8-puzzle", &budget(process), &work, &mut next)
    };
    let run = &run;
    std::thread::scope(|scope| {
        let threads = members
            .into_iter()
            .map(|member| scope.spawn(move || run(member)));
        let threads: Vec<_> = threads.collect();
        let results = threads.into_iter();
        results.map(|it| it.join().expect("no panic")).collect()
    })
}

const START: &str = "1 0 2 3 5 8 7 4 6";

fn alone(search: &Search<'_>) -> Vec<Finished<Below>> {
    let mut rounds = Vec::new();
    while let Some(round) = search.next(&rounds) {
        let pieces = 0..round.pieces;
        rounds.push(Finished {
            parameter: round.parameter,
            results: pieces.map(|it| search.piece(round.parameter, it)).collect(),
        });
    }
    rounds
}

fn unlimited(_: usize) -> Watch {
    Watch::new(Limits::default())
}

#[test]
fn any_number_of_processes_finds_the_same_in_each_round() {
    let game = tiles();
    let search = Search::new(&game, START);
    let expected = alone(&search);
    let solved = expected.last().expect("a round");
    assert!(solved.results.iter().any(|it| it.solution.is_some()));
    assert!(search.roots.len() > 20);
    for (n, threads) in [(1, 1), (1, 3), (2, 1), (3, 2), (5, 1)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut members = members(n, folder.path());
        for member in &mut members {
            member.threads = threads;
        }
        let work = |_, bound, piece| Ok(search.piece(bound, piece));
        let found = together(members, &search, &work, &unlimited);
        for found in found {
            let found = found.expect("no error");
            assert_eq!(found.rounds, expected, "{n} processes");
            assert_eq!((found.stopped, found.again), (None, 0));
        }
    }
}

#[test]
fn what_a_lost_process_had_is_done_by_the_others() {
    let game = tiles();
    let search = Search::new(&game, START);
    let expected = alone(&search);
    for (after, fault) in [(700, Fault::Cut), (900, Fault::Damage), (800, Fault::Block)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut members = members(3, folder.path());
        members[2].addresses[0] = proxy::to(members[2].addresses[0].clone(), after, fault);
        for member in &mut members {
            member.patience = Duration::from_secs(2);
        }
        let work = |_, bound, piece| {
            std::thread::sleep(Duration::from_millis(2));
            Ok(search.piece(bound, piece))
        };
        let mut found = together(members, &search, &work, &unlimited);
        let lost = found.pop().expect("three members");
        assert!(matches!(lost, Err(ClusterError::Lost { .. })), "{lost:?}");
        for found in found {
            assert_eq!(found.expect("no error").rounds, expected, "{fault:?}");
        }
    }
}

#[test]
fn a_limit_of_one_stops_all_after_the_last_complete_round() {
    let game = tiles();
    let search = Search::new(&game, START);
    let expected = alone(&search);
    assert!(expected.len() > 2);
    let folder = tempfile::tempdir().expect("a folder");
    let interrupt = Arc::new(AtomicBool::new(false));
    let done = AtomicU64::new(0);
    let pieces = search.roots.len() as u64;
    let work = |process, bound, piece| {
        // In the midst of the second round.
        if done.fetch_add(1, Ordering::Relaxed) == pieces + pieces / 2 {
            interrupt.store(true, Ordering::Relaxed);
        }
        match process == 1 && interrupt.load(Ordering::Relaxed) {
            true => Err(StopReason::Interrupted),
            false => Ok(search.piece(bound, piece)),
        }
    };
    let budget = |process| {
        Watch::new(Limits {
            interrupt: (process == 1).then(|| Arc::clone(&interrupt)),
            ..Limits::default()
        })
    };
    let found = together(members(2, folder.path()), &search, &work, &budget);
    for found in found {
        let found = found.expect("no error");
        // The first process may have done the rest of the second round alone.
        let n = found.rounds.len();
        if n < expected.len() {
            assert_eq!(found.stopped, Some(StopReason::Interrupted));
        }
        assert!(n >= 1);
        assert_eq!(found.rounds, expected[..n]);
    }
}

#[test]
fn processes_with_other_work_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut members = members(2, folder.path());
    let second = members.pop().expect("two members");
    let mut first = members.pop().expect("two members");
    first.wait = Duration::from_secs(1);
    let budget = unlimited(0);
    let budget = &budget;
    let run = |member: Member, agreed: &str| {
        let work = |_, piece| Ok(piece);
        let mut next = |_: &[Finished<u64>]| None;
        hand_out::<u64>(member, agreed, budget, &work, &mut next)
    };
    let run = &run;
    let errors = std::thread::scope(|scope| {
        let first = scope.spawn(move || run(first, "one"));
        let second = run(second, "another");
        [first.join().expect("no panic"), second].map(|it| it.expect_err("an error").to_string())
    });
    assert!(errors[0].contains("did not come"), "{}", errors[0]);
    assert!(errors[1].contains("refused"), "{}", errors[1]);
}
