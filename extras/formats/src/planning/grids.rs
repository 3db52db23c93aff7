//! Tasks on boards of squares.

use super::builder::{Builder, Random};
use crate::sas::Task;

/// Levels: `#` wall, `@` the man, `$` a box, `.` a goal, `*` a box on a goal, `+` the man on one.
pub(super) const SOKOBAN_LEVELS: &[&str] = &[
    "#####\n#@$.#\n#####",
    "######\n#@   #\n# $$ #\n# .. #\n######",
    "######\n#    #\n# @$ #\n# .  #\n######",
    "#######\n#@    #\n# $ $ #\n# . . #\n#     #\n#######",
    "######\n#  . #\n# $$@#\n# .  #\n######",
];

/// The squares of a drawing, with their signs, rows and columns.
fn squares(drawing: &str, is_square: impl Fn(char) -> bool) -> Vec<(char, i32, i32)> {
    let rows = drawing.lines().enumerate();
    rows.flat_map(|(row, line)| {
        let signs = line.chars().enumerate();
        signs.map(move |(column, sign)| (sign, row as i32, column as i32))
    })
    .filter(|(sign, ..)| is_square(*sign))
    .collect()
}

const DIRECTIONS: [(&str, i32, i32); 4] = [
    ("up", -1, 0),
    ("down", 1, 0),
    ("left", 0, -1),
    ("right", 0, 1),
];

/// The square at a distance from another.
fn next(squares: &[(char, i32, i32)], from: usize, steps: i32, way: (i32, i32)) -> Option<usize> {
    let (_, row, column) = squares[from];
    let (row, column) = (row + steps * way.0, column + steps * way.1);
    squares
        .iter()
        .position(|(_, r, c)| (*r, *c) == (row, column))
}

fn name(squares: &[(char, i32, i32)], square: usize) -> String {
    format!("c{}-{}", squares[square].1, squares[square].2)
}

/// Return the task of visiting all squares of a board, one step at a time.
pub fn visit_all(rows: usize, columns: usize) -> Task {
    let drawing = vec![".".repeat(columns); rows].join("\n");
    let squares = squares(&drawing, |sign| sign == '.');
    let mut builder = Builder::default();
    let at = (0..squares.len()).map(|it| format!("Atom at({})", name(&squares, it)));
    let robot = builder.variable(at.collect(), 0);
    let visited: Vec<usize> = (0..squares.len())
        .map(|it| builder.switch(&format!("visited({})", name(&squares, it)), it == 0))
        .collect();
    for from in 0..squares.len() {
        for (_, row, column) in DIRECTIONS {
            if let Some(to) = next(&squares, from, 1, (row, column)) {
                let label = format!("move {} {}", name(&squares, from), name(&squares, to));
                let changes = [(robot, Some(from), to), (visited[to], None, 0)];
                builder.operator(label, &[], &changes);
            }
        }
    }
    for it in visited {
        builder.goal(it, 0);
    }
    builder.task()
}

/// Return the task of pushing boxes to goals; boxes look alike, and each step costs 1.
pub fn sokoban(level: &str) -> Task {
    let squares = squares(level, |sign| sign != '#');
    let mut builder = Builder::default();
    let man = squares
        .iter()
        .position(|(sign, ..)| "@+".contains(*sign))
        .unwrap_or(0);
    let at = (0..squares.len()).map(|it| format!("Atom at-man({})", name(&squares, it)));
    let man = builder.variable(at.collect(), man);
    let boxes: Vec<usize> = (0..squares.len())
        .map(|it| {
            let has_box = "$*".contains(squares[it].0);
            builder.switch(&format!("box({})", name(&squares, it)), has_box)
        })
        .collect();
    for from in 0..squares.len() {
        for (direction, row, column) in DIRECTIONS {
            let Some(to) = next(&squares, from, 1, (row, column)) else {
                continue;
            };
            let here = name(&squares, from);
            let step = [(man, Some(from), to)];
            builder.operator(format!("move {here} {direction}"), &[(boxes[to], 1)], &step);
            if let Some(behind) = next(&squares, from, 2, (row, column)) {
                let push = [
                    (man, Some(from), to),
                    (boxes[to], Some(0), 1),
                    (boxes[behind], Some(1), 0),
                ];
                builder.operator(format!("push {here} {direction}"), &[], &push);
            }
        }
    }
    for (it, (sign, ..)) in squares.iter().enumerate() {
        if ".*+".contains(*sign) {
            builder.goal(boxes[it], 0);
        }
    }
    builder.mutex((0..squares.len()).map(|it| (man, it)));
    builder.task()
}

/// Return the task of leaving one peg, in the first square of a board. The start is made backward
/// from there, by at most `jumps` jumps, which `seed` draws.
pub fn pegsol(rows: usize, columns: usize, jumps: usize, seed: u64) -> Task {
    let drawing = vec![".".repeat(columns); rows].join("\n");
    let squares = squares(&drawing, |sign| sign == '.');
    let mut ways: Vec<[usize; 3]> = Vec::new();
    for from in 0..squares.len() {
        for (_, row, column) in DIRECTIONS {
            let over = next(&squares, from, 1, (row, column));
            let to = next(&squares, from, 2, (row, column));
            ways.extend(over.zip(to).map(|(over, to)| [from, over, to]));
        }
    }
    let mut has_peg = vec![false; squares.len()];
    has_peg[0] = true;
    let mut random = Random(seed);
    for _ in 0..jumps {
        let back = |way: &&[usize; 3]| has_peg[way[2]] && !has_peg[way[0]] && !has_peg[way[1]];
        let possible: Vec<&[usize; 3]> = ways.iter().filter(back).collect();
        if possible.is_empty() {
            break;
        }
        let [from, over, to] = *possible[random.below(possible.len())];
        (has_peg[from], has_peg[over], has_peg[to]) = (true, true, false);
    }
    let mut builder = Builder::default();
    let pegs: Vec<usize> = (0..squares.len())
        .map(|it| builder.switch(&format!("peg({})", name(&squares, it)), has_peg[it]))
        .collect();
    for [from, over, to] in ways {
        let label = format!("jump {} {}", name(&squares, from), name(&squares, to));
        let jump = [
            (pegs[from], Some(0), 1),
            (pegs[over], Some(0), 1),
            (pegs[to], Some(1), 0),
        ];
        builder.operator(label, &[], &jump);
    }
    for (it, peg) in pegs.iter().enumerate() {
        builder.goal(*peg, usize::from(it != 0));
    }
    builder.task()
}
