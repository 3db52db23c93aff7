//! Folds an unfolded cube again: three faces as seen from a corner, and the three hidden ones
//! beside it, as in mirrors.

use crate::layout::BoardLayout;

/// The gap between the cube and a hidden face, in places.
const GAP: f64 = 0.4;

type Point = [f64; 2];

/// The directions of edges of the cube on paper: to the right, to the back, and down.
const RIGHT: Point = [0.866, 0.5];
const BACK: Point = [0.866, -0.5];
const DOWN: Point = [0.0, 1.0];

/// A cube of a size on paper.
pub(super) struct Cube {
    /// The places along an edge.
    n: usize,
    /// The length of a place.
    side: f64,
}

/// A face: the corner of its first place, and the directions of its rows and columns, in edges of
/// places to the right, to the back, and down.
struct Face {
    corner: [f64; 3],
    row: [f64; 3],
    column: [f64; 3],
}

impl Cube {
    /// The cube that a layout unfolds; `None` if the layout isn't a cube.
    pub(super) fn of(layout: &BoardLayout, side: f64) -> Option<Self> {
        layout.cube.then_some(Self {
            n: layout.rows / 3,
            side,
        })
    }

    /// The distance by which hidden faces are moved away.
    fn distance(&self) -> f64 {
        self.n as f64 + GAP
    }

    /// Width and height of the picture.
    pub(super) fn size(&self) -> (f64, f64) {
        let (n, distance) = (self.n as f64, self.distance());
        let width = 2.0 * (n + distance) * RIGHT[0];
        let height = (n + distance) * 0.5 + 1.5 * n + distance;
        (width * self.side, height * self.side)
    }

    /// The corners of a place on paper, in order around it; `None` if the cube has no face there. A
    /// visible face is seen from outside, a hidden one through the cube.
    pub(super) fn corners(&self, place: usize) -> Option<[Point; 4]> {
        let columns = 4 * self.n;
        let (row, column) = (place / columns, place % columns);
        let face = self.face(row / self.n, column / self.n)?;
        let (row, column) = ((row % self.n) as f64, (column % self.n) as f64);
        let around = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
        Some(around.map(|[down, along]| {
            let at = |axis: usize| {
                face.corner[axis]
                    + (row + down) * face.row[axis]
                    + (column + along) * face.column[axis]
            };
            self.on_paper([at(0), at(1), at(2)])
        }))
    }

    fn on_paper(&self, [right, back, down]: [f64; 3]) -> Point {
        let distance = self.distance();
        // The upper left corner of the front face.
        let origin = [distance * RIGHT[0], (self.n as f64 + distance) * 0.5];
        [0, 1].map(|i| {
            let at = origin[i] + right * RIGHT[i] + back * BACK[i] + down * DOWN[i];
            at * self.side
        })
    }

    /// The face at a place of the unfolded cube, in squares of faces.
    fn face(&self, row: usize, column: usize) -> Option<Face> {
        let (n, distance) = (self.n as f64, self.distance());
        let (right, back, down) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let minus = |[x, y, z]: [f64; 3]| [-x, -y, -z];
        let (corner, row, column) = match (row, column) {
            // Up, front and right.
            (0, 1) => ([0.0, n, 0.0], minus(back), right),
            (1, 1) => ([0.0, 0.0, 0.0], down, right),
            (1, 2) => ([n, 0.0, 0.0], down, back),
            // Left, back and down.
            (1, 0) => ([-distance, n, 0.0], down, minus(back)),
            (1, 3) => ([n, n + distance, 0.0], down, minus(right)),
            (2, 1) => ([0.0, 0.0, n + distance], back, right),
            _ => return None,
        };
        Some(Face {
            corner,
            row,
            column,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(n: usize) -> Cube {
        let text = format!("# layout: rows {} columns {} cube", 3 * n, 4 * n);
        let layout = BoardLayout::from_comments(&text).unwrap().unwrap();
        Cube::of(&layout, 10.0).unwrap()
    }

    /// Six faces of n * n places; all lie in the picture, and fill its width.
    #[test]
    fn faces_fill_the_picture() {
        for n in [1, 2, 3, 5] {
            let cube = cube(n);
            let places: Vec<[Point; 4]> = (0..12 * n * n)
                .filter_map(|place| cube.corners(place))
                .collect();
            assert_eq!(places.len(), 6 * n * n);
            let (width, height) = cube.size();
            for (axis, end) in [(0, width), (1, height)] {
                let along = || places.iter().flatten().map(|point| point[axis]);
                let least = along().fold(f64::INFINITY, f64::min);
                let most = along().fold(f64::NEG_INFINITY, f64::max);
                assert!(
                    least.abs() < 1e-6 && (most - end).abs() < 1e-6,
                    "{n}: {least} {most}"
                );
            }
        }
    }

    /// No place covers the middle of another.
    #[test]
    fn nothing_is_covered() {
        let cube = cube(3);
        let places: Vec<[Point; 4]> = (0..108).filter_map(|place| cube.corners(place)).collect();
        let inside = |[a, b, c, d]: [Point; 4], point: Point| {
            let left_of = |from: Point, to: Point| {
                (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
            };
            let sides = [left_of(a, b), left_of(b, c), left_of(c, d), left_of(d, a)];
            sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
        };
        for (i, place) in places.iter().enumerate() {
            let middle = [0, 1].map(|axis| (place[0][axis] + place[2][axis]) / 2.0);
            let covering = places.iter().filter(|other| inside(**other, middle));
            assert_eq!(covering.count(), 1, "{i}");
        }
    }

    /// Stickers that share an edge in the unfolded cube share one in the folded cube: front with up
    /// and right, and up with right.
    #[test]
    fn visible_faces_meet() {
        let cube = cube(3);
        let shared = |one: (usize, usize), other: (usize, usize)| {
            let corners = |(row, column)| cube.corners(row * 12 + column).unwrap();
            let (one, other) = (corners(one), corners(other));
            let is_shared = |point: &&Point| {
                let near = |there: &Point| {
                    (there[0] - point[0]).abs() < 1e-6 && (there[1] - point[1]).abs() < 1e-6
                };
                other.iter().any(near)
            };
            one.iter().filter(is_shared).count()
        };
        // The last row of up on the first one of front.
        for column in 3..6 {
            assert_eq!(shared((2, column), (3, column)), 2);
        }
        // The last column of front beside the first one of right.
        for row in 3..6 {
            assert_eq!(shared((row, 5), (row, 6)), 2);
        }
        // The last column of up, from front to back, on the first row of right.
        for i in 0..3 {
            assert_eq!(shared((2 - i, 5), (3, 6 + i)), 2);
        }
        assert_eq!(shared((0, 3), (3, 3)), 0);
    }
}
