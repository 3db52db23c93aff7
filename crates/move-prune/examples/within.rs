//! Shows how much knowledge about states helps an analysis: redundant words in all states, without
//! the words that no state with the goal's invariants allows, and with all that the invariants
//! imply.
//!
//! `within [GAME] [LENGTH] [everywhere|possible|implied]`, such as `within blocks:5 3 implied`.

use std::cell::RefCell;

use invariants::{Fact, Invariants, Scratch};
use move_prune::{Admits, Options, analyze};
use psvn_ir::{Term, Value, VarId};

thread_local! {
    static ROOM: RefCell<(Scratch, Vec<Fact>)> = RefCell::default();
}

/// An analysis's knowledge of states with invariants.
struct Known<'a>(&'a Invariants);

impl Admits for Known<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        ROOM.with_borrow_mut(|(scratch, _)| self.0.admits_with(scratch, preconditions))
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        ROOM.with_borrow_mut(|(scratch, facts)| {
            let is_possible = self.0.implied(scratch, preconditions, facts);
            implied.clear();
            implied.extend(facts.iter().map(|fact| (fact.var, fact.value)));
            is_possible
        })
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let reference = arguments.first().map_or("hanoi:3:3", String::as_str);
    let max_length = arguments.get(1).map_or(Ok(3), |text| text.parse())?;
    let wanted = arguments.get(2).map(String::as_str);
    let text = domains::generate_reference(reference)?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let known = Invariants::from_goals(&game);
    let possible = |preconditions: &[Term]| Known(&known).admits(preconditions);
    let all: [(&str, Option<&dyn Admits>); 3] = [
        ("everywhere", None),
        ("possible", Some(&possible)),
        ("implied", Some(&Known(&known))),
    ];
    for (name, admits) in all {
        if wanted.is_some_and(|wanted| wanted != name) {
            continue;
        }
        let options = Options {
            admits,
            ..Options::up_to(max_length)
        };
        let analysis = analyze(game.n_variables(), &rules, &options, |_| ());
        let levels = analysis.levels.iter();
        let kept = levels
            .map(|level| level.kept.to_string())
            .collect::<Vec<_>>();
        let redundant = analysis.redundant.len();
        println!(
            "{name}: {redundant} redundant words, kept {}",
            kept.join(" ")
        );
    }
    Ok(())
}
