//! Certificates of costs: written after a search, and checked by independent code.

mod writer;

use std::path::Path;
use std::sync::Arc;

use checker::{CostCertificate, CostClaim, CostFailure, Limits, StopReason};
use serde::{Deserialize, Serialize};

pub use self::writer::{of_least_cost, of_no_plan};
use crate::environment::Environment;
use crate::error::Error;
use crate::store::read;

/// The result of checking a certificate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Certified {
    /// The name of the file.
    pub file: String,
    /// What the certificate claims about its game and start.
    pub claim: Claim,
    /// Whether the claim is proved.
    pub accepted: bool,
    /// The first flaw, where it isn't.
    pub flaw: Option<String>,
    /// The number of states that the certificate lists.
    pub states: usize,
    /// The number of entries of its tables of estimates.
    pub table_entries: usize,
}

/// The claim of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Claim {
    /// A plan of this cost exists.
    PlanCosts(u64),
    /// Every plan costs at least this much.
    CostsAtLeast(u64),
    /// There is no plan.
    NoPlan,
}

/// Check a certificate of costs. Its game and its start are in the file.
///
/// # Errors
/// When the file can't be read or isn't a certificate, or when the work is cancelled or the time
/// runs out. A claim that isn't proved is no error.
pub fn certify(path: &Path, env: &Environment) -> Result<Certified, Error> {
    let _span = tracing::info_span!("certify").entered();
    let (file, bytes) = read::read_bytes(path)?;
    let certificate = CostCertificate::read(&bytes)
        .map_err(|error| Error::input(format!("{file}: {error}")).caused_by(error))?;
    drop(bytes);
    let claim = match certificate.claims()[0] {
        CostClaim::PlanCosts(cost) => Claim::PlanCosts(cost),
        CostClaim::CostsAtLeast(cost) => Claim::CostsAtLeast(cost),
        CostClaim::NoPlan => Claim::NoPlan,
        _ => return Err(Error::input(format!("{file}: unknown claim"))),
    };
    let flaw = check(&certificate, env)?;
    let (states, table_entries) = certificate.n_entries();
    Ok(Certified {
        file,
        claim,
        accepted: flaw.is_none(),
        flaw,
        states,
        table_entries,
    })
}

/// The first flaw of a certificate.
fn check(certificate: &CostCertificate, env: &Environment) -> Result<Option<String>, Error> {
    let limits = Limits {
        deadline: env.deadline(),
        interrupt: Some(Arc::clone(env.cancellation())),
    };
    match env.install(|| certificate.check(&limits)) {
        Ok(()) => Ok(None),
        Err(CostFailure::Flaw(flaw)) => Ok(Some(flaw.to_string())),
        Err(CostFailure::Stopped(StopReason::Interrupted)) => Err(Error::interrupted(
            "interrupted before the certificate was checked",
        )),
        Err(_) => Err(Error::limit(
            "the time ran out before the certificate was checked",
        )),
    }
}
