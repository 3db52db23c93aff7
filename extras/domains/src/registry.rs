//! The list of generators, and calls by name and arguments.

use crate::arguments::Arguments;
use crate::error::{GenerateError, nearest};
use crate::games;
use crate::info::DomainInfo;

static DOMAINS: &[DomainInfo] = &[
    games::arrow::INFO,
    games::planning::blocks::INFO,
    games::two_players::connect::INFO,
    games::edit_distance::INFO,
    games::ghi::INFO,
    games::boards::grid::INFO,
    games::planning::gripper::INFO,
    games::hanoi::INFO,
    games::boards::lights_out::INFO,
    games::planning::logistics::INFO,
    games::boards::map::INFO,
    games::two_players::nim::INFO,
    games::permutations::pancake::INFO,
    games::two_players::pawns::INFO,
    games::permutations::pyraminx::INFO,
    games::permutations::rubik::INFO,
    games::slide_jump::INFO,
    games::permutations::sliding_tiles::INFO,
    games::boards::sokoban::INFO,
    games::two_players::tic_tac_toe::INFO,
    games::permutations::topspin::INFO,
    games::work_or_golf::INFO,
];

/// Return all generators, by name.
pub fn list() -> &'static [DomainInfo] {
    DOMAINS
}

/// Write the game `name` with arguments `args` as PSVN text.
///
/// # Errors
/// The name is unknown, or arguments are missing, unknown, malformed, out of range or together too
/// large (more than 10,000 variables, 1,000,000 rules or 20,000,000 rule entries). The message
/// states the accepted values.
pub fn generate(name: &str, args: &[&str]) -> Result<String, GenerateError> {
    let info = DOMAINS
        .iter()
        .find(|info| info.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| unknown(name))?;
    let mut arguments = Arguments::new(info, args);
    let game = (info.build)(&mut arguments)?;
    Ok(game.to_text())
}

/// Split the text behind `gen:` into name and arguments: `topspin:14:3` is `topspin` with `14` and
/// `3`.
pub fn parse_reference(reference: &str) -> (&str, Vec<&str>) {
    let mut parts = reference.split(':');
    let name = parts.next().unwrap_or_default();
    (name, parts.collect())
}

/// Write the game that a reference such as `topspin:14:3` names (the text behind `gen:` on the
/// command line).
///
/// # Errors
/// As for [`generate`].
pub fn generate_reference(reference: &str) -> Result<String, GenerateError> {
    let (name, args) = parse_reference(reference);
    generate(name, &args)
}

/// References to the same game with each other goal that its generator offers, as options
/// `goal=..`. Choices that don't fit the other arguments are left out.
///
/// ```
/// let others = domains::other_goals("sliding-tiles:4:4");
/// assert_eq!(others, ["sliding-tiles:4:4:goal=blank-last"]);
/// assert!(domains::other_goals("pancake:4").is_empty());
/// ```
pub fn other_goals(reference: &str) -> Vec<String> {
    let (name, args) = parse_reference(reference);
    let Ok(this) = generate(name, &args) else {
        return Vec::new();
    };
    let choices = DOMAINS
        .iter()
        .filter(|info| info.name.eq_ignore_ascii_case(name))
        .flat_map(|info| info.options)
        .filter_map(|option| option.name.strip_prefix(GOAL))
        .flat_map(|choices| choices.split('|'));
    let kept: Vec<&str> = args
        .into_iter()
        .filter(|arg| !arg.starts_with(GOAL) && !arg.starts_with(BLANK))
        .collect();
    choices
        .map(|choice| format!("{GOAL}{choice}"))
        .filter_map(|goal| {
            let args: Vec<&str> = kept.iter().copied().chain([goal.as_str()]).collect();
            let other = generate(name, &args).ok()?;
            (other != this).then(|| format!("{name}:{}", args.join(":")))
        })
        .collect()
}

/// The prefix of the option that chooses a goal.
const GOAL: &str = "goal=";

/// The option of sliding tiles, which chooses the goal by the place of the blank.
const BLANK: &str = "blank=";

fn unknown(name: &str) -> GenerateError {
    let known: Vec<&'static str> = DOMAINS.iter().map(|info| info.name).collect();
    GenerateError::UnknownDomain {
        name: name.to_owned(),
        suggestion: nearest(name, known.iter().copied()),
        known,
    }
}
