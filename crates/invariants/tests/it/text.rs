use invariants::{Invariants, ParseProblem};

use crate::{GENERATED, generated, goal_states, load, random_games};

#[test]
fn lines_are_read_back() {
    let games = GENERATED.iter().map(|reference| generated(reference));
    for game in games.chain(random_games()) {
        let starts = goal_states(&game);
        for invariants in [
            Invariants::from_goals(&game),
            Invariants::from_states(&game, &starts[..1]),
            Invariants::none(&game),
        ] {
            let lines = invariants.to_lines(&game);
            assert_eq!(
                Invariants::from_lines(&game, &lines).as_ref(),
                Ok(&invariants)
            );
            let described = invariants.describe(&game);
            let statements = described.iter().map(|description| &description.statement);
            assert!(statements.eq(&lines));
        }
    }
}

#[test]
fn names_of_values_confuse_no_one() {
    let game = load(
        "DOMAIN d 6 or one of excludes never holds
         3  d d d
         A B C => B A C
         GOAL or one of",
    );
    let invariants = Invariants::from_goals(&game);
    let lines = invariants.to_lines(&game);
    assert!(!invariants.is_empty());
    assert_eq!(Invariants::from_lines(&game, &lines), Ok(invariants));
    let lines = [
        "exactly 1 of variable 1 holds one or variable 2 holds one of 2 values or of".to_owned(),
    ];
    let read = Invariants::from_lines(&game, &lines).expect("a line");
    assert_eq!(read.to_lines(&game), lines);
}

#[test]
fn bad_lines_are_refused() {
    let game = load("2  2 2\n0 1 => 1 0\nGOAL 0 1");
    let problem = |line: &str| {
        let error = Invariants::from_lines(&game, &[line.to_owned()]).expect_err(line);
        assert_eq!(error.line, 0);
        error.problem
    };
    assert_eq!(
        problem("exactly 1 of variables 1-3 holds 0"),
        ParseProblem::Variable {
            number: 3,
            n_variables: 2
        }
    );
    assert!(matches!(
        problem("variable 1 never holds 2"),
        ParseProblem::Value { .. }
    ));
    for line in [
        "",
        "nonsense",
        "exactly",
        "exactly x of variables 1-2 holds 0",
        "exactly 1 of variables 1-2 holds 0 and more",
        "exactly 1 of variables 1-2 holds one of 3 values 0 1",
        "variable 0 never holds 0",
        "variable 1- never holds 0",
        "variable 99999999999999999999 never holds 0",
        "variable 1 never holds",
        "variables 1-2 holds 0 excludes variable 2 holds 1",
        "variable 1 holds 0 excludes",
    ] {
        let _ = problem(line);
    }
}

#[test]
fn violations_say_what_is_wrong() {
    let message = |reference: &str, state: &str| {
        let game = generated(reference);
        let state = game.parse_state(state).expect("a state");
        let error = Invariants::from_goals(&game).check_state(&game, &state);
        error.expect_err("a violation").to_string()
    };
    assert_eq!(
        message("sliding-tiles:2:2", "0 0 2 3"),
        "value `0` occurs 2 times among variables 1-4; the analysis assumed exactly 1"
    );
    assert_eq!(
        message("blocks:2", "0 1 0 0 0"),
        "variable 2 holds `1`; the analysis assumed that it never does"
    );
}

#[test]
fn reasons_name_a_rule() {
    let game = generated("sliding-tiles:2:2");
    let described = Invariants::from_goals(&game).describe(&game);
    assert!(
        described[0].reason.contains("rules that touch these"),
        "{described:#?}"
    );
}
