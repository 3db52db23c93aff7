//! Games in other formats: recognized by content, solved, written, scrambled.

use std::sync::{Arc, Mutex};

use formats::sas;
use heuristics::{Name, Named};
use invariants::Invariants;
use psvn::foreign::{Format, export_sas, export_tws};
use psvn::instance::{self, InstanceFormat};
use psvn::sokoban_level;
use psvn::{Environment, Error, ErrorKind, Event, Exploration, Game, GameDescription, Source};
use psvn_ir::testing::{GameShape, cases, random_game};
use psvn_ir::{State, Value};

const TASK: &str = include_str!("../../../../extras/formats/tests/it/gripper.sas");
const PUZZLE: &str = include_str!("../../../../extras/formats/tests/it/pocket.tws");
/// The cube of size 2, by one face and turns of the whole cube.
const CUBE: &str = include_str!("../../../../extras/formats/tests/it/conjugates.json");

/// The number of states by distance from the declared start, or from the goals.
fn layers(game: &Game, env: &Environment) -> Vec<u128> {
    let starts = game.declared_start().unwrap().into_iter().collect();
    let exploration = Exploration {
        starts,
        depth: Some(4),
        ..Exploration::default()
    };
    let report = exploration.run(game, env, &mut |_| ()).unwrap();
    report
        .layers
        .iter()
        .map(|layer| u128::from(layer.states))
        .collect()
}

#[test]
fn a_task_begins_at_its_initial_state() {
    let env = Environment::default();
    let game = Game::parse("gripper.sas", TASK, &env).unwrap();
    let start = game.declared_start().unwrap().unwrap();
    assert_eq!(
        game.ir().format_state(start.values()),
        "at-robby(a) at(ball1,a) at(ball2,a) free()"
    );
    let task = export_sas(&game, None).unwrap();
    let again = Game::parse("again.sas", &task.text, &env).unwrap();
    assert_eq!(layers(&again, &env), layers(&game, &env));
    assert_eq!(layers(&game, &env), [1, 3, 2, 2, 2]);
}

#[test]
fn errors_are_those_of_the_file_as_it_is() {
    let env = Environment::default();
    let text = TASK.replace("0 2 2 1", "0 2 x 1");
    let error = Game::parse("gripper.sas", &text, &env).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(matches!(error, Error::Text(_)));
    let message = error.to_string();
    assert!(
        message.starts_with("gripper.sas:139:5: expected a number"),
        "{message}"
    );
    let mut source = Source::new("gripper.sas", text);
    assert!(source.examine(&env).unwrap().game.is_none());
    assert_eq!(source.diagnostics[0].code, "sas-number");
}

#[test]
fn scrambles_repeat_and_undo_moves() {
    let env = Environment::default();
    let sequence = format!("{PUZZLE}MoveSequence sexy R U R' U'\n");
    let game = Game::parse("pocket.tws", &sequence, &env).unwrap();
    let state = |moves: &str| game.scramble(moves).unwrap();
    let solved = state("");
    assert_eq!(state("R R'"), solved);
    assert_eq!(state("R4"), solved);
    assert_eq!(state("R2 R2"), solved);
    assert_eq!(state("R3"), state("R'"));
    assert_eq!(state("R2'"), state("R2"));
    assert_eq!(state("front"), state("F"));
    assert_eq!(state("sexy'"), state("U R U' R'"));
    assert_eq!(state("sexy6"), solved);
    for (moves, part) in [
        ("X", "no move `X`"),
        ("r", "did you mean `R`?"),
        ("U''x", "no move"),
    ] {
        let message = game.scramble(moves).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let many = format!("R{}", "'".repeat(1_000_000));
    assert!(game.scramble(&many).is_err());
    let circle = PUZZLE.replace("front F", "front front");
    let circle = Game::parse("circle.tws", &circle, &env).unwrap();
    assert!(circle.scramble("front").is_err());
}

#[test]
fn all_games_accept_scrambles() {
    let env = Environment::default();
    let game = Game::built_in("hanoi:3:2", &env).unwrap();
    let label = game.ir().rules()[0].label.to_string();
    // Not all moves can be made at the goal, and ambiguous ones are refused.
    let there = game
        .ir()
        .rules()
        .iter()
        .map(|rule| game.scramble(&rule.label));
    let there: Vec<_> = there.filter_map(Result::ok).collect();
    assert!(!there.is_empty() && there.len() < game.ir().rules().len());
    assert!(game.scramble(&format!("{label}1000000000")).is_err());
    let blocks = Game::parse("two.psvn", "2 2 2\n0 A => 1 A LABEL a\nGOAL 1 -", &env).unwrap();
    assert_eq!(blocks.scramble("a").unwrap_err().kind(), ErrorKind::Usage);
}

/// Files of scrambles give the states of the scrambles, and errors have places.
#[test]
fn files_of_scrambles_are_instances() {
    let env = Environment::default();
    let game = Game::parse("pocket.tws", PUZZLE, &env).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scrambles.txt");
    let read = |text: &str, format| {
        std::fs::write(&path, text).unwrap();
        instance::read(&path, format, &game, &env)
    };
    let lines = "# some\nR U2 F'\nfar: R3 front R2 = 9\n";
    let found = read(lines, InstanceFormat::Scrambles).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].id.as_str(), found[0].known_cost), ("1", None));
    assert_eq!(found[0].state, game.scramble("R U2 F'").unwrap());
    assert_eq!(
        (found[1].id.as_str(), found[1].known_cost),
        ("far", Some(9))
    );
    assert_eq!(found[1].state, game.scramble("R' F R2").unwrap());
    // Blocks are recognized by their first word.
    let blocks = "ScrambleAlg one\nR U\nF'\nEnd\n";
    let found = read(blocks, InstanceFormat::Auto).unwrap();
    assert_eq!(found[0].id, "one");
    assert_eq!(found[0].state, game.scramble("R U F'").unwrap());
    for (text, place, part) in [
        ("R U\nR X U\n", (2, 3), "no move `X`"),
        ("R\na: R U2 r\n", (2, 9), "did you mean `R`?"),
        ("R = much\n", (1, 3), "expected a cost"),
        (
            "Scramble a\nCORNERS\n1\nEnd\n",
            (1, 1),
            "isn't given by moves",
        ),
    ] {
        let Err(Error::Text(errors)) = read(text, InstanceFormat::Scrambles) else {
            panic!("{text}");
        };
        let error = errors.errors().remove(0);
        assert_eq!(error.place, Some(place), "{text}");
        assert!(error.message.contains(part), "{}", error.message);
    }
    assert!(read("# none\n", InstanceFormat::Scrambles).is_err());
}

#[test]
fn puzzles_are_read_back() {
    let env = Environment::default();
    let game = Game::built_in("pancake:5", &env).unwrap();
    let text = export_tws(&game).unwrap();
    let source = Source::new("pancake.tws", text);
    assert_eq!(source.format(), Some(Format::Tws));
    let again = Game::from_source(source, &env).unwrap();
    assert_eq!(layers(&again, &env), layers(&game, &env));
    let error = export_sas(&game, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn a_turn_of_the_whole_puzzle_changes_which_moves_follow() {
    let env = Environment::default();
    let game = Game::parse("cube.json", CUBE, &env).unwrap();
    let description = GameDescription::of(&game);
    assert_eq!(description.reachable_states.as_deref(), Some("88179840"));
    let state = |moves: &str| game.scramble(moves).unwrap();
    // `y` brings what is on the right to the front, and `x` what is in front to the top.
    for (turned, plain) in [
        ("R y F", "R2"),
        ("R Uv F", "R2"),
        ("R y' F2 U", "R L2 U"),
        ("y2 F", "B"),
        ("x U R'", "F R'"),
        ("x y F", "R"),
        ("y x F", "D"),
        ("y y' F", "F"),
        ("y4 F", "F"),
        ("z F y", "F"),
        ("x", ""),
    ] {
        assert_eq!(state(turned), state(plain), "{turned}");
    }
    let walk = game.walk(&state(""), "y F U y' F'").unwrap();
    assert_eq!(walk.moves, ["R", "U", "F'"]);
    // Where a move has become none of the game, it isn't left out.
    let ring = "Set A 4 1\nSolved\nA\n1 2 3 4\nEnd\nMove T\nA\n2 1 3 4\nEnd\n\
                Move Yv\nA\n2 3 4 1\nEnd\n";
    let ring = Game::parse("ring.tws", ring, &env).unwrap();
    let message = ring.scramble("T Yv T").unwrap_err().to_string();
    assert!(
        message.contains("move 3 (`T`) is no move of ring.tws"),
        "{message}"
    );
}

#[test]
fn illegal_states_are_no_starts() {
    let env = Environment::default();
    let text = "Set A 4 1\nSolved\nA\n1 2 3 3\nEnd\nMove T\nA\n4 1 2 3\nEnd\nIllegal A 1 3\n";
    let game = Game::parse("ring.tws", text, &env).unwrap();
    assert!(
        game.state("the start", "1 2 3 3 free free bound bound")
            .is_ok()
    );
    // The values that show which pieces are bound follow from the pieces.
    let completed = game.state("the start", "1 3 2 3").unwrap();
    let whole = game.state("the start", "1 3 2 3 free bound free bound");
    assert_eq!(completed, whole.unwrap());
    for wrong in ["3 1 2 3", "1 2 3", "1 2 3 3 bound", "1 2 3 4"] {
        assert!(game.state("the start", wrong).is_err(), "{wrong}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("starts.txt");
    for (state, part) in [
        ("3 1 2 3 bound free free bound", "variable 1 holds `3`"),
        (
            "1 2 3 3 free free free bound",
            "variable 3 holds `3` and variable 7 holds `free`",
        ),
    ] {
        let error = game.state("the start", state).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().contains(part), "{error}");
        std::fs::write(&path, format!("1 2 3 3 free free bound bound\n{state}\n")).unwrap();
        let error = instance::read(&path, InstanceFormat::Plain, &game, &env).unwrap_err();
        let Error::Text(errors) = error else {
            panic!("{error}")
        };
        let error = errors.errors().remove(0);
        assert_eq!(error.place, Some((2, 1)));
        assert!(error.message.contains(part), "{}", error.message);
    }
    assert!(game.scramble("T'").is_ok() && game.scramble("T' T").is_ok());
    assert!(game.scramble("T").is_err() && game.scramble("T2").is_err());
}

/// What a game lacks is reported, and kept, even where no other remarks are wanted.
#[test]
fn gaps_are_told_without_lints() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&told);
    let env = Environment::default()
        .with_lints(psvn::Lints::None)
        .with_listener(move |event| {
            if let Event::TextWarnings(source) = event {
                let codes = source.diagnostics.iter().map(|it| it.code);
                sink.lock().unwrap().extend(codes);
            }
        });
    let game = Game::parse("cube.json", CUBE, &env).unwrap();
    assert!(game.diagnostics().is_empty() && told.lock().unwrap().is_empty());
    let text = CUBE.replace("\"top\": \"U\"", "\"top\": \"U V\"");
    let game = Game::parse("cube.json", &text, &env).unwrap();
    assert_eq!(*told.lock().unwrap(), ["kpuzzle-derived"]);
    assert_eq!(game.diagnostics().len(), 1);
}

#[test]
fn a_state_of_a_puzzle_is_no_game() {
    let env = Environment::default();
    let text = "{\"A\": {\"pieces\": [0, 1], \"orientation\": [0, 0]}}";
    let error = Game::parse("state.json", text, &env)
        .unwrap_err()
        .to_string();
    assert!(error.contains("this is a KPattern"), "{error}");
    assert!(Game::parse("marked.json", &format!("\u{feff}{CUBE}"), &env).is_ok());
}

#[test]
fn byte_order_marks_are_no_part_of_levels() {
    let env = Environment::default();
    let level = "#####\n#@$.#\n#####\n";
    let read = |text: &str| sokoban_level(Source::new("small.xsb", text), 1, &[], &env);
    let marked = read(&format!("\u{feff}{level}")).unwrap();
    assert_eq!(marked, read(level).unwrap());
}

/// Landmark cuts depend on what a game is, not on how its rules are written: they are the same for
/// the game as a planning task, where rules have values in place of symbols.
#[test]
fn landmark_cuts_are_those_of_the_game_as_a_task() {
    let env = Environment::default();
    let eight = Game::built_in("sliding-tiles:3:3", &env).unwrap();
    let start = eight.ir().parse_state("8 7 6 0 4 1 2 5 3").unwrap();
    assert_eq!(cuts(eight.ir(), std::slice::from_ref(&start)), [19]);
    assert!(cuts_are_those_of_the_task(eight.ir(), &start, 10));
    for reference in [
        "blocks:3",
        "gripper:3",
        "hanoi:3:3",
        "logistics:2:2:2",
        "pancake:4",
        "slide-jump:2",
        "topspin:5:3",
    ] {
        let game = Game::built_in(reference, &env).unwrap();
        let zero = || State::new(vec![Value(0); game.ir().n_variables()]);
        let start = game.ir().goal_state().unwrap_or_else(zero);
        assert!(
            cuts_are_those_of_the_task(game.ir(), &start, 20),
            "{reference}"
        );
    }
    let compared = (0..cases(2_000)).filter(|seed| {
        let game = random_game(*seed, &GameShape::default());
        let start = State::new(vec![Value(0); game.n_variables()]);
        cuts_are_those_of_the_task(&game, &start, 10)
    });
    assert!(compared.count() > 20);
}

/// The estimates of some states.
fn cuts(game: &psvn_ir::Game, states: &[State]) -> Vec<u64> {
    let known = Invariants::none(game);
    let cuts = Named::new(game, &known, &[Name::LmCut]).unwrap();
    states.iter().map(|state| cuts.of_state(state)).collect()
}

/// Compare the estimates of a game with those of its task on a way from a start. Return whether the
/// task is the same game: one with several goals gets a further variable.
fn cuts_are_those_of_the_task(game: &psvn_ir::Game, start: &State, n_states: usize) -> bool {
    let Ok(task) = sas::from_game(game, start, 10_000) else {
        return false;
    };
    if !task.axioms.is_empty() || task.operators.is_empty() {
        return false;
    }
    let task = Game::parse("task.sas", &sas::write(&task), &Environment::default()).unwrap();
    // An import leaves out variables with a single value.
    assert_eq!(task.ir().n_variables(), game.n_variables());
    let mut states = vec![start.clone()];
    let n_rules = game.rules().len();
    for rule in game.rules().iter().cycle().take(50 * n_rules) {
        let last = &states[states.len() - 1];
        if states.len() < n_states && rule.canonical.applies_to(last.values()) {
            states.push(State::new(rule.canonical.apply(last.values())));
        }
    }
    assert_eq!(cuts(game, &states), cuts(task.ir(), &states), "{states:?}");
    true
}
