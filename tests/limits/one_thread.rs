//! Games that are large in some way, and work that one thread does: reading them, their invariants,
//! and machines. Each of these tests measures its own thread, so they run beside each other.

use std::cell::Cell;
use std::fmt::Write;

use fsm::{Dense, WordAutomaton, minimize};
use invariants::Invariants;
use psvn_ir::{LoadLimits, LoadStop};
use psvn_toolkit::canonical_rules;

use crate::large_games::{cube, read};
use crate::{beside, peak_of, total_of};

#[test]
fn rules_are_counted_before_they_are_made() {
    let _beside = beside();
    let text = cube(&[0, 0, 0, 3, 6, 7, 2]);
    let (peak, loaded) = peak_of(|| read(&text, 16 << 20, &|| false));
    assert_eq!(loaded.stopped, Some(LoadStop::Size));
    assert!(loaded.game.is_none());
    let errors = loaded.diagnostics.iter().filter(|it| it.is_error());
    let errors: Vec<_> = errors.collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    check_count(&text, errors[0]);
    assert!(peak < 1 << 20, "{peak}");
}

#[test]
fn domains_are_counted_before_they_are_made() {
    let _beside = beside();
    let text = "2\n900000 900000\n- 0 => - 1\nGOAL 1 1\n";
    let (peak, loaded) = peak_of(|| read(text, 16 << 20, &|| false));
    assert_eq!(loaded.stopped, Some(LoadStop::Size));
    assert!(peak < 1 << 20, "{peak}");
    let message = &loaded.diagnostics[0].message;
    assert!(
        message.starts_with("with domain `900000` the game needs about"),
        "{message}"
    );
    let limits = LoadLimits {
        memory: 64 << 20,
        ..LoadLimits::default()
    };
    let (peak, loaded) = peak_of(|| psvn_ir::read_within(text, &limits));
    assert!(loaded.game.is_some() && peak < 64 << 20, "{peak}");
}

/// The first rule that doesn't fit is named, with its number of instances and its line.
fn check_count(text: &str, error: &psvn_syntax::Diagnostic) {
    assert_eq!(error.code, "too-many-rules");
    let start = "rule `rule_6` expands to 279,936 rules: with it the rules need about ";
    assert!(error.message.starts_with(start), "{}", error.message);
    assert!(error.message.ends_with("and the limit is 16.0 MiB"));
    let place = error.primary.as_ref().unwrap().span.start;
    let line = psvn_syntax::LineIndex::new(text).line_column(place).0;
    assert_eq!(line, 3 + 6);
}

/// About 188,000 rules, the number that two published files stand for.
const MANY: [usize; 18] = [6, 6, 6, 6, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0];

#[test]
fn rules_of_unbound_symbols_take_little_memory() {
    let _beside = beside();
    let text = cube(&MANY);
    let memory = 64 << 20;
    let (peak, loaded) = peak_of(|| read(&text, memory, &|| false));
    let game = loaded.game.unwrap();
    assert_eq!(game.rules().len(), 4 * 6_usize.pow(6) + 8 * 216 + 6);
    assert!(peak <= memory + memory / 20 + (2 << 20), "{peak}");
    // Preconditions are shared, and a copy of a rule shares everything.
    let (peak, _rules) = peak_of(|| canonical_rules(&game));
    assert!(peak <= game.rules().len() * 64, "{peak}");
}

#[test]
fn invariants_of_many_rules_take_memory_in_proportion() {
    let _beside = beside();
    let text = cube(&MANY);
    let game = read(&text, usize::MAX, &|| false).game.unwrap();
    let (peak, known) = peak_of(|| Invariants::from_goals(&game));
    assert!(peak <= game.rules().len() * 1024, "{peak}");
    drop(known);
}

/// A kind of text, with its name; the number is its size.
type Kind = (&'static str, fn(usize) -> String);

/// Texts that were read in quadratic time, each for a size.
const LARGE: [Kind; 5] = [
    ("many symbols", |n| {
        let symbols: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
        let reversed: Vec<&str> = symbols.iter().rev().map(String::as_str).collect();
        let twos = "2 ".repeat(n);
        let zeros = "0 ".repeat(n);
        let (left, right) = (symbols.join(" "), reversed.join(" "));
        format!("{n}\n{twos}\n{left} => {right}\nGOAL {zeros}\n")
    }),
    ("many instances", |n| {
        format!("2\n{n} {n}\n0 - => 1 X\nGOAL 1 1\n")
    }),
    ("a chain of values", |n| {
        let mut text = format!("2\n{n} 2\n");
        for value in (1..n).rev() {
            writeln!(text, "{value} - => {} -", value - 1).unwrap();
        }
        text + "GOAL 0 1\n"
    }),
    ("equal rules", |n| {
        format!("2\n3 3\n{}GOAL 0 0\n", "x y => y x\n".repeat(n))
    }),
    ("rules that lose values", |n| {
        let rules = (0..n).map(|i| format!("{} x => 1 y{}\n", i % 9, i % 90));
        let rules: String = rules.collect();
        format!("2\n9 2\n{rules}GOAL 0 0\n")
    }),
];

#[test]
fn twice_the_text_takes_twice_the_memory_and_twice_the_looks() {
    let _beside = beside();
    for (name, text) in LARGE {
        let [once, twice] = [20_000, 40_000].map(|n| {
            let text = text(n);
            let looks = Cell::new(0_usize);
            let look = || {
                looks.set(looks.get() + 1);
                false
            };
            let (total, loaded) = total_of(|| read(&text, usize::MAX, &look));
            assert!(loaded.game.is_some(), "{name}: {:?}", loaded.diagnostics);
            (total, looks.get())
        });
        assert!(
            twice.0 * 10 <= once.0 * 22,
            "{name}: {} and {} bytes",
            once.0,
            twice.0
        );
        assert!(twice.1 * 10 <= once.1 * 22, "{name}: {once:?} {twice:?}");
    }
}

#[test]
fn reading_stops_when_it_is_asked_to() {
    let _beside = beside();
    for (name, text) in LARGE {
        let text = text(200_000);
        let n_looks = Cell::new(0);
        let (whole, _) = total_of(|| {
            read(&text, usize::MAX, &|| {
                n_looks.set(n_looks.get() + 1);
                false
            })
        });
        let n_looks = n_looks.get();
        assert!(n_looks >= 20, "{name}: {n_looks} looks");
        // It ends at whichever check says so.
        for last in [1, n_looks / 2, n_looks] {
            let looks = Cell::new(0);
            let (total, loaded) = total_of(|| {
                read(&text, usize::MAX, &|| {
                    looks.set(looks.get() + 1);
                    looks.get() >= last
                })
            });
            assert_eq!(loaded.stopped, Some(LoadStop::Requested), "{name}");
            assert!(loaded.game.is_none());
            assert_eq!(looks.get(), last, "{name}");
            assert!(total <= whole);
        }
    }
}

#[test]
fn a_text_too_large_for_its_memory_is_not_parsed() {
    let _beside = beside();
    let text = "2 ".repeat(1 << 20);
    let (peak, loaded) = peak_of(|| read(&text, 16 << 20, &|| false));
    assert_eq!(loaded.stopped, Some(LoadStop::Size));
    assert_eq!(loaded.diagnostics[0].code, "file-too-large");
    assert!(peak < 1 << 16, "{peak}");
    // The estimate for a text is near the memory that it takes; warnings take more, up to a bound.
    for (name, text) in LARGE {
        let text = text(50_000);
        let n_words = text.split_ascii_whitespace().count();
        if n_words > 1000 {
            let (peak, _) = peak_of(|| psvn_ir::read_within(&text, &LoadLimits::default()));
            assert!(
                peak <= n_words * 224 + (1 << 20),
                "{name}: {peak} for {n_words} words"
            );
            let (peak, _) = peak_of(|| read(&text, usize::MAX, &|| false));
            assert!(
                peak <= n_words * 400 + (1 << 20),
                "{name}, with warnings: {peak} for {n_words} words"
            );
        }
    }
}

#[test]
fn minimization_takes_the_memory_of_its_result() {
    let _beside = beside();
    // After each letter, another one is forbidden: no two states are equal.
    let n = 600;
    let words = (0..n).map(|letter| [letter, (letter * 7 + 1) % n]);
    let machine: Dense = WordAutomaton::forbidding(n, words)
        .unwrap()
        .build()
        .unwrap();
    assert!(machine.n_states() > 500);
    let (peak, minimal) = peak_of(|| minimize(&machine).unwrap());
    assert_eq!(minimal.n_states(), machine.n_states());
    let most = minimal.bytes() + minimal.bytes() / 8 + (1 << 16);
    assert!(peak <= most, "{peak} for {}", minimal.bytes());
}

#[test]
fn invariants_stop_when_they_are_asked_to() {
    let _beside = beside();
    let game = psvn_toolkit::built_in("sliding-tiles:6:6");
    let start = game.goal_state().unwrap();
    let starts = std::slice::from_ref(&start);
    let n_looks = Cell::new(0_usize);
    let known = Invariants::from_states_unless(&game, starts, &|| {
        n_looks.set(n_looks.get() + 1);
        false
    });
    assert_eq!(known, Invariants::from_states(&game, starts));
    let n_looks = n_looks.get();
    assert!(n_looks >= 20, "{n_looks}");
    for last in [1, n_looks / 2, n_looks] {
        let looks = Cell::new(0);
        let some = Invariants::from_states_unless(&game, starts, &|| {
            looks.set(looks.get() + 1);
            looks.get() >= last
        });
        assert!(!some.omissions().is_empty());
        assert!(some.check_state(&game, &start).is_ok());
        // Work that is left out isn't replaced by another long search.
        assert!(
            looks.get() <= last + game.rules().len() + 100,
            "{} {last}",
            looks.get()
        );
    }
}
