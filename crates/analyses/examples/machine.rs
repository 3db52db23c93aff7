//! The redundant sequences of a game, and the machine that forbids them.

use analyses::{AnalysisRequest, analyze};
use budget::Limits;
use host::NoHost;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("topspin", &["14", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("a game without errors")?;
    for length in 2..=4 {
        let request = AnalysisRequest::up_to(length);
        let analysis = analyze(&game, &request, Limits::default(), &NoHost::default())?;
        let summary = &analysis.summary;
        let minimized = summary.machines.minimized.ok_or("a small machine")?;
        println!(
            "up to length {length}: {} redundant sequences, a machine of {} states",
            summary.redundant_words, minimized.states
        );
    }
    Ok(())
}
