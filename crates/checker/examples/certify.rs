//! certify FILE: checks a certificate of costs or machines, with nothing but this crate.

use checker::{CostCertificate, Limits};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: certify FILE")?;
    let certificate = CostCertificate::read(&std::fs::read(&file)?)?;
    certificate.check(&Limits::default())?;
    for (number, start) in certificate.starts().enumerate() {
        println!("from {start:?}: {:?}", certificate.claims(number));
    }
    Ok(())
}
