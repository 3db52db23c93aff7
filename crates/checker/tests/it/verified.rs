//! The same verdicts as the verified checker in `proofs/`, on certificates and on forgeries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use checker::{CostCertificate, CostFailure, Limits};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, Term, TermKind, Value};

use crate::costs::{ADDED, BLIND, LAMPS};

/// The verified program, which the variable names. It is built where Coq is installed.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn verified() -> Option<PathBuf> {
    let path = std::env::var_os("PSVN_VERIFIED").map(PathBuf::from);
    if path.is_none() {
        eprintln!("skipped: PSVN_VERIFIED doesn't name the verified checker");
    }
    path
}

/// The exit status of the verified program for this text, and what that would be here: 124 after
/// some seconds.
pub(crate) fn verdicts(program: &Path, text: &str) -> (i32, i32) {
    static N_FILES: AtomicUsize = AtomicUsize::new(0);
    let number = N_FILES.fetch_add(1, Ordering::Relaxed);
    let name = format!("psvn-verified-{}-{number}", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, text).expect("a temporary file");
    let ran = Command::new("timeout")
        .args(["5".as_ref(), program, &file])
        .output()
        .expect("the program runs");
    std::fs::remove_file(&file).expect("the file is there");
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs(5)),
        ..Limits::default()
    };
    let here = match CostCertificate::read(text.as_bytes()) {
        Err(_) => 2,
        Ok(certificate) => match certificate.check(&limits) {
            Ok(()) => 0,
            Err(CostFailure::Stopped(_)) => 124,
            Err(_) => 1,
        },
    };
    (ran.status.code().expect("the program ends by itself"), here)
}

fn vector(terms: &[Term]) -> String {
    let terms: Vec<String> = terms
        .iter()
        .enumerate()
        .map(|(position, term)| match term.kind() {
            TermKind::Constant(value) => value.index().to_string(),
            TermKind::Variable(var) if var.index() == position => "-".to_owned(),
            TermKind::Variable(var) => format!("x{}", var.index() + 1),
        })
        .collect();
    terms.join(" ")
}

/// A certificate of the greatest bound up to 9 that holds from a start, by brute force.
fn bound_of(game: &Game, start: &[Value]) -> String {
    let numbers = |state: &[Value]| {
        let values: Vec<String> = state.iter().map(|it| it.index().to_string()).collect();
        values.join(" ")
    };
    let mut least: BTreeMap<Vec<Value>, u64> = BTreeMap::from([(start.to_vec(), 0)]);
    let mut changed = true;
    while changed {
        changed = false;
        for (state, g) in least.clone() {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                let (next, g) = (rule.apply(&state).to_vec(), g + rule.cost());
                if rule.applies_to(&state) && least.get(&next).is_none_or(|known| g < *known) {
                    least.insert(next, g);
                    changed = true;
                }
            }
        }
    }
    let goals = least.iter().filter(|(state, _)| game.is_goal(state));
    let bound = goals.map(|(_, g)| *g).min().unwrap_or(9).min(9);
    let mut closed: Vec<_> = least.iter().filter(|(_, g)| **g < bound).collect();
    closed.sort_by(|(one, _), (other, _)| one.iter().rev().cmp(other.iter().rev()));
    let mut lines = vec!["psvn-certificate 1".to_owned()];
    let sizes = game.variables().iter().map(|it| game.domain(*it).size());
    let sizes: Vec<String> = sizes.map(|size| size.to_string()).collect();
    lines.push(format!("domains {}", sizes.join(" ")));
    for rule in game.rules().iter().map(|rule| &rule.canonical) {
        let sides = [rule.preconditions(), rule.actions()].map(vector);
        lines.push(format!("rule {} : {}", rule.cost(), sides.join(" => ")));
    }
    lines.extend(
        game.goals()
            .iter()
            .map(|it| format!("goal {}", vector(it.conditions()))),
    );
    lines.push(format!("start {}", numbers(start)));
    lines.push(format!("claim bound {bound} by list\nclosed"));
    lines.extend(
        closed
            .iter()
            .map(|(state, g)| format!("{g} {}", numbers(state))),
    );
    lines.join("\n") + "\nend\n"
}

/// A text with one word altered, or one line removed, repeated or exchanged with the next one.
fn forged(text: &str, random: &mut SplitMix64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    match random.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 if at + 1 < lines.len() => lines.swap(at, at + 1),
        _ => {
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let word = random.below(words.len());
            let others = [
                "0", "1", "2", "3", "7", "-", "x1", "x2", ":", "'0", "'1", "'00", "all",
            ];
            words[word] = others[random.below(others.len())].to_owned();
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn both_checkers_agree_on_certificates_and_forgeries() {
    let Some(program) = verified() else { return };
    let payers = ADDED.replacen("group\n", "group\npayers 0 1\n", 1);
    let none = "claim none by list\nkeep 2 : 0 1\nclosed\n0 '0\nend\n";
    let plan = "claim plan 3\nmoves 2 1\nend\n";
    let mut texts: Vec<String> = [BLIND, ADDED, &payers, plan]
        .map(|proof| format!("{LAMPS}{proof}"))
        .to_vec();
    texts.push(format!("{}{none}", LAMPS.replace("=> - 1", "=> - 0")));
    let shape = GameShape {
        max_cost: 3,
        several_domains: true,
        ..GameShape::default()
    };
    for seed in 0..cases(40) {
        let game = random_game(seed, &shape);
        let states: Vec<_> = all_states(&game).collect();
        texts.push(bound_of(
            &game,
            &states[SplitMix64::new(seed).below(states.len())],
        ));
    }
    let mut n_by_verdict = [0; 3];
    let mut random = SplitMix64::new(1);
    for text in &texts {
        assert_eq!(verdicts(&program, text), (0, 0), "{text}");
        for _ in 0..cases(60) {
            let forgery = forged(text, &mut random);
            let (there, here) = verdicts(&program, &forgery);
            assert_eq!(there, here, "{forgery}");
            n_by_verdict[here as usize] += 1;
        }
    }
    assert!(n_by_verdict.iter().all(|n| *n > 100), "{n_by_verdict:?}");
}
