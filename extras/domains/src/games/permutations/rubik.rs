//! Rubik's cube of size 2 and 3, by stickers.
//!
//! Turns are computed, not listed: every sticker has a place and a direction in space, and a turn
//! rotates those in the turned layer.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "rubik",
    usage: "rubik SIZE [fixed] [goal=one|any] [colors=6|3|2] [order=FACES]",
    summary: "Rubik's cube by stickers: size 2 (18 rules, or 9 with a fixed corner) or 3 (18 rules)",
    options: &[
        OptionInfo::new(
            "fixed",
            "size 2 only: one corner stays in place, only the faces U, R and F turn (9 rules)",
        ),
        OptionInfo::new(
            "goal=one|any",
            "any: size 2 without fixed corner only, the solved cube may be held in any of 24 ways (default: one)",
        ),
        OptionInfo::new(
            "colors=6|3|2",
            "3: opposite faces look alike; 2: so do U, R and F, and D, L and B (default: 6)",
        ),
        OptionInfo::new(
            "order=FACES",
            "the faces in another order, such as order=UFRDBL (default: FRBLUD, with fixed URF, for size 3 BFDULR)",
        ),
    ],
    example: "rubik 2 fixed",
    build,
};

/// A place or direction: x to the right, y up, z toward the viewer.
type Vector = [i32; 3];

/// A face: its name, color, outward normal, and the directions of its rows and columns in the
/// unfolded cube.
#[derive(Debug, Clone, Copy)]
struct Face {
    name: char,
    color: &'static str,
    normal: Vector,
    right: Vector,
    down: Vector,
}

/// The faces in the customary order of stickers, as seen from outside with U above F.
const FACES: [Face; 6] = [
    Face {
        name: 'U',
        color: "w",
        normal: [0, 1, 0],
        right: [1, 0, 0],
        down: [0, 0, 1],
    },
    Face {
        name: 'R',
        color: "r",
        normal: [1, 0, 0],
        right: [0, 0, -1],
        down: [0, -1, 0],
    },
    Face {
        name: 'F',
        color: "g",
        normal: [0, 0, 1],
        right: [1, 0, 0],
        down: [0, -1, 0],
    },
    Face {
        name: 'D',
        color: "y",
        normal: [0, -1, 0],
        right: [1, 0, 0],
        down: [0, 0, -1],
    },
    Face {
        name: 'L',
        color: "o",
        normal: [-1, 0, 0],
        right: [0, 0, 1],
        down: [0, -1, 0],
    },
    Face {
        name: 'B',
        color: "b",
        normal: [0, 0, -1],
        right: [-1, 0, 0],
        down: [0, -1, 0],
    },
];

/// Quarter, half and three-quarter turn, clockwise as seen from outside: suffix of the label,
/// number of quarters.
const TURNS: [(&str, usize); 3] = [("", 1), ("2", 2), ("'", 3)];

/// One sticker: the place of its piece (coordinates -1, 1 for size 2 and -2, 0, 2 for size 3) and
/// the direction it faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sticker {
    place: Vector,
    normal: Vector,
}

/// The stickers of a cube in the order of the variables, with their names (`U1`, `U2`, ..).
struct Cube {
    size: i32,
    stickers: Vec<(String, &'static str, Sticker)>,
}

impl Cube {
    /// All stickers that `keep` accepts, face by face and row by row. Numbers count all stickers of
    /// a face.
    fn new(size: i32, keep: impl Fn(Sticker) -> bool) -> Self {
        let mut stickers = Vec::new();
        for face in FACES {
            for index in 0..size * size {
                let place = add(
                    scale(face.normal, size - 1),
                    add(
                        scale(face.right, 2 * (index % size) - (size - 1)),
                        scale(face.down, 2 * (index / size) - (size - 1)),
                    ),
                );
                let sticker = Sticker {
                    place,
                    normal: face.normal,
                };
                if keep(sticker) {
                    stickers.push((format!("{}{}", face.name, index + 1), face.color, sticker));
                }
            }
        }
        Self { size, stickers }
    }

    /// The new place of each sticker when `face` makes `n_quarters` clockwise quarter turns.
    fn turn(&self, face: Face, n_quarters: usize) -> Vec<usize> {
        self.stickers
            .iter()
            .map(|&(_, _, sticker)| {
                let mut turned = sticker;
                if dot(sticker.place, face.normal) == self.size - 1 {
                    for _ in 0..n_quarters {
                        turned.place = quarter_turn(turned.place, face.normal);
                        turned.normal = quarter_turn(turned.normal, face.normal);
                    }
                }
                self.index(turned)
            })
            .collect()
    }

    fn index(&self, sticker: Sticker) -> usize {
        self.stickers
            .iter()
            .position(|(_, _, other)| *other == sticker)
            .expect("turns permute the stickers: a fixed corner lies in no turned layer")
    }
}

/// Rules face by face, each with its quarter, half and three-quarter turn.
///
/// The order of the faces decides some counts. With six faces of size 2, length 3 leaves 5,156,139
/// nodes to depth 6 (Burch & Holte's figure) if the faces around one axis come first, opposite ones
/// not adjacent, and the other two last. Every other order of faces leaves more.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let size = args.number("SIZE", 2..=3)?;
    let fixed = args.flag("fixed");
    let goal = args.choice("goal", &["one", "any"])?;
    let n_colors = args.choice("colors", &["6", "3", "2"])?;
    let order = args.option("order");
    args.finish()?;
    if fixed && size != 2 {
        return Err(args.invalid(
            "fixed",
            "fixed",
            "size 2 (the centers of size 3 do not move anyway)",
        ));
    }
    if goal == "any" && (fixed || size != 2) {
        return Err(args.invalid(
            "goal",
            goal,
            "size 2 without a fixed corner: else the cube cannot turn as a whole",
        ));
    }

    let (cube, usual_order) = match (size, fixed) {
        (2, true) => (Cube::new(2, |sticker| sticker.place != [-1, -1, -1]), "URF"),
        (2, false) => (Cube::new(2, |_| true), "FRBLUD"),
        // The place of a center is twice its normal: two of its coordinates are 0.
        _ => (
            Cube::new(3, |sticker| sticker.place != scale(sticker.normal, 2)),
            "BFDULR",
        ),
    };
    let order = order.unwrap_or(usual_order).to_ascii_uppercase();
    if sorted(&order) != sorted(usual_order) {
        return Err(args.invalid(
            "order",
            order,
            format!("the faces {usual_order} in any order"),
        ));
    }

    let mut game = Game::new(about(&cube, fixed, &order, n_colors));
    let mut colors = FACES.map(|face| painted(face.color, n_colors)).to_vec();
    colors.sort_by_key(|color| FACES.iter().position(|face| face.color == *color));
    colors.dedup();
    game.domain("color", colors);
    for face in FACES {
        let n_stickers = cube
            .stickers
            .iter()
            .filter(|(_, _, sticker)| sticker.normal == face.normal)
            .count();
        let color = painted(face.color, n_colors);
        let note = format!("face {}, solved color {color}", face.name);
        game.variables(vec!["color"; n_stickers], &note);
    }
    for name in order.chars() {
        for face in FACES.into_iter().filter(|face| face.name == name) {
            for (suffix, n_quarters) in TURNS {
                game.rule(turn_rule(&cube, face, suffix, n_quarters));
            }
        }
    }
    if goal == "any" {
        let mut goals: Vec<Vec<&str>> = Vec::new();
        for coloring in whole_cube_rotations(&cube) {
            let goal = coloring.into_iter().map(|color| painted(color, n_colors));
            let goal: Vec<&str> = goal.collect();
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        for goal in goals {
            game.goal(goal, "");
        }
    } else {
        let colors = cube
            .stickers
            .iter()
            .map(|(_, color, _)| painted(color, n_colors));
        game.goal(colors, "Solved.");
    }
    Ok(game)
}

/// The color that replaces another if fewer than six are used. In [`FACES`], opposite faces are
/// three places apart.
fn painted(color: &'static str, n_colors: &str) -> &'static str {
    let face = FACES.iter().position(|face| face.color == color);
    let face = face.expect("every color is that of a face");
    match n_colors {
        "3" => FACES[face % 3].color,
        "2" => FACES[face / 3 * 3].color,
        _ => color,
    }
}

/// The letters of an order of faces, sorted: equal for two orders of the same faces.
fn sorted(order: &str) -> Vec<char> {
    let mut letters: Vec<char> = order.chars().collect();
    letters.sort_unstable();
    letters
}

fn turn_rule(cube: &Cube, face: Face, suffix: &str, n_quarters: usize) -> Rule {
    let targets = cube.turn(face, n_quarters);
    let mut sources = vec![0; targets.len()];
    for (source, &target) in targets.iter().enumerate() {
        sources[target] = source;
    }
    let mut rule = Rule::new(format!("{}{suffix}", face.name));
    for (position, &source) in sources.iter().enumerate() {
        if position != source {
            rule = rule.change(
                position,
                &cube.stickers[position].0,
                &cube.stickers[source].0,
            );
        }
    }
    rule
}

/// The solved cube in each of 24 orientations, as colors by variable; the customary one comes
/// first.
fn whole_cube_rotations(cube: &Cube) -> Vec<Vec<&'static str>> {
    let axes = [FACES[0].normal, FACES[1].normal];
    let start: Vec<Vector> = FACES.iter().map(|face| face.normal).collect();
    // Breadth first over the images of the six normals; two generating rotations reach all 24.
    let mut found = vec![start];
    let mut next = 0;
    while next < found.len() {
        for axis in axes {
            let turned: Vec<Vector> = found[next]
                .iter()
                .map(|&normal| quarter_turn(normal, axis))
                .collect();
            if !found.contains(&turned) {
                found.push(turned);
            }
        }
        next += 1;
    }
    found
        .iter()
        .map(|images| {
            cube.stickers
                .iter()
                .filter_map(|(_, _, sticker)| {
                    let face = images.iter().position(|&image| image == sticker.normal)?;
                    Some(FACES[face].color)
                })
                .collect()
        })
        .collect()
}

fn about(cube: &Cube, fixed: bool, order: &str, n_colors: &str) -> [String; 5] {
    let size = cube.size;
    let n_stickers = cube.stickers.len();
    let order: Vec<String> = order.chars().map(String::from).collect();
    let order = order.join(", ");
    let colors = match n_colors {
        "3" => "w(hite) for U and D, r(ed) for R and L, g(reen) for F and B",
        "2" => "w(hite) for U, R and F, y(ellow) for D, L and B",
        _ => "w(hite) r(ed) g(reen) y(ellow) o(range) b(lue)",
    };
    let (title, omitted) = match (size, fixed) {
        (2, true) => (
            ", one corner fixed",
            "\nThe corner down-left-back never moves; its three stickers (D3, L3, B4) are left out.",
        ),
        (2, false) => ("", ""),
        _ => (
            "",
            "\nThe centers (number 5 of each face) never move and are left out.",
        ),
    };
    [
        format!("Rubik's cube {size}x{size}x{size}{title}"),
        "A move turns one face by a quarter (U), a half (U2) or three quarters (U'), clockwise as seen\n\
         from outside. The goal is one color on each face."
            .to_owned(),
        format!(
            "Encoding: {n_stickers} variables, the stickers of the faces U, R, F, D, L, B (up, right, front, down,\n\
             left, back), each row by row as seen from outside in this unfolded cube:\n\n\
             {}\n\n\
             Values are colors: {colors}.{omitted}\n\
             Rules face by face in the order {order}.",
            unfolded(size)
        ),
        "Source: Taylor & Korf, \"Pruning Duplicate Nodes in Depth-First Search\" (1993); Taylor's report of 1992."
            .to_owned(),
        layout(cube, n_colors),
    ]
}

/// A drawing of the unfolded cube with the numbers of the stickers.
fn unfolded(size: i32) -> String {
    let cells = |face: char, row: i32| -> String {
        let names: Vec<String> = (0..size)
            .map(|column| format!("{face}{}", row * size + column + 1))
            .collect();
        names.join(" ")
    };
    let gap = " ".repeat(cells('U', 0).len() + 2);
    let mut lines = Vec::new();
    for row in 0..size {
        lines.push(format!("  {gap}{}", cells('U', row)));
    }
    for row in 0..size {
        let middle: Vec<String> = ['L', 'F', 'R', 'B']
            .iter()
            .map(|&face| cells(face, row))
            .collect();
        lines.push(format!("  {}", middle.join("  ")));
    }
    for row in 0..size {
        lines.push(format!("  {gap}{}", cells('D', row)));
    }
    lines.join("\n")
}

/// The layout: the unfolded cube. Stickers that never move are no variables, and keep the color of
/// their face.
fn layout(cube: &Cube, n_colors: &str) -> String {
    let size = cube.size;
    let mut text = format!(
        "layout: rows {} columns {} cube color w ivory color r tomato color g limegreen color y gold\n\
         layout: color o orange color b dodgerblue",
        3 * size,
        4 * size
    );
    let of_face = |face: char, row: i32| {
        (0..size).map(move |column| {
            let name = format!("{face}{}", row * size + column + 1);
            let number = cube
                .stickers
                .iter()
                .position(|(other, _, _)| *other == name);
            let color = FACES.iter().find(|other| other.name == face);
            let color = color.map_or(".", |face| painted(face.color, n_colors));
            number.map_or(color.to_owned(), |number| (number + 1).to_string())
        })
    };
    let rows = ["-U--", "LFRB", "-D--"].into_iter();
    for (faces, row) in rows.flat_map(|faces| (0..size).map(move |row| (faces, row))) {
        let places = faces.chars().flat_map(|face| match face {
            '-' => vec!["-".to_owned(); size as usize],
            _ => of_face(face, row).collect(),
        });
        let places: Vec<String> = places.collect();
        text.push_str("\nlayout: places ");
        text.push_str(&places.join(" "));
    }
    text
}

/// Rotate by a quarter turn about `axis`, clockwise as seen from where the axis points.
fn quarter_turn(vector: Vector, axis: Vector) -> Vector {
    add(scale(axis, dot(axis, vector)), cross(vector, axis))
}

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scale(a: Vector, factor: i32) -> Vector {
    a.map(|coordinate| coordinate * factor)
}

fn dot(a: Vector, b: Vector) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
