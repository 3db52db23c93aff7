//! Tests state maps, abstractions and histories, like `parts.c`, and prints the same.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::game::{self, Abstraction, History, INIT_HISTORY, State};

pub fn run(folder: &Path, start: &State) {
    try_maps(&folder.join("map"), start);
    try_abstractions(&folder.join("abstraction"), start);
    try_histories(start);
}

/// Print the number of states of a map, and the sum of their values.
pub fn show_map(path: &Path) {
    let mut file = BufReader::new(File::open(path).expect("a file"));
    let map = game::read_state_map(&mut file).expect("a map");
    let sum: i64 = map.values().map(|value| i64::from(*value)).sum();
    println!("{} states, sum {sum}", map.len());
}

/// Put the states around a state into a map, with numbers as values.
fn try_maps(path: &Path, start: &State) {
    let mut map = HashMap::from([(*start, 0)]);
    let mut states = vec![*start];
    let mut at = 0;
    while at < states.len() && map.len() < 5000 {
        let state = states[at];
        at += 1;
        for rule in game::init_fwd_iter(&state) {
            let child = game::apply_fwd_rule(rule, &state);
            if !map.contains_key(&child) {
                map.insert(child, map.len() as i32);
                states.push(child);
            }
        }
    }
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    game::write_state_map(&mut file, &map).expect("a file");
    file.flush().expect("a file");
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .expect("bytes");
    assert_eq!(game::read_state_map(&mut &bytes[..]).expect("a map"), map);
    // A title of another game, a value of another game, and a truncated file.
    assert!(game::read_state_map(&mut &bytes[..bytes.len() - 1]).is_err());
    let mut other = bytes.clone();
    other[0] = b'P';
    assert!(game::read_state_map(&mut &other[..]).is_err());
    assert!(game::load_state(&mut &[0xFF_u8; 4096][..]).is_err());
    println!("{} states", map.len());
}

/// Map all values of each domain to the first one, and project the last variable away.
fn try_abstractions(path: &Path, start: &State) {
    assert!(game::read_abstraction_from_file("/nowhere/at/all").is_err());
    let wrong = |text: &str| text.parse::<Abstraction>().expect_err(text).to_string();
    assert_eq!(
        wrong("\n# nothing\nabstract"),
        "line 3: the word `abstraction` is expected, and `abstract` is there"
    );
    assert_eq!(
        wrong("abstraction { projection { K Q"),
        match game::NUM_VARIABLES {
            1 => "line 1: `}` is expected, and `Q` is there",
            _ => "line 1: `K` or `P` for each variable is expected, and `Q` is there",
        }
    );
    assert_eq!(
        wrong("abstraction {\n no_such_domain { } }"),
        "line 2: a domain, `projection` or `}` is expected, and `no_such_domain` is there"
    );
    assert!(wrong("abstraction {").ends_with("is expected, and the text ends"));
    let nothing: Abstraction = "# nothing\nABSTRACTION{}".parse().expect("a block");
    assert_eq!(nothing, Abstraction::default());
    assert_eq!(game::abstract_state(&nothing, start), *start);
    let mut text = String::from("; values\nabstraction {\n");
    for (domain, values) in game::DOMAIN_VALUES.iter().enumerate() {
        text += game::DOMAIN_NAMES[domain];
        text += "{";
        text += &format!(" {}", values[0]).repeat(values.len());
        text += " }\n";
    }
    text += "projection {";
    text += &" K".repeat(game::NUM_VARIABLES - 1);
    text += " p } }\n";
    std::fs::write(path, &text).expect("a file");
    let abstraction = game::read_abstraction_from_file(path).expect("a block");
    let image = game::abstract_state(&abstraction, start);
    assert!(image.vars.iter().all(|value| *value == 0));
    let printed = abstraction.to_string();
    assert_eq!(printed.parse(), Ok(abstraction));
    println!("{printed}");
}

/// Walk, and forget the path whenever a rule isn't valid.
fn try_histories(start: &State) {
    let mut state = *start;
    let mut history: History = INIT_HISTORY;
    let mut random = 12345_u64;
    let mut n_invalid = 0;
    for _ in 0..2000 {
        let rules: Vec<usize> = game::init_fwd_iter(&state).collect();
        if rules.is_empty() {
            break;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005);
        random = random.wrapping_add(1_442_695_040_888_963_407);
        let rule = rules[(random >> 33) as usize % rules.len()];
        n_invalid += usize::from(!game::fwd_rule_valid_for_history(history, rule));
        history = game::next_fwd_history(history, rule);
        state = game::apply_fwd_rule(rule, &state);
    }
    println!(
        "{} steps are {}",
        if n_invalid > 0 { "some" } else { "all" },
        if n_invalid > 0 { "invalid" } else { "valid" }
    );
}
