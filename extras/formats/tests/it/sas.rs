//! Tasks written by hand.

use formats::sas::{from_game, parse, to_psvn, write};
use formats::{Format, import};
use psvn_ir::LoadLimits;

use crate::breadth::{game_layers, load};
use crate::interpreter::{MOST, task_layers};

/// Two balls, two rooms, one gripper.
pub(crate) const GRIPPER: &str = include_str!("gripper.sas");

#[test]
fn facts_and_operators_keep_their_names() {
    assert_eq!(Format::of(GRIPPER), Some(Format::Sas));
    let imported = import(Format::Sas, GRIPPER).unwrap();
    assert!(imported.notes.is_empty(), "{:?}", imported.notes);
    let text = &imported.text;
    assert!(
        text.contains("# start: at-robby(a) at(ball1,a) at(ball2,a) free()"),
        "{text}"
    );
    assert!(
        text.contains("DOMAIN var1 3 at(ball1,a) at(ball1,b) none-of-those"),
        "{text}"
    );
    assert!(text.contains("LABEL pick(ball1,a) COST 2"), "{text}");
    assert!(
        text.contains("# mutex: var1 = none-of-those, var2 = none-of-those"),
        "{text}"
    );
    let known = |word: &str| {
        imported
            .names
            .iter()
            .find(|(it, _)| it == word)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(known("at(ball1,a)"), "Atom at(ball1, a)");
    assert_eq!(known("pick(ball1,a)"), "pick ball1 a");
    let (game, start) = load(text);
    let layers = game_layers(&game, &start.unwrap());
    assert_eq!(
        layers,
        task_layers(&parse(GRIPPER, &LoadLimits::default()).unwrap(), MOST)
    );
    assert_eq!(layers.iter().map(|(n, _)| n).sum::<usize>(), 16);
}

#[test]
fn mutex_groups_are_proved_or_left_out() {
    // A ball is picked up without a free gripper.
    let text = GRIPPER.replace(
        "pick ball2 a\n1\n0 0\n2\n0 2 0 2\n0 3 0 1",
        "pick ball2 a\n1\n0 0\n2\n0 2 0 2\n0 3 -1 1",
    );
    assert_ne!(text, GRIPPER);
    let imported = import(Format::Sas, &text).unwrap();
    assert!(!imported.text.contains("# mutex:"));
    let codes: Vec<&str> = imported.notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["sas-mutex"]);
    assert!(
        imported.notes[0].message.contains("`pick ball2 a`"),
        "{}",
        imported.notes[0]
    );
}

#[test]
fn several_goals_become_axioms_and_come_back() {
    let (game, _) = load(
        "# two goals\n3 3 3 3\nA B - => B A - LABEL swap\n0 - A => 1 A A\nGOAL 0 1 -\nGOAL X X -\n",
    );
    let start = game.parse_state("1 0 2").unwrap();
    let task = from_game(&game, &start, 1000).unwrap();
    assert_eq!(task.axioms.len(), 4);
    let layers = game_layers(&game, &start);
    assert_eq!(task_layers(&task, MOST), layers);
    let imported = to_psvn(
        &parse(&write(&task), &LoadLimits::default()).unwrap(),
        &LoadLimits::default(),
    )
    .unwrap();
    let (again, start) = load(&imported.text);
    assert_eq!(game_layers(&again, &start.unwrap()), layers);
    assert_eq!(again.goals().len(), 4, "{}", imported.text);
}

#[test]
fn symbols_are_expanded_within_a_limit() {
    let (game, _) = load("2 9 9\nA B => B A LABEL swap\nGOAL 0 1\n");
    let start = game.parse_state("1 0").unwrap();
    let error = from_game(&game, &start, 80).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rule `swap` stands for 81 operators with values in place of symbols, and the limit is 80 \
         for the whole game"
    );
    // Nine of them change nothing.
    assert_eq!(from_game(&game, &start, 81).unwrap().operators.len(), 72);
    let (game, _) = load("1 2\n0 => 1\n");
    let start = game.parse_state("0").unwrap();
    let error = from_game(&game, &start, 80).unwrap_err();
    assert!(error.to_string().contains("no goal"));
}

/// A push that opens, and an axiom by which what is open is lit; `back` are more axioms.
fn lit(back: &str) -> String {
    let n = 1 + back.matches("begin_rule").count();
    let variable = |name: &str, layer: i32| {
        format!(
            "begin_variable\n{name}\n{layer}\n2\nAtom {name}()\nNegatedAtom {name}()\nend_variable\n"
        )
    };
    format!(
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n2\n{}{}0\nbegin_state\n1\n1\n\
         end_state\nbegin_goal\n1\n1 0\nend_goal\n1\nbegin_operator\npush\n0\n1\n0 0 1 0\n1\n\
         end_operator\n{n}\nbegin_rule\n1\n0 0\n1 1 0\nend_rule\n{back}",
        variable("open", -1),
        variable("lit", 0)
    )
}

#[test]
fn axioms_that_give_defaults_back_change_nothing() {
    // Translators before 24.06 write them.
    let without = import(Format::Sas, &lit("")).unwrap();
    let with = import(Format::Sas, &lit("begin_rule\n1\n0 1\n1 0 1\nend_rule\n")).unwrap();
    assert_eq!(with, without);
    assert!(with.text.contains("GOAL open()"), "{}", with.text);
    // So do they where they ask for what their own layer derives.
    let circle = "begin_rule\n2\n0 1\n1 1\n1 0 1\nend_rule\n";
    assert_eq!(import(Format::Sas, &lit(circle)).unwrap(), without);
}

#[test]
fn operators_of_one_name_share_it() {
    let text = GRIPPER.replace("\nmove b a\n", "\nmove a b\n");
    assert_ne!(text, GRIPPER);
    let imported = import(Format::Sas, &text).unwrap();
    assert_eq!(
        imported.text.matches("LABEL move(a,b)").count(),
        2,
        "{}",
        imported.text
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = import(Format::Sas, &format!("\u{feff}{GRIPPER}"));
    assert_eq!(
        marked.unwrap().text,
        import(Format::Sas, GRIPPER).unwrap().text
    );
}
