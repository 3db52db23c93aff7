//! Sorting where it takes little time.
//!
//! The standard library's sorts are compiled for each type and each order, and each takes as long
//! as some hundred lines of code. These are compiled once.

use std::cmp::Ordering;

/// Sort a list by a key. Items with equal keys keep their order.
///
/// Time O(n log n), with a call and two keys for each comparison.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sort a list by a comparison. Equal items keep their order.
///
/// Time O(n log n), with a call for each comparison.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|one, other| {
        compare(&items[one], &items[other])
    });
    rearrange(order, &mut |one, other| items.swap(one, other));
}

/// Return the numbers of `n` items in their order.
fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Put the item with number `order[i]` at place `i`, for each `i`.
fn rearrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // Go around a cycle, at whose end is the item that was at its start.
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use crate::random::SplitMix64;

    #[test]
    fn items_are_sorted_as_by_the_standard_library() {
        let mut random = SplitMix64::new(1);
        for n in 0..200 {
            let items: Vec<(usize, usize)> = (0..n).map(|i| (random.below(20), i)).collect();
            let (mut own, mut other) = (items.clone(), items);
            super::by_key(&mut own, |item| Reverse(item.0));
            other.sort_by_key(|item| Reverse(item.0));
            assert_eq!(own, other);
            super::by(&mut own, |one, other| one.0.cmp(&other.0));
            other.sort_by_key(|item| item.0);
            assert_eq!(own, other);
        }
    }
}
