//! Machine files as a whole: written files can be read, and damage is detected.

use fsm::{AnyMachine, FileError, MachineFile, MachineKind, OpenFile, RulePart, WordAutomaton};
use proptest::prelude::*;

use crate::support::{
    VERSION_1, automaton, compressed, example, full_example, operator_example, same_words,
    split_example, word_sets,
};

fn examples() -> [Vec<u8>; 5] {
    [
        VERSION_1.to_vec(),
        example().to_bytes(),
        full_example().to_bytes(),
        operator_example().to_bytes(),
        split_example().to_bytes(),
    ]
}

#[test]
fn what_is_written_can_be_read() {
    for file in [
        example(),
        full_example(),
        operator_example(),
        split_example(),
    ] {
        assert_eq!(MachineFile::from_bytes(&file.to_bytes()), Ok(file));
    }
    for kind in [
        MachineKind::Table,
        MachineKind::Minimized,
        MachineKind::MinimizedWithDontCares,
    ] {
        let file = MachineFile {
            kind: Some(kind),
            ..example()
        };
        assert_eq!(MachineFile::from_bytes(&file.to_bytes()), Ok(file));
    }
    let without_letters = WordAutomaton::new(0);
    for machine in [
        AnyMachine::from(without_letters.build().unwrap()),
        AnyMachine::from(compressed(&without_letters)),
    ] {
        let file = MachineFile::new([1; 32], machine);
        assert_eq!(MachineFile::from_bytes(&file.to_bytes()), Ok(file));
    }
}

#[test]
fn files_of_version_1_are_read() {
    assert_eq!(MachineFile::from_bytes(VERSION_1), Ok(example()));
    let open = OpenFile::from_bytes(VERSION_1.to_vec()).unwrap();
    assert_eq!(open.to_machine_file(), Ok(example()));
    assert_eq!(
        MachineFile::from_bytes(include_bytes!("../data/version-1-truncated.fsm")),
        Err(FileError::Checksum)
    );
    assert_eq!(
        MachineFile::from_bytes(include_bytes!("../data/version-1-flipped-bit.fsm")),
        Err(FileError::Checksum)
    );
}

/// A file as written by an older program.
#[test]
fn files_of_version_2_are_read() {
    let bytes = include_bytes!("../data/version-2.fsm");
    assert_eq!(bytes[8], 2);
    let file = MachineFile::from_bytes(bytes).unwrap();
    assert_eq!((file.machine.n_letters(), file.max_length), (5, 3));
    assert!(!file.words.is_empty());
    assert!(!file.rests_on_assumptions);
    // Only the version and its checksum have changed.
    let mut written = file.to_bytes();
    written[8] = 2;
    forge_checksums(&mut written);
    assert_eq!(written, bytes);
    // It has no flags.
    written[68] = 1;
    forge_checksums(&mut written);
    assert!(matches!(
        MachineFile::from_bytes(&written),
        Err(FileError::Inconsistent(_))
    ));
}

/// Version 3 is version 4 without parts.
#[test]
fn files_of_version_3_are_read() {
    let file = MachineFile {
        rests_on_assumptions: true,
        ..full_example()
    };
    let mut bytes = file.to_bytes();
    bytes[8] = 3;
    forge_checksums(&mut bytes);
    assert_eq!(MachineFile::from_bytes(&bytes), Ok(file));
    let mut bytes = split_example().to_bytes();
    bytes[8] = 3;
    forge_checksums(&mut bytes);
    assert!(matches!(
        MachineFile::from_bytes(&bytes),
        Err(FileError::Inconsistent(_))
    ));
}

#[test]
fn files_say_whether_they_depend_on_assumptions() {
    let file = MachineFile {
        rests_on_assumptions: true,
        ..full_example()
    };
    let read = MachineFile::from_bytes(&file.to_bytes()).unwrap();
    assert!(read.rests_on_assumptions);
    assert_eq!(read, file);
}

#[test]
fn other_versions_and_other_files_are_named() {
    let mut bytes = example().to_bytes();
    bytes[8] = 5;
    let error = MachineFile::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, FileError::Version { found: 5 });
    assert_eq!(
        error.to_string(),
        "this machine file has format version 5, and this program reads versions up to 4"
    );
    assert_eq!(MachineFile::from_bytes(b"2\n2 2\n"), Err(FileError::Magic));
    assert_eq!(MachineFile::from_bytes(b""), Err(FileError::Magic));
}

#[test]
fn every_damaged_byte_and_every_truncation_is_noticed() {
    for bytes in examples() {
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            assert!(MachineFile::from_bytes(cut).is_err(), "cut at {length}");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                let read = MachineFile::from_bytes(&damaged);
                assert!(read.is_err(), "bit {bit} of byte {place}");
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(MachineFile::from_bytes(&longer).is_err());
    }
}

/// Return the place of each section, from the header.
fn sections(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    (0..4)
        .map(|i| (long(88 + 16 * i), long(96 + 16 * i)))
        .map(|(start, len)| start..start.saturating_add(len))
        .collect()
}

/// Recompute the checksums of a file of version 2 to 4.
fn forge_checksums(bytes: &mut [u8]) {
    for (i, section) in sections(bytes).into_iter().enumerate() {
        if let Some(section) = bytes.get(section) {
            let checksum = crc32fast::hash(section);
            bytes[152 + 4 * i..][..4].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = crc32fast::hash(&bytes[..188]);
    bytes[188..192].copy_from_slice(&checksum.to_le_bytes());
}

/// Open a file whose checksums are right, read all of it, and walk the machine.
fn look_at(bytes: &[u8]) {
    let Ok(open) = OpenFile::from_bytes(bytes.to_vec()) else {
        return;
    };
    let _ = open.swaps();
    let _ = open.words().count();
    let machine = open.machine();
    let _ = same_words(machine, machine, machine.n_letters().min(5));
    let _ = machine.to_dense();
    if let AnyMachine::Compressed(machine) = machine {
        for state in machine.states() {
            let _ = machine.successors(state).count();
        }
    }
    if let Ok(file) = open.to_machine_file() {
        // A file that passes all checks can be written and read again.
        assert_eq!(MachineFile::from_bytes(&file.to_bytes()), Ok(file));
    }
}

#[test]
fn hostile_numbers_behind_good_checksums_do_no_harm() {
    for bytes in [example().to_bytes(), full_example().to_bytes()] {
        for place in 12..bytes.len() - 3 {
            for number in [u32::MAX, u32::MAX / 2, 0, 1, 64, 1000] {
                let mut hostile = bytes.clone();
                hostile[place..place + 4].copy_from_slice(&number.to_le_bytes());
                forge_checksums(&mut hostile);
                look_at(&hostile);
            }
        }
    }
    for place in (44..VERSION_1.len() - 7).step_by(4) {
        let mut hostile = VERSION_1[..VERSION_1.len() - 4].to_vec();
        hostile[place..place + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let checksum = crc32fast::hash(&hostile);
        hostile.extend_from_slice(&checksum.to_le_bytes());
        let _ = MachineFile::from_bytes(&hostile);
    }
}

#[test]
fn a_machine_that_leads_nowhere_is_refused_in_full_and_harmless_in_part() {
    for bytes in [example().to_bytes(), full_example().to_bytes()] {
        let section = sections(&bytes)[1].clone();
        let mut n_refused = 0;
        for word in section.step_by(4) {
            let mut hostile = bytes.clone();
            hostile[word..word + 4].copy_from_slice(&0x00ff_ffff_u32.to_le_bytes());
            forge_checksums(&mut hostile);
            n_refused += usize::from(MachineFile::from_bytes(&hostile).is_err());
            look_at(&hostile);
        }
        assert_eq!(n_refused * 4, sections(&bytes)[1].len());
    }
}

#[test]
fn orders_must_be_of_all_letters() {
    for rule_order in [
        vec![0],
        vec![0, 1],
        vec![0, 1, 1],
        vec![0, 1, 3],
        vec![0, 1, 2, 2],
    ] {
        let file = MachineFile {
            rule_order,
            ..example()
        };
        let error = MachineFile::from_bytes(&file.to_bytes()).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent(_)), "{error}");
    }
}

#[test]
fn operators_are_letters_and_only_their_words_have_several_replacements() {
    let refused = |file: MachineFile| {
        let error = MachineFile::from_bytes(&file.to_bytes()).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent(_)), "{error}");
    };
    let mut file = operator_example();
    file.operator_of[6] = 3;
    refused(file);
    let mut file = operator_example();
    file.words[1].replacements.clear();
    refused(file);
    let mut file = operator_example();
    file.words[2].replacements[2] = [0, 3].into();
    refused(file);
    let mut file = operator_example();
    file.operator_of.clear();
    refused(file);
}

#[test]
fn parts_are_letters_and_replacements_rules() {
    let refused = |change: fn(&mut MachineFile)| {
        let mut file = split_example();
        change(&mut file);
        let error = MachineFile::from_bytes(&file.to_bytes()).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent(_)), "{error}");
    };
    refused(|file| file.parts[2].push(RulePart::default()));
    refused(|file| drop(file.parts[1].pop()));
    refused(|file| file.words[0].word = [3].into());
    refused(|file| file.words[0].replacements = vec![[4].into()]);
    refused(|file| file.words[0].replacements.push([0].into()));
    refused(|file| file.rule_order = vec![2, 0, 1]);
    refused(|file| file.rule_order = vec![2, 0, 1, 4]);
    refused(|file| file.operator_of = vec![0, 0, 1, 2]);
    refused(|file| file.swaps = vec![(0, 1)]);
    refused(|file| file.kind = Some(MachineKind::MinimizedWithDontCares));
    refused(|file| file.split_reasons[0].rule = 4);
    refused(|file| file.split_reasons[0].word = [4].into());
}

proptest! {
    #[test]
    fn random_machines_survive_writing_and_reading((n_letters, words) in word_sets()) {
        let automaton = automaton(n_letters, &words);
        for machine in [
            AnyMachine::from(automaton.build().unwrap()),
            AnyMachine::from(compressed(&automaton)),
        ] {
            let words = words.iter().map(|word| fsm::CertifiedWord::new(&word[..], &word[1..]));
            let file = MachineFile { words: words.collect(), ..MachineFile::new([3; 32], machine) };
            prop_assert_eq!(MachineFile::from_bytes(&file.to_bytes()).unwrap(), file);
        }
    }

    #[test]
    fn random_damage_behind_good_checksums_does_no_harm(
        changes in proptest::collection::vec((12..2000_usize, any::<u8>()), 1..8),
        compressed in any::<bool>(),
    ) {
        let file = if compressed { full_example() } else { example() };
        let mut bytes = file.to_bytes();
        for (place, value) in changes {
            let place = place % bytes.len();
            // Not the magic and the version, which would mask all other errors.
            if place >= 12 {
                bytes[place] = value;
            }
        }
        forge_checksums(&mut bytes);
        look_at(&bytes);
    }
}
