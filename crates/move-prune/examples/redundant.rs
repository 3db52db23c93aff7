//! Redundant sequences of (14,3)-TopSpin, and what replaces them.

use move_prune::{Options, analyze};
use psvn_ir::RuleId;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("topspin", &["14", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let analysis = analyze(game.n_variables(), &rules, &Options::up_to(3), |_| ());
    let label = |rule: &RuleId| game.rule(*rule).label.to_string();
    for word in analysis.redundant.iter().take(5) {
        let rules = |rules: &[RuleId]| rules.iter().map(label).collect::<Vec<_>>().join(" ");
        println!("{} -> {}", rules(&word.word), rules(&word.replacement));
    }
    assert_eq!(analysis.redundant.len(), 145);
    Ok(())
}
