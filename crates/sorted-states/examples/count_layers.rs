//! Breadth-first search of a stack of pancakes with states in files.

use sorted_states::{Ascending, FileError, Files, Form, Merge, SortedFile, TemporaryFolder, sort};

const PANCAKES: u32 = 7;

/// The stack with its first pancakes turned over; each one takes four bits.
fn flipped(stack: u64, n: u32) -> u64 {
    let digit = |place: u32| stack >> (4 * place) & 15;
    let moved = (0..n).map(|place| digit(n - 1 - place) << (4 * place));
    moved.sum::<u64>() | stack >> (4 * n) << (4 * n)
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), FileError> {
    // The folder is removed at the end, also after an error.
    let folder = TemporaryFolder::new(&std::env::temp_dir(), "pancakes-")?;
    // States of one word, of which four bytes are used.
    let files = Files::new(folder.path(), Form::new(1, 4), 1 << 12);
    let sorted = (0..PANCAKES).map(|place| u64::from(place) << (4 * place));
    let mut layers = vec![files.write(&[sorted.sum()])?];
    while layers[layers.len() - 1].content().states > 0 {
        // Sort the successors in runs that fit the memory.
        let mut runs = Vec::new();
        let mut layer = layers[layers.len() - 1].open()?;
        loop {
            let states = layer.chunk()?;
            if states.is_empty() {
                break;
            }
            let successors = |stack: &u64| {
                let stack = *stack;
                (2..=PANCAKES).map(move |n| flipped(stack, n))
            };
            let mut successors: Vec<u64> = states.iter().flat_map(successors).collect();
            let kept = sort(&mut successors, 1);
            runs.push(files.write(&successors[..kept])?.open()?);
        }
        // Merge them, without the states of the last two layers.
        let mut new = Merge::new(runs)?;
        let recent = layers[layers.len().saturating_sub(2)..].iter();
        let mut known = Merge::new(recent.map(SortedFile::open).collect::<Result<_, _>>()?)?;
        let mut next = files.temporary();
        while new.advance()? {
            if !known.skip_to(new.state())? {
                next.push(new.state())?;
            }
        }
        layers.push(next.finish()?.into());
    }
    let counts: Vec<u64> = layers.iter().map(|layer| layer.content().states).collect();
    println!("states by distance: {counts:?}");
    assert_eq!(counts, [1, 6, 30, 149, 543, 1357, 1903, 1016, 35, 0]);
    Ok(())
}
