//! The coordinates of a table, and the numbering of its entries by them.

pub(super) mod coloring;
pub(super) mod coordinate;
pub(super) mod parts;

use self::coloring::Coloring;
use self::coordinate::Coordinate;
use super::lookup::memo::MOST_COORDINATES;
use super::moves::{Image, Moves, Orbit, orbit_numbers};
use super::pattern::CoordinatePattern;
use crate::progress::{BuildError, Options};

/// The maximum number of values of a coordinate.
const MOST_VALUES: usize = 1 << 20;
/// The maximum number of raw values of the part that is reduced by symmetries.
const MOST_RAW: usize = 1 << 25;
/// The maximum number of raw values of a part that is reduced by symmetries although it need not
/// be.
const MOST_RAW_BY_CHOICE: usize = 1 << 22;
/// The maximum number of values of the other part.
const MOST_DIGITS: u64 = 1 << 24;
/// The reason why a pattern that distinguishes more states is refused.
pub(super) const TOO_MANY: &str = "these rules tell too many states apart";
/// The number of entries in a word: those of a class begin at a multiple of it.
pub(super) const ALIGNED: u64 = 32;

/// A coordinate of the part whose values are mapped by the symmetry of the other part.
#[derive(Clone, Debug)]
pub(super) struct Digit {
    /// The number of the coordinate.
    pub(super) coordinate: usize,
    /// The number of digits.
    pub(super) n: usize,
    /// The coordinate of the other part that holds the rest of its value.
    pub(super) parent: Option<usize>,
    /// The step of the entry's number.
    pub(super) stride: u64,
}

/// The way in which entries are numbered: by the class of some coordinates under symmetries, and
/// by others as digits.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) coordinates: Vec<Coordinate>,
    /// The coordinates whose values are reduced by symmetries, each with the step of its value.
    pub(super) reduced: Vec<(usize, usize)>,
    /// The number of raw values of these.
    pub(super) n_raw: usize,
    pub(super) digits: Vec<Digit>,
    /// The number of entries of a class.
    pub(super) per_class: u64,
    /// The symmetries that map all coordinates to themselves, with the identity first, and their
    /// effects on the colors of all reduced coordinates together.
    pub(super) symmetries: Vec<Image>,
    /// The symmetries under which the images of states are looked up: the identity first.
    pub(super) axes: Vec<Image>,
}

/// The coordinates of one orbit.
struct OfOrbit {
    coordinates: Vec<Coordinate>,
    /// A refinement of the first coordinate, with the number of values for each value of it.
    fine: Option<(Coordinate, usize)>,
}

impl OfOrbit {
    fn all(&self) -> impl Iterator<Item = &Coordinate> {
        let fine = self.fine.as_ref().map(|(fine, _)| fine);
        self.coordinates.iter().chain(fine)
    }

    fn n_raw(&self) -> usize {
        let sizes = self.coordinates.iter().map(|it| it.n);
        sizes.fold(1, usize::saturating_mul)
    }
}

fn is_closed(coordinate: &Coordinate, image: &Image) -> bool {
    coordinate.coloring.renaming(&image.positions).is_some()
}

impl Layout {
    /// Find the coordinates of a pattern.
    ///
    /// # Errors
    /// If one has too many values, or the work must stop.
    pub(super) fn new(
        moves: &Moves,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        Self::within(moves, pattern, MOST_VALUES, options)
    }

    /// As [`new`](Self::new), with at most this many values of a coordinate.
    pub(super) fn within(
        moves: &Moves,
        pattern: &CoordinatePattern,
        most: usize,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let mut orbits = Vec::new();
        for orbit in &moves.orbits {
            let of_orbit = of_orbit(moves, orbit, pattern, most, options)?;
            if of_orbit.all().next().is_some() {
                orbits.push(of_orbit);
            }
        }
        if orbits.is_empty() {
            return Err(BuildError::NoCoordinates(
                "these rules tell no states apart",
            ));
        }
        let n = moves.n_positions;
        let all: Vec<&Coloring> = orbits
            .iter()
            .flat_map(OfOrbit::all)
            .map(|it| &it.coloring)
            .collect();
        let joint = Coloring::join(n, all.iter().copied());
        let keeps_joint = |image: &&Image| joint.renaming(&image.positions).is_some();
        let keeping: Vec<&Image> = moves.images.iter().filter(keeps_joint).collect();
        let is_alone = |orbit: &OfOrbit| {
            orbit
                .coordinates
                .iter()
                .all(|it| keeping.iter().all(|image| is_closed(it, image)))
        };
        let mut is_reduced: Vec<bool> = orbits.iter().map(|orbit| !is_alone(orbit)).collect();
        if !is_reduced.contains(&true) {
            let fitting = (0..orbits.len()).filter(|i| orbits[*i].n_raw() <= MOST_RAW_BY_CHOICE);
            if let Some(largest) =
                fitting.max_by_key(|i| (orbits[*i].n_raw(), std::cmp::Reverse(*i)))
            {
                is_reduced[largest] = true;
            }
        }
        let axes = axes(moves, &joint);
        Self::of_orbits(moves, orbits, &is_reduced, axes)
    }

    /// Return the least image, under the game's symmetries, of the coloring of all coordinates
    /// together: layouts with the same one are as good as each other.
    pub(super) fn least_coloring(&self, moves: &Moves) -> Option<Coloring> {
        let colorings = self.coordinates.iter().map(|it| &it.coloring);
        let joint = Coloring::join(moves.n_positions, colorings);
        joint.least_image(moves.images.iter().map(|image| &image.positions))
    }

    fn of_orbits(
        moves: &Moves,
        orbits: Vec<OfOrbit>,
        is_reduced: &[bool],
        axes: Vec<Image>,
    ) -> Result<Self, BuildError> {
        let mut coordinates = Vec::new();
        let (mut reduced, mut digits) = (Vec::new(), Vec::new());
        for (orbit, is_reduced) in orbits.into_iter().zip(is_reduced) {
            let first = coordinates.len();
            let parent = is_reduced.then_some(first);
            let digit = |coordinate, n, parent| Digit {
                coordinate,
                n,
                parent,
                stride: 0,
            };
            let replaces_first = orbit.fine.is_some() && !is_reduced;
            for coordinate in orbit
                .coordinates
                .into_iter()
                .skip(usize::from(replaces_first))
            {
                if *is_reduced {
                    reduced.push((coordinates.len(), 0));
                } else {
                    digits.push(digit(coordinates.len(), coordinate.n, None));
                }
                coordinates.push(coordinate);
            }
            if let Some((fine, fan)) = orbit.fine {
                let n = if *is_reduced { fan } else { fine.n };
                digits.push(digit(coordinates.len(), n, parent));
                coordinates.push(fine);
            }
        }
        // Digits that depend on the class come last.
        digits.sort_by_key(|digit: &Digit| digit.parent.is_some());
        in_order(&mut coordinates, &mut reduced, &mut digits);
        let (mut n_raw, mut n_digits) = (1_usize, 1_u64);
        for (number, stride) in reduced.iter_mut().rev() {
            *stride = n_raw;
            n_raw = n_raw.saturating_mul(coordinates[*number].n);
        }
        for digit in digits.iter_mut().rev() {
            digit.stride = n_digits;
            n_digits = n_digits.saturating_mul(digit.n as u64);
        }
        if coordinates.len() > MOST_COORDINATES {
            return Err(BuildError::NoCoordinates(
                "too many sets of positions are exchanged",
            ));
        }
        if n_raw > MOST_RAW || n_digits > MOST_DIGITS {
            return Err(too_many());
        }
        let colorings = reduced
            .iter()
            .map(|(number, _)| &coordinates[*number].coloring);
        let joint = Coloring::join(moves.n_positions, colorings);
        let keeps = |image: &&Image| {
            let mut digits = digits.iter();
            joint.renaming(&image.positions).is_some()
                && digits.all(|digit| is_closed(&coordinates[digit.coordinate], image))
        };
        Ok(Self {
            symmetries: moves.images.iter().filter(keeps).cloned().collect(),
            coordinates,
            reduced,
            n_raw,
            digits,
            per_class: n_digits.next_multiple_of(ALIGNED),
            axes,
        })
    }

    /// Return the number of different digits in a class.
    pub(super) fn n_digits(&self) -> u64 {
        self.digits.iter().map(|digit| digit.n as u64).product()
    }

    /// Describe how entries are numbered.
    pub(super) fn describe(&self) -> String {
        let reduced = self
            .reduced
            .iter()
            .map(|(number, _)| self.coordinates[*number].n.to_string());
        let reduced: Vec<String> = reduced.collect();
        let reduced = reduced.join(" * ");
        let digits: Vec<String> = self
            .digits
            .iter()
            .map(|digit| digit.n.to_string())
            .collect();
        let digits = if digits.is_empty() {
            String::new()
        } else {
            format!(", each with {}", digits.join(" * "))
        };
        let n = self.symmetries.len();
        format!("classes of {reduced} values under {n} symmetries{digits}")
    }

    /// Return the approximate bytes of the coordinates and of the effects of rules and symmetries
    /// on digits.
    pub(super) fn bytes(&self, n_rules: usize) -> u128 {
        let values = self
            .digits
            .iter()
            .map(|it| self.coordinates[it.coordinate].n);
        let maps = values.sum::<usize>() * self.symmetries.len() * (n_rules + 3) * 4;
        let of_coordinates = self.coordinates.iter().map(Coordinate::bytes);
        of_coordinates.sum::<u128>() + maps as u128
    }
}

/// Put the coordinates in order: those that are reduced, and then the digits.
fn in_order(
    coordinates: &mut Vec<Coordinate>,
    reduced: &mut [(usize, usize)],
    digits: &mut [Digit],
) {
    let order = reduced.iter().map(|(number, _)| *number);
    let order: Vec<usize> = order.chain(digits.iter().map(|it| it.coordinate)).collect();
    let place = |number: usize| {
        let place = order.iter().position(|it| *it == number);
        place.expect("each coordinate is reduced or a digit")
    };
    reduced
        .iter_mut()
        .for_each(|(number, _)| *number = place(*number));
    for digit in digits {
        digit.coordinate = place(digit.coordinate);
        digit.parent = digit.parent.map(place);
    }
    let placed = coordinates.drain(..).enumerate();
    let mut placed: Vec<(usize, Coordinate)> = placed.map(|(i, it)| (place(i), it)).collect();
    placed.sort_by_key(|(place, _)| *place);
    coordinates.extend(placed.into_iter().map(|(_, coordinate)| coordinate));
}

fn too_many() -> BuildError {
    BuildError::NoCoordinates(TOO_MANY)
}

/// Return a symmetry for each image of a coloring, the identity first.
fn axes(moves: &Moves, joint: &Coloring) -> Vec<Image> {
    let mut seen = Vec::new();
    let mut axes = Vec::new();
    for image in &moves.images {
        let coloring = joint.image(&image.positions);
        if !seen.contains(&coloring) {
            seen.push(coloring);
            axes.push(image.clone());
        }
    }
    axes
}

/// Return the coordinates of an orbit, without those that have one value.
fn of_orbit(
    moves: &Moves,
    orbit: &Orbit,
    pattern: &CoordinatePattern,
    most: usize,
    options: &Options<'_>,
) -> Result<OfOrbit, BuildError> {
    let n = moves.n_positions;
    let permutations = |rules: &[usize]| -> Vec<usize> {
        orbit_numbers(n, rules.iter().map(|rule| &moves.permutations[*rule]))
    };
    let alike = permutations(&pattern.alike);
    // By position: its block, the colors of the block, and the place of its color among them.
    let mut block_of = vec![usize::MAX; n];
    for (number, block) in orbit.blocks.iter().enumerate() {
        block.iter().for_each(|i| block_of[*i] = number);
    }
    let sorted = |block: &Vec<usize>, colors: &[usize]| {
        let mut colors: Vec<usize> = block.iter().map(|i| colors[*i]).collect();
        colors.sort_unstable();
        colors
    };
    let classes: Vec<Vec<usize>> = orbit
        .blocks
        .iter()
        .map(|block| sorted(block, &alike))
        .collect();
    let in_orbit = |i: usize| block_of[i] != usize::MAX;
    let by_class = Coloring::of((0..n).map(|i| in_orbit(i).then(|| &classes[block_of[i]])));
    let whole = Coloring::of((0..n).map(|i| in_orbit(i).then(|| alike[i])));
    let rank = |i: usize| {
        let class = &classes[block_of[i]];
        class.iter().position(|color| *color == alike[i])
    };
    let by_rank = Coloring::of((0..n).map(|i| if in_orbit(i) { rank(i) } else { None }));
    let enumerate = |coloring: &Coloring| {
        let found = Coordinate::enumerate(moves, &orbit.positions, coloring, most, options)?;
        found.ok_or_else(too_many)
    };
    let fine = pattern.apart.as_ref().and_then(|(rules, vars)| {
        let chosen: Vec<&Vec<usize>> = vars
            .iter()
            .filter(|i| in_orbit(**i))
            .map(|i| &classes[block_of[*i]])
            .collect();
        let apart = permutations(rules);
        let key = |block: &Vec<usize>| {
            let class = &classes[block_of[block[0]]];
            (
                class,
                chosen.contains(&class).then(|| sorted(block, &apart)),
            )
        };
        let keys: Vec<_> = orbit.blocks.iter().map(key).collect();
        let fine = Coloring::of((0..n).map(|i| in_orbit(i).then(|| &keys[block_of[i]])));
        (fine != by_class).then_some(fine)
    });
    let mut coordinates = Vec::new();
    if orbit.has_pieces() {
        let ranks = enumerate(&by_rank)?;
        let per_block = orbit.blocks[0].len() as f64;
        let is_independent = ranks.n as f64 <= per_block.powi(orbit.blocks.len() as i32);
        if is_independent || fine.is_some() {
            coordinates.extend([enumerate(&by_class)?, ranks]);
        } else {
            coordinates.push(enumerate(&whole)?);
        }
    } else {
        coordinates.push(enumerate(&whole)?);
    }
    let fine = match fine {
        Some(fine) => Some(
            enumerate(&fine)?
                .grouped_by(&coordinates[0])
                .ok_or_else(too_many)?,
        ),
        None => None,
    };
    // The first one holds the rest of a refinement's value.
    let has_fine = fine.is_some();
    let mut number = 0;
    coordinates.retain(|coordinate| {
        number += 1;
        coordinate.n > 1 || has_fine && number == 1
    });
    Ok(OfOrbit { coordinates, fine })
}
