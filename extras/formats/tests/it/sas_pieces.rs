//! Tasks whose operators only carry facts are puzzles of pieces with the same state space.

use formats::planning::cube;
use formats::sas::{Effect, Fact, Operator, Task, Variable, to_psvn};
use psvn_ir::LoadLimits;
use psvn_ir::testing::{SplitMix64, cases};
use psvn_syntax::Span;

use crate::breadth::{counts, game_layers, load};
use crate::interpreter::{MOST, task_layers};

/// How facts say where pieces are.
#[derive(Clone, Copy, Debug)]
enum Saying {
    /// A variable of two values for each piece, place and orientation.
    Bits,
    /// The same for pieces that look alike.
    Alike,
    /// A variable for each place: the piece there and its orientation, or nothing.
    Places,
    /// A variable for each piece: its place and orientation.
    Pieces,
}

/// Pieces in places, each with some orientations.
struct Board {
    saying: Saying,
    pieces: usize,
    places: usize,
    orientations: usize,
}

/// For each piece, its place and orientation.
type Seats = Vec<(usize, usize)>;

impl Board {
    fn random(random: &mut SplitMix64) -> Self {
        let places = 2 + random.below(2);
        Self {
            saying: [Saying::Bits, Saying::Alike, Saying::Places, Saying::Pieces][random.below(4)],
            pieces: 1 + random.below(places),
            places,
            orientations: 1 + random.below(3),
        }
    }

    /// The number of variables, and of the values of each.
    fn sizes(&self) -> (usize, usize) {
        let seats = self.places * self.orientations;
        match self.saying {
            Saying::Bits => (self.pieces * seats, 2),
            Saying::Alike => (seats, 2),
            Saying::Places => (self.places, self.pieces * self.orientations + 1),
            Saying::Pieces => (self.pieces, seats),
        }
    }

    /// The fact that a piece is in a place with an orientation.
    fn fact(&self, piece: usize, (place, turn): (usize, usize)) -> Fact {
        let seat = place * self.orientations + turn;
        let (variable, value) = match self.saying {
            Saying::Bits => (piece * self.places * self.orientations + seat, 1),
            Saying::Alike => (seat, 1),
            Saying::Places => (place, piece * self.orientations + turn + 1),
            Saying::Pieces => (piece, seat),
        };
        Fact { variable, value }
    }

    fn facts(&self, seats: &Seats) -> Vec<Fact> {
        let facts = seats.iter().enumerate();
        facts.map(|(piece, seat)| self.fact(piece, *seat)).collect()
    }

    fn random_seats(&self, random: &mut SplitMix64) -> Seats {
        let order = shuffled(random, self.places);
        let places = order[..self.pieces].iter();
        places
            .map(|it| (*it, random.below(self.orientations)))
            .collect()
    }

    /// The effects of carrying what is in each place to another, and turning it there.
    fn effects(&self, first: usize, to: &[usize], twist: &[usize]) -> Vec<Effect> {
        let carried =
            |(place, turn): (usize, usize)| (to[place], (turn + twist[place]) % self.orientations);
        let places = 0..self.places;
        let seats = places.flat_map(|place| (0..self.orientations).map(move |turn| (place, turn)));
        let mut effects = Vec::new();
        for seat in seats {
            for piece in 0..self.pieces {
                let [from, into] = [seat, carried(seat)].map(|it| self.fact(piece, it));
                let from = Fact {
                    variable: from.variable + first,
                    ..from
                };
                let into = Fact {
                    variable: into.variable + first,
                    ..into
                };
                if from == into {
                    continue;
                }
                effects.push(effect(vec![from], into));
                if matches!(self.saying, Saying::Bits | Saying::Alike) {
                    // As a translator says that a fact isn't true any more.
                    let [not_from, not_into] = [from, into].map(|it| Fact { value: 0, ..it });
                    effects.push(effect(vec![not_from, into], not_into));
                }
            }
            if let (Saying::Places, (place, 0)) = (self.saying, seat)
                && to[place] != place
            {
                let [from, into] = [place, to[place]].map(|it| Fact {
                    variable: it + first,
                    value: 0,
                });
                effects.push(effect(vec![from], into));
            }
        }
        effects
    }
}

fn effect(conditions: Vec<Fact>, fact: Fact) -> Effect {
    Effect {
        conditions,
        variable: fact.variable,
        before: None,
        after: fact.value,
    }
}

fn shuffled(random: &mut SplitMix64, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

/// A task with boards on all of which each operator moves, whose variables have any order. Its goal
/// is where some moves lead.
fn random_task(seed: u64) -> Task {
    let mut random = SplitMix64::new(seed);
    let boards: Vec<Board> = (0..1 + random.below(2))
        .map(|_| Board::random(&mut random))
        .collect();
    let mut task = Task {
        uses_costs: true,
        ..Task::default()
    };
    let mut seats = Vec::new();
    let mut firsts = Vec::new();
    for board in &boards {
        let (n, size) = board.sizes();
        let first = task.variables.len();
        firsts.push(first);
        task.variables.extend((first..first + n).map(|name| {
            Variable {
                name: format!("var{name}"),
                layer: None,
                facts: (0..size)
                    .map(|value| format!("Atom f{name}({value})"))
                    .collect(),
                span: Span::default(),
            }
        }));
        task.state.resize(first + n, 0);
        seats.push(board.random_seats(&mut random));
        for fact in board.facts(&seats[seats.len() - 1]) {
            task.state[first + fact.variable] = fact.value;
        }
    }
    let n_operators = 2 + random.below(2);
    let mut moves = Vec::new();
    for number in 0..n_operators {
        let mut effects = Vec::new();
        let mut turns = Vec::new();
        for (board, first) in boards.iter().zip(&firsts) {
            let to = shuffled(&mut random, board.places);
            let twists = (0..board.places).map(|_| random.below(board.orientations));
            let twists: Vec<usize> = twists.collect();
            effects.extend(board.effects(*first, &to, &twists));
            turns.push((to, twists));
        }
        moves.push(turns);
        task.operators.push(Operator {
            name: format!("turn {number}"),
            prevail: Vec::new(),
            effects,
            cost: random.below(3) as u64,
            span: Span::default(),
        });
    }
    for _ in 0..random.below(6) {
        let made = &moves[random.below(n_operators)];
        for ((board, seats), (to, twist)) in boards.iter().zip(&mut seats).zip(made) {
            for (place, turn) in seats {
                *turn = (*turn + twist[*place]) % board.orientations;
                *place = to[*place];
            }
        }
    }
    for ((board, first), seats) in boards.iter().zip(&firsts).zip(&seats) {
        let facts = board.facts(seats).into_iter();
        task.goal.extend(facts.map(|it| Fact {
            variable: it.variable + first,
            ..it
        }));
    }
    in_any_order(task, &mut random)
}

/// The same task with another order of variables.
fn in_any_order(mut task: Task, random: &mut SplitMix64) -> Task {
    let order = shuffled(random, task.variables.len());
    let mut renamed = vec![0; order.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(new, old)| renamed[*old] = new);
    task.variables = order
        .iter()
        .map(|old| task.variables[*old].clone())
        .collect();
    task.state = order.iter().map(|old| task.state[*old]).collect();
    for effect in task.operators.iter_mut().flat_map(|it| &mut it.effects) {
        effect.variable = renamed[effect.variable];
        effect
            .conditions
            .iter_mut()
            .for_each(|it| it.variable = renamed[it.variable]);
    }
    task.goal
        .iter_mut()
        .for_each(|it| it.variable = renamed[it.variable]);
    task
}

#[test]
fn tasks_that_carry_pieces_keep_their_states() {
    let mut n_pieces = 0;
    for seed in 0..cases(1000) {
        let task = random_task(seed);
        let imported = to_psvn(&task, &LoadLimits::default())
            .unwrap_or_else(|refused| panic!("seed {seed}: {:?}", refused.diagnostics));
        n_pieces += usize::from(imported.text.contains("Its operators move pieces"));
        let (game, start) = load(&imported.text);
        let layers = game_layers(&game, &start.unwrap());
        assert_eq!(
            layers,
            task_layers(&task, MOST),
            "seed {seed}:\n{}",
            imported.text
        );
    }
    assert!(n_pieces > 900, "{n_pieces}");
}

#[test]
fn the_cube_of_the_planning_competition_is_twelve_rules() {
    let task = cube(0, 1);
    assert_eq!((task.variables.len(), task.operators.len()), (480, 12));
    let imported = to_psvn(&task, &LoadLimits::default()).unwrap();
    assert!(imported.notes.is_empty(), "{:?}", imported.notes);
    assert_eq!(imported.names[1], ("rrev".to_owned(), "rrev".to_owned()));
    let (game, _) = load(&imported.text);
    // Each sticker of 8 pieces with three and 12 with two.
    assert_eq!((game.rules().len(), game.n_variables()), (12, 48));
    // Known numbers of positions by quarter turns.
    let found = counts(&game, 4);
    assert_eq!(found, [1, 12, 114, 1068, 10011]);
}

#[test]
fn what_is_no_move_of_pieces_is_refused_with_the_reason() {
    let reason = |change: &dyn Fn(&mut Task)| {
        let mut task = cube(3, 1);
        change(&mut task);
        let limits = LoadLimits {
            rules: 100,
            ..LoadLimits::default()
        };
        let refused = to_psvn(&task, &limits).unwrap_err();
        let hints = refused.diagnostics.iter().filter_map(|it| it.hint.clone());
        hints.collect::<Vec<_>>().join(" ")
    };
    let goal = reason(&|task| task.goal[0].value = 1);
    assert!(goal.contains("the goal asks for something else"), "{goal}");
    let demand = reason(&|task| {
        let prevail = task.goal[0];
        task.operators[2].prevail.push(prevail);
    });
    assert!(
        demand.contains("operator `l` has preconditions"),
        "{demand}"
    );
    let names = reason(&|task| task.operators[1].name = "r".to_owned());
    assert!(names.contains("two operators are called `r`"), "{names}");
    let effect = reason(&|task| {
        let other = task.operators[0].effects[4].conditions[0];
        task.operators[0].effects[0].conditions.push(other);
    });
    assert!(
        effect.contains("that isn't that of one variable"),
        "{effect}"
    );
    let copied = reason(&|task| {
        let [one, other] = [0, 1].map(|it| task.operators[0].effects[it].clone());
        let still = task.operators[1].effects[0].variable;
        let free = (0..480).find(|it| {
            task.operators[0]
                .effects
                .iter()
                .all(|effect| effect.variable != *it)
        });
        let free = free.unwrap_or(still);
        let with = |mut effect: Effect| {
            effect.variable = free;
            if let Some(own) = effect.conditions.get_mut(1) {
                own.variable = free;
            }
            effect
        };
        task.operators[0].effects.extend([one, other].map(with));
    });
    assert!(copied.contains("to two variables"), "{copied}");
}
