//! The proofs of a machine file, step by step.

use std::cell::Cell;

use checker::{
    AutomatonFlaw, Certificate, Fact, Invariant, InvariantFailure, LabelCertificate, LabelFlaw,
    LabelWords, Limits, MachineClaim, Operators, Order, PartCertificate, PartsFailure,
    ProvedInvariants, ProvedIrrelevance, ProvedParts, ProvedSwaps, RulePart, RuleRanks, StopReason,
    Successions, SwapFailure, WordOrder, find_flaws, find_flaws_for_goals, find_flaws_within,
};
use fsm::{CertifiedWord, Machine, MachineFile, MachineKind};
use invariants::Invariants;
use move_prune::UnknownOrder;
use psvn_ir::{Game, RuleId, Value, VarId};

use crate::{Error, ignored};

/// The number of certificates that are checked between two checks for interruption.
const CERTIFICATES_AT_ONCE: usize = 2048;

/// Receives the progress of proofs: what is being proved, how many parts are done, and how many
/// there are.
pub type Progress<'a> = dyn Fn(&dyn Fn() -> String, Option<(usize, usize)>) + 'a;

/// The outcomes of the proofs, with flaws. Proofs that a machine doesn't need are `None`.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The places of certificates that fail, from 0, with the reasons.
    pub(super) failed: Vec<(usize, String)>,
    /// The number of words of operators without an instance in this game, which need no proof. A
    /// machine that was made for a larger board has some.
    pub(super) without_instance: usize,
    /// Whether the assumed invariants are inductive, where the rest builds on that.
    pub(super) invariants: Option<Result<(), String>>,
    /// Whether the parts of each rule are disjoint and complete, where letters are parts.
    pub(super) parts: Option<Result<(), String>>,
    /// Whether the rules that sleep sets let change places may do so.
    pub(super) swaps: Option<Result<(), String>>,
    /// Whether the machine forbids exactly the words that it should.
    pub(super) machine: Option<Result<(), MachineFlaw>>,
    /// Whether the header is true.
    pub(super) header: Option<Result<(), String>>,
}

/// A flaw of a machine.
#[derive(Debug)]
pub(super) enum MachineFlaw {
    /// It forbids a word that it should not.
    ForbidsTooMuch(Vec<u32>),
    /// It allows a word that it should not.
    ForbidsTooLittle(Vec<u32>),
    Other(String),
}

impl Outcome {
    /// Whether everything was proved.
    pub(super) fn is_valid(&self) -> bool {
        let is_good = |part: &Option<Result<(), String>>| !matches!(part, Some(Err(_)));
        self.failed.is_empty()
            && is_good(&self.invariants)
            && is_good(&self.parts)
            && is_good(&self.swaps)
            && is_good(&self.header)
            && matches!(self.machine, Some(Ok(())))
    }
}

/// A file to verify, with all that proofs need.
pub(super) struct Task<'a> {
    pub(super) name: String,
    pub(super) game: &'a Game,
    pub(super) file: &'a MachineFile,
    /// The file's assumptions.
    pub(super) assumed: &'a Invariants,
    pub(super) limits: &'a Limits,
    /// Is told how far the proofs are: in words, and the parts that are done and all parts.
    pub(super) progress: &'a Progress<'a>,
}

impl Task<'_> {
    /// Prove all claims.
    ///
    /// # Errors
    /// When the file claims something that can't be checked, or when it is interrupted.
    pub(super) fn run(&self) -> Result<Outcome, Error> {
        let limits = self.limits;
        let mut outcome = Outcome::default();
        let known = self.prove_invariants(limits, &mut outcome)?;
        if !self.file.parts.is_empty() {
            self.prove_parts(&known, limits, &mut outcome)?;
        } else if self.file.operator_of.is_empty() {
            self.prove_rules(&known, limits, &mut outcome)?;
        } else {
            self.prove_operators(&known, limits, &mut outcome)?;
        }
        // Minimality means nothing for a wrong machine.
        if matches!(outcome.machine, Some(Ok(()))) {
            (self.progress)(&|| "comparing the header".to_owned(), None);
            let header = self.file.check_header_unless(&|| limits.check().is_err());
            // A flaw that was found after an interruption may mean nothing but that.
            limits.check().map_err(stopped)?;
            outcome.header = Some(header.map_err(|flaw| flaw.to_string()));
        }
        Ok(outcome)
    }

    /// The assumed invariants, where the proofs build on them; none where they don't, or are wrong.
    fn prove_invariants(
        &self,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<ProvedInvariants, Error> {
        let is_needed = self.file.rests_on_assumptions
            || !self.file.operator_of.is_empty()
            || self.file.kind == Some(MachineKind::MinimizedWithDontCares);
        let nothing = || ProvedInvariants::none(self.game);
        if !is_needed || self.file.assumptions.is_empty() {
            return Ok(nothing());
        }
        match ProvedInvariants::prove(self.game, &claims(self.assumed), limits) {
            Ok(known) => {
                outcome.invariants = Some(Ok(()));
                Ok(known)
            }
            Err(InvariantFailure::Stopped(reason)) => Err(stopped(reason)),
            Err(failure) => {
                outcome.invariants = Some(Err(failure.to_string()));
                Ok(nothing())
            }
        }
    }

    /// Prove that no goal depends on the variables that the file ignores, if there are any.
    fn prove_irrelevance(&self, outcome: &mut Outcome) -> Option<ProvedIrrelevance> {
        let ignored = ignored::variables_in(&self.file.assumptions);
        if ignored.is_empty() {
            return None;
        }
        match ProvedIrrelevance::prove(self.game, &ignored) {
            Ok(proved) => Some(proved),
            Err(flaw) => {
                outcome.invariants = Some(Err(flaw.to_string()));
                None
            }
        }
    }

    fn order(&self) -> Result<Order, Error> {
        match self.file.order.parse() {
            Ok(move_prune::Order::LengthLexicographic) => Ok(Order::LengthLexicographic),
            Ok(move_prune::Order::CostLengthLexicographic) => Ok(Order::CostLengthLexicographic),
            Ok(move_prune::Order::Cost) => Ok(Order::Cost),
            Err(UnknownOrder) => {
                Err(self.uncheckable(&format!("uses the order `{}`", self.file.order)))
            }
        }
    }

    fn uncheckable(&self, what: &str) -> Error {
        Error::input(format!(
            "`{}` {what}, which this version can't check",
            self.name
        ))
    }

    fn prove_rules(
        &self,
        known: &ProvedInvariants,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let ranks = self.ranks()?;
        let order = self.word_order(&ranks)?;
        if self.order()? == Order::Cost && !self.file.swaps.is_empty() {
            return Err(self.uncheckable("keeps all cheapest sequences and has sleep sets"));
        }
        let irrelevant = self.prove_irrelevance(outcome);
        self.check_in_parts(limits, outcome, |words| {
            let words: Vec<[Vec<RuleId>; 2]> = words
                .iter()
                .map(|word| [rules(&word.word), rules(&word.replacements[0])])
                .collect();
            let certificates: Vec<Certificate<'_>> = words
                .iter()
                .map(|[word, replacement]| Certificate { word, replacement })
                .collect();
            let flaws = match (&irrelevant, self.file.rests_on_assumptions) {
                (Some(irrelevant), _) => {
                    find_flaws_for_goals(self.game, known, irrelevant, &certificates, order)
                }
                (None, true) => find_flaws_within(self.game, known, &certificates, order),
                (None, false) => find_flaws(self.game, &certificates, order),
            };
            Ok(flaws
                .into_iter()
                .map(|failure| (failure.index, failure.flaw.to_string()))
                .collect())
        })?;
        let words: Vec<&[u32]> = self.file.words.iter().map(|word| &*word.word).collect();
        let mut claim = MachineClaim::forbids(self.file.machine.n_letters(), &words);
        let swaps: Vec<(RuleId, RuleId)> = self
            .file
            .swaps
            .iter()
            .map(|(first, second)| (RuleId(*first), RuleId(*second)))
            .collect();
        let proved = if self.file.rests_on_assumptions {
            ProvedSwaps::prove_within(self.game, known, &swaps, limits)
        } else {
            ProvedSwaps::prove(self.game, &swaps, limits)
        };
        let proved = match proved {
            Ok(proved) => Some(proved),
            Err(SwapFailure::Stopped(reason)) => return Err(stopped(reason)),
            Err(failure) => {
                outcome.swaps = Some(Err(failure.to_string()));
                None
            }
        };
        if !swaps.is_empty()
            && let Some(proved) = &proved
        {
            outcome.swaps = Some(Ok(()));
            claim = claim.with_sleep_sets(proved, order);
        }
        let successions = match self.file.kind {
            Some(MachineKind::MinimizedWithDontCares) => {
                Some(Successions::of_rules(self.game, known, limits).map_err(stopped)?)
            }
            _ => None,
        };
        if let Some(successions) = &successions {
            claim = claim.with_dont_cares(successions);
        }
        self.check_machine(&claim, limits, outcome)
    }

    /// Prove that the parts of each rule are disjoint and complete, then the words of parts.
    fn prove_parts(
        &self,
        known: &ProvedInvariants,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let ranks = self.ranks()?;
        let order = self.word_order(&ranks)?;
        let of_rules = (0..).map(RuleId).zip(&self.file.parts);
        let parts = of_rules.flat_map(|(rule, parts)| {
            parts.iter().map(move |part| RulePart {
                rule,
                conditions: part.conditions.iter().map(condition).collect(),
            })
        });
        let parts = match ProvedParts::prove(self.game, known, parts.collect(), limits) {
            Ok(parts) => parts,
            Err(PartsFailure::Stopped(reason)) => return Err(stopped(reason)),
            Err(failure) => {
                outcome.parts = Some(Err(failure.to_string()));
                return Ok(());
            }
        };
        outcome.parts = Some(Ok(()));
        let known = Some(known).filter(|_| self.file.rests_on_assumptions);
        self.check_in_parts(limits, outcome, |words| {
            let replacements: Vec<Vec<RuleId>> =
                words.iter().map(|it| rules(&it.replacements[0])).collect();
            let certificates: Vec<PartCertificate<'_>> = words
                .iter()
                .zip(&replacements)
                .map(|(word, replacement)| PartCertificate {
                    word: &word.word,
                    replacement,
                })
                .collect();
            let flaws = parts.find_flaws(known, &certificates, order);
            Ok(flaws
                .into_iter()
                .map(|failure| (failure.index, failure.flaw.to_string()))
                .collect())
        })?;
        let words: Vec<&[u32]> = self.file.words.iter().map(|word| &*word.word).collect();
        let claim = MachineClaim::forbids(self.file.machine.n_letters(), &words);
        self.check_machine(&claim, limits, outcome)
    }

    /// Return the order of words in which replacements come first.
    fn word_order<'r>(&self, ranks: &'r Option<RuleRanks>) -> Result<WordOrder<'r>, Error> {
        let order = self.order()?;
        Ok(match ranks {
            Some(ranks) => WordOrder::with_ranks(order, ranks),
            None => WordOrder::from(order),
        })
    }

    /// The order of rules, unless it is their own.
    fn ranks(&self) -> Result<Option<RuleRanks>, Error> {
        match self.file.rule_order.as_slice() {
            [] => Ok(None),
            letters => RuleRanks::new(&rules(letters))
                .map(Some)
                .map_err(|error| Error::input(format!("`{}`: {error}", self.name))),
        }
    }

    fn prove_operators(
        &self,
        known: &ProvedInvariants,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let file = self.file;
        // Operators are compared by length and then by number: no other order was proved safe.
        if self.order()? != Order::LengthLexicographic
            || !file.rule_order.is_empty()
            || !file.swaps.is_empty()
            || file.kind == Some(MachineKind::MinimizedWithDontCares)
            || !ignored::variables_in(&file.assumptions).is_empty()
        {
            return Err(self.uncheckable("has data on operators other than their words"));
        }
        let n_letters = file.machine.n_letters();
        let operators = Operators::new(self.game, n_letters as usize, &file.operator_of)
            .map_err(|error| Error::input(format!("`{}`: {error}", self.name)))?;
        let label_words = LabelWords::new(self.game, &operators, known, limits).map_err(stopped)?;
        let without_instance = Cell::new(0);
        let is_impossible = |flaw: &LabelFlaw| {
            let is_impossible = *flaw == LabelFlaw::Impossible;
            without_instance.update(|n: usize| n + usize::from(is_impossible));
            is_impossible
        };
        self.check_in_parts(limits, outcome, |words| {
            let replacements: Vec<Vec<&[u32]>> = words
                .iter()
                .map(|word| word.replacements.iter().map(|word| &**word).collect())
                .collect();
            let certificates: Vec<LabelCertificate<'_>> = words
                .iter()
                .zip(&replacements)
                .map(|(word, replacements)| LabelCertificate {
                    word: &word.word,
                    replacements,
                })
                .collect();
            let flaws = label_words.find_flaws(&certificates);
            Ok(flaws
                .into_iter()
                .filter(|failure| !is_impossible(&failure.flaw))
                .map(|failure| (failure.index, failure.flaw.to_string()))
                .collect())
        })?;
        outcome.without_instance = without_instance.get();
        let words: Vec<&[u32]> = file.words.iter().map(|word| &*word.word).collect();
        let claim = MachineClaim::forbids(n_letters, &words);
        self.check_machine(&claim, limits, outcome)
    }

    /// Check certificates in batches.
    fn check_in_parts(
        &self,
        limits: &Limits,
        outcome: &mut Outcome,
        check: impl Fn(&[CertifiedWord]) -> Result<Vec<(usize, String)>, Error>,
    ) -> Result<(), Error> {
        let words = &self.file.words;
        for (part, some) in words.chunks(CERTIFICATES_AT_ONCE).enumerate() {
            let first = part * CERTIFICATES_AT_ONCE;
            (self.progress)(
                &|| format!("checking certificates: {first} of {} done", words.len()),
                Some((first, words.len())),
            );
            let flaws = check(some)?;
            // Flaws that were found after an interruption may mean nothing but that.
            limits.check().map_err(stopped)?;
            let placed = flaws
                .into_iter()
                .map(|(index, reason)| (first + index, reason));
            outcome.failed.extend(placed);
        }
        Ok(())
    }

    fn check_machine(
        &self,
        claim: &MachineClaim<'_, &[u32]>,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        (self.progress)(&|| "checking the machine".to_owned(), None);
        let machine = &self.file.machine;
        let checked = claim.check(
            machine.start(),
            |state, letter| machine.next(state, letter),
            limits,
        );
        outcome.machine = Some(match checked {
            Ok(_) => Ok(()),
            Err(AutomatonFlaw::ForbidsTooMuch { word }) => Err(MachineFlaw::ForbidsTooMuch(word)),
            Err(AutomatonFlaw::ForbidsTooLittle { word }) => {
                Err(MachineFlaw::ForbidsTooLittle(word))
            }
            Err(AutomatonFlaw::Stopped(reason)) => return Err(stopped(reason)),
            Err(other) => Err(MachineFlaw::Other(other.to_string())),
        });
        Ok(())
    }
}

/// A condition of a part, in the checker's terms.
fn condition((position, value): &(u32, u32)) -> Fact {
    Fact {
        var: VarId(*position),
        value: Value::from_index(*value as usize),
    }
}

fn rules(letters: &[u32]) -> Vec<RuleId> {
    letters.iter().map(|letter| RuleId(*letter)).collect()
}

/// Invariants in the checker's terms.
pub(crate) fn claims(assumed: &Invariants) -> Vec<Invariant> {
    let fact = |fact: invariants::Fact| Fact {
        var: fact.var,
        value: fact.value,
    };
    let counts = assumed.counts().map(|count| Invariant::Count {
        facts: count.facts.iter().copied().map(fact).collect(),
        number: count.number,
    });
    let never = assumed
        .unreachable_facts()
        .map(|one| Invariant::Never(fact(one)));
    let exclusive = assumed
        .exclusive_pairs()
        .map(|(one, other)| Invariant::Exclusive(fact(one), fact(other)));
    counts.chain(never).chain(exclusive).collect()
}

pub(crate) fn stopped(reason: StopReason) -> Error {
    match reason {
        StopReason::Interrupted => Error::interrupted("nothing is proved: it was interrupted"),
        StopReason::Time => Error::limit("nothing is proved: the time ran out"),
        other => Error::limit(format!("nothing is proved: {other}")),
    }
}
