//! Writes a well-known game as PSVN text.

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for info in domains::list() {
        println!("{}", info.name);
    }
    let text = domains::generate("pancake", &["4"])?;
    println!("{text}");
    assert!(text.contains("A B C D => D C B A LABEL flip4"));
    Ok(())
}
