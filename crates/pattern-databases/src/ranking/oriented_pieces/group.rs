//! The ways in which a block returns to itself.

use std::collections::BTreeSet;

use ahash::AHashSet;

/// The maximum number of ways in which a block may return to itself.
const MOST_SYMMETRIES: usize = 120;

/// The ways in which a block returns to itself.
pub(super) struct Group {
    pub(super) elements: Vec<Vec<usize>>,
    /// Whether the elements are the powers of the second one, in order.
    pub(super) is_cyclic: bool,
}

impl Group {
    pub(super) fn generated<'a>(
        width: usize,
        generators: impl Iterator<Item = &'a Vec<usize>>,
    ) -> Option<Self> {
        let identity: Vec<usize> = (0..width).collect();
        let generators: BTreeSet<&Vec<usize>> = generators.collect();
        let mut seen = AHashSet::from([identity.clone()]);
        let mut elements = vec![identity];
        let mut next = 0;
        while next < elements.len() {
            for generator in &generators {
                let product = compose(&elements[next], generator);
                if seen.insert(product.clone()) {
                    elements.push(product);
                    if elements.len() > MOST_SYMMETRIES {
                        return None;
                    }
                }
            }
            next += 1;
        }
        elements[1..].sort_unstable();
        for element in &elements {
            let mut powers = vec![elements[0].clone()];
            loop {
                let power = compose(&powers[powers.len() - 1], element);
                if power == elements[0] {
                    break;
                }
                powers.push(power);
            }
            if powers.len() == elements.len() {
                return Some(Self {
                    elements: powers,
                    is_cyclic: true,
                });
            }
        }
        Some(Self {
            elements,
            is_cyclic: false,
        })
    }

    /// Return all contents that a content can be turned into; in the order of the elements if they
    /// are equally many.
    pub(super) fn orbit(&self, content: &[u32]) -> Vec<Vec<u32>> {
        let mut orbit: Vec<Vec<u32>> = Vec::new();
        for element in &self.elements {
            let mut turned = vec![0; content.len()];
            for (i, value) in content.iter().enumerate() {
                turned[element[i]] = *value;
            }
            if !orbit.contains(&turned) {
                orbit.push(turned);
            }
        }
        orbit
    }

    pub(super) fn number(&self, element: &[usize]) -> usize {
        let found = self.elements.iter().position(|other| other == element);
        found.expect("the group is closed")
    }
}

/// Apply one permutation, then the other.
fn compose(one: &[usize], then: &[usize]) -> Vec<usize> {
    one.iter().map(|i| then[*i]).collect()
}
