//! Published figures, exactly.

use std::collections::BTreeSet;

use game_tree::{
    Algorithm, Analyzer, BoardEvaluation, Evaluator, Limits, NoMove, Outcome, Score, Settings,
    Status, Value, View, Wins, record, solve, table_7_1,
};

use crate::oracle::built_in;

#[test]
fn table_7_1_of_algorithms_in_a_nutshell() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let rows = table_7_1(&game, &game.default_start(), 9, 3, &Limits::default());
    let rows: Vec<_> = rows
        .unwrap()
        .unwrap()
        .into_iter()
        .map(|row| {
            let variation = format!("{:.1}", row.variation);
            (row.k, row.openings, row.minimax, row.alpha_beta, variation)
        })
        .collect();
    assert_eq!(
        rows,
        [
            (1, 9, 549_945, 27_565, "1.3".to_owned()),
            (2, 72, 549_936, 47_508, "6.8".to_owned()),
            (3, 504, 549_864, 112_086, "10.2".to_owned()),
        ]
    );
}

/// A board independent of this crate: 0 empty, 1 for X, 2 for O.
type Board = [u8; 9];

/// The lines of three squares.
pub(crate) const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

fn has_won(board: &Board, player: u8) -> bool {
    LINES
        .iter()
        .any(|line| line.iter().all(|square| board[*square] == player))
}

/// Return 1, 0 or -1 for the player to move.
fn outcome(board: &Board, player: u8, seen: &mut BTreeSet<(Board, u8, i8)>) -> i8 {
    let other = 3 - player;
    let value = if has_won(board, other) {
        -1
    } else if !board.contains(&0) {
        0
    } else {
        let mut best = -1;
        for square in 0..9 {
            if board[square] == 0 {
                let mut next = *board;
                next[square] = player;
                best = best.max(-outcome(&next, other, seen));
            }
        }
        best
    };
    seen.insert((*board, player, value));
    value
}

fn state_of(board: &Board, player: u8) -> String {
    let mark = |value: &u8| [".", "X", "O"][usize::from(*value)];
    let squares: Vec<&str> = board.iter().map(mark).collect();
    format!("{} {}", mark(&player), squares.join(" "))
}

#[test]
fn every_position_of_tic_tac_toe_has_its_value() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let mut seen = BTreeSet::new();
    assert_eq!(outcome(&[0; 9], 1, &mut seen), 0, "tic-tac-toe is a draw");
    assert_eq!(seen.len(), 5_478);
    let solution = solve(&game, &game.default_start(), &Limits::default()).unwrap();
    assert_eq!(solution.n_positions(), 5_478);
    let mut analyzers: Vec<_> = [Algorithm::AlphaBeta, Algorithm::Deepening]
        .map(|algorithm| Settings {
            algorithm,
            table_bytes: 1 << 20,
            ..Settings::default()
        })
        .map(|settings| Analyzer::new(&game, BoardEvaluation, settings))
        .into();
    for (board, player, value) in &seen {
        let state = game.game().parse_state(&state_of(board, *player)).unwrap();
        let sign = |value: Value| match value {
            Value::Win(_) => 1,
            Value::Loss(_) => -1,
            Value::Open(score) => {
                assert_eq!(score, 0);
                0
            }
        };
        let solved = match solution.outcome(&state).unwrap() {
            Outcome::Win(_) => 1,
            Outcome::Loss(_) => -1,
            Outcome::Draw => 0,
        };
        assert_eq!(solved, *value, "{board:?}");
        for analyzer in &mut analyzers {
            let analysis = analyzer.analyze(&state, 9, |_| ()).unwrap();
            assert_eq!(sign(analysis.value().unwrap()), *value, "{board:?}");
            assert_eq!(
                analysis.last().unwrap().best,
                solution.best(&state),
                "{board:?}"
            );
            // The number of moves equals that of the solution.
            match (analysis.value().unwrap(), solution.outcome(&state).unwrap()) {
                (Value::Win(Some(a)), Outcome::Win(b))
                | (Value::Loss(Some(a)), Outcome::Loss(b)) => assert_eq!(a, b),
                (Value::Open(0), Outcome::Draw) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Counts the lines without a mark of the opponent, square by square.
struct Counted;

impl Evaluator for Counted {
    fn needs_values(&self) -> bool {
        true
    }

    fn evaluate(&self, view: &View<'_>) -> Score {
        let board: Board =
            std::array::from_fn(|i| view.value(psvn_ir::VarId(1 + i as u32)).0 as u8);
        let player = 1 + view.player().index() as u8;
        let open = |player: u8| {
            let is_open = |line: &&[usize; 3]| line.iter().all(|i| board[*i] != 3 - player);
            LINES.iter().filter(is_open).count() as Score
        };
        open(player) - open(3 - player)
    }
}

#[test]
fn board_evaluation_counts_open_lines() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let settings = Settings {
        algorithm: Algorithm::NegMax,
        ..Settings::default()
    };
    let mut generic = Analyzer::new(&game, BoardEvaluation, settings.clone());
    let mut counted = Analyzer::new(&game, Counted, settings);
    let solution = solve(&game, &game.default_start(), &Limits::default()).unwrap();
    let mut different = BTreeSet::new();
    for (state, _) in solution.positions() {
        if game.status(&state) == Ok(Status::Open) {
            let score = |analysis: game_tree::Analysis| analysis.last().unwrap().score;
            let expected = score(counted.analyze(&state, 0, |_| ()).unwrap());
            assert_eq!(score(generic.analyze(&state, 0, |_| ()).unwrap()), expected);
            different.insert(expected);
        }
    }
    assert!(different.len() > 5);
}

/// O, to move, must take the free corner of a diagonal; the position then has the value -2, as the
/// text on Figures 7-5 and 7-8 describes.
const FIGURE_7_5: &str = "O  . . O  . X .  . . X";

#[test]
fn figures_7_5_and_7_8() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let state = game.game().parse_state(FIGURE_7_5).unwrap();
    for (algorithm, nodes) in [
        (Algorithm::Minimax, 36),
        (Algorithm::NegMax, 36),
        (Algorithm::AlphaBeta, 16),
    ] {
        let settings = Settings {
            algorithm,
            wins: Wins::Equal,
            ..Settings::default()
        };
        let tree = record(&game, &BoardEvaluation, &settings, &state, 2).unwrap();
        assert_eq!(tree.n_below_root(), nodes, "{algorithm:?}");
        assert_eq!(tree.nodes[0].score, Some(-2));
        let best = tree
            .nodes
            .iter()
            .find(|node| node.depth == 1 && node.is_best)
            .unwrap();
        let rule = game.game().rule(best.rule.unwrap());
        assert_eq!(&*rule.label, "a3", "the upper left corner");
        // Every other move lets X win at once; AlphaBeta stops there.
        let n_cut = tree.nodes.iter().filter(|node| node.cut > 0).count();
        assert_eq!(
            n_cut,
            if algorithm == Algorithm::AlphaBeta {
                5
            } else {
                0
            }
        );
        // The window of a move is that of its parent negated, narrowed by the results so far.
        for node in &tree.nodes[1..] {
            let (alpha, beta) = node.window;
            let above = tree.nodes[node.parent.unwrap()].window;
            assert!(alpha < beta && -beta >= above.0 && -alpha <= above.1);
        }
    }
}

/// The same position, and rotated by 180 degrees: AlphaBeta visits 47 of the 8,232 positions of
/// Minimax, and after the rotation 960, because it tries the good moves later.
#[test]
fn figures_7_11_and_7_12() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    for (state, minimax, alpha_beta) in [
        ("X  X . . O . . . . .", 8_232, 47),
        ("X  . . . . . O . . X", 8_232, 960),
    ] {
        let state = game.game().parse_state(state).unwrap();
        for (algorithm, nodes) in [
            (Algorithm::Minimax, minimax),
            (Algorithm::AlphaBeta, alpha_beta),
        ] {
            let settings = Settings {
                algorithm,
                wins: Wins::Equal,
                ..Settings::default()
            };
            let mut analyzer = Analyzer::new(&game, BoardEvaluation, settings);
            let analysis = analyzer.analyze(&state, 7, |_| ()).unwrap();
            assert_eq!(analysis.nodes, nodes, "{algorithm:?}");
            assert_eq!(analysis.value(), Some(Value::Win(None)));
        }
    }
}

/// Published outcomes of small games.
#[test]
fn outcomes_of_small_games() {
    let outcome = |reference: &str, no_move| {
        let game = built_in(reference, no_move);
        let start = game.default_start();
        let solution = solve(&game, &start, &Limits::default()).unwrap();
        solution.outcome(&start).unwrap()
    };
    // Gardner 1962: black wins Hexapawn.
    assert!(matches!(
        outcome("pawns:3:3", NoMove::Loss),
        Outcome::Loss(_)
    ));
    // Bouton 1901: the first player loses exactly when the sum without carrying is 0.
    for heaps in [
        [1, 2, 3],
        [1, 4, 5],
        [2, 4, 6],
        [3, 4, 5],
        [1, 1, 2],
        [6, 5, 3],
    ] {
        let reference = format!("nim:{}:{}:{}", heaps[0], heaps[1], heaps[2]);
        let is_lost = matches!(outcome(&reference, NoMove::Draw), Outcome::Loss(_));
        assert_eq!(is_lost, heaps[0] ^ heaps[1] ^ heaps[2] == 0, "{reference}");
    }
    // Tromp's table of outcomes: 4 by 4 and 5 by 4 are draws.
    assert_eq!(outcome("connect:4:4:4", NoMove::Draw), Outcome::Draw);
}
