//! The contents of a machine file.

use std::io::{self, Write};

use psvn::machine::MachineDescription;
use psvn::text::Parameter;
use psvn::text::units::{count, format_bytes};

use crate::show::lines::{assumptions, split_rules};
use crate::show::{Show, Style};

impl Show for MachineDescription {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        let letters = match &*of.letters {
            "operators" => format!("{} operators for {} rules", of.alphabet, of.rules),
            "parts" => format!("{} parts of {} rules", of.alphabet, of.rules),
            _ => format!("{} rules", of.rules),
        };
        writeln!(
            out,
            "{}: machine over {letters}, sequences up to length {} compared",
            of.file, of.max_length
        )?;
        writeln!(out, "  game             {}", of.game_hash)?;
        writeln!(out, "  order            {}", of.order)?;
        let assumed = match of.assumed_invariants.len() {
            0 => "nothing".to_owned(),
            n => format!("{} of start states", count(n, "invariant")),
        };
        writeln!(out, "  assumes          {assumed}")?;
        assumptions(&of.assumed_invariants, "                   ", style, out)?;
        let lengths: Vec<String> = of
            .redundant_by_length
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(i, n)| format!("{n} of length {}", i + 1))
            .collect();
        let by_length = if lengths.len() > 1 {
            format!(" ({})", lengths.join(", "))
        } else {
            String::new()
        };
        writeln!(out, "  redundant words  {}{by_length}", of.redundant_words)?;
        if let Some(splits) = &of.splits {
            writeln!(out, "  split            {}:", count(splits.len(), "rule"))?;
            split_rules(splits, "  ", style, out)?;
        }
        if of.swaps > 0 {
            writeln!(
                out,
                "  sleep sets       {} of rules that change places",
                count(of.swaps, "pair")
            )?;
        }
        let compressed = match &*of.form {
            "compressed" => ", compressed",
            _ => "",
        };
        writeln!(
            out,
            "  states           {}, {}{compressed}",
            of.states,
            format_bytes(of.bytes as u128)
        )?;
        if of.kind.as_deref() == Some("minimized-with-dont-cares") {
            writeln!(
                out,
                "  for this game    words that can't occur are don't-cares; not valid for abstract versions"
            )?;
        }
        if of.minimized.states < of.states {
            writeln!(
                out,
                "  minimized        {}, {}",
                of.minimized.states,
                format_bytes(of.minimized.bytes)
            )?;
        }
        let game = style.term(Parameter::Game.is("FILE"));
        let remark = match (of.impossible_pairs_left_out, &*of.letters) {
            (true, "operators") => {
                "sequences of rules whose neighbors can follow each other".to_owned()
            }
            (true, _) => "sequences whose neighbors can follow each other".to_owned(),
            (false, letters) => {
                let of_operators = match letters {
                    "operators" => " of operators",
                    _ => "",
                };
                format!(
                    "all sequences{of_operators}, possible or not; {game} leaves impossible ones out"
                )
            }
        };
        if let Some(factor) = of.branching_factor {
            writeln!(out, "  branching factor {factor:.6} of {remark}")?;
        }
        Ok(())
    }
}
