//! Moves that are followed beyond the horizon.

use game_tree::{
    Algorithm, Analyzer, BoardEvaluation, NoMove, Settings, Turn, TwoPlayerGame, Value, record,
};
use psvn_ir::RuleId;

const EXCHANGE: &str = include_str!("../../../../docs/sources/exchange.psvn");

fn exchange() -> TwoPlayerGame {
    let game = psvn_ir::load(EXCHANGE).game.unwrap();
    TwoPlayerGame::new(&game, Turn::find(&game).unwrap(), NoMove::Draw).unwrap()
}

fn captures(game: &TwoPlayerGame) -> Vec<RuleId> {
    let rules = game.game().rules_with_ids();
    let captures = rules.filter(|(_, rule)| rule.label.starts_with("take"));
    captures.map(|(id, _)| id).collect()
}

/// The queen takes a pawn that is protected, unless the search goes on with captures.
#[test]
fn a_fixed_depth_errs_in_the_middle_of_an_exchange() {
    let game = exchange();
    let start = game.default_start();
    for algorithm in [
        Algorithm::Minimax,
        Algorithm::NegMax,
        Algorithm::AlphaBeta,
        Algorithm::Deepening,
    ] {
        let best = |unquiet: Vec<RuleId>, ply| {
            let settings = Settings {
                algorithm,
                unquiet,
                ..Settings::default()
            };
            let mut analyzer = Analyzer::new(&game, BoardEvaluation, settings);
            let analysis = analyzer.analyze(&start, ply, |_| ()).unwrap();
            let rule = analysis.last().unwrap().best.unwrap();
            let label = game.game().rule(rule).label.to_string();
            (label, analysis.value().unwrap())
        };
        let take = ("take".to_owned(), Value::Open(1));
        let wait = ("wait".to_owned(), Value::Open(0));
        assert_eq!(best(Vec::new(), 1), take, "{algorithm:?}");
        assert_eq!(best(captures(&game), 1), wait, "{algorithm:?}");
        // What is looked ahead far enough needs no captures.
        let (label, value) = best(Vec::new(), 6);
        assert_eq!(label, "wait");
        assert!(matches!(value, Value::Win(Some(3))), "{value:?}");
    }
}

/// A win beyond the horizon is no proof, and what is followed is in the picture.
#[test]
fn what_is_followed_is_an_evaluation() {
    let game = exchange();
    let start = game.game().parse_state("B gone here 3").unwrap();
    let all = game.game().rules_with_ids().map(|(id, _)| id).collect();
    let settings = Settings {
        unquiet: all,
        ..Settings::default()
    };
    let mut analyzer = Analyzer::new(&game, BoardEvaluation, settings.clone());
    let at_once = analyzer.analyze(&start, 0, |_| ()).unwrap();
    assert_eq!(
        at_once.value(),
        Some(Value::Open(game_tree::MAX_EVALUATION))
    );
    assert!(!at_once.is_certain);
    let looked = analyzer.analyze(&start, 1, |_| ()).unwrap();
    assert_eq!(looked.value(), Some(Value::Win(Some(1))));
    let tree = record(&game, &BoardEvaluation, &settings, &game.default_start(), 1).unwrap();
    assert!(tree.nodes.iter().any(|node| node.depth > 1));
}
