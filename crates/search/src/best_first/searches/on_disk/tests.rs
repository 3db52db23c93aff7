//! Lists of states in memory. `tests/best_first` has the searches.

use psvn_ir::testing::SplitMix64;

use super::room::words::Words;
use super::room::{Room, Shares};
use super::sets::sort;

#[test]
fn states_of_any_width_are_sorted() {
    for n_words in 1..7 {
        let room = Room::new(Shares::TINY, n_words);
        let mut random = SplitMix64::new(n_words as u64);
        let mut states: Vec<Vec<u64>> = (0..2000)
            .map(|_| (0..n_words).map(|_| random.next_u64() % 50).collect())
            .collect();
        let mut words = Words::new(&room);
        words.extend(&states.concat()).expect("enough memory");
        let duplicates = sort(&mut words, n_words).expect("enough memory");
        states.sort();
        states.dedup();
        let blocks = words.blocks();
        let sorted: Vec<&[u64]> = blocks.flat_map(|it| it.chunks(n_words)).collect();
        assert_eq!(sorted, states);
        assert_eq!(duplicates as usize, 2000 - states.len());
        let middle = &states[states.len() / 2];
        assert_eq!(words.state(states.len() / 2 * n_words, n_words), middle);
        drop(words);
        assert!(room.peak() > 0 && !room.is_full());
    }
}
