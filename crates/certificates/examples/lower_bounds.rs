//! Lower bounds with their proofs, up to the first that is wrong.
use budget::{Limits, Watch};
use certificates::{Evidence, Text, closed_list};
use checker::CostCertificate;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate_reference("pancake:5")?;
    let game = psvn_ir::load(&text).game.ok_or("a game without errors")?;
    let start = game.parse_state("3 1 4 5 2")?;
    let watch = Watch::new(Limits::default());
    for bound in 1.. {
        let evidence = Evidence::none();
        let closed = closed_list(&game, &start, bound, &evidence, &watch)?;
        let mut text = Text::new(&game)?;
        text.start(&start);
        text.bound_by_list(bound, Some(&evidence), &closed)?;
        let certificate = CostCertificate::read(text.end().as_bytes())?;
        let checked = certificate.check(&checker::Limits::default());
        println!("at least {bound} by {} states: {checked:?}", closed.len());
        if checked.is_err() {
            break;
        }
    }
    Ok(())
}
