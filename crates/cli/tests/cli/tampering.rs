//! Whoever changes a machine file: `psvn verify` notices, whatever kind of machine it holds.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use fsm::{CertifiedWord, Dense, Machine, MachineFile, MachineKind};
use serde_json::Value;

use crate::{Ran, run_in};

/// A kind of machine file: a game, the options of its analysis, and what must be true of it.
struct Kind {
    game: &'static str,
    options: &'static [&'static str],
    has: fn(&MachineFile) -> bool,
}

const KINDS: [Kind; 9] = [
    Kind {
        game: "gen:arrow:5",
        options: &["-L", "3"],
        has: |file| file.kind == Some(MachineKind::Minimized) && file.operator_of.is_empty(),
    },
    Kind {
        game: "gen:topspin:8:3",
        options: &["-L", "3", "--machine", "table"],
        has: |file| file.kind == Some(MachineKind::Table),
    },
    Kind {
        game: "gen:topspin:8:3",
        options: &["--rule-order", "optimize"],
        has: |file| !file.rule_order.is_empty(),
    },
    Kind {
        game: "fly.psvn",
        options: &["--order", "cost-length-lexicographic", "--start", "0 0"],
        has: |file| file.order == "cost-length-lexicographic",
    },
    Kind {
        game: "gen:topspin:11:3",
        options: &["--sleep-sets", "--rule-order", "optimize"],
        has: |file| !file.swaps.is_empty() && !file.rule_order.is_empty(),
    },
    Kind {
        game: "gen:sliding-tiles:2:3",
        options: &["-L", "6", "--dont-cares"],
        has: |file| file.kind == Some(MachineKind::MinimizedWithDontCares),
    },
    Kind {
        game: "gen:sliding-tiles:2:3",
        options: &["-L", "6", "--operators", "labels"],
        has: |file| file.operator_of.len() == 14,
    },
    Kind {
        game: "gen:sliding-tiles:4:4",
        options: &[
            "-L",
            "4",
            "--method",
            "learner",
            "--generic-start",
            "- - - - - 0 - - - - - - - - - -",
        ],
        has: |file| file.operator_of.len() == 48,
    },
    Kind {
        game: "gen:hanoi:4:3",
        options: &["-L", "3"],
        has: |file| file.rests_on_assumptions && file.operator_of.is_empty(),
    },
];

/// Flying is expensive and walking is cheap, twice; so two cheap rules replace one expensive one,
/// by cost.
const FLY: &str = "2  3 3
    0 - => 2 -  LABEL fly1   COST 5
    0 - => 1 -  LABEL walk1  COST 1
    1 - => 2 -  LABEL swim1  COST 1
    - 0 => - 2  LABEL fly2   COST 5
    - 0 => - 1  LABEL walk2  COST 1
    - 1 => - 2  LABEL swim2  COST 1
    GOAL 2 2
";

/// Make the machine file of a kind, in a folder with the game. The analysis is done for the first
/// of the tests that ask for it.
fn make(folder: &Path, kind: &Kind) -> MachineFile {
    static MADE: [OnceLock<Vec<u8>>; KINDS.len()] = [const { OnceLock::new() }; KINDS.len()];
    fs::write(folder.join("fly.psvn"), FLY).unwrap();
    let place = KINDS
        .iter()
        .position(|other| (other.game, other.options) == (kind.game, kind.options));
    let bytes = MADE[place.unwrap()].get_or_init(|| {
        let words = [&["analyze", kind.game, "-o", "m.fsm"], kind.options].concat();
        let ran = run_in(folder, &words);
        assert_eq!(ran.status, Some(0), "{:?}: {}", kind.options, ran.stderr);
        fs::read(folder.join("m.fsm")).unwrap()
    });
    fs::write(folder.join("m.fsm"), bytes).unwrap();
    let file = MachineFile::from_bytes(bytes).unwrap();
    assert!((kind.has)(&file), "{:?}", kind.options);
    assert!(file.words.len() >= 2, "{:?}: too few words", kind.options);
    file
}

fn verify(folder: &Path, kind: &Kind) -> Ran {
    run_in(folder, &["verify", kind.game, "m.fsm"])
}

/// Verify a forged file, whose checksums are right.
fn verify_forged(folder: &Path, kind: &Kind, forged: &MachineFile) -> Ran {
    fs::write(folder.join("m.fsm"), forged.to_bytes()).unwrap();
    verify(folder, kind)
}

/// The transitions of a machine, as [`Dense::from_table`] takes them.
fn table(machine: &Dense) -> Vec<u32> {
    (1..=machine.n_states())
        .flat_map(|number| machine.successors(number).map(|next| next as u32))
        .collect()
}

#[test]
fn every_kind_of_machine_is_proved() {
    for kind in &KINDS {
        let folder = crate::folder();
        let file = make(folder.path(), kind);
        let ran = verify(folder.path(), kind);
        assert_eq!(
            ran.status,
            Some(0),
            "{:?}: {}{}",
            kind.options,
            ran.stdout,
            ran.stderr
        );
        let n = file.words.len();
        assert!(
            ran.stdout.contains(&format!("{n} certificates")),
            "{}",
            ran.stdout
        );
        let words = ["verify", kind.game, "m.fsm", "--format", "json"];
        let report: Value = serde_json::from_str(&run_in(folder.path(), &words).stdout).unwrap();
        assert_eq!(report["valid"], true);
        assert_eq!(report["certificates"], n);
        assert_eq!(report["swaps"], file.swaps.len());
        let described = run_in(
            folder.path(),
            &["fsm", "m.fsm", "--game", kind.game, "--json"],
        );
        let described: Value = serde_json::from_str(&described.stdout).unwrap();
        assert_eq!(described["redundant_words"], n);
        assert!(described["branching_factor"].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn every_kind_of_machine_prunes_and_loses_nothing() {
    for kind in &KINDS {
        let folder = crate::folder();
        make(folder.path(), kind);
        let start = match kind.game {
            "gen:arrow:5" => "0 1 1 1 0",
            "gen:topspin:8:3" => "2 3 0 1 6 5 4",
            "gen:topspin:11:3" => "2 3 0 1 6 5 4 7 8 9",
            "fly.psvn" => "0 0",
            "gen:sliding-tiles:2:3" => "1 4 2 3 5 0",
            "gen:hanoi:4:3" => "1 0 0 0 1 0 0 0 1 0 0 0",
            _ => "1 5 0 3 4 6 2 7 8 9 10 11 12 13 14 15",
        };
        let solve = |prune: &str| {
            let words = ["solve", kind.game, "--start", start, "--prune", prune];
            let ran = run_in(folder.path(), &[&words[..], &["--format", "json"]].concat());
            assert_eq!(ran.status, Some(0), "{:?}: {}", kind.options, ran.stderr);
            let value: Value = serde_json::from_str(&ran.stdout).unwrap();
            (value["cost"].clone(), value["generated"].as_u64().unwrap())
        };
        let (unpruned, pruned) = (solve("none"), solve("m.fsm"));
        assert_eq!(unpruned.0, pruned.0, "{:?}", kind.options);
        assert!(
            pruned.1 < unpruned.1,
            "{:?}: nothing is pruned",
            kind.options
        );
    }
}

#[test]
fn a_flipped_bit_is_noticed_in_every_section() {
    for kind in &KINDS {
        let folder = crate::folder();
        make(folder.path(), kind);
        let path = folder.path().join("m.fsm");
        let good = fs::read(&path).unwrap();
        let long = |at: usize| u64::from_le_bytes(good[at..at + 8].try_into().unwrap()) as usize;
        // The header, and the sections that it describes.
        let header = 0..192;
        let mut parts = Vec::from([header]);
        parts.extend((0..4).map(|i| long(88 + 16 * i)..long(88 + 16 * i) + long(96 + 16 * i)));
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            for step in 0..5 {
                let place = part.start + step * (part.len() - 1) / 4;
                let mut damaged = good.clone();
                damaged[place] ^= 1 << (place % 8);
                fs::write(&path, damaged).unwrap();
                let ran = verify(folder.path(), kind);
                assert_eq!(ran.status, Some(3), "byte {place}: {}", ran.stdout);
                let used = run_in(folder.path(), &["fsm", "m.fsm"]);
                assert_eq!(used.status, Some(3), "byte {place}");
            }
        }
        fs::write(&path, &good[..good.len() - 1]).unwrap();
        assert_eq!(verify(folder.path(), kind).status, Some(3));
    }
}

#[test]
fn forged_words_are_noticed_whatever_the_checksums_say() {
    for kind in &KINDS {
        let folder = crate::folder();
        let honest = make(folder.path(), kind);
        let fails = |what: &str, forge: &dyn Fn(&mut MachineFile)| {
            let mut forged = honest.clone();
            forge(&mut forged);
            assert_ne!(forged, honest, "{:?}: {what}", kind.options);
            let ran = verify_forged(folder.path(), kind, &forged);
            assert!(
                matches!(ran.status, Some(1 | 3)),
                "{:?}: {what}: {:?} {}",
                kind.options,
                ran.status,
                ran.stdout
            );
        };
        let last = honest.words.len() - 1;
        let n_letters = honest.machine.n_letters();
        for place in [0, last / 2, last] {
            // Without a pair that may change places anyway, sleep sets forbid the same.
            if honest.swaps.is_empty() {
                fails("a word less", &|file| {
                    file.words.remove(place);
                });
            }
            // A word that comes later can't replace an earlier one.
            fails("turned round", &|file| {
                let word = &mut file.words[place];
                let replacement = word.replacements[0].clone();
                if replacement.is_empty() {
                    word.replacements = vec![word.word.clone()];
                } else {
                    word.replacements = vec![std::mem::replace(&mut word.word, replacement)];
                }
            });
            fails("a replacement too long", &|file| {
                for replacement in &mut file.words[place].replacements {
                    let longer = replacement.iter().copied().chain([0, 0, 0, 0, 0, 0, 0]);
                    *replacement = longer.collect();
                }
            });
            fails("a wrong replacement", &|file| {
                // The first letter changes states, so it doesn't do what a longer word does.
                let word = &mut file.words[place];
                let wrong: Box<[u32]> = if *word.replacements[0] == [0] || word.word[0] == 0 {
                    [n_letters - 1].into()
                } else {
                    [0].into()
                };
                word.replacements = vec![wrong];
            });
        }
        fails("a word more", &|file| {
            file.words.push(CertifiedWord::new([n_letters - 1], []));
        });
    }
}

/// Verify a forged file, which must fail with some words.
fn check_refused(folder: &Path, kind: &Kind, forged: &MachineFile, saying: &str) {
    let ran = verify_forged(folder, kind, forged);
    let all = ran.stdout.clone() + &ran.stderr;
    assert!(matches!(ran.status, Some(1 | 3)), "{saying}: {all}");
    assert!(all.contains(saying), "{saying}: {all}");
}

const ORDERED: &Kind = &KINDS[2];
const BY_COST: &Kind = &KINDS[3];
const ASLEEP: &Kind = &KINDS[4];
const DONT_CARE: &Kind = &KINDS[5];
const LABELS: &Kind = &KINDS[6];
const LEARNED: &Kind = &KINDS[7];
const WITHIN: &Kind = &KINDS[8];

#[test]
fn a_forged_order_of_rules_is_noticed() {
    let folder = crate::folder();
    for kind in [ORDERED, ASLEEP] {
        let mut forged = make(folder.path(), kind);
        forged.rule_order.reverse();
        check_refused(folder.path(), kind, &forged, "certificates failed");
        forged.rule_order.clear();
        check_refused(folder.path(), kind, &forged, "certificates failed");
    }
}

/// By length, no expensive word is replaced by a longer cheap one.
#[test]
fn a_forged_order_of_words_is_noticed() {
    let folder = crate::folder();
    let mut forged = make(folder.path(), BY_COST);
    forged.order = "length-lexicographic".to_owned();
    check_refused(folder.path(), BY_COST, &forged, "certificates failed");
    forged.order = "alphabetical".to_owned();
    check_refused(folder.path(), BY_COST, &forged, "can't check");
}

#[test]
fn forged_swaps_are_noticed() {
    let folder = crate::folder();
    let fails = |forged: &MachineFile, saying| check_refused(folder.path(), ASLEEP, forged, saying);
    // A wrong one, one more, none.
    let honest = make(folder.path(), ASLEEP);
    let mut forged = honest.clone();
    forged.swaps[0].1 = forged.swaps[0].0;
    fails(&forged, "the sleep sets are wrong");
    let n_rules = honest.machine.n_letters();
    let wrong = (0..n_rules)
        .flat_map(|a| (0..n_rules).map(move |b| (a, b)))
        .find(|(a, b)| a != b && !honest.swaps.contains(&(*a, *b)))
        .unwrap();
    let mut forged = honest.clone();
    forged.swaps.push(wrong);
    fails(&forged, "the sleep sets are wrong");
    let mut forged = honest.clone();
    forged.swaps.clear();
    fails(&forged, "the machine is wrong");
    // A machine that knows nothing of sleep doesn't obey it.
    let mut forged = honest;
    let words = forged.words.iter().map(|word| &word.word);
    let awake = fsm::WordAutomaton::forbidding(n_rules, words).unwrap();
    forged.machine = awake.build().unwrap().into();
    fails(&forged, "the machine is wrong: it allows");
}

/// A machine that may do anything with impossible words is none that does the right thing with all;
/// and what is impossible is so under invariants only, which must be true.
#[test]
fn forged_dont_cares_are_noticed() {
    let folder = crate::folder();
    let fails =
        |forged: &MachineFile, saying| check_refused(folder.path(), DONT_CARE, forged, saying);
    let honest = make(folder.path(), DONT_CARE);
    let mut forged = honest.clone();
    forged.kind = Some(MachineKind::Minimized);
    fails(&forged, "the machine is wrong");
    let mut forged = honest.clone();
    forged.assumptions.clear();
    fails(&forged, "the machine is wrong");
    let mut forged = honest;
    let untrue = "variables 1-2 never hold 3";
    forged.assumptions.push(untrue.to_owned());
    fails(&forged, "not proved inductive");
    forged.assumptions.push("the moon is full".to_owned());
    fails(&forged, "m.fsm");
}

/// What is redundant under invariants only is so nowhere else, and not if a rule breaks them.
#[test]
fn forged_assumptions_are_noticed() {
    let folder = crate::folder();
    let fails = |forged: &MachineFile, saying| check_refused(folder.path(), WITHIN, forged, saying);
    let honest = make(folder.path(), WITHIN);
    let mut forged = honest.clone();
    forged.rests_on_assumptions = false;
    fails(&forged, "certificates failed");
    let mut forged = honest.clone();
    forged.assumptions.clear();
    fails(&forged, "certificates failed");
    let mut forged = honest;
    let untrue = "variables 1-2 never hold 1";
    forged.assumptions.push(untrue.to_owned());
    fails(&forged, "not proved inductive");
}

/// A rule with another letter, one less, and claims that are for rules.
#[test]
fn forged_operators_are_noticed() {
    let folder = crate::folder();
    for kind in [LABELS, LEARNED] {
        let fails = |forged: &MachineFile, saying| {
            check_refused(folder.path(), kind, forged, saying);
        };
        let honest = make(folder.path(), kind);
        for place in [0, honest.operator_of.len() - 1] {
            let mut forged = honest.clone();
            let letter = &mut forged.operator_of[place];
            *letter = (*letter + 1) % 4;
            fails(&forged, "certificates failed");
        }
        let mut forged = honest.clone();
        forged.operator_of.pop();
        fails(&forged, "made for another game");
        let mut forged = honest.clone();
        forged.swaps = vec![(0, 1)];
        fails(&forged, "can't check");
        let mut forged = honest.clone();
        forged.kind = Some(MachineKind::MinimizedWithDontCares);
        fails(&forged, "can't check");
        let mut forged = honest.clone();
        forged.order = "cost-length-lexicographic".to_owned();
        fails(&forged, "can't check");
        let mut forged = honest;
        forged.rule_order = vec![3, 2, 1, 0];
        fails(&forged, "can't check");
    }
}

#[test]
fn every_transition_of_a_machine_is_checked() {
    for kind in &KINDS {
        let folder = crate::folder();
        let honest = make(folder.path(), kind);
        let machine = honest.machine.to_dense().unwrap().into_owned();
        let (n_letters, n_states) = (machine.n_letters(), machine.n_states());
        let transitions = table(&machine);
        let mut n_noticed = 0;
        let mut n_forged = 0;
        // Some of all transitions: each leads to the rejecting state instead, or away from it.
        for place in (0..transitions.len()).step_by(1 + transitions.len() / 20) {
            let mut forged = transitions.clone();
            forged[place] = u32::from(forged[place] == 0);
            let Ok(machine) = Dense::from_table(n_letters, n_states, &forged) else {
                continue;
            };
            let forged = MachineFile {
                machine: machine.into(),
                ..honest.clone()
            };
            n_forged += 1;
            let ran = verify_forged(folder.path(), kind, &forged);
            match ran.status {
                Some(1) => n_noticed += 1,
                // What no possible word of this game reaches may do anything.
                Some(0) => assert_eq!(
                    honest.kind,
                    Some(MachineKind::MinimizedWithDontCares),
                    "{:?}: transition {place}",
                    kind.options
                ),
                status => panic!("{status:?}: {}{}", ran.stdout, ran.stderr),
            }
        }
        assert!(
            n_forged > 5 && n_noticed > 2,
            "{:?}: {n_noticed} of {n_forged}",
            kind.options
        );
        // A machine that allows everything.
        let lenient = fsm::WordAutomaton::new(n_letters).build().unwrap();
        assert!(lenient.next(lenient.start(), 0).is_some());
        let forged = MachineFile {
            machine: lenient.into(),
            ..honest.clone()
        };
        let ran = verify_forged(folder.path(), kind, &forged);
        assert_eq!(ran.status, Some(1));
        assert!(
            ran.stdout.contains("the machine is wrong: it allows"),
            "{}",
            ran.stdout
        );
    }
}

/// The file with another number in its header, and the header's checksum made right.
fn with_header(bytes: &[u8], place: usize, number: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..188]);
    bytes[188..192].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn false_headers_are_noticed_whatever_the_checksums_say() {
    const LENGTH: usize = 48;
    const KIND: usize = 56;
    for kind in &KINDS {
        let folder = crate::folder();
        let honest = make(folder.path(), kind);
        let path = folder.path().join("m.fsm");
        let bytes = fs::read(&path).unwrap();
        let with = |place, number| {
            fs::write(&path, with_header(&bytes, place, number)).unwrap();
            verify(folder.path(), kind)
        };
        let longest = honest
            .words
            .iter()
            .map(|word| word.word.len())
            .max()
            .unwrap();
        for length in [0, longest as u32 - 1] {
            let ran = with(LENGTH, length);
            assert_eq!(ran.status, Some(1), "{:?}: {}", kind.options, ran.stdout);
            let said = format!(
                "the file's header is wrong: it says that words up to length {length} were compared, \
                 and a word of length {longest} is listed"
            );
            assert!(ran.stdout.contains(&said), "{}", ran.stdout);
        }
        // That longer words were compared can't be proved, so it isn't said to be.
        let ran = with(LENGTH, i32::MAX as u32);
        assert_eq!(ran.status, Some(0), "{:?}: {}", kind.options, ran.stdout);
        let said = format!(
            " proved, up to length {longest}\nthe file says that sequences up to length 2147483647 were compared; \
             nothing depends on that\n"
        );
        assert!(ran.stdout.contains(&said), "{}", ran.stdout);
        assert_eq!(with(KIND, 5).status, Some(3));
        // Not said: then the machine must be right for all words.
        let needs_kind = honest.kind == Some(MachineKind::MinimizedWithDontCares);
        let expected = if needs_kind { Some(1) } else { Some(0) };
        assert_eq!(with(KIND, 0).status, expected, "{:?}", kind.options);
    }
    // The same words, and machines of three kinds for them.
    let folder = crate::folder();
    let path = folder.path().join("m.fsm");
    let game = "gen:topspin:9:3";
    for (number, machine) in [(1, "table"), (2, "aho-corasick"), (3, "minimized")] {
        let words = [
            "analyze",
            game,
            "-L",
            "4",
            "-o",
            "m.fsm",
            "--machine",
            machine,
        ];
        assert_eq!(run_in(folder.path(), &words).status, Some(0));
        let bytes = fs::read(&path).unwrap();
        for claimed in 1..=3 {
            // A table may have no more states than the machine of Aho and Corasick.
            let is_fine = number == claimed || (number, claimed) == (2, 1);
            fs::write(&path, with_header(&bytes, KIND, claimed)).unwrap();
            let ran = run_in(folder.path(), &["verify", game, "m.fsm"]);
            let said = "the file's header is wrong: it says that the machine";
            assert_eq!(
                (ran.status, ran.stdout.contains(said)),
                (Some(i32::from(!is_fine)), !is_fine),
                "{machine} as {claimed}: {}",
                ran.stdout
            );
        }
    }
}
