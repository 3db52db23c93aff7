//! `psvn fsm`: what a machine file holds.

mod picture;

use std::io::Write;

use fsm::{AnyMachine, MachineKind, OpenFile, growth, minimize, to_dot};
use serde::Serialize;

use crate::args::FsmArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use psvn::Game;
use psvn::machine::LetterNames;
use psvn::machine::Size;
use psvn::machine::file as machine_file;

use crate::output::Format;
use crate::output::assumptions;
use psvn::text::units::{count, format_bytes};

#[derive(Serialize)]
struct Report {
    file: String,
    game_hash: String,
    /// What letters are: `rules` or `operators`.
    letters: &'static str,
    /// The number of rules of the game.
    rules: usize,
    /// The number of letters: of rules, or of operators.
    alphabet: u32,
    /// How the machine was made.
    kind: Option<&'static str>,
    /// How its rows are stored: `dense` or `compressed`.
    form: &'static str,
    /// The pairs of rules that sleep sets let change places.
    swaps: usize,
    max_length: u32,
    order: String,
    assumed_invariants: Vec<String>,
    redundant_words: u64,
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
        Some(path) => Some(Game::open(path, &cx.env)?),
        None => None,
    };
    let file = match &game {
        Some(game) => machine_file::open_for(&args.machine, game.ir(), game.name())?,
        None => machine_file::open(&args.machine)?,
    };
    if args.dot && args.trie {
        let tree = picture::trie(&file, &names_of(game.as_ref(), &file), args)?;
        cx.out.write_all(tree.dot().as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.dot {
        let machine = file
            .machine()
            .to_dense()
            .map_err(|error| Failure::limit(error.to_string()))?;
        let letter_name = names_of(game.as_ref(), &file);
        cx.out.write_all(to_dot(&machine, letter_name).as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.svg {
        let text = picture::svg(&file, names_of(game.as_ref(), &file), args)?;
        cx.out.write_all(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.trie {
        return Err(Failure::usage("`--trie` is for pictures").hint("add `--svg` or `--dot`"));
    }
    let report = Report::of(args, &file, game.as_ref(), cx)?;
    if args.json || cx.format == Format::Json {
        cx.out.json(&report)?;
    } else {
        report.print(cx)?;
    }
    Ok(Exit::Done)
}

/// What letters are called: as the game says, or by number.
fn names_of<'g>(game: Option<&'g Game>, file: &OpenFile) -> impl Fn(u32) -> String + use<'g> {
    let names = game.map(|game| LetterNames::new(game.ir(), file));
    move |letter: u32| match &names {
        Some(names) => names.name(letter),
        None => (letter + 1).to_string(),
    }
}

impl Report {
    fn of(
        args: &FsmArgs,
        file: &OpenFile,
        game: Option<&Game>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let machine = file
            .machine()
            .to_dense()
            .map_err(|error| Failure::limit(error.to_string()))?;
        let minimized = minimize(&machine)
            .map_err(|error| Failure::limit(format!("the machine can't be built: {error}")))?;
        let swaps = file.swaps().map_err(|error| unreadable(args, &error))?;
        let branching = match game {
            Some(game) => {
                psvn::machine::growth_of_file(&args.machine, file, &swaps, game, &cx.env)?
            }
            // Here the machine alone says nothing: it allows, or forbids, what is impossible.
            _ if file.kind() == Some(MachineKind::MinimizedWithDontCares) => None,
            _ => Some(growth(&minimized)),
        };
        let mut by_length: Vec<usize> = Vec::new();
        for word in file.words() {
            let word = word.map_err(|error| unreadable(args, &error))?;
            if let Some(place) = word.word.len().checked_sub(1) {
                by_length.resize(by_length.len().max(place + 1), 0);
                by_length[place] += 1;
            }
        }
        let n_letters = file.machine().n_letters();
        Ok(Self {
            file: args.machine.display().to_string(),
            game_hash: psvn_ir::ContentHash(*file.game_hash()).to_string(),
            letters: if file.operator_of().is_empty() {
                "rules"
            } else {
                "operators"
            },
            rules: match file.operator_of() {
                [] => n_letters as usize,
                operator_of => operator_of.len(),
            },
            alphabet: n_letters,
            kind: file.kind().map(|kind| match kind {
                MachineKind::Table => "table",
                MachineKind::AhoCorasick => "aho-corasick",
                MachineKind::Minimized => "minimized",
                MachineKind::MinimizedWithDontCares => "minimized-with-dont-cares",
            }),
            form: match file.machine() {
                AnyMachine::Compressed(_) => "compressed",
                AnyMachine::Dense(_) | AnyMachine::StoredDense(_) => "dense",
            },
            swaps: swaps.len(),
            max_length: file.max_length(),
            order: file.order().to_owned(),
            assumed_invariants: file.assumptions().to_vec(),
            redundant_words: file.n_words(),
            redundant_by_length: by_length,
            states: file.machine().n_states(),
            bytes: file.machine().bytes(),
            minimized: Size::of(&minimized),
            branching_factor: branching.map(|growth| growth.value()),
            branching_factor_bounds: branching.map(|growth| [growth.lower, growth.upper]),
            impossible_pairs_left_out: game.is_some(),
        })
    }

    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let verbose = cx.log.is_verbose();
        let out = &mut cx.out;
        let letters = match self.letters {
            "operators" => format!("{} operators for {} rules", self.alphabet, self.rules),
            _ => format!("{} rules", self.rules),
        };
        writeln!(
            out,
            "{}: machine over {letters}, sequences up to length {} compared",
            self.file, self.max_length
        )?;
        writeln!(out, "  game             {}", self.game_hash)?;
        writeln!(out, "  order            {}", self.order)?;
        let assumed = match self.assumed_invariants.len() {
            0 => "nothing".to_owned(),
            n => format!("{} of start states", count(n, "invariant")),
        };
        writeln!(out, "  assumes          {assumed}")?;
        assumptions::print(
            &self.assumed_invariants,
            verbose,
            "                   ",
            out,
        )?;
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
        if self.swaps > 0 {
            writeln!(
                out,
                "  sleep sets       {} of rules that change places",
                count(self.swaps, "pair")
            )?;
        }
        let compressed = match self.form {
            "compressed" => ", compressed",
            _ => "",
        };
        writeln!(
            out,
            "  states           {}, {}{compressed}",
            self.states,
            format_bytes(self.bytes as u128)
        )?;
        if self.kind == Some("minimized-with-dont-cares") {
            writeln!(
                out,
                "  for this game    anything goes where a rule can't follow; not for abstract versions of it"
            )?;
        }
        if self.minimized.states < self.states {
            writeln!(
                out,
                "  minimized        {}, {}",
                self.minimized.states,
                format_bytes(self.minimized.bytes)
            )?;
        }
        let remark = match (self.impossible_pairs_left_out, self.letters) {
            (true, "operators") => "sequences of rules whose neighbors can follow each other",
            (true, _) => "sequences whose neighbors can follow each other",
            (false, "operators") => {
                "all sequences of operators, possible or not; --game FILE leaves impossible ones out"
            }
            (false, _) => "all sequences, possible or not; --game FILE leaves impossible ones out",
        };
        if let Some(factor) = self.branching_factor {
            writeln!(out, "  branching factor {factor:.6} of {remark}")?;
        }
        Ok(())
    }
}

fn unreadable(args: &FsmArgs, error: &fsm::FileError) -> Failure {
    machine_file::unreadable(&args.machine.display().to_string(), error).into()
}
