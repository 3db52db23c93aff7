//! Requests to the facade, drawn at random, and a judge of every statement in the answers.

use psvn::analysis::SplitChoice;
use psvn::heuristic::Name;
use psvn::solve::{Proved, TranspositionTable};
use psvn::{
    Algorithm, Answer, Cycles, Environment, Game, HeuristicSpec, Limits, Lints, Outcome, PruneSpec,
    SearchOptions, Solution, Solver, State, Ties, Value, Weight,
};
use psvn_ir::testing::{SplitMix64, cases};

use super::oracle::{Oracle, Values};
use super::random_text::{RandomGame, joined};
use super::tally::Tally;

/// A game with its oracle, and the translation of the program's states into the oracle's.
pub(super) struct Subject<'a> {
    pub(super) name: String,
    pub(super) game: &'a Game,
    pub(super) oracle: &'a Oracle,
    pub(super) translate: &'a dyn Fn(&[Value]) -> Values,
    /// By state: the least cost of a solution, and the fewest moves.
    costs: Vec<Option<u128>>,
    moves: Vec<Option<u128>>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        name: String,
        game: &'a Game,
        oracle: &'a Oracle,
        translate: &'a dyn Fn(&[Value]) -> Values,
    ) -> Self {
        Self {
            name,
            game,
            oracle,
            translate,
            costs: oracle.distances(u128::from),
            moves: oracle.distances(|_| 1),
        }
    }

    fn number(&self, state: &[Value]) -> usize {
        let state = (self.translate)(state);
        let number = self.oracle.number(&state);
        number.unwrap_or_else(|| panic!("{}: {state:?} is no state", self.name))
    }

    /// Make a random request for a start, and judge the answer.
    pub(super) fn search(&self, start: &State, random: &mut SplitMix64, tally: &mut Tally) {
        let env = Environment::default().with_threads(1 + random.below(8) / 7);
        let number = self.number(start.values());
        let options = draw_options(random, self.costs[number], self.moves[number]);
        let algorithm = options.algorithm;
        let request = format!(
            "{}, from {}: {options:?}",
            self.name,
            joined(&self.oracle.states[number])
        );
        let solver = Solver::builder(self.game)
            .options(options.clone())
            .starts([start.clone()])
            .build(&env);
        let solver = match solver {
            Ok(solver) => solver,
            Err(error) => return tally.refused(error.kind()),
        };
        let answer = match solver.solve(start) {
            Ok(answer) => answer,
            // A heuristic that fits a game may not fit it when it is run backward.
            Err(error)
                if matches!(algorithm, Algorithm::BaeStar | Algorithm::Nbs)
                    && error.kind() == psvn::ErrorKind::Usage =>
            {
                return tally.refused(error.kind());
            }
            Err(error) => panic!("{request}: {error}"),
        };
        tally.answered(algorithm.name(), answer.outcome.code());
        Judge {
            subject: self,
            options: &options,
            solver: &solver,
            start,
            number,
            request: &request,
        }
        .judge(&answer);
    }
}

/// A request with its start, whose answer is judged.
struct Judge<'a> {
    subject: &'a Subject<'a>,
    options: &'a SearchOptions,
    solver: &'a Solver,
    start: &'a State,
    number: usize,
    request: &'a str,
}

impl Judge<'_> {
    fn judge(&self, answer: &Answer) {
        let request = self.request;
        let (cost, moves) = self.truth();
        let is_admissible = self.solver.heuristic().is_admissible();
        if let Some(estimate) = answer.heuristic_start
            && is_admissible
            && let Some(cost) = cost
        {
            assert!(
                u128::from(estimate) <= cost,
                "{request}: {estimate} is above {cost}"
            );
        }
        match &answer.outcome {
            Outcome::Solved(solution) => {
                self.judge_solution(solution, is_admissible);
                if answer.meaning == ", the least cost" {
                    assert_eq!(Some(solution.cost), cost, "{request}");
                }
            }
            Outcome::NoSolution { .. } => {
                assert_eq!(cost, None, "{request}: there is a solution");
            }
            Outcome::NotWithinDepth => {
                let depth = self.options.depth.expect("a depth was given");
                let is_true = moves.is_none_or(|moves| moves > u128::from(depth));
                assert!(is_true, "{request}: {moves:?} moves suffice");
            }
            Outcome::NotWithinCost => {
                let bound = self.options.cost_bound.expect("a bound was given");
                let is_true = cost.is_none_or(|cost| cost > u128::from(bound));
                assert!(is_true, "{request}: a cost of {cost:?} is possible");
            }
            Outcome::Stopped(_) => self.judge_stopped(answer),
            // Nothing is claimed.
            _ => {}
        }
    }

    /// The least cost and the fewest moves from the start.
    fn truth(&self) -> (Option<u128>, Option<u128>) {
        let subject = self.subject;
        (subject.costs[self.number], subject.moves[self.number])
    }

    fn judge_solution(&self, solution: &Solution, is_admissible: bool) {
        let request = self.request;
        self.replay(solution);
        let (least, fewest) = self.truth();
        let (least, fewest) = least.zip(fewest).expect("it was replayed");
        let (cost, moves) = (solution.cost, solution.moves.len() as u128);
        let algorithm = self.options.algorithm;
        if self.solver.is_optimal() {
            assert_eq!(cost, least, "{request}");
        }
        match algorithm {
            Algorithm::Dfid | Algorithm::Bfs => assert_eq!(moves, fewest, "{request}"),
            Algorithm::Wida | Algorithm::WeightedAStar if is_admissible => {
                let weight = self.options.weight.expect("a weight was given");
                let (numerator, denominator) = (weight.numerator(), weight.denominator());
                let is_within = cost * u128::from(denominator) <= least * u128::from(numerator);
                assert!(is_within, "{request}: {cost}, the least is {least}");
            }
            Algorithm::Dfs | Algorithm::DfsClosed => {
                assert!(
                    self.options.depth.map(u128::from) >= Some(moves),
                    "{request}: {moves} moves"
                );
            }
            _ => {}
        }
        if let Some(bound) = self.options.cost_bound {
            assert!(cost <= u128::from(bound), "{request}: cost {cost}");
        }
        let promises_least = !matches!(
            algorithm,
            Algorithm::Dfs
                | Algorithm::DfsClosed
                | Algorithm::Greedy
                | Algorithm::Beam
                | Algorithm::Dfid
                | Algorithm::Bfs
                | Algorithm::Wida
                | Algorithm::WeightedAStar
        );
        let is_optimal = self.solver.is_optimal();
        assert_eq!(is_optimal, promises_least && is_admissible, "{request}");
    }

    /// A lower bound is one, and the best solution so far is a solution.
    fn judge_stopped(&self, answer: &Answer) {
        let request = self.request;
        let (cost, moves) = self.truth();
        match answer.proved {
            Some(Proved::CostsAtLeast(bound)) => {
                let is_true = cost.is_none_or(|cost| cost >= u128::from(bound));
                assert!(is_true, "{request}: {cost:?} is below {bound}");
            }
            Some(Proved::HasMoves(bound)) => {
                let is_true = moves.is_none_or(|moves| moves >= u128::from(bound));
                assert!(is_true, "{request}: {moves:?} moves are fewer than {bound}");
            }
            None => {}
        }
        if let Some(solution) = &answer.best_so_far {
            self.replay(solution);
        }
    }

    /// Make the moves of a solution in the program's states, and find each in the oracle.
    fn replay(&self, solution: &Solution) {
        let (subject, request) = (self.subject, self.request);
        let mut state = self.start.values().to_vec();
        let mut number = self.number;
        let mut cost = 0_u128;
        for id in &solution.moves {
            let rule = &subject.game.ir().rule(*id).canonical;
            assert!(rule.applies_to(&state), "{request}: {solution:?}");
            state = rule.apply(&state).to_vec();
            let next = subject.number(&state);
            let is_move = subject.oracle.has_move(number, rule.cost(), next);
            assert!(is_move, "{request}: {solution:?}");
            cost += u128::from(rule.cost());
            number = next;
        }
        assert!(subject.oracle.is_goal(number), "{request}: {solution:?}");
        assert_eq!(cost, solution.cost, "{request}");
    }
}

/// Draw one of some choices.
fn one<T: Clone>(random: &mut SplitMix64, choices: &[T]) -> T {
    choices[random.below(choices.len())].clone()
}

/// Draw options. Depths and bounds lie around the true distance, where a statement is wrong first.
fn draw_options(random: &mut SplitMix64, cost: Option<u128>, moves: Option<u128>) -> SearchOptions {
    let algorithms: Vec<Algorithm> = Algorithm::names().map(|(_, it)| it).collect();
    let algorithm = one(random, &algorithms);
    let around = |random: &mut SplitMix64, distance: Option<u128>| {
        let distance = distance.map_or(4, |it| u64::try_from(it).expect("distances are small"));
        one(
            random,
            &[distance, distance.saturating_sub(1), distance + 1, 0],
        )
    };
    let is_by_path = !algorithm.detects_duplicates();
    let is_by_cost = is_by_path && algorithm.takes_heuristic();
    let mut options = SearchOptions {
        algorithm,
        // Most of the work is searches that never end, so limits are low.
        limits: Limits {
            nodes: Some(one(random, &[10, 300, 3000])),
            ..Limits::default()
        },
        ..SearchOptions::default()
    };
    match algorithm {
        Algorithm::Dfs | Algorithm::DfsClosed => options.depth = Some(around(random, moves)),
        Algorithm::Wida | Algorithm::WeightedAStar => {
            options.weight = Some(one(random, &weights()));
        }
        Algorithm::IdaCr => options.growth = random.chance(50).then(|| weights()[1]),
        Algorithm::BranchAndBound if random.chance(60) => {
            options.cost_bound = Some(around(random, cost));
        }
        _ => {}
    }
    if algorithm.takes_heuristic() {
        options.heuristic = draw_heuristic(random);
    }
    if is_by_path {
        let prunes = [PruneSpec::None, PruneSpec::Parent, PruneSpec::Auto];
        let lengths = (1..=4).map(PruneSpec::Length);
        let prunes: Vec<_> = prunes.into_iter().chain(lengths).collect();
        options.prune = Some(one(random, &prunes));
        options.split = one(
            random,
            &[SplitChoice::None, SplitChoice::Auto, SplitChoice::All],
        );
        options.cycles = one(random, &[Cycles::None, Cycles::Parent, Cycles::Path]);
    }
    if is_by_cost {
        options.perimeter = random.chance(40).then(|| random.next_u64() % 10);
        options.table = random
            .chance(20)
            .then_some(TranspositionTable::Bytes(1 << 14));
        options.count_depths = random.chance(20);
    }
    if algorithm.has_ties() {
        let ties = [Ties::GreaterG, Ties::Lifo, Ties::Fifo, Ties::Nutshell];
        options.ties = random.chance(50).then(|| one(random, &ties));
        options.symmetries = random.chance(20);
    }
    options
}

fn weights() -> [Weight; 3] {
    [(1, 1), (3, 2), (5, 1)].map(|(top, bottom)| Weight::new(top, bottom).unwrap())
}

/// One or two heuristics with a name, or the automatic one. The count of goals, which fits every
/// game and may be too high, is drawn most often.
fn draw_heuristic(random: &mut SplitMix64) -> HeuristicSpec {
    if random.chance(10) {
        return HeuristicSpec::Auto;
    }
    let any = |random: &mut SplitMix64| {
        if random.chance(30) {
            Name::PlainGoalCount
        } else {
            one(random, &Name::ALL)
        }
    };
    let mut names = vec![any(random)];
    if random.chance(20) {
        names.push(any(random));
    }
    HeuristicSpec::Greatest {
        names,
        sums: Vec::new(),
    }
}

/// The searches that are requested of each game.
const SEARCHES_OF_A_GAME: usize = 40;

/// Search random games of these seeds.
fn soak(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let env = Environment::default().with_lints(Lints::None);
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let drawn = RandomGame::draw(&mut random);
        let text = drawn.text();
        let game = Game::parse(&format!("seed {seed}"), &text, &env)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let oracle = drawn.oracle();
        let translate = |state: &[Value]| state.iter().map(|value| value.index()).collect();
        let name = format!("seed {seed}\n{text}");
        let subject = Subject::new(name, &game, &oracle, &translate);
        tally.games += 1;
        for _ in 0..SEARCHES_OF_A_GAME {
            let start = &oracle.states[random.below(oracle.states.len())];
            let start = game.state("the start", &joined(start)).unwrap();
            subject.search(&start, &mut random, &mut tally);
        }
    }
    tally
}

/// Every algorithm answers, and every kind of statement is made.
fn check_breadth(tally: &Tally) {
    tally.print();
    assert_eq!(tally.names().count(), Algorithm::names().count());
    for outcome in [
        "solved",
        "no-solution",
        "not-within-depth",
        "not-within-cost",
        "not-found",
        "nodes",
    ] {
        assert!(tally.with_outcome(outcome) > 0, "{outcome}: {tally:?}");
    }
}

#[test]
fn five_thousand_requests() {
    let tally = soak(0..200);
    check_breadth(&tally);
    assert!(tally.searches() >= 5_000, "{tally:?}");
}

/// Search thousands of games.
#[test]
#[ignore = "takes 10 minutes: a hundred thousand searches"]
fn manual_a_hundred_thousand_requests() {
    let n_games = cases(4_000);
    let first = 10_000;
    let mut tally = Tally::default();
    for seed in (first..first + n_games).step_by(100) {
        tally.add(soak(seed..(seed + 100).min(first + n_games)));
        println!("{} games", tally.games);
    }
    check_breadth(&tally);
}
