use std::collections::BTreeSet;

use proptest::prelude::*;
use sorted_states::{Ascending, FileError, Files, Form, Merge, Reader, Runs};

use crate::{forms, state, states};

/// Return readers of the sets: of files, but for every third one.
fn readers(files: &Files, sets: &[BTreeSet<u64>]) -> Result<Vec<Reader>, FileError> {
    let open = |(number, set): (usize, &BTreeSet<u64>)| {
        let states = states(files.form(), set.iter().copied());
        match number % 3 {
            2 => Ok(files.in_memory(states)),
            _ => files.write(&states)?.open(),
        }
    };
    sets.iter().enumerate().map(open).collect()
}

fn all(mut states: impl Ascending) -> Result<Vec<Vec<u64>>, FileError> {
    let mut all = Vec::new();
    while states.advance()? {
        all.push(states.state().to_vec());
    }
    assert!(!states.advance()?, "the end stays the end");
    Ok(all)
}

fn sets(n: usize) -> impl Strategy<Value = Vec<BTreeSet<u64>>> {
    prop::collection::vec(prop::collection::btree_set(0_u64..200, 0..100), 0..n)
}

proptest! {
    #![proptest_config(crate::cases())]

    /// States that some sets have and others don't, whatever the size of buffers.
    #[test]
    fn a_merge_is_the_union_and_leaves_out_what_is_known(
        form in forms(), some in sets(7), others in sets(5), buffer in 0_usize..400,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path(), form, buffer);
        let numbers = |sets: &[BTreeSet<u64>]| sets.iter().flatten().copied().collect();
        let (union, known): (BTreeSet<u64>, BTreeSet<u64>) = (numbers(&some), numbers(&others));
        let of = |numbers: &[u64]| -> Vec<Vec<u64>> { numbers.iter().map(|it| state(form, *it)).collect() };
        let merge = || Merge::new(readers(&files, &some).unwrap()).unwrap();
        prop_assert_eq!(all(merge()).unwrap(), of(&Vec::from_iter(union.clone())));
        let (mut candidates, mut without) = (merge(), Vec::new());
        let mut passed = Merge::new(readers(&files, &others).unwrap()).unwrap();
        while candidates.advance().unwrap() {
            if !passed.skip_to(candidates.state()).unwrap() {
                without.push(candidates.state().to_vec());
            }
        }
        let new: Vec<u64> = union.difference(&known).copied().collect();
        prop_assert_eq!(without, of(&new));
        prop_assert_eq!(candidates.n_read(), some.iter().map(|set| set.len() as u64).sum::<u64>());
        drop((candidates, passed));
        prop_assert_eq!(files.usage().bytes, 0);
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Runs in memory and on the disk, whatever the room in memory.
    #[test]
    fn runs_go_to_the_disk_when_the_memory_is_full(
        form in forms(), added in sets(20), memory in 0_u64..4_000, buffer in 0_usize..400,
        most in 0_usize..400,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::with_memory(folder.path(), form, buffer, memory);
        let mut runs = Runs::new(4);
        for set in &added {
            let words = states(form, set.iter().copied());
            let room = files.room_in_memory();
            let run = files.write_run(words, most, || runs.take_from_memory()).unwrap();
            prop_assert!(!run.is_in_memory() || run.n_bytes() <= room);
            for number in set.iter().step_by(40) {
                prop_assert!(run.contains(&state(form, *number)).unwrap());
            }
            runs.add(run);
            if runs.is_full() {
                runs.merge(&files).unwrap();
            }
            prop_assert!(files.bytes_in_memory() <= memory);
            prop_assert_eq!(files.usage().bytes + files.bytes_in_memory(), runs.n_bytes());
        }
        let in_files = std::fs::read_dir(folder.path()).unwrap();
        let in_files: u64 = in_files.map(|it| it.unwrap().metadata().unwrap().len()).sum();
        prop_assert_eq!(files.usage().bytes, in_files);
        let union: BTreeSet<u64> = added.iter().flatten().copied().collect();
        let expected: Vec<Vec<u64>> = union.iter().map(|it| state(form, *it)).collect();
        prop_assert_eq!(all(Merge::new(runs.open().unwrap()).unwrap()).unwrap(), expected);
        let further = states(form, [3, 500]);
        let with = Merge::new(runs.open_with(&files, further, most).unwrap()).unwrap();
        let more: BTreeSet<u64> = union.into_iter().chain([3, 500]).collect();
        let more: Vec<Vec<u64>> = more.iter().map(|it| state(form, *it)).collect();
        prop_assert_eq!(all(with).unwrap(), more);
        drop(runs);
        prop_assert_eq!((files.usage().bytes, files.bytes_in_memory()), (0, 0));
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn runs_are_merged_into_one_without_duplicates(form in forms(), added in sets(20)) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path(), form, 100);
        let mut runs = Runs::new(4);
        let mut duplicates = 0;
        for set in &added {
            runs.add(files.write(&states(form, set.iter().copied())).unwrap());
            if runs.is_full() {
                duplicates += runs.merge(&files).unwrap();
                prop_assert_eq!(runs.len(), 1);
            }
        }
        let union: BTreeSet<u64> = added.iter().flatten().copied().collect();
        let expected: Vec<Vec<u64>> = union.iter().map(|it| state(form, *it)).collect();
        prop_assert_eq!(files.usage().bytes, runs.n_bytes());
        let readers = runs.open().unwrap().into_iter();
        let left = readers.map(|it| it.first(usize::MAX).unwrap().len() / form.words());
        let left: usize = left.sum();
        let merge = Merge::new(runs.open().unwrap()).unwrap();
        prop_assert_eq!(all(merge).unwrap(), expected);
        let n: usize = added.iter().map(BTreeSet::len).sum();
        prop_assert_eq!(left as u64 + duplicates, n as u64);
    }
}

/// Whether a run stays in memory is decided by what its differences take, not by its states.
#[test]
fn runs_leave_the_memory_when_their_differences_fill_it() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::with_memory(folder.path(), Form::whole(1), 1 << 16, 100_000);
    let mut runs = Runs::new(64);
    // 400,000 bytes of states in each, but at most 25,000 of differences.
    for begin in 0..4 {
        let words = (0..50_000).map(|number| 4 * number + begin).collect();
        let run = files
            .write_run(words, 0, || runs.take_from_memory())
            .unwrap();
        runs.add(run);
    }
    assert_eq!((runs.len(), files.usage().written), (4, 0));
    // Far apart, they don't fit, and take the others along.
    let words = (0..50_000).map(|number| number << 40).collect();
    let run = files
        .write_run(words, 0, || runs.take_from_memory())
        .unwrap();
    assert!(!run.is_in_memory());
    assert!(runs.is_empty());
    assert_eq!(files.bytes_in_memory(), 0);
    // All multiples of 2^40 but 0 are beyond the numbers before.
    assert_eq!(run.content().states, 200_000 + 50_000 - 1);
}
