//! Figures 7-3, 7-6 and 7-9 of "Algorithms in a Nutshell", trees of given leaf values, and Figure
//! 7-10, whose board follows from the text.

use game_tree::{
    Algorithm, Analyzer, BoardEvaluation, Evaluator, NoMove, Score, Settings, Turn, TwoPlayerGame,
    Value, View, Wins,
};
use psvn_ir::VarId;

use crate::figures::LINES;

/// The value of each place of the tree for the player to move there.
struct Leaves<'a>(&'a [Score]);

impl Evaluator for Leaves<'_> {
    fn needs_values(&self) -> bool {
        true
    }

    fn evaluate(&self, view: &View<'_>) -> Score {
        self.0[view.value(VarId(1)).index()]
    }
}

/// Make a game of a tree, given the children of each place.
fn tree(below: &[&[usize]]) -> TwoPlayerGame {
    let mut text = format!("DOMAIN player 2 A B\n2 player {}\n", below.len());
    for (place, children) in below.iter().enumerate() {
        for child in *children {
            for (player, other) in [("A", "B"), ("B", "A")] {
                text.push_str(&format!(
                    "{player} {place} => {other} {child} LABEL to{child}\n"
                ));
            }
        }
    }
    text.push_str("GOAL B 0\n");
    let game = psvn_ir::load(&text).game.unwrap();
    TwoPlayerGame::new(&game, Turn::find(&game).unwrap(), NoMove::Draw).unwrap()
}

/// The tree of Figure 7-9 as described in the text: below (1) the opponent can't force less than 3,
/// so once (3) shows that (2) is at most 2, (4) isn't visited.
#[test]
fn given_leaf_values() {
    // The root 0 has (1) = 1 and (2) = 2 below; 3 and 4 are below (1), (3) = 5 and (4) = 6 below
    // (2). A position without moves would be over, so leaves have one.
    let game = tree(&[&[1, 2], &[3, 4], &[5, 6], &[0], &[0], &[0], &[0]]);
    let start = game.game().parse_state("A 0").unwrap();
    for (algorithm, visited) in [
        (Algorithm::Minimax, 7),
        (Algorithm::NegMax, 7),
        (Algorithm::AlphaBeta, 6),
    ] {
        let settings = Settings {
            algorithm,
            order_moves: false,
            ..Settings::default()
        };
        let leaves = Leaves(&[0, 0, 0, 3, 7, 2, 9]);
        let mut analyzer = Analyzer::new(&game, leaves, settings);
        let analysis = analyzer.analyze(&start, 2, |_| ()).unwrap();
        assert_eq!(analysis.value(), Some(Value::Open(3)), "{algorithm:?}");
        let best = analysis.line.first();
        let best = best.map(|rule| &*game.game().rule(*rule).label);
        assert_eq!(best, Some("to1"), "{algorithm:?}");
        assert_eq!(analysis.nodes, visited, "{algorithm:?}");
    }
}

/// The book's AlphaBeta or NegMax on a separate board, which counts the positions below the root.
struct Book {
    order: [usize; 9],
    stops_at_wins: bool,
    prunes: bool,
    visited: u32,
}

impl Book {
    fn score(board: &[char; 9], player: char) -> i32 {
        let other = if player == 'O' { 'X' } else { 'O' };
        let has = |mark: char| {
            LINES
                .iter()
                .any(|line| line.iter().all(|i| board[*i] == mark))
        };
        let open = |against: char| {
            let is_open = |line: &&[usize; 3]| line.iter().all(|i| board[*i] != against);
            LINES.iter().filter(is_open).count() as i32
        };
        match (has(player), has(other)) {
            (true, _) => i32::MAX,
            (_, true) => -i32::MAX,
            _ => open(other) - open(player),
        }
    }

    fn search(
        &mut self,
        board: &mut [char; 9],
        player: char,
        ply: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let score = Self::score(board, player);
        let is_over = self.stops_at_wins && score.abs() == i32::MAX;
        let moves = self.order.into_iter().filter(|i| board[*i] == '.');
        let moves: Vec<usize> = moves.collect();
        if ply == 0 || is_over || moves.is_empty() {
            return score;
        }
        for square in moves {
            board[square] = player;
            self.visited += 1;
            let other = if player == 'O' { 'X' } else { 'O' };
            alpha = alpha.max(-self.search(board, other, ply - 1, -beta, -alpha));
            board[square] = '.';
            if self.prunes && alpha >= beta {
                break;
            }
        }
        alpha
    }
}

/// The text fixes the board up to symmetry: the squares are tried column by column, O has the upper
/// left corner, X the center and the lower left one. Then all statements of the text about the
/// search hold. The 156 nodes of Minimax continue after wins. AlphaBeta has 74 nodes in this
/// manner, 62 if wins end the game, and the published 66 if the squares are tried from the last to
/// the first.
#[test]
fn figure_7_10() {
    let by_columns = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    let mut backward = by_columns;
    backward.reverse();
    for (order, stops_at_wins, prunes, visited) in [
        (by_columns, false, false, 156),
        (by_columns, false, true, 74),
        (by_columns, true, true, 62),
        (backward, false, true, 66),
    ] {
        let mut book = Book {
            order,
            stops_at_wins,
            prunes,
            visited: 0,
        };
        let mut board = ['O', '.', '.', '.', 'X', '.', 'X', '.', '.'];
        book.search(&mut board, 'O', 3, -i32::MAX, i32::MAX);
        assert_eq!(book.visited, visited);
    }
    // The same board with columns for rows, so that squares come in the order of the rules.
    let game = super::oracle::built_in("tic-tac-toe", NoMove::Draw);
    let start = game.game().parse_state("O O . X . X . . . .").unwrap();
    let settings = Settings {
        algorithm: Algorithm::AlphaBeta,
        wins: Wins::Equal,
        order_moves: false,
        ..Settings::default()
    };
    let mut analyzer = Analyzer::new(&game, BoardEvaluation, settings);
    let analysis = analyzer.analyze(&start, 3, |_| ()).unwrap();
    // The root is one of them.
    assert_eq!(analysis.nodes, 1 + 62);
}
