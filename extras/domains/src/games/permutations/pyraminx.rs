//! The Pyraminx, by stickers.
//!
//! A tetrahedron has four corners, named U, L, R, B as on the puzzle, and four faces, each named
//! here after the corner opposite to it. A turn about a corner rotates the other three, which
//! determines the new place of each sticker near that corner.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "pyraminx",
    usage: "pyraminx [tips]",
    summary: "the Pyraminx by stickers: 8 rules and 933,120 states, or 16 rules with the tips",
    options: &[OptionInfo::new(
        "tips",
        "the four tips are there, too, and turn by themselves (u, l, r, b; 8 more rules)",
    )],
    example: "pyraminx",
    build,
};

/// The corners.
const CORNERS: [char; 4] = ['U', 'L', 'R', 'B'];

/// The face opposite to each corner, by the name that players use and its color.
const FACES: [(&str, &str); 4] = [("down", "y"), ("right", "b"), ("left", "r"), ("front", "g")];

/// For each corner, where a clockwise turn about it, as seen from outside, moves each corner.
const TURNS: [[usize; 4]; 4] = [
    // About U: B to R, R to L, L to B.
    [0, 3, 1, 2],
    // About L: R to B, B to U, U to R.
    [2, 1, 3, 0],
    // About R: L to U, U to B, B to L.
    [3, 0, 2, 1],
    // About B: U to L, L to R, R to U.
    [1, 2, 0, 3],
];

/// One sticker: the piece that it is on, and its face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sticker {
    piece: Piece,
    face: usize,
}

impl Sticker {
    /// The name of its color: the first letter of its face, and its piece. (Letters alone could be
    /// those of colors.)
    fn name(self) -> String {
        let (face, _) = FACES[self.face];
        format!("{}{}", &face[..1], self.piece.name())
    }
}

/// A piece, by the corners that it is next to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Tip(usize),
    Axial(usize),
    /// The smaller number first.
    Edge(usize, usize),
}

impl Piece {
    fn turned(self, turn: &[usize; 4]) -> Self {
        match self {
            Piece::Tip(corner) => Piece::Tip(turn[corner]),
            Piece::Axial(corner) => Piece::Axial(turn[corner]),
            Piece::Edge(one, other) => {
                let (one, other) = (turn[one], turn[other]);
                Piece::Edge(one.min(other), one.max(other))
            }
        }
    }

    /// Whether a turn about a corner moves the piece.
    fn is_near(self, about: usize) -> bool {
        match self {
            Piece::Tip(corner) | Piece::Axial(corner) => corner == about,
            Piece::Edge(one, other) => one == about || other == about,
        }
    }

    fn name(self) -> String {
        match self {
            Piece::Tip(corner) => format!("t{}", CORNERS[corner]),
            Piece::Axial(corner) => CORNERS[corner].to_string(),
            Piece::Edge(one, other) => format!("{}{}", CORNERS[one], CORNERS[other]),
        }
    }
}

/// The stickers, face by face: on each face the tips, if there are any, the axial pieces, the
/// edges.
fn stickers(tips: bool) -> Vec<Sticker> {
    let mut stickers = Vec::new();
    for face in 0..4 {
        let corners: Vec<usize> = (0..4).filter(|corner| *corner != face).collect();
        let edges = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| Piece::Edge(corners[i], corners[j]));
        let tips = corners
            .iter()
            .filter(|_| tips)
            .map(|corner| Piece::Tip(*corner));
        let axial = corners.iter().map(|corner| Piece::Axial(*corner));
        let pieces = tips.chain(axial).chain(edges);
        stickers.extend(pieces.map(|piece| Sticker { piece, face }));
    }
    stickers
}

/// Rules corner by corner (U, L, R, B), each with its turn clockwise and back; then the tips.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let tips = args.flag("tips");
    args.finish()?;

    let stickers = stickers(tips);
    let mut game = Game::new(about(&stickers, tips));
    game.domain("color", FACES.map(|(_, color)| color));
    for (face, (name, color)) in FACES.iter().enumerate() {
        let on_face = stickers.iter().filter(|sticker| sticker.face == face);
        let names: Vec<String> = on_face.map(|sticker| sticker.piece.name()).collect();
        let note = format!("{name} face, solved color {color}: {}", names.join(" "));
        game.variables(vec!["color"; names.len()], &note);
    }
    for (corner, name) in CORNERS.into_iter().enumerate() {
        let is_near = |piece: Piece| piece.is_near(corner);
        add_turns(&mut game, &stickers, name, corner, is_near);
    }
    for (corner, name) in CORNERS.into_iter().enumerate().filter(|_| tips) {
        let is_tip = |piece: Piece| piece == Piece::Tip(corner);
        add_turns(
            &mut game,
            &stickers,
            name.to_ascii_lowercase(),
            corner,
            is_tip,
        );
    }
    let solved = stickers.iter().map(|sticker| FACES[sticker.face].1);
    game.goal(solved, "Solved.");
    Ok(game)
}

/// Add the turn of some pieces about a corner, and its inverse.
fn add_turns(
    game: &mut Game,
    stickers: &[Sticker],
    name: char,
    corner: usize,
    is_moved: impl Fn(Piece) -> bool,
) {
    let turn = &TURNS[corner];
    let moved = |sticker: &&Sticker| is_moved(sticker.piece);
    let pairs: Vec<(usize, usize)> = stickers
        .iter()
        .filter(moved)
        .map(|sticker| {
            let place = |sticker: Sticker| {
                let place = stickers.iter().position(|other| *other == sticker);
                place.expect("turns permute the stickers")
            };
            let target = Sticker {
                piece: sticker.piece.turned(turn),
                face: turn[sticker.face],
            };
            (place(*sticker), place(target))
        })
        .collect();
    for (suffix, back) in [("", false), ("'", true)] {
        let mut rule = Rule::new(format!("{name}{suffix}"));
        for &(from, to) in &pairs {
            let (from, to) = if back { (to, from) } else { (from, to) };
            rule = rule.change(to, stickers[to].name(), stickers[from].name());
        }
        game.rule(rule);
    }
}

/// The layout: the unfolded tetrahedron, the front face in the middle with the left, the right and
/// the down face beside it, upside down. A row of a face holds its triangles from left to right.
fn layout(stickers: &[Sticker]) -> String {
    const WIDTH: usize = 11;
    let [up, left, right, back] = [0, 1, 2, 3];
    let edge = |one: usize, other: usize| Piece::Edge(one.min(other), one.max(other));
    // The face opposite to a corner whose longest row has these corners at its ends, as rows from
    // the longest to the remaining corner.
    let face = |opposite: usize, from: usize, to: usize, top: usize| {
        let longest = vec![
            Piece::Tip(from),
            Piece::Axial(from),
            edge(from, to),
            Piece::Axial(to),
            Piece::Tip(to),
        ];
        let middle = vec![edge(from, top), Piece::Axial(top), edge(to, top)];
        let rows = [longest, middle, vec![Piece::Tip(top)]];
        rows.map(|row| {
            let sticker = |piece| Sticker {
                piece,
                face: opposite,
            };
            row.into_iter().map(sticker).collect::<Vec<_>>()
        })
    };
    let left_face = face(right, back, up, left);
    let mut front_face = face(back, left, right, up);
    let right_face = face(left, up, back, right);
    let down_face = face(up, left, right, back);
    front_face.reverse();
    let upper = (0..3).map(|row| {
        let faces = [&left_face, &front_face, &right_face];
        let stickers = faces.iter().flat_map(|face| face[row].clone());
        (row, stickers.collect::<Vec<_>>())
    });
    // The left face's longest row begins at the edge of the board, each later row one place
    // further.
    let lower = (0..3).map(|row| (3 + row, down_face[row].clone()));
    let mut text = format!(
        "layout: rows 6 columns {WIDTH} color y gold color b dodgerblue color r tomato color g limegreen"
    );
    for (before, row) in upper.chain(lower) {
        let number = |sticker: &Sticker| {
            let place = stickers.iter().position(|other| other == sticker);
            place.map_or("-".to_owned(), |place| (place + 1).to_string())
        };
        let mut places = vec!["-".to_owned(); before];
        places.extend(row.iter().map(number));
        places.resize(WIDTH, "-".to_owned());
        text.push_str("\nlayout: places ");
        text.push_str(&places.join(" "));
    }
    text
}

fn about(stickers: &[Sticker], tips: bool) -> [String; 5] {
    let (title, tips) = if tips {
        ("with its tips", "Small letters turn a tip alone.")
    } else {
        (
            "without its tips",
            "The tips, which turn by themselves, are left out.",
        )
    };
    [
        format!("The Pyraminx, {title}"),
        format!(
            "A tetrahedron with the corners U, L, R, B. A move turns the pieces about a corner by a third,\n\
             clockwise as seen from outside (U) or back (U'). The goal is one color on each face.\n\
             {tips}"
        ),
        format!(
            "Encoding: {} variables, the stickers of the faces down, right, left and front. The comment\n\
             behind each face names the pieces: U is the piece next to the tip, UL the edge between U and L,\n\
             tU a tip. In rules, fUL is what the front face shows of UL.\n\
             Values are colors: y(ellow) b(lue) r(ed) g(reen). Rules corner by corner.",
            stickers.len()
        ),
        "Source: Meffert, \"Pyraminx\" (1981). Without tips it has 933,120 states, none more than 11 moves\n\
         from the goal."
            .to_owned(),
        layout(stickers),
    ]
}
