//! Imports keep to their memory, and reading what they write does.

use std::fmt::Write;

use formats::{Format, import_within};
use psvn_ir::{LoadLimits, LoadStop, load_within};

use crate::{alone, peak_of};

/// A planning task of lamps in a row: `switches` operators change all lamps, each by the lamp after
/// it, so an operator is a rule for each of the 2^n states.
fn lamps(n_lamps: usize, n_operators: usize) -> String {
    let mut text =
        format!("begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{n_lamps}\n");
    for n in 0..n_lamps {
        let facts = format!("2\nAtom off({n})\nAtom on({n})\n");
        write!(text, "begin_variable\nvar{n}\n-1\n{facts}end_variable\n").unwrap();
    }
    let state = "0\n".repeat(n_lamps);
    write!(
        text,
        "0\nbegin_state\n{state}end_state\nbegin_goal\n1\n0 1\nend_goal\n"
    )
    .unwrap();
    writeln!(text, "{n_operators}").unwrap();
    for operator in 0..n_operators {
        write!(text, "begin_operator\nswitch {operator}\n0\n{n_lamps}\n").unwrap();
        for n in 0..n_lamps {
            writeln!(
                text,
                "1 {} {} {n} -1 {}",
                (n + 1) % n_lamps,
                operator % 2,
                (n + 1) % 2
            )
            .unwrap();
        }
        text.push_str("1\nend_operator\n");
    }
    text + "0\n"
}

#[test]
fn imports_keep_to_their_memory() {
    let _alone = alone();
    let cases = lamps(40, 1);
    let lines = lamps(20, 5_000);
    for (text, memory) in [(&cases, 8 << 20), (&cases, 64 << 20), (&lines, 8 << 20)] {
        let limits = LoadLimits {
            memory,
            ..LoadLimits::default()
        };
        let (peak, imported) = peak_of(|| import_within(Format::Sas, text, &limits));
        assert_eq!(imported.unwrap_err().stopped, Some(LoadStop::Size));
        assert!(peak <= memory, "{peak} bytes of {memory}");
    }
}

#[test]
fn what_is_imported_is_read_within_the_same_memory() {
    let _alone = alone();
    // 2^10 rules of 25 words each.
    let text = lamps(10, 1);
    let read = |memory| {
        let limits = LoadLimits {
            memory,
            ..LoadLimits::default()
        };
        peak_of(|| {
            let imported = import_within(Format::Sas, &text, &limits).ok()?;
            load_within(&imported.text, &limits).game
        })
    };
    let (peak, game) = read(8 << 20);
    assert_eq!(game.unwrap().rules().len(), 1024);
    assert!(peak <= 8 << 20, "{peak}");
    let (peak, game) = read(4 << 20);
    assert!(game.is_none());
    assert!(peak <= 4 << 20, "{peak}");
}
