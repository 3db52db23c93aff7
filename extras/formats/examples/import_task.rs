//! Reads a planning task in SAS+, and writes a game as one.

#[allow(clippy::print_stdout, reason = "it shows what it made")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = psvn_ir::load("2  3 3\n0 A => A 0 LABEL swap\nGOAL 0 1").game;
    let game = game.ok_or("the text has errors")?;
    let start = game.parse_state("2 0")?;
    let task = formats::sas::from_game(&game, &start, 1000)?;
    let text = formats::sas::write(&task);

    let format = formats::Format::of(&text).ok_or("no format that is known")?;
    let imported = formats::import(format, &text).map_err(|errors| errors[0].message.clone())?;
    println!("{}", imported.text);
    // A rule that moves any value becomes an operator for each value in SAS+, except 0.
    assert_eq!(imported.text.matches("LABEL").count(), 2);
    Ok(())
}
