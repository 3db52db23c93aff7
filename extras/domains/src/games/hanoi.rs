//! Towers of Hanoi with any number of pegs.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "hanoi",
    usage: "hanoi PEGS DISKS [cost=unit|disk]",
    summary: "Towers of Hanoi: 4 pegs and 8 disks are 32 variables and 96 rules",
    options: &[OptionInfo::new(
        "cost=unit|disk",
        "disk: moving disk k, the k-th smallest, costs k (default: unit)",
    )],
    example: "hanoi 4 8",
    build,
};

/// Rules disk by disk from the smallest, then by source peg, then by target peg. Variables disk by
/// disk, too, the pegs of each in order.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_pegs = args.number("PEGS", 2..=1_000)?;
    let n_disks = args.number("DISKS", 1..=1_000)?;
    let by_disk = args.choice("cost", &["unit", "disk"])? == "disk";
    args.finish()?;
    args.check_size(n_pegs * n_disks, n_disks * n_pegs * (n_pegs - 1))?;

    let mut game = Game::new([
        format!("Towers of Hanoi with {n_pegs} pegs and {n_disks} disks"),
        format!(
            "A move takes the topmost disk of a peg to another peg, never onto a smaller disk. The goal is\n\
             that all disks are on peg {n_pegs}; the usual start has them all on peg 1."
        ),
        format!(
            "Encoding: for each disk, from the smallest (disk 1), one 0/1 variable for each peg: is the disk\n\
             there? A rule tests that the moved disk is on the source peg and not on the target peg, and\n\
             that every smaller disk is on neither. Rule d<k>:<a>-<b> moves disk k from peg a to peg b.{}",
            if by_disk { "\nCost: moving disk k costs k." } else { "" }
        ),
        "Source: Hinz, \"The tower of Hanoi\" (1997); Burch & Holte, \"Automatic Move Pruning in General\n\
         Single-Player Games\" (2011), with 4 pegs and 8 disks."
            .to_owned(),
    ]);
    let on_first_peg = (0..n_disks).flat_map(|_| (0..n_pegs).map(|peg| usize::from(peg == 0)));
    game.start("usual", on_first_peg);
    let disks = (1..=n_disks).map(|disk| {
        let places = (1..=n_pegs).map(|peg| format!("{}={disk}", (disk - 1) * n_pegs + peg));
        places.collect::<Vec<String>>()
    });
    game.board(n_disks, n_pegs, "blank 0 falls", disks);
    game.domain("here", ["0", "1"]);
    for disk in 0..n_disks {
        game.variables(vec!["here"; n_pegs], &format!("disk {}, by peg", disk + 1));
    }
    for disk in 0..n_disks {
        for source in 0..n_pegs {
            for target in (0..n_pegs).filter(|&target| target != source) {
                let mut rule = Rule::new(format!("d{}:{}-{}", disk + 1, source + 1, target + 1));
                for smaller in 0..disk {
                    rule = rule
                        .test(smaller * n_pegs + source, 0)
                        .test(smaller * n_pegs + target, 0);
                }
                if by_disk {
                    rule = rule.cost(disk as u32 + 1);
                }
                let place = disk * n_pegs;
                game.rule(
                    rule.change(place + source, 1, 0)
                        .change(place + target, 0, 1),
                );
            }
        }
    }
    let on_last_peg = (0..n_disks).flat_map(|_| (1..=n_pegs).map(|peg| usize::from(peg == n_pegs)));
    game.goal(on_last_peg, &format!("All disks on peg {n_pegs}."));
    Ok(game)
}
