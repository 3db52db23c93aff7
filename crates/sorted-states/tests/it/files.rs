use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use sorted_states::{Ascending, Content, FileError, Files, Form, Reader};

use crate::{forms, state, states};

fn rest(mut reader: Reader) -> Result<Vec<u64>, FileError> {
    let mut all = Vec::new();
    while reader.advance()? {
        all.extend_from_slice(reader.state());
    }
    Ok(all)
}

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn states_are_read_back_and_found(
        form in forms(),
        numbers in prop::collection::btree_set(0_u64..256, 0..150),
        buffer in 0_usize..400,
        most in 0_usize..200,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path(), form, buffer);
        let words = states(form, numbers.iter().copied());
        let path = folder.path().join("kept.states");
        let mut writer = files.create(&path);
        for state in words.chunks_exact(form.words()) {
            writer.push(state).unwrap();
        }
        let file = writer.finish().unwrap();
        prop_assert_eq!(file.n_bytes(), file.content().bytes);
        prop_assert_eq!(path.exists(), !numbers.is_empty());
        for number in 0..256 {
            prop_assert_eq!(file.contains(&state(form, number)).unwrap(), numbers.contains(&number));
        }
        let content = file.content();
        drop(file);
        let open = || files.open(&path, content).unwrap();
        prop_assert_eq!(&rest(open()).unwrap(), &words);
        let first = words[..words.len().min(most * form.words())].to_vec();
        prop_assert_eq!(open().first(most).unwrap(), first);
        let (mut reader, mut chunks) = (open(), Vec::new());
        // A state, and then all others.
        if reader.advance().unwrap() {
            chunks.extend_from_slice(reader.state());
        }
        loop {
            let chunk = reader.chunk().unwrap();
            if chunk.is_empty() {
                break;
            }
            chunks.extend_from_slice(chunk);
        }
        prop_assert_eq!(&chunks, &words);
        if !numbers.is_empty() {
            let bytes = fs::read(&path).unwrap();
            prop_assert_eq!(crc32fast::hash(&bytes), content.crc32);
            prop_assert_eq!(bytes.len() as u64, content.bytes);
        }
    }

    #[test]
    fn damage_is_reported_with_the_name(form in forms(), n in 1_u64..100, at in any::<prop::sample::Index>()) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path(), form, 200);
        let path = folder.path().join("kept.states");
        let mut writer = files.create(&path);
        writer.extend(&states(form, 0..n)).unwrap();
        let content = writer.finish().unwrap().content();
        let whole = fs::read(&path).unwrap();
        let error = || {
            let error = rest(files.open(&path, content).unwrap()).unwrap_err();
            assert!(matches!(error, FileError::Damaged { .. }), "{error:?}");
            error.to_string()
        };
        let mut changed = whole.clone();
        changed[at.index(whole.len())] ^= 1;
        fs::write(&path, &changed).unwrap();
        prop_assert_eq!(error(), format!("{}: its checksum is wrong", path.display()));
        fs::write(&path, &whole[..at.index(whole.len())]).unwrap();
        prop_assert!(error().contains("shorter than when it was written"));
        fs::remove_file(&path).unwrap();
        let gone = files.open(&path, content).unwrap_err();
        let is_named = matches!(&gone, FileError::Io { path: it, .. } if *it == path);
        prop_assert!(is_named);
    }

    /// Whatever is written and removed, the bytes on the disk are those that are counted.
    #[test]
    fn bytes_are_counted_and_limited(
        form in forms(), sizes in prop::collection::vec(0_u64..40, 1..12), quota in 0_u64..3_000,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let sizes_on_disk = sizes.iter().map(|size| {
            let files = Files::new(folder.path(), form, 64);
            files.write(&states(form, 0..*size)).unwrap().n_bytes()
        });
        let sizes_on_disk: Vec<u64> = sizes_on_disk.collect();
        let files = Files::with_quota(folder.path(), form, 64, quota);
        let on_disk = || -> u64 {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
        };
        let mut kept = Vec::new();
        let mut written = 0;
        for (number, size) in sizes.into_iter().enumerate() {
            let bytes = sizes_on_disk[number];
            let before = files.usage().bytes;
            match files.write(&states(form, 0..size)) {
                Ok(file) => {
                    prop_assert!(before + bytes <= quota);
                    kept.push(file);
                }
                Err(error) => {
                    prop_assert!(before + bytes > quota);
                    prop_assert!(matches!(error, FileError::Quota(it) if it == quota));
                }
            }
            prop_assert_eq!(files.usage().bytes, on_disk());
            prop_assert!(files.usage().peak <= quota && files.usage().peak >= on_disk());
            written += bytes;
            if number % 3 == 0 && !kept.is_empty() {
                kept.swap_remove(0);
            }
        }
        prop_assert!(files.usage().written <= written);
        let mut all = 0;
        for file in &kept {
            rest(file.open().unwrap()).unwrap();
            all += file.n_bytes();
        }
        prop_assert_eq!((files.usage().read, files.usage().bytes), (all, all));
    }
}

#[test]
fn a_file_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(&folder.path().join("missing"), Form::whole(1), 1 << 10);
    let error = files.write(&[1]).unwrap_err().to_string();
    assert!(error.contains("missing/run-000000.states: "), "{error}");
}

#[test]
fn a_full_disk_is_an_error() {
    // This device is always full.
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), Form::whole(2), 1 << 10);
    let mut writer = files.create(full);
    writer.extend(&[0, 1, 2, 3]).unwrap();
    let Err(FileError::Io { path, source }) = writer.finish() else {
        panic!("no error");
    };
    assert_eq!(
        (path.as_path(), source.kind()),
        (full, std::io::ErrorKind::StorageFull)
    );
}

#[test]
fn no_states_need_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), Form::whole(3), 1 << 10);
    let nothing = files.open(&folder.path().join("none"), Content::default());
    assert!(nothing.unwrap().first(5).unwrap().is_empty());
    let run = files.write(&[]).unwrap();
    assert!(!run.path().exists() && !run.contains(&[0; 3]).unwrap());
    let set = BTreeSet::from_iter([1_u64]);
    assert_eq!(
        rest(files.in_memory(states(files.form(), set)))
            .unwrap()
            .len(),
        3
    );
}
