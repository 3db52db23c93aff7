//! Pieces of work that are handed out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use budget::StopReason;
use psvn_ir::{Game, State};
use scale_out::{ClusterError, Crew, Member, PieceResult, Round};
use serde::{Deserialize, Serialize};

use crate::proxy::{self, Direction, Fault};
use crate::{members, tiles};

/// The result of the search below one root within a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Below {
    nodes: u64,
    next: Option<u64>,
    solution: Option<Vec<u32>>,
}

impl PieceResult for Below {
    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn is_last(&self) -> bool {
        self.solution.is_some()
    }
}

/// The results of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finished {
    parameter: u64,
    results: Vec<Below>,
}

/// The reports to one process.
#[derive(Debug)]
struct Heard {
    rounds: Vec<Finished>,
    stopped: Option<StopReason>,
    lost: Vec<String>,
    again: u64,
}

/// IDA* in the 8-puzzle, written out.
struct Search<'g> {
    game: &'g Game,
    /// The paths to the roots.
    roots: Vec<Vec<u32>>,
    start: State,
}

/// Return the number of moves of the tiles to their places.
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

    /// Return the next bound, until there is a solution.
    fn next(&self, rounds: &[Finished]) -> Option<Round> {
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

/// A process's work, given a bound and the number of a piece.
type Work<'w> = dyn Fn(usize, u64, u64) -> Result<Below, StopReason> + Sync + 'w;

/// Run one of the members.
fn alone_among(
    member: Member,
    search: &Search<'_>,
    work: &Work<'_>,
    goes_on: &(dyn Fn(usize) -> Result<(), StopReason> + Sync),
) -> Result<Heard, ClusterError> {
    let process = member.process;
    let crew = Crew::meet(member, &[("game", "the 8-puzzle".to_owned())], &|| false)?;
    crew.begin(START);
    let mut rounds = Vec::new();
    let mut stopped = None;
    while let Some(round) = search.next(&rounds) {
        let work = |piece, _: &Arc<AtomicBool>| work(process, round.parameter, piece);
        match crew.round(round, &work, &mut |_| goes_on(process)) {
            Ok(results) => rounds.push(Finished {
                parameter: round.parameter,
                results,
            }),
            Err(reason) => {
                if let Some(failure) = crew.failure() {
                    return Err(failure);
                }
                stopped = Some(reason);
                break;
            }
        }
    }
    crew.end(stopped);
    Ok(Heard {
        rounds,
        stopped,
        lost: crew.lost(),
        again: crew.again(),
    })
}

/// Let all members do pieces together.
fn together(
    members: Vec<Member>,
    search: &Search<'_>,
    work: &Work<'_>,
    goes_on: &(dyn Fn(usize) -> Result<(), StopReason> + Sync),
) -> Vec<Result<Heard, ClusterError>> {
    std::thread::scope(|scope| {
        let threads = members
            .into_iter()
            .map(|member| scope.spawn(move || alone_among(member, search, work, goes_on)));
        let threads: Vec<_> = threads.collect();
        let results = threads.into_iter();
        results.map(|it| it.join().expect("no panic")).collect()
    })
}

const START: &str = "1 0 2 3 5 8 7 4 6";

/// Do the same in one loop: of the last round, all pieces up to the first with a solution.
fn alone(search: &Search<'_>) -> Vec<Finished> {
    let mut rounds = Vec::new();
    while let Some(round) = search.next(&rounds) {
        let pieces = (0..round.pieces).map(|it| search.piece(round.parameter, it));
        let mut results: Vec<Below> = pieces.collect();
        if let Some(last) = results.iter().position(|it| it.solution.is_some()) {
            results.truncate(last + 1);
        }
        rounds.push(Finished {
            parameter: round.parameter,
            results,
        });
    }
    rounds
}

fn unlimited(_: usize) -> Result<(), StopReason> {
    Ok(())
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
        let folder = crate::folder();
        let mut members = members(n, folder.path());
        for member in &mut members {
            member.threads = threads;
        }
        let work = |_, bound, piece| Ok(search.piece(bound, piece));
        let found = together(members, &search, &work, &unlimited);
        for found in found {
            let found = found.expect("no error");
            assert_eq!(found.rounds, expected, "{n} processes");
            assert_eq!((found.stopped, found.again, found.lost.len()), (None, 0, 0));
        }
    }
}

/// The test of lost connections runs this, since both wait most of the time.
pub(crate) fn the_others_do_the_work_of_a_lost_process() {
    let game = tiles();
    let search = Search::new(&game, START);
    let expected = alone(&search);
    // The cases sleep most of the time, so they run at once.
    std::thread::scope(|scope| {
        for (after, fault) in [
            (700, Fault::Cut),
            (900, Fault::Damage),
            // Early enough that the rest takes longer than the patience.
            (1100, Fault::Block),
        ] {
            let (search, expected) = (&search, &expected);
            scope.spawn(move || lose_one_of_three(search, after, fault, expected));
        }
    });
}

/// Search with three processes of which one is lost: the others find what is expected.
fn lose_one_of_three(search: &Search<'_>, after: usize, fault: Fault, expected: &[Finished]) {
    let folder = crate::folder();
    let mut members = members(3, folder.path());
    let target = members[2].addresses[0].clone();
    members[2].addresses[0] = proxy::to(target, Direction::ToCaller, after, fault);
    for member in &mut members {
        member.patience = Duration::from_secs(2);
    }
    let work = |_, bound, piece| {
        // All rounds together take longer than the patience.
        std::thread::sleep(Duration::from_millis(40));
        Ok(search.piece(bound, piece))
    };
    let mut found = together(members, search, &work, &unlimited);
    let lost = found.pop().expect("three members");
    assert!(matches!(lost, Err(ClusterError::Lost { .. })), "{lost:?}");
    for (process, found) in found.into_iter().enumerate() {
        let found = found.expect("no error");
        assert_eq!(found.rounds, expected, "{fault:?}");
        let lost = found.lost.concat();
        assert_eq!(lost.contains("process 2"), process == 0, "{fault:?} {lost}");
    }
}

#[test]
fn a_limit_of_one_stops_all_after_the_last_complete_round() {
    let game = tiles();
    let search = Search::new(&game, START);
    let expected = alone(&search);
    assert!(expected.len() > 2);
    let folder = crate::folder();
    let interrupt = AtomicBool::new(false);
    let done = AtomicU64::new(0);
    let pieces = search.roots.len() as u64;
    let work = |process, bound, piece| {
        // In the middle of the second round.
        if done.fetch_add(1, Ordering::Relaxed) == pieces + pieces / 2 {
            interrupt.store(true, Ordering::Relaxed);
        }
        if process == 1 && interrupt.load(Ordering::Relaxed) {
            Err(StopReason::Interrupted)
        } else {
            Ok(search.piece(bound, piece))
        }
    };
    let goes_on = |process| {
        if process == 1 && interrupt.load(Ordering::Relaxed) {
            Err(StopReason::Interrupted)
        } else {
            Ok(())
        }
    };
    let found = together(members(2, folder.path()), &search, &work, &goes_on);
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

pub(crate) fn processes_with_other_work_are_refused() {
    let folder = crate::folder();
    let mut members = members(2, folder.path());
    let second = members.pop().expect("two members");
    let mut first = members.pop().expect("two members");
    first.wait = Duration::from_secs(1);
    let run = |member: Member, depth: &str| {
        let agreed = [("game", "tiles"), ("depth", depth)];
        let agreed = agreed.map(|(name, text)| (name, text.to_owned()));
        Crew::<Below>::meet(member, &agreed, &|| false)
    };
    let run = &run;
    let errors = std::thread::scope(|scope| {
        let first = scope.spawn(move || run(first, "one"));
        let second = run(second, "another");
        [first.join().expect("no panic"), second].map(|it| it.expect_err("an error").to_string())
    });
    assert!(errors[0].contains("did not connect"), "{}", errors[0]);
    assert!(
        errors[1].contains("refused: another depth"),
        "{}",
        errors[1]
    );
}

#[test]
fn a_process_in_another_search_is_refused() {
    let game = tiles();
    let folder = crate::folder();
    let run = |member: Member, name: &str| {
        let crew = Crew::meet(member, &[("game", "the 8-puzzle".to_owned())], &|| false)
            .expect("they meet");
        crew.begin(name);
        let round = Round {
            parameter: 1,
            pieces: 20,
        };
        let search = Search::new(&game, START);
        let work = |piece, _: &Arc<AtomicBool>| Ok(search.piece(1, piece));
        let found = crew.round(round, &work, &mut |_| Ok(()));
        (found, crew.failure())
    };
    let run = &run;
    let mut members = members(2, folder.path());
    let second = members.pop().expect("two members");
    let first = members.pop().expect("two members");
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(move || run(first, "one"));
        let second = run(second, "another");
        (first.join().expect("no panic"), second)
    });
    // The first process does everything alone.
    assert_eq!(first.0.map(|it| it.len()), Ok(20));
    assert_eq!(second.0, Err(StopReason::Interrupted));
    let error = second.1.expect("an error").to_string();
    assert!(error.contains("something else"), "{error}");
}
