//! Maps of values, to combine with a map of variables.

use crate::subject::named_values::named_values;
use psvn_ir::{DomainId, Game, Value};

/// If rules name more values of a domain than this, only the identity is tried.
const MOST_NAMED: usize = 4;
/// The most maps that are tried.
const MOST_MAPS: usize = 48;

/// For each domain, the image of each value.
#[derive(Clone, Debug)]
pub(super) struct ValueMap(Vec<Vec<u32>>);

impl ValueMap {
    pub(super) fn image(&self, domain: DomainId, value: Value) -> Value {
        Value(self.0[domain.index()][value.index()])
    }
}

/// The maps to try, the identity first: permutations of the named values, domain by domain.
pub(super) fn maps(game: &Game) -> Vec<ValueMap> {
    let named = named_values(game);
    let identity = ValueMap(
        game.domains()
            .iter()
            .map(|domain| (0..domain.size() as u32).collect())
            .collect(),
    );
    let mut maps = vec![identity];
    for (domain, named) in named.iter().enumerate() {
        let values: Vec<u32> = (0..named.len() as u32)
            .filter(|value| named[*value as usize])
            .collect();
        if values.len() > MOST_NAMED {
            continue;
        }
        let orders = orders(&values);
        if maps.len() * orders.len() > MOST_MAPS {
            continue;
        }
        maps = maps
            .iter()
            .flat_map(|map| {
                orders.iter().map(|order| {
                    let mut map = map.clone();
                    for (value, image) in values.iter().zip(order) {
                        map.0[domain][*value as usize] = *image;
                    }
                    map
                })
            })
            .collect();
    }
    maps
}

/// All orders of a few values, the given one first.
fn orders(values: &[u32]) -> Vec<Vec<u32>> {
    if values.is_empty() {
        return vec![Vec::new()];
    }
    (0..values.len())
        .flat_map(|first| {
            let mut rest = values.to_vec();
            let value = rest.remove(first);
            orders(&rest).into_iter().map(move |mut order| {
                order.insert(0, value);
                order
            })
        })
        .collect()
}
