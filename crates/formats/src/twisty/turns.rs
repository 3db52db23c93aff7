//! The effects of moves on a set, and their multiples.

/// The greatest order of a move whose multiples are made.
pub const MOST_ORDER: usize = 1000;

/// The effect of a move on a set.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// Whether it changes nothing.
    pub(super) fn is_identity(&self) -> bool {
        *self == Self::identity(self.from.len())
    }
}

/// A move and its multiples, without the last one, the identity. `None` above [`MOST_ORDER`].
pub(super) fn multiples(turns: &[Turn], orientations: &[usize]) -> Option<Vec<Vec<Turn>>> {
    let mut found = Vec::new();
    let mut power = turns.to_vec();
    while !power.iter().all(Turn::is_identity) {
        if found.len() + 1 >= MOST_ORDER {
            return None;
        }
        let next = power.iter().zip(turns).zip(orientations);
        let next = next.map(|((a, b), n)| a.then(b, *n)).collect();
        found.push(std::mem::replace(&mut power, next));
    }
    Some(found)
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
        let found = multiples(std::slice::from_ref(&turn), &[3]).unwrap_or_default();
        assert_eq!(found.len(), 5);
        assert_eq!(
            found[1][0],
            Turn {
                from: vec![0, 1],
                twist: vec![1, 1]
            }
        );
    }
}
