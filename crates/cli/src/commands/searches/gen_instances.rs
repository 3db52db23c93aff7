//! `psvn gen-instances`: start states, made by random walks.

use psvn::Game;
use psvn::instance::RandomWalks;
use psvn::text::Parameter;

use crate::args::GenInstancesArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &GenInstancesArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = Game::open(&args.file, &cx.env)?;
    let start = args.start.as_ref();
    let walks = RandomWalks {
        count: args.count,
        steps: args.steps,
        start: start
            .map(|text| game.state(Parameter::Start, text))
            .transpose()?,
        backward: args.backward,
    };
    interrupt::flag(&cx.env);
    let ends = walks.walk(&game, &cx.env)?;
    if args.output.is_some() && cx.format != Format::Text {
        return Err(Failure::usage(
            "`--output` writes instance files, which are text",
        ));
    }
    match cx.format {
        Format::Text => {
            let from = args.start.as_deref().unwrap_or("the goal");
            let text = walks.file(&ends, from, &game, &cx.env);
            cx.put(args.output.as_deref(), &text)?;
        }
        Format::Json => {
            for end in &ends {
                cx.out.json_line(end)?;
            }
        }
        Format::Csv => {
            cx.out.csv(["instance", "state"])?;
            for end in &ends {
                cx.out.csv([&end.instance, &end.state])?;
            }
        }
    }
    Ok(if cx.env.is_cancelled() {
        Exit::Interrupted
    } else if cx.env.budget().is_over() && ends.len() < args.count {
        Exit::Limit
    } else {
        Exit::Done
    })
}
