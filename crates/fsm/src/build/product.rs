//! The product of two machines, which forbids what either of them forbids.

use std::collections::HashMap;

use ahash::RandomState;

use crate::error::BuildError;
use crate::machine::dense::Dense;

/// Build the machine that forbids a word if one of two machines forbids it.
///
/// It has a state for each pair of states that a word leads to, numbered breadth first; at worst,
/// their number is the product of the machines' numbers of states.
///
/// # Errors
/// When there are too many pairs for a dense table.
///
/// # Panics
/// When the machines have different alphabets.
pub fn product(a: &Dense, b: &Dense) -> Result<Dense, BuildError> {
    product_within(a, b, usize::MAX)
}

/// Like [`product`], within `most_bytes` bytes of memory: a table takes up to twice its size while
/// it grows.
///
/// # Errors
/// When there are more pairs than that, or too many for a dense table.
///
/// # Panics
/// When the machines have different alphabets.
pub fn product_within(a: &Dense, b: &Dense, most_bytes: usize) -> Result<Dense, BuildError> {
    assert_eq!(
        a.n_letters(),
        b.n_letters(),
        "machines over different alphabets"
    );
    let n_letters = a.n_letters();
    let bytes_of_state = 2 * Dense::bytes_of_row(n_letters);
    let most_states = most_bytes as u128 / bytes_of_state;
    let mut dense = Dense::with_capacity(n_letters, 1)?;
    let mut rows: HashMap<(usize, usize), u32, RandomState> = HashMap::default();
    // Both start in state 1.
    let mut pairs = vec![(1, 1)];
    rows.insert((1, 1), dense.push_state());
    let mut row = vec![0_u32; n_letters as usize];
    let mut head = 0;
    while head < pairs.len() {
        let (p, q) = pairs[head];
        for (slot, next) in row.iter_mut().zip(a.successors(p).zip(b.successors(q))) {
            *slot = match next {
                (0, _) | (_, 0) => 0,
                pair => match rows.get(&pair) {
                    Some(row) => *row,
                    None => {
                        if pairs.len() as u128 >= most_states {
                            return Err(BuildError::TooLarge {
                                states: pairs.len() + 1,
                                n_letters,
                            });
                        }
                        Dense::check_size(n_letters, pairs.len() + 1)?;
                        let fresh = dense.push_state();
                        rows.insert(pair, fresh);
                        pairs.push(pair);
                        fresh
                    }
                },
            };
        }
        dense.set_row(rows[&(p, q)], &row);
        head += 1;
    }
    dense.finish();
    Ok(dense)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordAutomaton;

    #[test]
    fn products_end_where_they_get_too_large() {
        let machine = |word: [u32; 3]| WordAutomaton::forbidding(2, [word]).unwrap().build();
        let (a, b) = (machine([0, 0, 1]).unwrap(), machine([1, 1, 0]).unwrap());
        let both = product(&a, &b).unwrap();
        let bytes_of_state = 2 * Dense::bytes_of_row(2) as usize;
        let bytes = both.n_states() * bytes_of_state;
        assert_eq!(product_within(&a, &b, bytes), Ok(both.clone()));
        assert!(product_within(&a, &b, bytes - 1).is_err());
    }
}
