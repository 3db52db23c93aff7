//! The verdict on a certificate of costs.

use std::io::{self, Write};

use psvn::certificate::{Certified, Claim};
use psvn::text::units::{count, group_digits};

use crate::show::lines::entries;
use crate::show::{Show, Style};

fn sentence(claim: &Claim) -> String {
    match claim {
        Claim::PlanCosts(cost) => format!("a plan costs {}", group_digits((*cost).into())),
        Claim::CostsAtLeast(cost) => {
            format!("each plan costs at least {}", group_digits((*cost).into()))
        }
        Claim::NoPlan => "there is no plan".to_owned(),
        _ => "a machine forbids redundant sequences, and no others".to_owned(),
    }
}

impl Show for Certified {
    fn show(&self, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let claims: Vec<String> = self.claims.iter().map(sentence).collect();
        let claims = claims.join("; ");
        match (&self.flaw, self.least_cost) {
            (Some(flaw), _) => writeln!(out, "rejected: {flaw}\n  claimed: {claims}")?,
            (None, Some(cost)) => writeln!(
                out,
                "accepted: the least cost from this start is {}",
                group_digits(cost.into())
            )?,
            (None, None) => writeln!(out, "accepted: {claims}")?,
        }
        if self.states > 0 {
            writeln!(out, "  {} listed", count(self.states, "state"))?;
        }
        if self.table_entries > 0 {
            writeln!(out, "  {} of tables", entries(self.table_entries as u64))?;
        }
        Ok(())
    }
}
