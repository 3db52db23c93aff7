//! Two slides are a jump if the pegs have one color: splits make the color known.

use move_prune::{Options, StopReason};
use psvn_ir::Term;
use rule_splits::{ChoiceLimits, Setting, SplitGame, analyze, choose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = psvn_ir::load(&domains::generate("slide-jump", &["2"])?);
    let game = loaded.game.ok_or("a game without errors")?;
    let start = game.goal_state().ok_or("one goal state")?;
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let of_rules = move_prune::analyze(game.n_variables(), &rules, &Options::up_to(4), |_| {});

    let setting = Setting {
        game: &game,
        of_rules: &of_rules,
        rule_order: None,
        known: &|_: &[Term]| true,
        start: &start,
    };
    let limits = ChoiceLimits::for_rules(rules.len());
    let choice = choose(setting, &limits)
        .map_err(StopReason::code)?
        .ok_or("a small game")?;
    assert_eq!((choice.nodes_before, choice.nodes_after), (236, 6));

    let split = SplitGame::new(&game, &choice.splits, &|_| true, limits.letters)?;
    let found = analyze(
        &game,
        &split,
        &of_rules,
        None,
        &|_: &[Term]| true,
        &limits.limits,
    );
    assert!(found.map_err(StopReason::code)?.redundant.len() > of_rules.redundant.len());
    Ok(())
}
