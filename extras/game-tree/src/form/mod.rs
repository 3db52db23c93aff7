//! A game in the form in which its tree is searched.

pub(crate) mod board;
pub(crate) mod goals;
pub(crate) mod planes;

use psvn_ir::{State, Value};

use crate::form::goals::{Goals, Knowledge};
use crate::form::planes::{Packing, Plane, Planes, zobrist_planes};
use crate::game::TwoPlayerGame;
use crate::game::ground::{Fact, Move};
use crate::game::turn::Player;

/// The number of words that are read without a loop.
const FIRST_TESTS: usize = 4;

/// Up to 64 moves of a player, with their conditions.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// Bit m of each of these words is set if a condition of move m holds. Places are repeated if
    /// there are fewer.
    first: [usize; FIRST_TESTS],
    rest: Box<[usize]>,
}

/// A game with the data for a search.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) planes: Planes,
    /// By player.
    pub(crate) chunks: [Box<[Chunk]>; 2],
    /// By the player who may reach them.
    pub(crate) goals: [Goals; 2],
    /// The place of the packed state, if included.
    pub(crate) packed: Option<(usize, Packing)>,
    /// The two words that identify a state, if included.
    pub(crate) key: Option<[usize; 2]>,
}

/// The parts of a form besides moves and goals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// Two words that identify a state.
    pub(crate) key: bool,
    /// The values of the variables.
    pub(crate) values: bool,
}

impl Form {
    pub(crate) fn new(game: &TwoPlayerGame, needs: Needs) -> Self {
        let mut planes = Planes::default();
        let chunks = [0, 1].map(|player| {
            let chunks = game.moves[player].chunks(64);
            chunks.map(|moves| Chunk::new(moves, &mut planes)).collect()
        });
        let lost = |fact: Fact| game.reach.lost(fact);
        let goals = Player::BOTH.map(|player| {
            let known = Knowledge {
                turn: game.turn().variable.0,
                own: &game.moves[player.index()],
                their: &game.moves[player.other().index()],
                lost: &lost,
            };
            Goals::new(&game.goals[player.index()], &known, &mut planes)
        });
        let sizes = game.domain_sizes();
        let packing = Packing::new(&sizes);
        let is_exact = packing.n_words <= 2;
        let packed = (needs.values || (needs.key && is_exact)).then(|| {
            // Add these planes in a row, even if some exist already.
            let first = planes.all().len();
            let places: Vec<usize> = packing
                .planes(&sizes)
                .into_iter()
                .map(|plane| planes.append(plane))
                .collect();
            debug_assert!(places.iter().copied().eq(first..first + places.len()));
            (first, packing)
        });
        let key = needs.key.then(|| match &packed {
            Some((first, packing)) if is_exact => [*first, first + packing.n_words - 1],
            _ => zobrist_planes(&sizes).map(|plane| planes.append(plane)),
        });
        Self {
            planes,
            chunks,
            goals,
            packed,
            key,
        }
    }

    /// Return the words of a state.
    pub(crate) fn words(&self, state: &State) -> Vec<u64> {
        let values: &[Value] = state.values();
        let planes = self.planes.all().iter();
        planes.map(|plane| plane.word(values)).collect()
    }

    /// Return the changes of the words by a move.
    pub(crate) fn delta(&self, a: &Move) -> Vec<u64> {
        let planes = self.planes.all().iter();
        planes.map(|plane| plane.delta(&a.changes)).collect()
    }
}

impl Chunk {
    fn new(moves: &[Move], planes: &mut Planes) -> Self {
        let n_tests = moves.iter().map(|a| a.tests.len()).max().unwrap_or(0);
        let exist = u64::MAX >> (64 - moves.len().clamp(1, 64));
        let mut places: Vec<usize> = (0..n_tests.max(1))
            .map(|number| {
                let untested = (moves.iter().enumerate())
                    .filter(|(_, a)| a.tests.len() <= number)
                    .fold(0, |bits, (m, _)| bits | 1 << m);
                let mut plane = Plane::constant(untested & exist);
                for (m, a) in moves.iter().enumerate() {
                    if let Some(fact) = a.tests.get(number) {
                        plane.add(*fact, 1 << m);
                    }
                }
                planes.place(plane)
            })
            .collect();
        places.dedup();
        let first = std::array::from_fn(|i| *places.get(i).unwrap_or(&places[0]));
        Self {
            first,
            rest: places.get(FIRST_TESTS..).unwrap_or_default().into(),
        }
    }

    /// Return the applicable moves of the chunk, as bits.
    #[inline(always)]
    pub(crate) fn applicable(&self, word: impl Fn(usize) -> u64) -> u64 {
        let [a, b, c, d] = self.first;
        let mut moves = word(a) & word(b) & word(c) & word(d);
        for place in &self.rest {
            moves &= word(*place);
        }
        moves
    }
}
