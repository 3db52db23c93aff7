use super::*;

fn game(reference: &str) -> Game {
    let text = domains::generate_reference(reference).expect("a built-in game");
    psvn_ir::load(&text).game.expect("a game")
}

#[test]
#[ignore = "takes a minute"]
fn twist_flip_slice() {
    let game = game("rubik:3");
    let pattern = CoordinatePattern::parse(&game, "like U U' U2 D D' D2 L2 R2 F2 B2").expect("a pattern");
    let options = Options::default();
    let sizes = CoordinateTable::sizes(&game, &pattern, &options).expect("sizes");
    println!("{sizes:?}");
    let started = Instant::now();
    let table = CoordinateTable::build(&game, &pattern, &options).expect("a table");
    println!("{:?} {:?} {}", started.elapsed(), table.levels, table.n_bytes());
}
