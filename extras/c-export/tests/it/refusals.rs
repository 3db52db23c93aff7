//! Exports that are rejected.

use c_export::{Backward, Export, ExportError, Histories, HistoryForm, to_c};
use fsm::WordAutomaton;
use psvn_ir::{Cell, Domain, GameBuilder, SymbolId};

fn export(game: &psvn_ir::Game) -> Export<'_> {
    Export {
        name: "small",
        game,
        forward: None,
        backward: Backward::LeftOut("not asked for"),
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let dear = psvn_ir::load("1 2\n 0 => 1 LABEL far COST 2147483648\n");
    let dear = dear.game.unwrap();
    let error = to_c(&export(&dear)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rule `far` costs 2147483648, and costs are `int` in the C interface: 2147483647 at most"
    );
    let game = psvn_ir::load("1 2\n 0 => 1\n").game.unwrap();
    let machine = WordAutomaton::new(2).build().unwrap();
    let forward = Some(Histories {
        machine: &machine,
        max_length: 1,
        order: "length-lexicographic",
        form: HistoryForm::Auto,
    });
    let error = to_c(&Export {
        forward,
        ..export(&game)
    });
    assert_eq!(
        error,
        Err(ExportError::Machine {
            letters: 2,
            rules: 1
        })
    );
    let nothing = psvn_ir::GameBuilder::new().build().unwrap();
    assert_eq!(to_c(&export(&nothing)), Err(ExportError::NoVariables));
}

#[test]
fn a_text_that_is_too_long_is_refused_before_it_is_made() {
    // Each rule rotates all values by another number of places.
    let n = 1200;
    let mut builder = GameBuilder::new();
    let values = Domain::new("bit", ["0", "1"]).unwrap();
    let values = builder.domain(values);
    (0..n).for_each(|_| {
        builder.variable(values);
    });
    let row = |first: u32| {
        let symbols = (0..n).map(|i| Cell::symbol(SymbolId((i + first) % n)));
        symbols.collect::<Vec<_>>()
    };
    for places in 1..n {
        builder.rule(None, row(0), row(places), 1);
    }
    let game = builder.build().unwrap();
    let error = to_c(&export(&game)).unwrap_err();
    assert!(
        matches!(&error, ExportError::TooLong { what, .. } if what == "the 1199 forward rules"),
        "{error}"
    );
}
