//! From text to canonical rules, and a step of the game.

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = psvn_ir::load(
        "3  2 2 2                        # three variables with the values 0 and 1
         0 A B => B 1 A  LABEL rotate
         X X X => X X 0  LABEL clear  COST 2
         GOAL 1 1 -",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    for rule in game.rules() {
        println!("{}: {}", rule.label, game.format_rule(&rule.canonical));
    }
    let rotate = &game.rules()[0].canonical;
    assert_eq!(game.format_rule(rotate), "<0 x2 x3> -> <x3 1 x2>");

    let state = game.parse_state("0 1 1")?;
    assert!(rotate.applies_to(state.values()));
    assert!(!game.is_goal(state.values()));
    Ok(())
}
