//! Machines over labels that were made for one game, and proved right for another one.
//!
//! Taylor (1992, sections 2.5 and 3.1) learns sequences of operators on a board of 7 x 7 and uses
//! them on one of 4 x 4, where no square is generic. Letters are matched by their labels, and each
//! instance of each word is proved again from the rules of the other game by the checker. From the
//! proofs for the first game, only the pairs of word and replacement are used.

use std::path::Path;
use std::time::Instant;

use budget::Limits;
use checker::LabelFlaw;
use fsm::{AnyMachine, CertifiedWord, MachineFile, OpenFile};
use host::{Host, HostExt};
use psvn_ir::NamedGame;
use redundancy::transfer::{Matched, labeled, prove_words};
use redundancy::{FailedCertificate, LetterNames, unreadable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::assumptions::Assumptions;
use crate::choices::MachineKind;
use crate::engine::machines::{COMPRESS_ABOVE, Machines};
use crate::error::AnalyzeError as Error;

/// The most failed words that are listed; the rest is counted.
const MAX_LISTED: usize = 20;

/// A request to carry a machine over.
#[derive(Clone, Copy, Debug)]
pub struct TransferRequest<'a> {
    /// The game that the machine was made for: it gives the label of each letter.
    pub from: NamedGame<'a>,
    /// The name of the machine's file.
    pub machine: &'a Path,
    /// The game for the new machine.
    pub to: NamedGame<'a>,
    /// The assumptions about the states of searches in that game.
    pub assumptions: &'a Assumptions,
    /// Whether to leave out words that fail. Otherwise a word that fails means no machine.
    pub drop_failing: bool,
    /// Whether to leave out words without an instance in the other game. They make a machine larger
    /// without effect.
    pub drop_impossible: bool,
    /// Which machine is built: [`MachineKind::AhoCorasick`] or [`MachineKind::Minimized`].
    pub kind: MachineKind,
    /// A machine that would take more bytes is refused.
    pub budget: usize,
}

/// The result of carrying a machine over to another game.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct TransferReport {
    /// The name of the game that the machine was made for.
    pub from: String,
    /// The name of the machine file.
    pub machine: String,
    /// The name of the other game.
    pub to: String,
    /// Whether no word failed, or those that did were left out.
    pub valid: bool,
    /// The labels that both games have, in the order of the letters.
    pub shared_labels: Vec<String>,
    /// Labels of letters for which the other game has no rule.
    pub missing_labels: Vec<String>,
    /// Labels of the other game that the machine doesn't have.
    pub new_labels: Vec<String>,
    /// The words of the file.
    pub words: usize,
    /// The words that were proved.
    pub proved: usize,
    /// The instances of those words in the other game.
    pub instances: usize,
    /// The words without an instance.
    pub without_instance: usize,
    /// The number of words that fail.
    pub failed: usize,
    /// The first of them.
    pub failures: Vec<FailedCertificate>,
    /// The words of the new machine.
    pub kept: usize,
    /// The states of the new machine; `None` if there is none.
    pub states: Option<usize>,
    /// The assumptions about start states, one a line.
    pub assumed_invariants: Vec<String>,
}

/// A machine for another game, with its report.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The figures.
    pub report: TransferReport,
    /// The machine, with all words that it forbids and their replacements. `None` if a word failed
    /// and failing words weren't to be dropped.
    pub file: Option<MachineFile>,
}

/// Make a machine over labels for another game, proving each instance of each word there.
///
/// Letters keep their numbers; labels that only the other game has follow. A machine over rules
/// counts as one over labels if no two of its rules share a label. Sleep sets and don't-cares
/// aren't carried over.
///
/// Takes time proportional to the number of instances of all words' beginnings in the other game,
/// as [`redundancy::verify`] does.
///
/// # Errors
/// When the file is damaged, its letters have no labels, its order can't be carried over, the games
/// share no label, the new machine would be too large, or it is interrupted. A word that fails
/// isn't an error.
///
/// # Panics
/// Never: a game has fewer than 2^32 labels.
pub fn transfer(
    request: &TransferRequest<'_>,
    open: &OpenFile,
    host: &dyn Host,
) -> Result<Transfer, Error> {
    let _span = tracing::info_span!("transfer").entered();
    let path = request.machine;
    let (from, to) = (request.from, request.to);
    let unreadable = |error| unreadable(&path.display().to_string(), &error);
    open.verify_checksum().map_err(unreadable)?;
    let names = LetterNames::new(from.game, open);
    let source = open.to_machine_file().map_err(unreadable)?;
    let (labels, words) = labeled(&source, from.game, &names, path)?;
    let matched = Matched::new(labels, to.game);
    if matched.shared.is_empty() {
        return Err(Error::NoLabelInCommon {
            from: from.name.to_owned(),
            to: to.name.to_owned(),
        });
    }
    let known = request.assumptions.known.as_ref();
    let shown = host.begin();
    let verdicts = host.compute(|| {
        let progress = |message: &dyn Fn() -> String, parts| shown.show(message, parts);
        let limits = limits_of_proofs(host);
        prove_words(to.game, known, &matched, &words, &limits, &progress)
    })?;
    drop(shown);

    let mut report = TransferReport {
        from: from.name.to_owned(),
        machine: path.display().to_string(),
        to: to.name.to_owned(),
        valid: false,
        words: words.len(),
        proved: 0,
        instances: 0,
        without_instance: 0,
        failed: 0,
        failures: Vec::new(),
        kept: 0,
        states: None,
        assumed_invariants: request.assumptions.lines.clone(),
        shared_labels: matched.shared,
        missing_labels: matched.missing,
        new_labels: matched.new,
    };
    let named = |word: &[u32]| -> Vec<String> {
        let name = |letter: &u32| matched.labels[*letter as usize].clone();
        word.iter().map(name).collect()
    };
    let mut kept = Vec::with_capacity(words.len());
    for (index, (word, verdict)) in words.into_iter().zip(verdicts).enumerate() {
        match verdict {
            Ok(instances) => {
                report.proved += 1;
                report.instances += instances;
                kept.push(word);
            }
            Err(LabelFlaw::Impossible) => {
                report.without_instance += 1;
                if !request.drop_impossible {
                    kept.push(word);
                }
            }
            Err(flaw) => {
                report.failed += 1;
                if report.failures.len() < MAX_LISTED {
                    report.failures.push(FailedCertificate {
                        certificate: index + 1,
                        word: named(&word.word),
                        replacements: word.replacements.iter().map(|word| named(word)).collect(),
                        reason: flaw.to_string(),
                    });
                }
            }
        }
    }
    report.valid = report.failed == 0 || request.drop_failing;
    if !report.valid {
        return Ok(Transfer { report, file: None });
    }
    report.kept = kept.len();
    let n_letters = u32::try_from(matched.labels.len()).expect("no more labels than rules");
    let file = machine_of(request, &source, n_letters, matched.operator_of, kept, host)?;
    report.states = Some(file.machine.n_states());
    Ok(Transfer {
        report,
        file: Some(file),
    })
}

/// The machine file of the other game.
fn machine_of(
    request: &TransferRequest<'_>,
    source: &MachineFile,
    n_letters: u32,
    operator_of: Vec<u32>,
    words: Vec<CertifiedWord>,
    host: &dyn Host,
) -> Result<MachineFile, Error> {
    let letters = words.iter().map(|word| &*word.word);
    let stop = || host.is_over();
    let machines = Machines::of(n_letters, letters, 0, request.budget, &stop)?;
    machines.warn(host);
    let Some(built) = machines.built else {
        return Err(Error::Transferred(machines.sizes.aho_corasick));
    };
    let (machine, kind) = match request.kind {
        MachineKind::AhoCorasick | MachineKind::Minimized => built.into_machine(request.kind),
        MachineKind::Table => return Err(Error::TransferredTable),
    };
    Ok(MachineFile {
        max_length: source.max_length,
        assumptions: request.assumptions.lines.clone(),
        rests_on_assumptions: !request.assumptions.lines.is_empty(),
        operator_of,
        kind: Some(kind),
        words,
        ..MachineFile::new(
            request.to.game.content_hash().0,
            AnyMachine::compressed_above(COMPRESS_ABOVE, machine).map_err(Error::Machine)?,
        )
    })
}

/// Return the limits of proofs that begin now.
pub fn limits_of_proofs(host: &dyn Host) -> checker::Limits {
    let limits = host.limits(&Limits::default());
    checker::Limits {
        deadline: limits
            .time
            .and_then(|time| Instant::now().checked_add(time)),
        interrupt: limits.interrupt,
    }
}
