//! Certificates of costs and of machines: written after a search or from a machine file, and
//! checked by independent code.

mod greatest;
mod machine;
mod writer;

use std::path::Path;

use analyses::limits_of_proofs;
use checker::{CostCertificate, CostClaim, CostFailure, ExportFailure, StopReason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::greatest::certificate_of_greatest_cost;
pub use self::machine::certificate_of_machine;
pub use self::writer::Writer;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::store::read;

/// The verdict on a certificate.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Certified {
    /// The name of the file.
    pub file: String,
    /// What the certificate claims of each start, in the order of the file.
    pub starts: Vec<ClaimsOfStart>,
    /// Whether all claims are proved.
    pub accepted: bool,
    /// The first flaw, where they aren't.
    pub flaw: Option<String>,
    /// The number of states that the certificate lists.
    pub states: usize,
    /// The number of entries of its tables of estimates.
    pub table_entries: usize,
}

/// What a certificate claims about its game and a start.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ClaimsOfStart {
    /// The start: the number of each variable's value, from 0.
    pub start: Vec<u32>,
    /// At least one claim.
    pub claims: Vec<Claim>,
    /// The least cost of a plan, if the certificate claims a plan of that cost and that none costs
    /// less.
    pub least_cost: Option<u64>,
}

/// A claim of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Claim {
    /// A plan of this cost exists.
    PlanCosts(u64),
    /// Every plan costs at least this much.
    CostsAtLeast(u64),
    /// From each state that the start leads to, some plan costs at most this much.
    EverywhereAtMost(u64),
    /// There is no plan.
    NoPlan,
    /// A machine forbids redundant sequences, and no others.
    Machine,
}

/// A certificate that was accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    certificate: CostCertificate,
}

/// A lower bound for VeriPB, a checker of pseudo-Boolean proofs.
#[derive(Clone, Debug)]
pub struct ForVeripb {
    /// "There is a plan that costs less than the bound", in the format OPB.
    pub formula: String,
    /// The proof that this is false.
    pub proof: String,
}

impl Accepted {
    /// Return the greatest lower bound that is claimed, as formula and proof.
    ///
    /// # Errors
    /// When the certificate has no such bound, a rule costs nothing, formula or proof would be too
    /// large, or when the work is cancelled or the time runs out.
    pub fn for_veripb(&self, env: &Environment) -> Result<ForVeripb, Error> {
        let export = || {
            let formula = self.certificate.plan_formula()?;
            let proof = formula.refute(&limits_of_proofs(env))?;
            Ok(ForVeripb {
                formula: formula.opb(),
                proof,
            })
        };
        export().map_err(|error| match error {
            ExportFailure::Stopped(reason) => stopped(reason, "the proof was complete"),
            ExportFailure::TooLarge { .. } => Error::limit(format!("no proof for VeriPB: {error}")),
            // It was accepted.
            ExportFailure::BelowBound { .. } => Error::wrong(error.to_string()),
            _ => Error::input(format!("no proof for VeriPB: {error}")),
        })
    }
}

/// Check a certificate of costs. Its game and its starts are in the file. If a game is given, the
/// one in the file must be the same: its domains, rules and goals. What is accepted is returned for
/// further use.
///
/// # Errors
/// When the file can't be read, isn't a certificate, or is one of another game, or when the work is
/// cancelled or the time runs out. A claim that isn't proved is no error.
pub fn certify(
    path: &Path,
    game: Option<&Game>,
    env: &Environment,
) -> Result<(Certified, Option<Accepted>), Error> {
    let _span = tracing::info_span!("certify").entered();
    let (file, bytes) = read::read_bytes(path)?;
    let certificate = CostCertificate::read(&bytes)
        .map_err(|error| Error::input(format!("{file}: {error}")).caused_by(error))?;
    if let Some(game) = game {
        check_game(&file, &bytes, game)?;
    }
    drop(bytes);
    let flaw = check(&certificate, env)?;
    let (states, table_entries) = certificate.n_entries();
    let claims_of = |(number, start): (usize, &[u32])| ClaimsOfStart {
        start: start.to_vec(),
        claims: certificate
            .claims(number)
            .into_iter()
            .filter_map(claim)
            .collect(),
        least_cost: certificate.least_cost(number),
    };
    let certified = Certified {
        starts: certificate.starts().enumerate().map(claims_of).collect(),
        file,
        accepted: flaw.is_none(),
        flaw,
        states,
        table_entries,
    };
    let accepted = certified.accepted.then_some(Accepted { certificate });
    Ok((certified, accepted))
}

fn claim(claim: CostClaim) -> Option<Claim> {
    Some(match claim {
        CostClaim::PlanCosts(cost) => Claim::PlanCosts(cost),
        CostClaim::CostsAtLeast(cost) => Claim::CostsAtLeast(cost),
        CostClaim::EverywhereAtMost(cost) => Claim::EverywhereAtMost(cost),
        CostClaim::NoPlan => Claim::NoPlan,
        CostClaim::Machine => Claim::Machine,
        _ => return None,
    })
}

/// Refuse a certificate that begins with another game.
fn check_game(file: &str, bytes: &[u8], game: &Game) -> Result<(), Error> {
    let expected = certificates::game_lines(game.ir())
        .map_err(|error| Error::input(format!("{file} isn't about this game, since {error}")))?;
    let text = String::from_utf8_lossy(bytes);
    let is_meant = |line: &&str| !line.is_empty() && !line.starts_with('#');
    // The first line is the version of the format.
    let found = text.lines().map(str::trim).filter(is_meant).skip(1);
    let found = found.take_while(|line| !line.starts_with("start"));
    // The certificate of a machine may have the rules in another order.
    let [mut found, mut expected]: [Vec<&str>; 2] = [found.collect(), expected.lines().collect()];
    found.sort_unstable();
    expected.sort_unstable();
    if found != expected {
        return Err(Error::input(format!(
            "{file} isn't about this game: its domains, rules or goals are others"
        )));
    }
    Ok(())
}

/// The first flaw of a certificate.
fn check(certificate: &CostCertificate, env: &Environment) -> Result<Option<String>, Error> {
    match env.install(|| certificate.check(&limits_of_proofs(env))) {
        Ok(()) => Ok(None),
        Err(CostFailure::Flaw(flaw)) => Ok(Some(flaw.to_string())),
        Err(CostFailure::Stopped(reason)) => Err(stopped(reason, "the certificate was checked")),
        Err(failure) => Err(Error::wrong(failure.to_string())),
    }
}

fn stopped(reason: StopReason, event: &str) -> Error {
    match reason {
        StopReason::Interrupted => Error::interrupted(format!("interrupted before {event}")),
        _ => Error::limit(format!("the time ran out before {event}")),
    }
}
