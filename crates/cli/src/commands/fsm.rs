//! `psvn fsm`: what a machine file holds.

use std::io::Write;

use fsm::{Growth, MachineFile, growth, minimize, to_dot};
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::RuleId;
use serde::Serialize;

use crate::args::FsmArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame};
use crate::machine_file;
use crate::machines::{self, Size, too_large};
use crate::output::Format;
use crate::pruning::{self, Task};
use crate::rule_names::RuleNames;
use crate::units::format_bytes;

#[derive(Serialize)]
struct Report {
    file: String,
    game_hash: String,
    rules: u32,
    max_length: u32,
    order: String,
    assumed_invariants: Vec<String>,
    redundant_words: usize,
    /// By length, from 1.
    redundant_by_length: Vec<usize>,
    states: usize,
    bytes: usize,
    minimized: Size,
    /// The growth of the number of accepted words with their length.
    branching_factor: Option<f64>,
    branching_factor_bounds: Option<[f64; 2]>,
    /// Whether the branching factor counts only words whose neighbors can follow each other, which
    /// takes the game.
    impossible_pairs_left_out: bool,
}

pub(crate) fn run(args: &FsmArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.json && cx.format == Format::Csv {
        return Err(Failure::usage(
            "`--json` and `--format csv` contradict each other",
        ));
    }
    cx.refuse_csv("fsm")?;
    let game = match &args.game {
        Some(path) => Some(input::load_game(path, cx)?),
        None => None,
    };
    let file = match &game {
        Some(game) => machine_file::read_for(&args.machine, &game.game, &game.name)?,
        None => machine_file::read(&args.machine)?,
    };
    if args.dot {
        let machine = file
            .machine
            .to_dense()
            .map_err(|error| Failure::limit(error.to_string()))?;
        let names = game.as_ref().map(|game| RuleNames::new(&game.game));
        let letter_name = |letter: u32| match &names {
            Some(names) => names.name(RuleId(letter)),
            None => format!("{}", letter + 1),
        };
        cx.out.write_all(to_dot(&machine, letter_name).as_bytes())?;
        return Ok(Exit::Done);
    }
    let report = Report::of(args, &file, game.as_ref(), cx)?;
    if args.json || cx.format == Format::Json {
        cx.out.json(&report)?;
    } else {
        report.print(cx)?;
    }
    Ok(Exit::Done)
}

impl Report {
    fn of(
        args: &FsmArgs,
        file: &MachineFile,
        game: Option<&NamedGame>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let machine = file
            .machine
            .to_dense()
            .map_err(|error| Failure::limit(error.to_string()))?;
        let minimized = minimize(&machine).map_err(too_large)?;
        let branching = match game {
            Some(game) => possible_growth(file, game, cx)?,
            None => Some(growth(&minimized)),
        };
        let longest = file.words.iter().map(|word| word.word.len()).max();
        let mut by_length = vec![0; longest.unwrap_or(0)];
        for word in &file.words {
            if let Some(length) = word.word.len().checked_sub(1) {
                by_length[length] += 1;
            }
        }
        Ok(Self {
            file: args.machine.display().to_string(),
            game_hash: psvn_ir::ContentHash(file.game_hash).to_string(),
            rules: file.machine.n_letters(),
            max_length: file.max_length,
            order: file.order.clone(),
            assumed_invariants: file.assumptions.clone(),
            redundant_words: file.words.len(),
            redundant_by_length: by_length,
            states: file.machine.n_states(),
            bytes: file.machine.bytes(),
            minimized: Size::of(&minimized),
            branching_factor: branching.map(|growth| growth.value()),
            branching_factor_bounds: branching.map(|growth| [growth.lower, growth.upper]),
            impossible_pairs_left_out: game.is_some(),
        })
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        writeln!(
            out,
            "{}: machine over {} rules, sequences up to length {} compared",
            self.file, self.rules, self.max_length
        )?;
        writeln!(out, "  game             {}", self.game_hash)?;
        writeln!(out, "  order            {}", self.order)?;
        let assumed = match self.assumed_invariants.as_slice() {
            [] => "nothing".to_owned(),
            invariants => invariants.join("; "),
        };
        writeln!(out, "  assumes          {assumed}")?;
        let lengths: Vec<String> = self
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
        writeln!(
            out,
            "  redundant words  {}{by_length}",
            self.redundant_words
        )?;
        writeln!(
            out,
            "  states           {}, {}",
            self.states,
            format_bytes(self.bytes as u128)
        )?;
        if self.minimized.states < self.states {
            writeln!(
                out,
                "  minimized        {}, {}",
                self.minimized.states,
                format_bytes(self.minimized.bytes)
            )?;
        }
        let remark = if self.impossible_pairs_left_out {
            "sequences whose neighbors can follow each other"
        } else {
            "all sequences, possible or not; --game FILE leaves impossible ones out"
        };
        if let Some(factor) = self.branching_factor {
            writeln!(out, "  branching factor {factor:.6} of {remark}")?;
        }
        Ok(())
    }
}

/// The growth of accepted words in which each rule can follow the one before it.
fn possible_growth(
    file: &MachineFile,
    game: &NamedGame,
    cx: &Context,
) -> Result<Option<Growth>, Failure> {
    let known = Invariants::from_lines(&game.game, &file.assumptions)
        .map_err(|error| Failure::input(error.to_string()))?;
    let pairs = pruning::analyze(game, &Task::up_to(2, Some(&known), Limits::default()), cx);
    let words = file.words.iter().map(|word| &*word.word);
    machines::growth_of_possible(words, &pairs)
}
