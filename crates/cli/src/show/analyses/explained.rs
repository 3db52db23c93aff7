//! The reasons why a sequence is redundant, impossible, or neither.

use std::io::{self, Write};

use psvn::analysis::{
    Certificate, Nearest, OperatorsExplained, Reading, ReadingOfParts, RulesExplained, WordVerdict,
};
use psvn::text::units::count;

use crate::show::lines::{sequence, split_rules, trace};
use crate::show::{Show, Style};

/// The maximum number of implied values that are listed.
const MAX_IMPLIED: usize = 8;

/// The maximum number of instances that are listed.
const MAX_INSTANCES: usize = 20;

impl Show for RulesExplained {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        print_verdict(of, out)?;
        if let Some(nearest) = &of.nearest {
            print_nearest(nearest, out)?;
        }
        if let Some(reading) = &of.reading {
            print_reading(reading, style, out)?;
        }
        for steps in of.traces.iter().flatten().filter(|steps| !steps.is_empty()) {
            writeln!(out)?;
            trace(steps.iter(), out)?;
        }
        Ok(())
    }
}

fn print_verdict(of: &RulesExplained, out: &mut dyn Write) -> io::Result<()> {
    let word = of.word.join(" ");
    match of.verdict {
        WordVerdict::Impossible => {
            writeln!(out, "{word}: impossible")?;
            writeln!(out, "  {}", of.reason.as_deref().unwrap_or_default())?;
        }
        WordVerdict::NotRedundant => {
            writeln!(
                out,
                "{word}: not redundant, and no part of it is, by the length-lexicographic order"
            )?;
            if of.impossible_within {
                writeln!(out, "  no state with the invariants of the goal allows it")?;
            }
        }
        WordVerdict::Unknown => writeln!(
            out,
            "{word}: nothing redundant up to length {}; the analysis stopped there",
            of.analyzed_length
        )?,
        WordVerdict::Redundant => writeln!(out, "{word}: redundant")?,
        WordVerdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
    }
    let Some(certificate) = &of.certificate else {
        if let (Some(rule), Some(cost)) = (&of.rule, of.cost) {
            writeln!(out, "  {rule}  cost {cost}")?;
        }
        return Ok(());
    };
    let Certificate {
        start,
        redundant,
        replacement,
        substitution,
        order,
        implied,
    } = certificate;
    let redundant_text = redundant.word.join(" ");
    let replacement_text = sequence(&replacement.word);
    if of.verdict == WordVerdict::ContainsRedundant {
        let end = start + redundant.word.len() - 1;
        let place = if *start == end {
            format!("rule {start}")
        } else {
            format!("rules {start} to {end}")
        };
        writeln!(
            out,
            "  {redundant_text} ({place} of the sequence) is redundant"
        )?;
    }
    writeln!(out, "\n  {redundant_text}")?;
    writeln!(out, "    {}  cost {}", redundant.rule, redundant.cost)?;
    if implied.is_empty() {
        writeln!(out, "  can always be replaced by {replacement_text}")?;
    } else {
        writeln!(
            out,
            "  can be replaced, in states with the invariants of the goal, by {replacement_text}"
        )?;
    }
    writeln!(out, "    {}  cost {}\n", replacement.rule, replacement.cost)?;
    let under = if substitution.is_empty() {
        String::new()
    } else {
        let pairs: Vec<String> = substitution
            .iter()
            .map(|(unknown, value)| format!("{unknown} = {value}"))
            .collect();
        format!(", with {}", pairs.join(", "))
    };
    if !implied.is_empty() {
        let shown = &implied[..implied.len().min(MAX_IMPLIED)];
        let more = match implied.len() - shown.len() {
            0 => String::new(),
            n => format!(" and {}", count(n, "more value")),
        };
        writeln!(
            out,
            "  - the invariants imply {}{more} before it",
            shown.join(", ")
        )?;
    }
    writeln!(
        out,
        "  - it can be used wherever the other can, and leads to the same state{under}"
    )?;
    writeln!(
        out,
        "  - it costs no more: {} <= {}",
        replacement.cost, redundant.cost
    )?;
    writeln!(out, "  - it comes first: {order}")?;
    Ok(())
}

fn print_nearest(nearest: &Nearest, out: &mut dyn Write) -> io::Result<()> {
    let word = sequence(&nearest.word);
    let among = if nearest.complete {
        String::new()
    } else {
        format!(" of the first {}", count(nearest.compared, "sequence"))
    };
    writeln!(out, "\n  nearest sequence{among}: {word}")?;
    writeln!(out, "    {}  cost {}", nearest.rule, nearest.cost)?;
    for failed in &nearest.failed {
        writeln!(out, "  - {failed}")?;
    }
    Ok(())
}

fn print_reading(reading: &Reading, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n  {}, {} states:", reading.machine, reading.states)?;
    if let Some(parts) = &reading.parts {
        return print_parts(reading, parts, style, out);
    }
    let start = reading.steps.first().map_or(1, |step| step.from);
    write!(out, "    state {start}")?;
    for step in &reading.steps {
        match step.to {
            Some(to) => write!(out, " --{}--> {to}", step.letter)?,
            None => write!(out, " --{}--> forbidden", step.letter)?,
        }
    }
    writeln!(out)?;
    if reading.accepted {
        writeln!(out, "    it forbids nothing of the sequence")?;
    } else if let Some(word) = reading.forbidden.first() {
        writeln!(out, "    the forbidden sequence is {}", word.join(" "))?;
    } else {
        writeln!(
            out,
            "    no forbidden sequence of the file ends here: rules are in the wrong order, or impossible"
        )?;
    }
    Ok(())
}

/// Return how a machine over parts of rules reads a sequence of rules.
fn print_parts(
    reading: &Reading,
    parts: &ReadingOfParts,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if parts.split.is_empty() {
        writeln!(out, "    none of the rules is split")?;
    } else {
        writeln!(out, "    {} split:", count(parts.split.len(), "rule"))?;
        split_rules(&parts.split, "      ", &style.in_full(), out)?;
    }
    writeln!(
        out,
        "    it forbids {} of {} possible sequences of parts{}",
        parts.rejected,
        parts.possible,
        if reading.forbidden.is_empty() {
            ""
        } else {
            ":"
        }
    )?;
    for word in reading.forbidden.iter().take(MAX_INSTANCES) {
        writeln!(out, "      {}", word.join(" "))?;
    }
    if reading.forbidden.len() > MAX_INSTANCES {
        let left = reading.forbidden.len() - MAX_INSTANCES;
        writeln!(out, "      ... and {left} more")?;
    }
    Ok(())
}

impl Show for OperatorsExplained {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        let word = of.word.join(" ");
        match of.verdict {
            WordVerdict::Redundant => writeln!(out, "{word}: redundant")?,
            WordVerdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
            WordVerdict::Unknown => writeln!(
                out,
                "{word}: nothing redundant up to length {}; the analysis stopped there",
                of.analyzed_length
            )?,
            // An analysis by operator keeps impossible words, like others that nothing replaces.
            _ => writeln!(out, "{word}: not redundant, and no part of it is")?,
        }
        let (Some(start), Some(redundant)) = (of.start, &of.redundant) else {
            return Ok(());
        };
        writeln!(
            out,
            "  {} (from label {start} on) has {}, each with a replacement whose labels come first:",
            redundant.join(" "),
            count(of.instances.len(), "instance")
        )?;
        for instance in of.instances.iter().take(MAX_INSTANCES) {
            let replacement = sequence(&instance.replacement);
            writeln!(out, "    {} by {replacement}", instance.rules.join(" "))?;
        }
        if of.instances.len() > MAX_INSTANCES {
            writeln!(
                out,
                "    ... and {} more",
                of.instances.len() - MAX_INSTANCES
            )?;
        }
        if !of.assumed_invariants.is_empty() {
            writeln!(
                out,
                "  in all states with {} of the goal",
                count(of.assumed_invariants.len(), "invariant")
            )?;
        }
        Ok(())
    }
}
