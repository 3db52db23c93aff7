//! The classes of reduced coordinates under symmetries, and what symmetries do to digits.

use super::coloring::Coloring;
use super::coordinate::Coordinate;
use super::layout::{Layout, TOO_MANY};
use super::moves::{Image, Moves};
use crate::progress::{BuildError, Options};

/// The bits of an entry that hold the symmetry.
const SYMMETRY_BITS: u32 = 8;
const MOST_CLASSES: usize = 1 << (u32::BITS - SYMMETRY_BITS);
/// No class.
const NONE: u32 = u32::MAX;
/// The raw values that are visited between two looks at the limits.
const VALUES_PER_LOOK: usize = 1 << 14;

/// The classes of the reduced coordinates' values.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// By raw value: its class, and the number of the symmetry that maps it to the class's first
    /// one; [`NONE`] where no state has it.
    pub(super) entries: Vec<u32>,
    /// By class: its first raw value.
    pub(super) first: Vec<u32>,
    /// By class: the symmetries, other than the identity, that map its first value to itself.
    pub(super) stabilizers: Vec<Box<[u8]>>,
    /// By digit: for each value of its coordinate and each symmetry, the digit's addend to the
    /// entry's number.
    pub(super) addends: Vec<Vec<u32>>,
}

/// Return the class and the symmetry of an entry.
#[inline(always)]
pub(super) fn split(entry: u32) -> (u32, usize) {
    (entry >> SYMMETRY_BITS, (entry & ((1 << SYMMETRY_BITS) - 1)) as usize)
}

impl Classes {
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let reduced = Reduced::new(moves, layout);
        let symmetries = &layout.symmetries;
        let inverse: Vec<usize> = symmetries.iter().map(|it| inverse_of(symmetries, it)).collect();
        let renamings: Vec<Vec<u16>> = symmetries.iter().map(|it| {
            let renaming = reduced.joint.renaming(&it.positions);
            renaming.expect("a symmetry of the layout maps its colors to each other")
        }).collect();
        let mut entries = vec![NONE; layout.n_raw];
        let (mut first, mut stabilizers) = (Vec::new(), Vec::new());
        let (mut colors, mut there) = (vec![0; moves.n_positions], vec![0; moves.n_positions]);
        for raw in 0..layout.n_raw {
            if raw % VALUES_PER_LOOK == 0 {
                options.poll()?;
            }
            if entries[raw] != NONE || !reduced.colors_of(raw, &mut colors) {
                continue;
            }
            if first.len() == MOST_CLASSES {
                return Err(BuildError::NoCoordinates(TOO_MANY));
            }
            let class = (first.len() as u32) << SYMMETRY_BITS;
            let mut stabilizer = Vec::new();
            for (number, image) in symmetries.iter().enumerate() {
                for place in &reduced.places {
                    there[image.positions[*place]] = renamings[number][usize::from(colors[*place])];
                }
                let Some(value) = reduced.raw_of(&there) else {
                    // Values that no state has.
                    continue;
                };
                if entries[value] == NONE {
                    entries[value] = class | inverse[number] as u32;
                }
                if value == raw && number > 0 {
                    stabilizer.push(number as u8);
                }
            }
            if entries[raw] != NONE {
                first.push(raw as u32);
                stabilizers.push(stabilizer.into_boxed_slice());
            }
        }
        let mut classes = Self { entries, first, stabilizers, addends: Vec::new() };
        for digit in &layout.digits {
            let coordinate = &layout.coordinates[digit.coordinate];
            let values = images(coordinate, symmetries);
            let addend = |value: &u32| {
                let value = match digit.parent {
                    Some(_) => *value as usize % digit.n,
                    None => *value as usize,
                };
                (value as u64 * digit.stride) as u32
            };
            classes.addends.push(values.iter().map(addend).collect());
        }
        Ok(classes)
    }
}

impl Classes {
    /// Return the number of the entry of some values that a state has.
    pub(super) fn index(&self, layout: &Layout, values: &[u32]) -> u64 {
        let raw = layout.reduced.iter().map(|(number, stride)| values[*number] as usize * stride);
        let (class, symmetry) = split(self.entries[raw.sum::<usize>()]);
        let addends = layout.digits.iter().zip(&self.addends).map(|(digit, addends)| {
            let at = values[digit.coordinate] as usize * layout.symmetries.len() + symmetry;
            u64::from(addends[at])
        });
        u64::from(class) * layout.per_class + addends.sum::<u64>()
    }
}

fn inverse_of(symmetries: &[Image], image: &Image) -> usize {
    let undoes = |other: &Image| {
        let mut there = image.positions.iter().enumerate();
        there.all(|(i, to)| other.positions[*to] == i)
    };
    symmetries.iter().position(undoes).expect("the symmetries of a coloring are a group")
}

/// Return, by value and symmetry, the value's image. Values that don't occur stay themselves.
fn images(coordinate: &Coordinate, symmetries: &[Image]) -> Vec<u32> {
    let n = symmetries.len();
    let mut images = vec![0; coordinate.n * n];
    let occurring = coordinate.occurring();
    let mut slot = vec![0; coordinate.places.iter().max().map_or(0, |most| most + 1)];
    coordinate.places.iter().enumerate().for_each(|(i, place)| slot[*place] = i);
    let mut there = vec![0; coordinate.places.len()];
    for (number, image) in symmetries.iter().enumerate() {
        let renaming = coordinate.coloring.renaming(&image.positions);
        let renaming = renaming.expect("each symmetry of the layout maps each digit's colors");
        for value in &occurring {
            for (place, color) in coordinate.places.iter().zip(coordinate.colors(*value)) {
                there[slot[image.positions[*place]]] = renaming[usize::from(*color)] as u8;
            }
            let to = coordinate.value(&there);
            images[*value as usize * n + number] = to.expect("a symmetry maps states to states");
        }
    }
    images
}

/// The reduced coordinates together.
struct Reduced<'l> {
    layout: &'l Layout,
    joint: Coloring,
    /// By reduced coordinate: its color by joint color.
    projections: Vec<Vec<u16>>,
    /// By the colors of all reduced coordinates, as digits: the joint color.
    joined: Vec<u16>,
    /// By reduced coordinate: the number of colors.
    n_colors: Vec<usize>,
    places: Vec<usize>,
}

impl<'l> Reduced<'l> {
    fn new(moves: &Moves, layout: &'l Layout) -> Self {
        let coordinates = || layout.reduced.iter().map(|(number, _)| &layout.coordinates[*number]);
        let joint = Coloring::join(moves.n_positions, coordinates().map(|it| &it.coloring));
        let projections: Vec<Vec<u16>> = coordinates().map(|it| it.coloring.by_finer(&joint)).collect();
        let n_colors: Vec<usize> = projections.iter().map(|colors| {
            colors.iter().max().map_or(1, |most| usize::from(*most) + 1)
        }).collect();
        let mut joined = vec![u16::MAX; n_colors.iter().product()];
        let n_joint = projections.first().map_or(0, Vec::len);
        for color in 0..n_joint {
            let at = |at, (colors, n): (&Vec<u16>, &usize)| at * n + usize::from(colors[color]);
            joined[projections.iter().zip(&n_colors).fold(0, at)] = color as u16;
        }
        let mut places: Vec<usize> = coordinates().flat_map(|it| it.places.clone()).collect();
        places.sort_unstable();
        places.dedup();
        Self { layout, joint, projections, joined, n_colors, places }
    }

    /// Put the joint colors of a raw value. Return `false` where no state has such colors.
    fn colors_of(&self, raw: usize, colors: &mut [u16]) -> bool {
        let mut tuple = vec![0; colors.len()];
        for (i, (number, stride)) in self.layout.reduced.iter().enumerate() {
            let coordinate = &self.layout.coordinates[*number];
            let value = raw / stride % coordinate.n;
            // Positions of other orbits have the color that they have in the goal.
            let outside = self.joint_outside(coordinate);
            let mut at = coordinate.places.iter().zip(coordinate.colors(value as u32)).peekable();
            for place in &self.places {
                let color = match at.next_if(|(it, _)| *it == place) {
                    Some((_, color)) => usize::from(*color),
                    None => outside,
                };
                tuple[*place] = tuple[*place] * self.n_colors[i] + color;
            }
        }
        self.places.iter().all(|place| {
            colors[*place] = self.joined[tuple[*place]];
            colors[*place] != u16::MAX
        })
    }

    /// Return the color of positions that are not in a coordinate's orbit.
    fn joint_outside(&self, coordinate: &Coordinate) -> usize {
        let outside = self.places.iter().find(|place| !coordinate.places.contains(place));
        outside.map_or(0, |place| usize::from(coordinate.coloring.color(*place)))
    }

    /// Return the raw value with these joint colors.
    fn raw_of(&self, colors: &[u16]) -> Option<usize> {
        let mut raw = 0;
        for ((number, stride), projection) in self.layout.reduced.iter().zip(&self.projections) {
            let coordinate = &self.layout.coordinates[*number];
            let color = |place: &usize| projection[usize::from(colors[*place])] as u8;
            let colors: Vec<u8> = coordinate.places.iter().map(color).collect();
            raw += coordinate.value(&colors)? as usize * stride;
        }
        Some(raw)
    }
}
