//! Lights out: pressing a light switches it and its neighbors.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::boards::picture::{DIRECTIONS, Picture, Place};
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule, symbol};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "lights-out",
    usage: "lights-out ROWS COLS [encoding=pairs|bits]",
    summary: "press a light to switch it and its neighbors; all off is the goal (ROWS*COLS rules)",
    options: &[OptionInfo::new(
        "encoding=pairs|bits",
        "bits: one variable for each light, and a rule for each combination of the lights that a press switches (default: pairs)",
    )],
    example: "lights-out 3 3",
    build,
};

/// Rules by the light that is pressed, row by row; with bits, then by the values of the lights that
/// it switches, as binary numbers.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_rows = args.number("ROWS", 1..=70)?;
    let n_columns = args.number("COLS", 1..=70)?;
    let bits = args.choice("encoding", &["pairs", "bits"])? == "bits";
    args.finish()?;
    let n_lights = n_rows * n_columns;
    if bits {
        args.check_size(n_lights, n_lights * 32)?;
    } else {
        args.check_size(2 * n_lights, n_lights)?;
    }

    let mut game = Game::new(about(n_rows, n_columns, bits));
    game.domain("light", ["0", "1"]);
    let variables_of_light = if bits { 1 } else { 2 };
    for _ in 0..n_rows {
        game.variables(vec!["light"; n_columns * variables_of_light], "");
    }
    for row in 0..n_rows {
        for column in 0..n_columns {
            let switched = switched((row, column), n_rows, n_columns);
            let label = format!("press-{}-{}", row + 1, column + 1);
            if bits {
                press_bits(&mut game, &label, &switched);
            } else {
                game.rule(press_pairs(label, &switched));
            }
        }
    }
    let off: &[&str] = if bits { &["0"] } else { &["0", "1"] };
    game.goal(off.repeat(n_lights), "All lights are off.");
    Ok(game)
}

/// The numbers of the lights that a press switches, ascending.
fn switched(light: Place, n_rows: usize, n_columns: usize) -> Vec<usize> {
    let beside = DIRECTIONS.iter();
    let beside = beside.filter_map(|(_, down, right)| Picture::step(light, *down, *right));
    let lights = std::iter::once(light).chain(beside);
    let lights = lights.filter(|(row, column)| *row < n_rows && *column < n_columns);
    let mut numbers: Vec<usize> = lights
        .map(|(row, column)| row * n_columns + column)
        .collect();
    numbers.sort_unstable();
    numbers
}

/// One rule that exchanges the two values of each pair.
fn press_pairs(label: String, switched: &[usize]) -> Rule {
    let mut rule = Rule::new(label);
    let n_symbols = 2 * switched.len();
    for (number, light) in switched.iter().enumerate() {
        let [on, off] = [2 * number, 2 * number + 1].map(|index| symbol(index, n_symbols));
        rule = rule
            .change(2 * light, &on, &off)
            .change(2 * light + 1, &off, &on);
    }
    rule
}

/// A rule for each combination.
fn press_bits(game: &mut Game, label: &str, switched: &[usize]) {
    for combination in 0..1_u32 << switched.len() {
        let mut rule = Rule::new(label);
        for (number, light) in switched.iter().rev().enumerate() {
            let before = combination >> number & 1;
            rule = rule.change(*light, before, 1 - before);
        }
        game.rule(rule);
    }
}

fn about(n_rows: usize, n_columns: usize, bits: bool) -> [String; 5] {
    let encoding = if bits {
        "Encoding: one variable for each light, row by row: 1 is on. A press is a rule for each\n\
         combination of the lights that it switches; they share a label."
    } else {
        "Encoding: two variables for each light, row by row: 1 0 is on, 0 1 is off. So a press is one\n\
         rule, which exchanges the two values of each light that it switches."
    };
    [
        format!("Lights out on {n_rows} rows of {n_columns}"),
        "Pressing a light switches it and its neighbors above, below, left and right. The goal is that\n\
         all are off. The order of presses doesn't matter, and pressing twice undoes itself."
            .to_owned(),
        encoding.to_owned(),
        "Source: Anderson & Feil, \"Turning Lights Out with Linear Algebra\" (1998).".to_owned(),
        layout(n_rows, n_columns, bits),
    ]
}

/// The layout comment: of two variables for a light, the first states whether it is on.
fn layout(n_rows: usize, n_columns: usize, bits: bool) -> String {
    let mut text = format!("layout: rows {n_rows} columns {n_columns} blank 0 color 1 gold");
    for row in (0..n_rows).filter(|_| !bits) {
        let lights = row * n_columns..(row + 1) * n_columns;
        let variables: Vec<String> = lights.map(|light| (2 * light + 1).to_string()).collect();
        text.push_str("\nlayout: places ");
        text.push_str(&variables.join(" "));
    }
    text
}
