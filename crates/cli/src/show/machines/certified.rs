//! The verdict on a certificate of costs.

use std::io::{self, Write};

use psvn::certificate::{Certified, Claim, ClaimsOfStart};
use psvn::text::units::{count, group_digits};

use crate::show::lines::entries;
use crate::show::{Show, Style};

fn sentence(claim: &Claim) -> String {
    match claim {
        Claim::PlanCosts(cost) => format!("a plan costs {}", group_digits((*cost).into())),
        Claim::CostsAtLeast(cost) => {
            format!("each plan costs at least {}", group_digits((*cost).into()))
        }
        Claim::EverywhereAtMost(cost) => format!(
            "from each state that this start leads to, a plan costs at most {}",
            group_digits((*cost).into())
        ),
        Claim::NoPlan => "there is no plan".to_owned(),
        _ => "a machine forbids redundant sequences, and no others".to_owned(),
    }
}

/// What is claimed of a start.
fn claims(start: &ClaimsOfStart) -> String {
    let of_start = |claim: &&Claim| matches!(claim, Claim::PlanCosts(_) | Claim::CostsAtLeast(_));
    let least = start.least_cost.map(|cost| {
        format!(
            "the least cost from this start is {}",
            group_digits(cost.into())
        )
    });
    let others = start.claims.iter();
    let others = others.filter(|claim| least.is_none() || !of_start(claim));
    let sentences = least.iter().cloned().chain(others.map(sentence));
    Vec::from_iter(sentences).join("; ")
}

impl Show for Certified {
    fn show(&self, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let verdict = match &self.flaw {
            Some(flaw) => format!("rejected: {flaw}\n  claimed"),
            None => "accepted".to_owned(),
        };
        match &self.starts[..] {
            [start] => writeln!(out, "{verdict}: {}", claims(start))?,
            starts => {
                let n = count(starts.len(), "start");
                writeln!(out, "{verdict}: what follows of {n}")?;
                for start in starts {
                    let values = start.start.iter().map(u32::to_string);
                    let values = Vec::from_iter(values).join(" ");
                    writeln!(out, "  {values}: {}", claims(start))?;
                }
            }
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
