//! IDA\* that compares longer sequences once that pays.

use analyses::SplitChoice;
use heuristics::{Name, Named};
use host::NoHost;
use length_choice::{PreparedPruning, PruneSpec, Pruned, Purpose, Searches, Setting};
use redundancy::SearchFor;
use search::{CycleDetection, Limits};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("pancake", &["9"])?;
    let game = psvn_ir::load(&text).game.ok_or("a game without errors")?;
    let start = game.parse_state("4 6 2 8 9 1 3 7 5")?;
    let (host, limits) = (NoHost::default(), Limits::default());
    let purpose = Purpose {
        starts: std::slice::from_ref(&start),
        bounded_by_moves: false,
        within_invariants: true,
        search_for: SearchFor::Goals,
        split: SplitChoice::Auto,
    };
    let pruning = PreparedPruning::make(&PruneSpec::Auto, &game, purpose, limits.clone(), &host)?;
    let searches = Searches::new(&game, &pruning, CycleDetection::None);
    let estimate = Named::new(&game, &pruning.known, &[Name::Zero])?.into();
    let setting = Setting {
        game: &game,
        start: &start,
        pruning: &pruning,
        searches: &searches,
        estimate: &estimate,
        earlier: None,
        has_transpositions: false,
        bytes_for_transpositions: None,
        limits: limits.clone(),
        limits_of_analyses: &limits,
        threads: 1,
        count_depths: false,
        hand_out: None,
        on_progress: &|| Box::new(|_| ()),
        host: &host,
    };
    let (report, later) = setting.search()?;
    let pruned = Pruned {
        sequences: pruning.sequences.iter().cloned().chain(later).collect(),
        ..Pruned::default()
    };
    println!("{} nodes, without {pruned}", report.totals.generated);
    Ok(())
}
