//! `psvn fsm`: what a machine file holds.

use std::io::Write;

use psvn::Game;
use psvn::machine::{
    Arrows, MachineDescription, TransitionTable, WordList, draw_machine, draw_words,
    file as machine_file, letter_names,
};
use psvn::store::atomic as atomic_file;
use psvn::text::units::{count, format_bytes};

use super::analyze::splits::print_rules;
use super::listing;
use crate::args::FsmArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::{assumptions, picture};
use crate::session::Context;

pub(crate) fn run(args: &FsmArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.json && cx.format == Format::Csv {
        return Err(Failure::usage(
            "`--json` and `--format csv` contradict each other",
        ));
    }
    if !args.words.words && !args.table {
        cx.refuse_csv("fsm")?;
    }
    if args.json {
        cx.format = Format::Json;
    }
    let game = match &args.game {
        Some(path) => Some(Game::open(path, &cx.env)?),
        None => None,
    };
    let path = &args.machine;
    let file = match &game {
        Some(game) => machine_file::open_for(path, game.ir(), game.name())?,
        None => machine_file::open(path)?,
    };
    if args.dot || args.svg || args.output.is_some() {
        let is_dot = match &args.output {
            None => args.dot,
            Some(path) => picture::is_dot(path)?,
        };
        let text = draw(args, is_dot, &file, game.as_ref(), cx)?;
        match &args.output {
            Some(path) => atomic_file::write(path, text.as_bytes())?,
            None => cx.out.write_all(text.as_bytes())?,
        }
        return Ok(Exit::Done);
    }
    if args.words.words {
        let list = WordList::of_file(&file, game.as_ref())?;
        listing::print_words(&list, || file.words(), &args.words, cx)?;
        return Ok(Exit::Done);
    }
    if args.table {
        let table = TransitionTable::of(&file, game.as_ref())?;
        listing::print_table(&table, cx)?;
        return Ok(Exit::Done);
    }
    if args.trie {
        return Err(Failure::usage("`--trie` is for pictures").hint("add `-o FILE.svg`"));
    }
    let description = MachineDescription::of(path, &file, game.as_ref(), &cx.env)?;
    if cx.format == Format::Json {
        cx.out.json(&description)?;
    } else {
        print(&description, cx)?;
    }
    Ok(Exit::Done)
}

/// The machine, or the tree of the words that it forbids, as SVG or for Graphviz.
fn draw(
    args: &FsmArgs,
    is_dot: bool,
    file: &fsm::OpenFile,
    game: Option<&Game>,
    cx: &Context,
) -> Result<String, Failure> {
    let too_large = |ways_out: &'static str| {
        move |error: drawing::TooLarge| Failure::limit(error.to_string()).hint(ways_out)
    };
    if args.trie {
        let tree = draw_words(file, &letter_names(game, file), &args.machine)?;
        return match is_dot {
            true => Ok(tree.dot()),
            false => tree
                .svg()
                .map_err(too_large("`--dot` prints trees of any size for Graphviz")),
        };
    }
    let arrows = match is_dot {
        true => Arrows::All,
        false => Arrows::Readable,
    };
    let graph = draw_machine(file, game, &args.machine, arrows, &cx.env)?;
    match is_dot {
        true => Ok(graph.dot()),
        false => graph.svg().map_err(too_large(match game {
            Some(_) => {
                "`--trie` draws the sequences that it forbids as a tree; `--dot` prints machines \
                 of any size for Graphviz"
            }
            None => {
                "`--game FILE` leaves out what can't follow; `--trie` draws the sequences that it \
                 forbids as a tree; `--dot` prints machines of any size for Graphviz"
            }
        })),
    }
}

fn print(of: &MachineDescription, cx: &mut Context) -> Result<(), Failure> {
    let verbose = cx.log.is_verbose();
    let out = &mut cx.out;
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
    assumptions::print(&of.assumed_invariants, verbose, "                   ", out)?;
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
        print_rules(splits, verbose, out)?;
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
            "  for this game    anything goes where a rule can't follow; not for abstract versions of it"
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
    let remark = match (of.impossible_pairs_left_out, &*of.letters) {
        (true, "operators") => "sequences of rules whose neighbors can follow each other",
        (true, _) => "sequences whose neighbors can follow each other",
        (false, "operators") => {
            "all sequences of operators, possible or not; --game FILE leaves impossible ones out"
        }
        (false, _) => "all sequences, possible or not; --game FILE leaves impossible ones out",
    };
    if let Some(factor) = of.branching_factor {
        writeln!(out, "  branching factor {factor:.6} of {remark}")?;
    }
    Ok(())
}
