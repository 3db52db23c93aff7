//! Formulas and proofs for VeriPB. What they say is compared with brute force, and the steps of the
//! proofs are checked by slow and simple code; `proofs/veripb` has them checked by VeriPB itself.

mod constraints;
mod games;
mod proofs;

use std::path::Path;

use checker::{CostCertificate, ExportFailure, Limits, StopReason};
use psvn_ir::testing::{SplitMix64, cases};

use self::constraints::{Names, solve};
use self::games::RandomGame;
use self::proofs::check_proof;
use crate::costs::{BLIND, LAMPS};

fn read(text: &str) -> CostCertificate {
    CostCertificate::read(text.as_bytes()).expect("a certificate")
}

/// The formula and the proof of a certificate.
fn exported(text: &str) -> Result<(String, String), ExportFailure> {
    let certificate = read(text);
    let formula = certificate.plan_formula()?;
    Ok((formula.opb(), formula.refute(&Limits::default())?))
}

/// Whether a formula can be satisfied.
fn has_solution(formula: &str) -> bool {
    let mut names = Names::default();
    let constraints = names.formula(formula);
    // Where rules are chosen, all else follows.
    let mut order: Vec<usize> = (0..names.names.len()).collect();
    order.sort_by_key(|it| !names.names[*it].contains("_r"));
    solve(&constraints, &order, vec![None; order.len()]).is_some()
}

#[test]
fn two_lamps_are_written_so() {
    let text = format!("{LAMPS}{BLIND}");
    let (formula, proof) = exported(&text).expect("a small proof");
    insta::assert_snapshot!("two_lamps", format!("{text}----\n{formula}----\n{proof}"));
}

#[test]
fn potentials_are_proved_so() {
    let potential = "claim bound 3 by list\npotential 0\nweigh 1 : 1\nweigh 2 : 2\nclosed\nend\n";
    let text = format!("{LAMPS}{potential}");
    let (formula, proof) = exported(&text).expect("a small proof");
    assert_eq!(check_proof(&formula, &proof), Ok(()));
    let greater = exported(&text.replace("bound 3", "bound 4"));
    assert_eq!(greater, Err(ExportFailure::BelowBound { bound: 4 }));
    insta::assert_snapshot!("potential", format!("{text}----\n{proof}"));
}

#[test]
fn formulas_can_be_satisfied_if_there_is_a_plan() {
    let mut random = SplitMix64::new(1);
    let (mut n_plans, mut n_proofs, mut n_by_potentials) = (0, 0, 0);
    for _ in 0..cases(1000) {
        let game = RandomGame::new(&mut random);
        let bound = random.within(&(1..=5));
        let with_plain = game.certificate(bound, "");
        let mut potentials = (0..50).map(|_| game.potential(&mut random));
        let is_right = |it: &String| read(&game.certificate(bound, it)).plan_formula().is_ok();
        let potential = potentials.find(is_right).unwrap_or_default();
        n_by_potentials += usize::from(!potential.is_empty());
        let has_plan = game.least_cost().is_some_and(|cost| cost < bound);
        for text in [with_plain, game.certificate(bound, &potential)] {
            let certificate = read(&text);
            let formula = certificate.plan_formula().expect("a small formula");
            assert_eq!(has_solution(&formula.opb()), has_plan, "{text}");
            match formula.refute(&Limits::default()) {
                Ok(proof) => {
                    n_proofs += 1;
                    let checked = check_proof(&formula.opb(), &proof);
                    assert_eq!((checked, has_plan), (Ok(()), false), "{text}\n{proof}");
                }
                Err(error) => {
                    n_plans += 1;
                    let expected = ExportFailure::BelowBound {
                        bound: bound as u64,
                    };
                    assert_eq!((error, has_plan), (expected, true), "{text}");
                }
            }
        }
    }
    let counts = [n_plans, n_proofs, n_by_potentials];
    assert!(counts.iter().all(|count| *count > 99), "{counts:?}");
}

/// Potentials of well-known games, in which rules copy values.
#[test]
fn potentials_of_the_corpus_are_proved() {
    for name in ["hanoi", "square"] {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/corpus/files");
        let file = corpus.join(format!("potential-{name}-valid.accept"));
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let (formula, proof) = exported(&text).expect("a small proof");
        assert_eq!(check_proof(&formula, &proof), Ok(()), "{name}");
    }
}

#[test]
fn each_step_of_a_proof_is_needed() {
    let (formula, proof) = exported(&format!("{LAMPS}{BLIND}")).expect("a small proof");
    assert_eq!(check_proof(&formula, &proof), Ok(()));
    let lines: Vec<&str> = proof.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        // What is deleted too late does no harm.
        if line.starts_with("del") {
            continue;
        }
        let others = lines
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let dropped: String = others.map(|(_, line)| format!("{line}\n")).collect();
        assert!(check_proof(&formula, &dropped).is_err(), "{line}");
    }
    // A budget that allows the plan.
    let satisfiable = formula.replace(">= -2 ;", ">= -3 ;");
    assert!(satisfiable != formula && check_proof(&satisfiable, &proof).is_err());
}

#[test]
fn what_has_no_formula_is_refused() {
    let refused = |text: &str| exported(text).unwrap_err().to_string();
    let lamps = |claim: &str| refused(&format!("{LAMPS}{claim}end\n"));
    let no_bound = "the certificate claims no lower bound above 0";
    assert_eq!(lamps("claim plan 3\nmoves 1 2\n"), no_bound);
    assert_eq!(lamps("claim bound 0 by list\nclosed\n"), no_bound);
    assert_eq!(
        lamps("claim none by sums 2\n"),
        "that there is no plan can't be said in a formula, which needs a bound on the number of moves"
    );
    assert_eq!(
        lamps("claim bound 4 by list\nclosed\n"),
        "a plan costs less than the bound 4"
    );
    let free = format!("{LAMPS}{BLIND}").replace("rule 2", "rule 0");
    assert_eq!(
        refused(&free),
        "rule 2 costs nothing, so plans that cost less than the bound may have any number of moves"
    );
    let large = "the formula or its proof takes more than 8 MiB";
    assert_eq!(lamps("claim bound 999999999 by list\nclosed\n"), large);
    let huge = format!("{LAMPS}{BLIND}").replace("domains 2 2", "domains 2 999999999");
    assert_eq!(refused(&huge), large);
}

#[test]
fn the_greatest_bound_is_taken() {
    let one = "claim bound 1 by list\nclosed\n";
    let (formula, _) = exported(&format!("{LAMPS}{one}{BLIND}")).expect("a small proof");
    assert_eq!(
        formula,
        exported(&format!("{LAMPS}{BLIND}")).expect("the same").0
    );
}

#[test]
fn limits_end_the_search_for_a_proof() {
    let certificate = read(&format!("{LAMPS}{BLIND}"));
    let formula = certificate.plan_formula().expect("a small formula");
    let limits = Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    };
    assert_eq!(
        formula.refute(&limits),
        Err(ExportFailure::Stopped(StopReason::Time))
    );
}
