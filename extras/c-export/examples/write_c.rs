//! Writes a game as C, with a history that prunes immediate undoing.

use c_export::{Backward, Export, Histories, HistoryForm, to_c};
use fsm::WordAutomaton;

#[allow(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("pancake", &["4"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    // A flip twice in a row changes nothing.
    let n_rules = game.rules().len() as u32;
    let twice = (0..n_rules).map(|rule| [rule, rule]);
    let machine = WordAutomaton::forbidding(n_rules, twice)?.build()?;
    let c = to_c(&Export {
        name: "pancake 4",
        game: &game,
        forward: Some(Histories {
            machine: &machine,
            max_length: 2,
            order: "length-lexicographic",
            form: HistoryForm::Auto,
        }),
        backward: Backward::LeftOut("not needed here"),
    })?;
    println!("{c}");
    assert!(c.contains("int fwd_rule_valid_for_history(int history, int ruleid)"));
    Ok(())
}
