//! Numbers of variables and rules, orders and actions of rules, read from the text by a few lines
//! of code.

use std::collections::{BTreeMap, HashSet};

use domains::{GenerateError, generate, generate_reference, list, parse_reference};

/// One rule as written: left side, right side, label, cost.
struct Rule {
    before: Vec<String>,
    after: Vec<String>,
    label: String,
    cost: u32,
}

/// The contents of a file, without validation.
struct Parsed {
    n_variables: usize,
    rules: Vec<Rule>,
    goals: Vec<Vec<String>>,
}

/// Read generated text: every rule and goal is on its own line.
fn parse(text: &str) -> Parsed {
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut parsed = Parsed {
        n_variables: 0,
        rules: Vec::new(),
        goals: Vec::new(),
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Ok(count) = line.parse() {
            parsed.n_variables = count;
        } else if let Some(goal) = line.strip_prefix("GOAL ") {
            parsed.goals.push(words(goal));
        } else if let Some((before, rest)) = line.split_once(" => ") {
            let (after, label) = rest.split_once(" LABEL ").expect("every rule has a label");
            let (label, cost) = label.split_once(" COST ").unwrap_or((label, "1"));
            parsed.rules.push(Rule {
                before: words(before),
                after: words(after),
                label: label.to_owned(),
                cost: cost.parse().expect("a cost is a number"),
            });
        }
    }
    for rule in &parsed.rules {
        assert_eq!(
            rule.before.len(),
            parsed.n_variables,
            "left side of {}",
            rule.label
        );
        assert_eq!(
            rule.after.len(),
            parsed.n_variables,
            "right side of {}",
            rule.label
        );
    }
    for goal in &parsed.goals {
        assert_eq!(goal.len(), parsed.n_variables, "goal");
    }
    parsed
}

fn game(reference: &str) -> Parsed {
    parse(&generate_reference(reference).expect("a valid reference"))
}

fn labels(reference: &str) -> Vec<String> {
    game(reference)
        .rules
        .into_iter()
        .map(|rule| rule.label)
        .collect()
}

#[test]
fn published_numbers_of_rules_and_variables() {
    for (reference, n_variables, n_rules) in [
        ("arrow:16", 16, 60),
        ("blocks:10", 21, 200),
        ("connect:7:6:4", 1 + 42 + 7, 84),
        ("edit-distance:kitten:sitting", 2, 6 * 7 + 6 + 7),
        ("ghi", 4, 3),
        ("grid:5:7", 2, 2 * 6 + 2 * 4),
        ("gripper:5", 8, 22),
        ("hanoi:4:8", 32, 96),
        ("lights-out:3:3", 18, 9),
        ("lights-out:3:3:encoding=bits", 9, 4 * 8 + 4 * 16 + 32),
        ("logistics:2:2:3", 2 + 1 + 3, 2 * 2 + 2 + 3 * 2 * 2 * 3),
        ("logistics:3:2:1:2", 3 + 2 + 1, 3 * 2 + 2 * 6 + 2 * 3 * 4),
        ("map:..#/.G.", 1, 10),
        ("map:..#/.G.:diagonals", 1, 10 + 4),
        ("nim:3:4:5", 4, 3 * 4 + 4 * 5 + 5 * 6),
        ("pancake:9", 9, 8),
        ("pawns:3:3", 10, 2 * (6 + 8)),
        ("pyraminx", 24, 8),
        ("pyraminx:tips", 36, 16),
        ("rubik:2", 24, 18),
        ("rubik:2:fixed", 21, 9),
        ("rubik:3", 48, 18),
        ("slide-jump:3", 7, 22),
        ("sliding-tiles:3:3", 9, 24),
        ("sliding-tiles:4:4", 16, 48),
        ("sliding-tiles:5:5", 25, 80),
        ("sokoban:#####/#@$.#/#####", 4, 4 + 2),
        ("tic-tac-toe", 10, 18),
        ("topspin:14:3", 13, 14),
        ("topspin:14:3:basic", 14, 14),
        ("work-or-golf", 40, 90),
    ] {
        let parsed = game(reference);
        assert_eq!(parsed.n_variables, n_variables, "variables of {reference}");
        assert_eq!(parsed.rules.len(), n_rules, "rules of {reference}");
        assert!(!parsed.goals.is_empty(), "goal of {reference}");
    }
}

#[test]
fn every_generator_writes_its_example() {
    for info in list() {
        let mut words = info.example.split(' ');
        let name = words.next().expect("an example starts with the name");
        assert_eq!(name, info.name);
        assert!(info.usage.starts_with(info.name), "usage of {name}");
        let args: Vec<&str> = words.collect();
        let text = generate(name, &args).expect("the example works");
        assert!(text.starts_with("# "), "{name} starts with a comment");
        assert!(
            text.contains("\n# Source: "),
            "{name} says where it comes from"
        );
        assert!(
            text.lines().all(|line| line == line.trim_end()),
            "{name} has no trailing blanks"
        );
        assert!(
            text.ends_with('\n') && !text.ends_with("\n\n"),
            "{name} ends with one line break"
        );
        parse(&text);
    }
    assert!(
        list().is_sorted_by_key(|info| info.name),
        "the list is sorted by name"
    );
}

/// In a game whose rules all only permute the state, some power of each rule undoes it.
#[test]
fn symbols_are_permuted() {
    for reference in [
        "pancake:12",
        "topspin:9:4",
        "topspin:9:4:basic",
        "rubik:2",
        "rubik:2:fixed",
        "rubik:3",
        "pyraminx",
        "pyraminx:tips",
        "lights-out:4:3",
    ] {
        for rule in game(reference).rules {
            let sorted = |side: &[String]| {
                let mut side = side.to_vec();
                side.sort_unstable();
                side
            };
            assert_eq!(
                sorted(&rule.before),
                sorted(&rule.after),
                "{} of {reference}",
                rule.label
            );
            let symbols: Vec<&String> = rule.before.iter().filter(|token| *token != "-").collect();
            let distinct: HashSet<&&String> = symbols.iter().collect();
            assert_eq!(
                distinct.len(),
                symbols.len(),
                "{} of {reference}",
                rule.label
            );
        }
    }
}

/// Where the value of each position comes from, by a rule whose tokens are `-` and symbols that
/// occur once on the left.
fn sources(rule: &Rule) -> Vec<usize> {
    rule.after
        .iter()
        .enumerate()
        .map(|(position, token)| {
            let source = rule
                .before
                .iter()
                .position(|before| before == token && token != "-");
            source.unwrap_or(position)
        })
        .collect()
}

/// Redundant words of a game that only permutes, by Taylor's algorithm: breadth first, in the order
/// of the rules, keeping the first word that leads to each state.
struct Redundant {
    n_rules: usize,
    words: HashSet<Vec<usize>>,
}

impl Redundant {
    fn up_to(max_length: usize, reference: &str) -> Self {
        let rules: Vec<Vec<usize>> = game(reference).rules.iter().map(sources).collect();
        let start: Vec<usize> = (0..rules[0].len()).collect();
        let mut seen = HashSet::from([start.clone()]);
        let mut redundant = Self {
            n_rules: rules.len(),
            words: HashSet::new(),
        };
        let mut kept = vec![(Vec::new(), start)];
        for _ in 0..max_length {
            let mut next = Vec::new();
            for (word, state) in &kept {
                for (letter, rule) in rules.iter().enumerate() {
                    let longer = [word.as_slice(), &[letter]].concat();
                    if redundant.ends(&longer) {
                        continue;
                    }
                    let reached: Vec<usize> = rule.iter().map(|from| state[*from]).collect();
                    if seen.insert(reached.clone()) {
                        next.push((longer, reached));
                    } else {
                        redundant.words.insert(longer);
                    }
                }
            }
            kept = next;
        }
        redundant
    }

    /// Whether some end of `word` is redundant.
    fn ends(&self, word: &[usize]) -> bool {
        (0..word.len()).any(|from| self.words.contains(&word[from..]))
    }

    fn by_length(&self) -> Vec<usize> {
        let longest = self.words.iter().map(Vec::len).max().unwrap_or(0);
        (1..=longest)
            .map(|length| {
                self.words
                    .iter()
                    .filter(|word| word.len() == length)
                    .count()
            })
            .collect()
    }

    /// Words up to `depth` without a redundant word of length `max_length` or less in them.
    fn n_nodes(&self, max_length: usize, depth: usize) -> u64 {
        let mut by_end = BTreeMap::from([(Vec::new(), 1_u64)]);
        let mut n_nodes = 1;
        for _ in 0..depth {
            let mut next = BTreeMap::new();
            for (end, count) in &by_end {
                for letter in 0..self.n_rules {
                    let word = [end.as_slice(), &[letter]].concat();
                    if !self.ends(&word) {
                        let kept = word.len().saturating_sub(max_length - 1);
                        *next.entry(word[kept..].to_vec()).or_insert(0) += count;
                    }
                }
            }
            n_nodes += next.values().sum::<u64>();
            by_end = next;
        }
        n_nodes
    }
}

#[test]
fn published_numbers_of_redundant_words() {
    let by_length = |reference, max_length| Redundant::up_to(max_length, reference).by_length();
    assert_eq!(by_length("pancake:9", 3), [0, 8, 1]);
    assert_eq!(by_length("topspin:14:3", 3), [0, 91, 54]);
    assert_eq!(by_length("topspin:16:4", 4), [0, 88, 56, 136]);
    assert_eq!(by_length("rubik:2", 3), [0, 81, 366]);
    assert_eq!(by_length("rubik:2:fixed", 6), [0, 27, 3, 61, 694, 4196]);
    assert_eq!(by_length("rubik:3", 4), [0, 81, 0, 15]);
}

/// Burch & Holte 2011, Table 4, for one start state: the counts do not depend on it.
#[test]
fn published_numbers_of_nodes() {
    let n_nodes = |reference, max_length, depth| {
        Redundant::up_to(max_length, reference).n_nodes(max_length, depth)
    };
    assert_eq!(n_nodes("pancake:9", 2, 9), 53_804_809);
    assert_eq!(n_nodes("pancake:9", 3, 9), 52_882_314);
    assert_eq!(n_nodes("topspin:14:3", 2, 9), 21_659_772);
    assert_eq!(n_nodes("topspin:14:3", 3, 9), 3_164_373);
    assert_eq!(n_nodes("rubik:2", 2, 6), 8_331_112);
    assert_eq!(n_nodes("rubik:2", 3, 6), 5_156_139);
    // The last count depends on the order of the faces.
    assert_eq!(n_nodes("rubik:2:order=UFRDBL", 3, 6), 5_190_190);
}

#[test]
fn orders_of_rules() {
    assert_eq!(
        labels("arrow:3"),
        [
            "R1-00", "R1-01", "R1-10", "R1-11", "R2-00", "R2-01", "R2-10", "R2-11"
        ]
    );
    assert_eq!(
        labels("rubik:2:fixed"),
        ["U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'"]
    );
    assert_eq!(
        labels("rubik:2:fixed:order=fur")[..4],
        ["F", "F2", "F'", "U"]
    );
    let quarter_turns: Vec<String> = labels("rubik:3").into_iter().step_by(3).collect();
    assert_eq!(quarter_turns, ["B", "F", "D", "U", "L", "R"]);
    assert_eq!(
        labels("sliding-tiles:2:2").concat(),
        "UURDDLLR".replace("RDDLLR", "RRDDLL")
    );
    assert_eq!(
        labels("sliding-tiles:2:2:order=position").concat(),
        "RDDLURUL"
    );
    assert_eq!(labels("grid:2:2"), ["Right", "Left", "Up", "Down"]);
    assert_eq!(
        labels("topspin:5:2"),
        ["turn0", "turn1", "turn2", "turn3", "turn4"]
    );
}

#[test]
fn goals_of_sliding_tiles() {
    let goal = |reference: &str| game(reference).goals[0].join(" ");
    assert_eq!(goal("sliding-tiles:2:3"), "0 1 2 3 4 5");
    assert_eq!(goal("sliding-tiles:2:3:blank=2"), "1 2 0 3 4 5");
    assert_eq!(goal("sliding-tiles:2:3:goal=blank-last"), "1 2 3 4 5 0");
    assert_eq!(
        goal("sliding-tiles:2:3:blank=5:goal=blank-last"),
        "1 2 3 4 5 0"
    );
}

#[test]
fn a_cube_in_any_orientation_has_24_goals() {
    let goals = game("rubik:2:goal=any").goals;
    let distinct: HashSet<&Vec<String>> = goals.iter().collect();
    assert_eq!(distinct.len(), 24);
    assert_eq!(
        goals[0],
        game("rubik:2").goals[0],
        "the customary way comes first"
    );
}

#[test]
fn size_one_never_declares_a_domain() {
    let text = generate("grid", &["1", "3"]).expect("a corridor");
    assert!(
        !text.contains("DOMAIN row"),
        "PSVN refuses declared domains of one value"
    );
    assert!(text.contains("\n1 column\n"));
}

#[test]
fn references_split_at_colons() {
    assert_eq!(
        parse_reference("topspin:14:3"),
        ("topspin", vec!["14", "3"])
    );
    assert_eq!(parse_reference("ghi"), ("ghi", vec![]));
    assert_eq!(
        generate_reference("TopSpin:5:2"),
        generate("topspin", &["5", "2"])
    );
}

fn message(reference: &str) -> String {
    generate_reference(reference)
        .expect_err("not a valid reference")
        .to_string()
}

#[test]
fn errors_say_what_is_expected() {
    insta::assert_snapshot!(message("topspn:14:3"), @"unknown game `topspn`; did you mean `topspin`?");
    insta::assert_snapshot!(message("zzz"), @"unknown game `zzz`; known games: arrow, blocks, connect, edit-distance, ghi, grid, gripper, hanoi, lights-out, logistics, map, nim, pancake, pawns, pyraminx, rubik, slide-jump, sliding-tiles, sokoban, tic-tac-toe, topspin, work-or-golf");
    insta::assert_snapshot!(message(""), @"unknown game ``; known games: arrow, blocks, connect, edit-distance, ghi, grid, gripper, hanoi, lights-out, logistics, map, nim, pancake, pawns, pyraminx, rubik, slide-jump, sliding-tiles, sokoban, tic-tac-toe, topspin, work-or-golf");
    insta::assert_snapshot!(message("hanoi:4"), @"hanoi: DISKS is missing (a whole number from 1 to 1000); usage: hanoi PEGS DISKS [cost=unit|disk]");
    insta::assert_snapshot!(message("pancake:one"), @"pancake: N is `one`, expected a whole number from 2 to 10000; usage: pancake N [sizes=K] [cost=unit|size]");
    insta::assert_snapshot!(message("pancake:99999999999999999999999"), @"pancake: N is `99999999999999999999999`, expected a whole number from 2 to 10000; usage: pancake N [sizes=K] [cost=unit|size]");
    insta::assert_snapshot!(message("pancake:-3"), @"pancake: N is `-3`, expected a whole number from 2 to 10000; usage: pancake N [sizes=K] [cost=unit|size]");
    insta::assert_snapshot!(message("topspin:14:14"), @"topspin: K is `14`, expected a whole number from 2 to 13; usage: topspin N K [basic] [tokens=T] [cost=unit|place]");
    insta::assert_snapshot!(message("topspin:14:3:basc"), @"topspin: unexpected argument `basc`; did you mean `basic`?; usage: topspin N K [basic] [tokens=T] [cost=unit|place]");
    insta::assert_snapshot!(message("rubik:3:fixed"), @"rubik: fixed is `fixed`, expected size 2 (the centers of size 3 do not move anyway); usage: rubik SIZE [fixed] [goal=one|any] [colors=6|3|2] [order=FACES]");
    insta::assert_snapshot!(message("rubik:2:order=UFF"), @"rubik: order is `UFF`, expected the faces FRBLUD in any order; usage: rubik SIZE [fixed] [goal=one|any] [colors=6|3|2] [order=FACES]");
    insta::assert_snapshot!(message("sliding-tiles:3:3:order=column"), @"sliding-tiles: order is `column`, expected one of label, position, nutshell; usage: sliding-tiles ROWS COLS [blank=POS] [goal=blank-first|blank-last] [order=label|position|nutshell]");
    insta::assert_snapshot!(message("sliding-tiles:3:3:blank=9"), @"sliding-tiles: blank is `9`, expected a whole number from 0 to 8; usage: sliding-tiles ROWS COLS [blank=POS] [goal=blank-first|blank-last] [order=label|position|nutshell]");
    insta::assert_snapshot!(message("sliding-tiles:3:3:blank=0:goal=blank-last"), @"sliding-tiles: blank is `0`, expected 8, since goal=blank-last is given too; usage: sliding-tiles ROWS COLS [blank=POS] [goal=blank-first|blank-last] [order=label|position|nutshell]");
    insta::assert_snapshot!(message("ghi:1"), @"ghi: unexpected argument `1`; usage: ghi");
}

#[test]
fn huge_games_are_refused_at_once() {
    assert!(matches!(
        generate_reference("sliding-tiles:5000:5000"),
        Err(GenerateError::TooLarge {
            what: "variables",
            ..
        })
    ));
    for reference in [
        "pancake:10000",
        "arrow:10000",
        "blocks:1000",
        "hanoi:1000:1000",
        "topspin:10000:3",
    ] {
        assert!(
            matches!(
                generate_reference(reference),
                Err(GenerateError::TooLarge { .. })
            ),
            "{reference}"
        );
    }
}

#[test]
fn costs_are_written_where_they_are_not_1() {
    let costs = |reference: &str| -> Vec<u32> {
        game(reference).rules.iter().map(|rule| rule.cost).collect()
    };
    assert_eq!(costs("pancake:4:cost=size"), [2, 3, 4]);
    assert_eq!(
        costs("map:../.G:diagonals"),
        [[10; 8].as_slice(), &[14; 4]].concat()
    );
    assert_eq!(costs("edit-distance:ab:b"), [1, 0, 1, 1, 1]);
    assert_eq!(costs("edit-distance:ab:b:replace=2"), [2, 0, 1, 1, 1]);
    let pushes: Vec<(String, u32)> = game("sokoban:cost=pushes")
        .rules
        .into_iter()
        .map(|rule| (rule.label, rule.cost))
        .collect();
    assert!(pushes.iter().all(|(label, cost)| {
        let is_push = label.chars().all(|letter| letter.is_ascii_uppercase());
        *cost == u32::from(is_push)
    }));
}

#[test]
fn tokens_that_look_alike() {
    let goal = |reference: &str| game(reference).goals[0].join(" ");
    assert_eq!(goal("pancake:7:sizes=3"), "1 1 1 2 2 3 3");
    assert_eq!(goal("topspin:9:4:tokens=2"), "0 0 0 0 1 1 1 1");
    assert_eq!(goal("topspin:6:3:basic:tokens=3"), "0 0 1 1 2 2");
    assert_eq!(
        goal("rubik:2:fixed:colors=2").replace(' ', ""),
        "wwwwwwwwwwwwyyyyyyyyy"
    );
    // With three colors, a half turn of the whole cube changes nothing visible.
    assert_eq!(game("rubik:2:goal=any:colors=3").goals.len(), 6);
}

#[test]
fn levels_are_refused_with_a_reason() {
    let message = |reference: &str| {
        let error = generate_reference(reference).expect_err("not a level");
        error.to_string()
    };
    for (level, expected) in [
        ("#####/# $.#/#####", "0 keepers"),
        ("#####/#@$.#/## ##", "an open level"),
        ("#####/#@$ #/#####", "1 boxes and 0 goals"),
        ("#####/#@ #$#/#  #.#/#####", "a box or goal at r2c5"),
        ("#####/#@x.#/#####", "LEVEL is `x`"),
    ] {
        let message = message(&format!("sokoban:{level}"));
        assert!(message.contains(expected), "{message}");
    }
    assert!(message("map").contains("ROWS is missing"));
    assert!(message("map:../..").contains("0 goals"));
    assert!(message("edit-distance:word").contains("OTHER is missing"));
}
