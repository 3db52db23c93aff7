//! The effects of moves on a set, and their multiples.

use super::puzzle::Set;

/// The greatest order of a move whose multiples are made.
pub const MOST_ORDER: usize = 1000;

/// The effect of a move on a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// For each place, the place that its new piece comes from.
    pub from: Vec<usize>,
    /// For each place, by how much its new piece is turned.
    pub twist: Vec<usize>,
}

impl Turn {
    /// The turn that changes nothing.
    pub(super) fn identity(places: usize) -> Self {
        Self {
            from: (0..places).collect(),
            twist: vec![0; places],
        }
    }

    /// This turn, and then `next`.
    pub(super) fn then(&self, next: &Self, orientations: usize) -> Self {
        let from = next.from.iter().map(|place| self.from[*place]).collect();
        let twists = next.from.iter().zip(&next.twist);
        let twist = twists
            .map(|(place, twist)| (self.twist[*place] + twist) % orientations)
            .collect();
        Self { from, twist }
    }

    /// The turn that undoes this one.
    fn undone(&self, orientations: usize) -> Self {
        let mut undone = Self::identity(self.from.len());
        for (place, (from, twist)) in self.from.iter().zip(&self.twist).enumerate() {
            undone.from[*from] = place;
            undone.twist[*from] = (orientations - twist) % orientations;
        }
        undone
    }

    /// Whether it changes nothing.
    pub(super) fn is_identity(&self) -> bool {
        *self == Self::identity(self.from.len())
    }
}

/// The group of all effects on the sets of a puzzle, one turn for each set.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// For each set, its places and orientations.
    sizes: Vec<(usize, usize)>,
}

impl Group {
    pub(super) fn of(sets: &[Set]) -> Self {
        let sizes = sets.iter().map(|set| (set.places(), set.orientations));
        Self {
            sizes: sizes.collect(),
        }
    }

    /// The group of permutations of one set whose pieces don't turn.
    pub(super) fn of_permutations(places: usize) -> Self {
        Self {
            sizes: vec![(places, 1)],
        }
    }

    /// The number of places, to which the time for each operation is proportional.
    pub(super) fn places(&self) -> usize {
        self.sizes.iter().map(|(places, _)| places).sum()
    }

    /// The effect that changes nothing.
    pub(super) fn identity(&self) -> Vec<Turn> {
        let sizes = self.sizes.iter();
        sizes.map(|(places, _)| Turn::identity(*places)).collect()
    }

    /// One effect, and then the next.
    pub(super) fn then(&self, one: &[Turn], next: &[Turn]) -> Vec<Turn> {
        let both = one.iter().zip(next).zip(&self.sizes);
        both.map(|((one, next), (_, n))| one.then(next, *n))
            .collect()
    }

    /// The effect that undoes another.
    pub(super) fn undone(&self, turns: &[Turn]) -> Vec<Turn> {
        let turns = turns.iter().zip(&self.sizes);
        turns.map(|(turn, (_, n))| turn.undone(*n)).collect()
    }

    /// An effect seen after another: `way`, the effect, and `way` undone.
    pub(super) fn conjugate(&self, way: &[Turn], turns: &[Turn]) -> Vec<Turn> {
        self.then(&self.then(way, turns), &self.undone(way))
    }

    /// An effect some times, by repeated squaring.
    pub(super) fn times(&self, turns: &[Turn], mut times: u32) -> Vec<Turn> {
        let (mut product, mut square) = (self.identity(), turns.to_vec());
        while times > 0 {
            if times % 2 == 1 {
                product = self.then(&product, &square);
            }
            times /= 2;
            square = self.then(&square, &square);
        }
        product
    }

    /// An effect and its multiples, without the last one, the identity. `None` above
    /// [`MOST_ORDER`].
    pub(super) fn multiples(&self, turns: &[Turn]) -> Option<Vec<Vec<Turn>>> {
        let mut found = Vec::new();
        let mut power = turns.to_vec();
        while !power.iter().all(Turn::is_identity) {
            if found.len() + 1 >= MOST_ORDER {
                return None;
            }
            let next = self.then(&power, turns);
            found.push(std::mem::replace(&mut power, next));
        }
        Some(found)
    }
}

/// The name of a move made `times` times, if `order` times are the identity: R, R2, R'.
pub(super) fn multiple_name(name: &str, times: usize, order: usize) -> String {
    let back = order - times;
    match (times, back) {
        (1, _) => name.to_owned(),
        (_, 1) => format!("{name}'"),
        _ if back < times => format!("{name}{back}'"),
        _ => format!("{name}{times}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_named_by_the_shorter_way() {
        let names = |order: usize| (1..order).map(move |times| multiple_name("R", times, order));
        assert_eq!(names(2).collect::<Vec<_>>(), ["R"]);
        assert_eq!(names(4).collect::<Vec<_>>(), ["R", "R2", "R'"]);
        assert_eq!(names(5).collect::<Vec<_>>(), ["R", "R2", "R2'", "R'"]);
        assert_eq!(names(6).collect::<Vec<_>>(), ["R", "R2", "R3", "R2'", "R'"]);
    }

    #[test]
    fn a_turn_of_order_six_has_five_multiples() {
        let turn = Turn {
            from: vec![1, 0],
            twist: vec![1, 0],
        };
        let set = Set::new("A", 2, 3, psvn_syntax::Span::default());
        let group = Group::of(&[set]);
        let turn = std::slice::from_ref(&turn);
        let found = group.multiples(turn).unwrap_or_default();
        assert_eq!(found.len(), 5);
        assert_eq!(
            found[1][0],
            Turn {
                from: vec![0, 1],
                twist: vec![1, 1]
            }
        );
        assert_eq!(group.undone(turn), found[4]);
        assert_eq!(group.times(turn, 4), found[3]);
        assert_eq!(group.times(turn, 600), group.identity());
        assert_eq!(group.conjugate(&found[1], turn), turn);
    }
}
