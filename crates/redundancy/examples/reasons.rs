//! Why sequences of rules are redundant.

use invariants::Invariants;
use move_prune::{Analysis, Options, analyze_game};
use psvn_ir::{Game, RuleNames};
use redundancy::{Analyzer, RulesExplained};

/// Analyzes a game without limits and without assumptions.
struct Plain<'g>(&'g Game);

impl Analyzer for Plain<'_> {
    fn analyze(&self, max_length: usize, _: Option<&Invariants>) -> Analysis {
        analyze_game(self.0, &[], &Options::up_to(max_length), |_| ())
    }

    fn of_goals(&self) -> Option<Invariants> {
        None
    }

    fn is_interrupted(&self) -> bool {
        false
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "2 2 2\n0 - => 1 - LABEL on1\n- 0 => - 1 LABEL on2\n1 - => 0 - LABEL off1\n";
    let game = psvn_ir::load(text).game.ok_or("a game without errors")?;
    let names = RuleNames::new(&game);
    for sequence in ["on1 off1", "on2 on1", "on1 on2"] {
        let words: Vec<String> = sequence.split(' ').map(str::to_owned).collect();
        let rules = names.resolve_all(&words)?;
        let explained = RulesExplained::find(&game, &rules, false, &Plain(&game))?;
        let replacement = explained.certificate.map(|it| it.replacement.word);
        println!(
            "{sequence}: {:?}, replaced by {replacement:?}",
            explained.verdict
        );
    }
    Ok(())
}
