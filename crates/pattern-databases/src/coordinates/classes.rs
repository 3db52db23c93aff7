//! The classes of reduced coordinates under symmetries, and what symmetries do to digits.

use std::collections::BTreeSet;
use std::iter::zip;

use super::layout::coloring::Coloring;
use super::layout::coordinate::Coordinate;
use super::layout::{Layout, TOO_MANY};
use super::moves::{Image, Moves};
use crate::progress::{BuildError, Options};

/// The bits of an entry that hold the symmetry.
const SYMMETRY_BITS: u32 = 8;
const MOST_CLASSES: usize = 1 << (u32::BITS - SYMMETRY_BITS);
/// Marks a raw value without a class.
const NONE: u32 = u32::MAX;
/// The number of raw values that are visited between two checks of the limits.
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
    (
        entry >> SYMMETRY_BITS,
        (entry & ((1 << SYMMETRY_BITS) - 1)) as usize,
    )
}

impl Classes {
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        options: &Options<'_>,
    ) -> Result<Self, BuildError> {
        let reduced = Reduced::new(moves, layout);
        let symmetries = &layout.symmetries;
        let inverse: Vec<usize> = symmetries
            .iter()
            .map(|it| inverse_of(symmetries, it))
            .collect();
        let sources = symmetries.iter().map(|it| reduced.sources(it));
        let sources: Vec<Vec<Sources>> = sources.collect();
        let mut entries = vec![NONE; layout.n_raw];
        let (mut first, mut stabilizers) = (Vec::new(), Vec::new());
        let (mut colors, mut scratch) = (vec![0; moves.n_positions], Vec::new());
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
            for (number, sources) in sources.iter().enumerate() {
                let Some(value) = reduced.image(sources, &colors, &mut scratch) else {
                    // These are values that no state has.
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
        let mut classes = Self {
            entries,
            first,
            stabilizers,
            addends: Vec::new(),
        };
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
    /// Return the number of the entry of the values of a state.
    pub(super) fn index(&self, layout: &Layout, values: &[u32]) -> u64 {
        let raw = layout
            .reduced
            .iter()
            .map(|(number, stride)| values[*number] as usize * stride);
        let (class, symmetry) = split(self.entries[raw.sum::<usize>()]);
        let addends = layout
            .digits
            .iter()
            .zip(&self.addends)
            .map(|(digit, addends)| {
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
    symmetries
        .iter()
        .position(undoes)
        .expect("the symmetries of a coloring are a group")
}

/// Return, by value and symmetry, the value's image. A value that doesn't occur is its own image.
fn images(coordinate: &Coordinate, symmetries: &[Image]) -> Vec<u32> {
    let n = symmetries.len();
    let mut images = vec![0; coordinate.n * n];
    let occurring = coordinate.occurring();
    let mut slot = vec![0; coordinate.places.iter().max().map_or(0, |most| most + 1)];
    coordinate
        .places
        .iter()
        .enumerate()
        .for_each(|(i, place)| slot[*place] = i);
    let mut there = vec![0; coordinate.places.len()];
    for (number, image) in symmetries.iter().enumerate() {
        let renaming = coordinate.coloring.renaming(&image.positions);
        let renaming = renaming.expect("each symmetry of the layout maps each digit's colors");
        for value in &occurring {
            for (place, color) in zip(&coordinate.places, coordinate.colors(*value)) {
                there[slot[image.positions[*place]]] = renaming[usize::from(*color)] as u8;
            }
            let to = coordinate.value(&there);
            images[*value as usize * n + number] = to.expect("a symmetry maps states to states");
        }
    }
    images
}

/// The sources of the colors of a coordinate's image.
struct Sources {
    /// By place of the coordinate: the position whose color gets there.
    from: Vec<usize>,
    /// By joint color: the color of the coordinate that it becomes.
    colors: Vec<u8>,
}

/// The reduced coordinates together.
struct Reduced<'l> {
    coordinates: Vec<&'l Coordinate>,
    strides: Vec<usize>,
    joint: Coloring,
    /// By reduced coordinate: its color by joint color.
    projections: Vec<Vec<u16>>,
    /// By the colors of all reduced coordinates, as digits: the joint color.
    joined: Vec<u16>,
    /// By reduced coordinate: the number of colors, and for each place its slot, or the color of
    /// places that aren't in its orbit.
    n_colors: Vec<usize>,
    slots: Vec<Vec<Result<usize, usize>>>,
    places: Vec<usize>,
}

impl<'l> Reduced<'l> {
    fn new(moves: &Moves, layout: &'l Layout) -> Self {
        let numbers = layout.reduced.iter();
        let coordinates = numbers.map(|(number, _)| &layout.coordinates[*number]);
        let coordinates: Vec<&Coordinate> = coordinates.collect();
        let joint = Coloring::join(moves.n_positions, coordinates.iter().map(|it| &it.coloring));
        let projections = coordinates.iter().map(|it| it.coloring.by_finer(&joint));
        let projections: Vec<Vec<u16>> = projections.collect();
        let n_colors = projections
            .iter()
            .map(|colors| colors.iter().max().map_or(1, |most| usize::from(*most) + 1));
        let n_colors: Vec<usize> = n_colors.collect();
        let mut joined = vec![u16::MAX; n_colors.iter().product()];
        let n_joint = projections.first().map_or(0, Vec::len);
        for color in 0..n_joint {
            let at = |at, (colors, n): (&Vec<u16>, &usize)| at * n + usize::from(colors[color]);
            joined[projections.iter().zip(&n_colors).fold(0, at)] = color as u16;
        }
        let places = coordinates.iter().flat_map(|it| &it.places).copied();
        let places: BTreeSet<usize> = places.collect();
        let places: Vec<usize> = places.into_iter().collect();
        let slots = coordinates.iter().map(|coordinate| {
            let slot = |place: &usize| {
                let slot = coordinate.places.iter().position(|it| it == place);
                // Positions of other orbits have their colors in the goal.
                slot.ok_or(usize::from(coordinate.coloring.color(*place)))
            };
            places.iter().map(slot).collect()
        });
        Self {
            slots: slots.collect(),
            strides: layout.reduced.iter().map(|(_, stride)| *stride).collect(),
            coordinates,
            joint,
            projections,
            joined,
            n_colors,
            places,
        }
    }

    /// Write the joint colors of a raw value. Return `false` where no state has such colors.
    fn colors_of(&self, raw: usize, joint: &mut [u16]) -> bool {
        let parts = self.coordinates.iter().zip(&self.strides);
        let values = parts.map(|(it, stride)| it.colors((raw / stride % it.n) as u32));
        let values: Vec<&[u8]> = values.collect();
        self.places.iter().enumerate().all(|(i, place)| {
            let mut tuple = 0;
            for ((colors, slots), n) in zip(&values, &self.slots).zip(&self.n_colors) {
                let color =
                    slots[i].map_or_else(|outside| outside, |slot| usize::from(colors[slot]));
                tuple = tuple * n + color;
            }
            joint[*place] = self.joined[tuple];
            joint[*place] != u16::MAX
        })
    }

    /// Return, for each coordinate, the sources of the colors of its image.
    fn sources(&self, image: &Image) -> Vec<Sources> {
        let renaming = self.joint.renaming(&image.positions);
        let renaming = renaming.expect("a symmetry of the layout maps its colors to each other");
        let back = super::moves::inverse(&image.positions);
        let of_coordinate = |(coordinate, projection): (&&Coordinate, &Vec<u16>)| Sources {
            from: coordinate.places.iter().map(|place| back[*place]).collect(),
            colors: renaming
                .iter()
                .map(|color| projection[usize::from(*color)] as u8)
                .collect(),
        };
        self.coordinates
            .iter()
            .zip(&self.projections)
            .map(of_coordinate)
            .collect()
    }

    /// Return the raw value of an image of a state with these joint colors.
    fn image(&self, sources: &[Sources], joint: &[u16], scratch: &mut Vec<u8>) -> Option<usize> {
        let mut raw = 0;
        for ((coordinate, sources), stride) in
            self.coordinates.iter().zip(sources).zip(&self.strides)
        {
            let colors = sources
                .from
                .iter()
                .map(|from| sources.colors[usize::from(joint[*from])]);
            scratch.clear();
            scratch.extend(colors);
            raw += coordinate.value(scratch)? as usize * stride;
        }
        Some(raw)
    }
}
