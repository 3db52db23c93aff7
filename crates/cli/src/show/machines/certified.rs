//! The verdict on a certificate of costs.

use std::io::{self, Write};

use psvn::certificate::{Certified, Claim};
use psvn::text::units::{count, group_digits};

use crate::show::{Show, Style};

impl Show for Certified {
    fn show(&self, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let claim = match self.claim {
            Claim::PlanCosts(cost) => {
                format!("a plan from this start costs {}", group_digits(cost.into()))
            }
            Claim::CostsAtLeast(cost) => format!(
                "every plan from this start costs at least {}",
                group_digits(cost.into())
            ),
            _ => "no plan leads from this start to a goal".to_owned(),
        };
        match &self.flaw {
            None => writeln!(out, "accepted: {claim}")?,
            Some(flaw) => writeln!(out, "rejected: {claim}: {flaw}")?,
        }
        if self.states > 0 {
            writeln!(out, "{} listed", count(self.states, "state"))?;
        }
        Ok(())
    }
}
