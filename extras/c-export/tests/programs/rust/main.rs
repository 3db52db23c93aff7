//! Commands about a game: `count DEPTH STATE`, `backward DEPTH`, `astar STATE`, `states GOALS`,
//! `parts FOLDER STATE`, `map FILE`.

mod game;
mod parts;

use std::collections::{BTreeSet, HashMap};
use std::io::BufRead;
use std::path::Path;

use game::{History, INIT_HISTORY, State};

/// Count the sequences that the history allows, by depth.
fn count(state: &State, history: History, depth: usize, nodes: &mut [u64]) {
    nodes[depth] += 1;
    if depth + 1 == nodes.len() {
        return;
    }
    for rule in game::init_fwd_iter(state) {
        if game::fwd_rule_valid_for_history(history, rule) {
            let child = game::apply_fwd_rule(rule, state);
            count(&child, game::next_fwd_history(history, rule), depth + 1, nodes);
        }
    }
}

/// The same backward.
fn count_back(state: &State, history: History, depth: usize, nodes: &mut [u64]) {
    nodes[depth] += 1;
    if depth + 1 == nodes.len() {
        return;
    }
    for rule in game::init_bwd_iter(state) {
        if game::bwd_rule_valid_for_history(history, rule) {
            let before = game::apply_bwd_rule(rule, state);
            count_back(&before, game::next_bwd_history(history, rule), depth + 1, nodes);
        }
    }
}

/// Find the least cost. Paths are merged, so nothing is pruned.
fn a_star(start: State) {
    let mut costs: HashMap<State, u64> = HashMap::new();
    let mut open = BTreeSet::from([(0, start)]);
    let mut n_cheaper = 0;
    let mut last = 0;
    while let Some((cost, state)) = open.pop_first() {
        if costs.contains_key(&state) {
            continue;
        }
        if cost > last {
            n_cheaper = costs.len();
            last = cost;
        }
        if game::is_goal(&state) {
            println!("cost {cost}, {n_cheaper} states cost less");
            return;
        }
        for rule in game::init_fwd_iter(&state) {
            open.insert((
                cost + game::get_fwd_rule_cost(rule),
                game::apply_fwd_rule(rule, &state),
            ));
        }
        costs.insert(state, cost);
    }
    println!("unsolvable, {} states", costs.len());
}

/// Print everything about the goals and the states on standard input, one per line.
fn states(most_goals: usize) {
    println!(
        "{} forward rules, costs {} to {}",
        game::NUM_FWD_RULES,
        game::COST_OF_CHEAPEST_FWD_RULE,
        game::COST_OF_COSTLIEST_FWD_RULE
    );
    println!(
        "{} backward rules, costs {} to {}",
        game::NUM_BWD_RULES,
        game::COST_OF_CHEAPEST_BWD_RULE,
        game::COST_OF_COSTLIEST_BWD_RULE
    );
    for line in std::io::stdin().lock().lines() {
        let state: State = line.expect("text").parse().expect("a state");
        assert_eq!(state.to_string().parse(), Ok(state));
        let mut raw = Vec::new();
        game::dump_state(&mut raw, &state).expect("room");
        assert_eq!(game::load_state(&mut &raw[..]).ok(), Some(state));
        assert!(game::load_state(&mut &raw[1..]).is_err());
        println!("s {} {state}", u8::from(game::is_goal(&state)));
        for rule in game::init_fwd_iter(&state) {
            println!(
                "f {rule} {} {} {}",
                game::get_fwd_rule_cost(rule),
                game::get_fwd_rule_label(rule),
                game::apply_fwd_rule(rule, &state)
            );
        }
        assert!(game::init_fwd_iter(&state).count() <= game::MAX_FWD_CHILDREN);
        for rule in game::init_bwd_iter(&state) {
            println!(
                "b {rule} {} {} {}",
                game::get_bwd_rule_cost(rule),
                game::get_bwd_rule_label(rule),
                game::apply_bwd_rule(rule, &state)
            );
        }
        assert!(game::init_bwd_iter(&state).count() <= game::MAX_BWD_CHILDREN);
    }
    for goal in game::goal_states().take(most_goals) {
        assert!(game::is_goal(&goal));
        println!("g {goal}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let state = |text: &str| -> State { text.parse().unwrap_or_else(|error| panic!("{error}")) };
    let number = |text: &str| -> usize { text.parse().expect("a number") };
    let show = |nodes: &[u64]| {
        for (depth, n) in nodes.iter().enumerate() {
            println!("{depth} {n}");
        }
    };
    match words[..] {
        ["count", depth, start] => {
            let mut nodes = vec![0; number(depth) + 1];
            count(&state(start), INIT_HISTORY, 0, &mut nodes);
            show(&nodes);
        }
        ["backward", depth] => {
            let mut nodes = vec![0; number(depth) + 1];
            let goal = game::goal_states().next().expect("a goal");
            count_back(&goal, INIT_HISTORY, 0, &mut nodes);
            show(&nodes);
        }
        ["astar", start] => a_star(state(start)),
        ["states", goals] => states(number(goals)),
        ["parts", folder, start] => parts::run(Path::new(folder), &state(start)),
        ["map", file] => parts::show_map(Path::new(file)),
        _ => panic!(
            "usage: count DEPTH STATE | backward DEPTH | astar STATE | states GOALS | \
             parts FOLDER STATE | map FILE"
        ),
    }
}
