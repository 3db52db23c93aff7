//! `psvn fsm`: the contents of a machine file.

use psvn::machine::{MachineDescription, TransitionTable, WordList, file as machine_file};
use psvn::{Error, Game};

use super::listing;
use crate::args::FsmArgs;
use crate::drawings::{Arrows, TooLarge, draw_machine, draw_words};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::ending::{Picture, SVG_OR_DOT, form_of};
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
            Some(path) => form_of(path, SVG_OR_DOT)? == Picture::Dot,
        };
        let text = draw(args, is_dot, &file, game.as_ref(), cx)?;
        cx.put(args.output.as_deref(), &text)?;
        return Ok(Exit::Done);
    }
    if args.words.words {
        let list = WordList::of_file(&file, game.as_ref().map(Game::ir)).map_err(Error::from)?;
        listing::print_words(
            &list,
            || file.words(),
            &args.words,
            &cx.env.budget().clone(),
            cx,
        )?;
        return Ok(Exit::Done);
    }
    if args.table {
        let table = TransitionTable::of(&file, game.as_ref().map(Game::ir)).map_err(Error::from)?;
        listing::print_table(&table, cx)?;
        return Ok(Exit::Done);
    }
    if args.trie {
        return Err(Failure::usage("`--trie` is for pictures").hint("add `-o FILE.svg`"));
    }
    let description = MachineDescription::of(path, &file, game.as_ref().map(Game::ir), &cx.env)?;
    cx.print(&description)?;
    Ok(Exit::Done)
}

/// Draw the machine, or the tree of the words that it forbids, as SVG or for Graphviz.
fn draw(
    args: &FsmArgs,
    is_dot: bool,
    file: &fsm::OpenFile,
    game: Option<&Game>,
    cx: &Context,
) -> Result<String, Failure> {
    let too_large = |ways_out: &'static str| {
        move |error: TooLarge| Failure::limit(error.to_string()).hint(ways_out)
    };
    if args.trie {
        let tree = draw_words(file, game, &args.machine)?;
        return if is_dot {
            Ok(tree.dot())
        } else {
            tree.svg()
                .map_err(too_large("`--dot` prints trees of any size for Graphviz"))
        };
    }
    let arrows = if is_dot {
        Arrows::All
    } else {
        Arrows::Readable
    };
    let graph = draw_machine(file, game, &args.machine, arrows, &cx.env)?;
    if is_dot {
        Ok(graph.dot())
    } else {
        graph.svg().map_err(too_large(match game {
            Some(_) => {
                "`--trie` draws the sequences that it forbids as a tree; `--dot` prints machines \
                 of any size for Graphviz"
            }
            None => {
                "`--game FILE` leaves out what can't follow; `--trie` draws the sequences that it \
                 forbids as a tree; `--dot` prints machines of any size for Graphviz"
            }
        }))
    }
}
