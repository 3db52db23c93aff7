//! Files of instances, line by line.

use psvn_ir::Game;
use psvn_ir::instances::{Fitting, Instance, Layout, Reading, WordMap, parse};
use psvn_syntax::{Diagnostic, Span};

fn game() -> Game {
    let text = "3\n9 9 9\nA B - => B A -\nGOAL 0 1 2\n";
    psvn_ir::load(text).game.unwrap()
}

fn read(text: &str) -> Result<Reading, Vec<Diagnostic>> {
    parse(text, Layout::Auto, &WordMap::default(), &game()).map_err(|it| it.errors)
}

/// Names, states and costs, and how the lines were read.
fn parts(text: &str) -> (Vec<(String, String, Option<u128>)>, String) {
    let reading = read(text).unwrap();
    let part = |instance: &Instance| {
        let state = game().format_state(instance.state.values());
        (instance.id.clone(), state, instance.known_cost)
    };
    let parts = reading.instances.iter().map(part).collect();
    (parts, reading.understood.unwrap_or_default())
}

fn part(id: &str, state: &str, cost: Option<u128>) -> (String, String, Option<u128>) {
    (id.to_owned(), state.to_owned(), cost)
}

#[test]
fn fields_between_colons() {
    let (found, how) = parts("001 : 2 1 0 : easy : 53 :\n002: 1 0 2 : not so easy: 7 :\n");
    let expected = [
        part("001", "2 1 0", Some(53)),
        part("002", "1 0 2", Some(7)),
    ];
    assert_eq!(found, expected);
    assert_eq!(how, "read as `id : state : .. : cost : ..`");
    let (found, how) = parts("2 1 0 : 95\n1 0 2 : 8 # a remark\n");
    assert_eq!(
        found,
        [part("1", "2 1 0", Some(95)), part("2", "1 0 2", Some(8))]
    );
    assert_eq!(how, "read as `state : cost`");
    let (found, how) = parts("a : 2 1 0\nb : 1 0 2 = 4\n");
    assert_eq!(
        found,
        [part("a", "2 1 0", None), part("b", "1 0 2", Some(4))]
    );
    assert_eq!(how, "read as `id : state`");
    // An unknown cost, and a line with fewer fields.
    let (found, _) = parts("2 1 0 : 95 : x\n1 0 2 : - : y\n0 1 2\n");
    let costs: Vec<Option<u128>> = found.iter().map(|part| part.2).collect();
    assert_eq!(costs, [Some(95), None, None]);
}

#[test]
fn the_cost_is_taken_only_where_it_can_be_told() {
    let (found, how) = parts("1 : 2 1 0 : 53 : 1234\n2 : 1 0 2 : 8 : 77\n");
    assert!(found.iter().all(|part| part.2.is_none()), "{found:?}");
    assert!(how.contains("fields 3, 4 are numbers"), "{how}");
    let (found, how) =
        parts("no : start : nodes : cost\n1 : 2 1 0 : 53 : 1234\n2 : 1 0 2 : 8 : 77\n");
    assert_eq!(found[0], part("1", "2 1 0", Some(1234)));
    assert_eq!(
        how,
        "the first line is a header; read as `id : state : .. : cost`"
    );
    // A column with words in some lines isn't a cost.
    let (found, how) = parts("1 : 2 1 0 : 53\n2 : 1 0 2 : many\n");
    assert!(found.iter().all(|part| part.2.is_none()));
    assert_eq!(how, "read as `id : state : ..`");
}

#[test]
fn headers_are_told_from_instances() {
    let (found, how) = parts("id cost nodes state\n1 57 99 2 1 0\n2 58 88 1 0 2\n");
    assert_eq!(found[1], part("2", "1 0 2", Some(58)));
    assert_eq!(
        how,
        "the first line is a header; read as `id cost .. state`"
    );
    let (found, how) = parts("2\n2 1 0\n1 0 2\n");
    assert_eq!(
        (found.len(), how.as_str()),
        (2, "the first line is a header")
    );
    // A line that may be an invalid instance is never skipped.
    for wrong in [
        "x y z\n2 1 0\n",
        "a: x y\n2 1 0\n",
        "3\n2 1 0\n",
        "2 1\n2 1 0\n",
        "a b\n",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn errors_know_names_and_other_spellings() {
    let error = |text: &str| read(text).unwrap_err().remove(0);
    let short = error("b: 0 2\n");
    assert_eq!(
        short.message,
        "a state of this game has 3 values, and this text has 2"
    );
    let hint = |text: &str| error(text).hint.unwrap_or_default();
    assert!(hint("a: 102\n").contains("write `1 0 2`"));
    assert!(hint("1,0,2\n").contains("write `1 0 2`"));
    assert_eq!(
        hint("1 0 2 95\n"),
        "if `95` is the least cost, write `= 95`"
    );
    let text = "_ 1 2\n1 _ 2\n";
    let rejected = parse(text, Layout::Auto, &WordMap::default(), &game()).unwrap_err();
    let map = WordMap::new([("_".to_owned(), "0".to_owned())]).unwrap();
    let fitting = Fitting {
        error: 0,
        map: map.clone(),
        n_states: 2,
    };
    assert_eq!(rejected.fitting, Some(fitting));
    let reading = parse("_ 1 2\n1 _ 2\n", Layout::Auto, &map, &game()).unwrap();
    assert_eq!(
        game().format_state(reading.instances[1].state.values()),
        "1 0 2"
    );
}

#[test]
fn repeated_names_are_noticed() {
    let reading = read("a: 2 1 0\nb: 1 0 2\na: 0 1 2\n2 0 1\n").unwrap();
    let messages: Vec<&str> = reading
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(messages, ["two instances are called `a`"]);
    assert_eq!(
        reading.warnings[0].primary.as_ref().unwrap().span,
        Span::new(21, 26)
    );
}

#[test]
fn two_fields_that_may_be_the_state() {
    let errors = read("1 : 2 1 0 : 0 1 2 : 5\n").unwrap_err();
    assert_eq!(errors[0].code, "ambiguous-line");
}
