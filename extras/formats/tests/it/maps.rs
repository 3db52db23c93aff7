//! Maps against shortest paths by an independent program, and their errors.

use std::collections::BTreeMap;

use formats::maps::{self, DIAGONAL, STRAIGHT};
use formats::{Format, import};
use psvn_ir::testing::{SplitMix64, cases};
use psvn_ir::{Game, State};

use crate::breadth::load;

/// Least costs from a start, by relaxing all rules until nothing changes.
fn least_costs(game: &Game, start: &State) -> BTreeMap<Vec<u32>, u64> {
    let key = |values: &[psvn_ir::Value]| values.iter().map(|it| it.0).collect::<Vec<u32>>();
    let mut found = BTreeMap::from([(key(start.values()), (0, start.values().to_vec()))]);
    loop {
        let mut changed = false;
        for (_, (cost, state)) in found.clone() {
            for rule in game.rules() {
                if rule.canonical.applies_to(&state) {
                    let next = rule.canonical.apply(&state).into_vec();
                    let cost = cost + rule.canonical.cost();
                    let known = found
                        .get(&key(&next))
                        .is_some_and(|(known, _)| *known <= cost);
                    if !known {
                        found.insert(key(&next), (cost, next));
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return found
                .into_iter()
                .map(|(key, (cost, _))| (key, cost))
                .collect();
        }
    }
}

/// Least costs on a grid between places, by the rules of the benchmark: straight and diagonal
/// steps, no cut corners, land and water apart.
fn on_grid(rows: &[String], from: (i32, i32)) -> BTreeMap<(i32, i32), u64> {
    let kind = |(x, y): (i32, i32)| {
        let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
        let letter = usize::try_from(x)
            .ok()
            .and_then(|x| row?.as_bytes().get(x).copied());
        match letter {
            Some(b'.' | b'G' | b'S') => 1,
            Some(b'W') => 2,
            _ => 0,
        }
    };
    let mut found = BTreeMap::from([(from, 0)]);
    loop {
        let before = found.clone();
        for ((x, y), cost) in &before {
            for dx in -1..=1 {
                for dy in -1..=1 {
                    let beside = [(x + dx, y + dy), (x + dx, *y), (*x, y + dy)];
                    if (dx, dy) == (0, 0) || beside.iter().any(|it| kind(*it) != kind((*x, *y))) {
                        continue;
                    }
                    let step = if dx != 0 && dy != 0 {
                        DIAGONAL
                    } else {
                        STRAIGHT
                    };
                    let cost = cost + u64::from(step);
                    let known = found.entry(beside[0]).or_insert(cost);
                    *known = cost.min(*known);
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

#[test]
fn grids_have_the_distances_of_the_benchmark() {
    let mut n_places = 0;
    for seed in 0..cases(40) {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (2 + random.below(5), 2 + random.below(5));
        let letters: Vec<char> = "......SG@TOWW".chars().collect();
        let mut row = || {
            (0..width)
                .map(|_| letters[random.below(letters.len())])
                .collect()
        };
        let mut rows: Vec<String> = (0..height).map(|_| row()).collect();
        rows[0].replace_range(0..2, "..");
        let rows_text = rows.join("\n");
        let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows_text}\n");
        assert_eq!(Format::of(&text), Some(Format::Octile));
        let (game, _) = load(&import(Format::Octile, &text).unwrap().text);
        let start = game.parse_state("0,0 0,0").unwrap();
        assert!(game.is_goal(start.values()));
        let expected = on_grid(&rows, (0, 0));
        let found = least_costs(&game, &start);
        n_places += found.len();
        let found = found.into_iter().map(|(key, cost)| {
            let values = key.iter().map(|value| psvn_ir::Value(*value));
            let words = game.format_state(&values.collect::<Vec<_>>());
            let (x, y) = words.split(' ').next().unwrap().split_once(',').unwrap();
            ((x.parse().unwrap(), y.parse().unwrap()), cost)
        });
        assert_eq!(
            found.collect::<BTreeMap<_, _>>(),
            expected,
            "seed {seed}\n{rows_text}"
        );
    }
    assert!(n_places > 200, "{n_places}");
}

#[test]
fn road_networks_keep_their_arcs() {
    let text = "c a square\nc\np sp 4 6\na 1 2 5\na 2 3 1\na 1 3 7\na 3 4 0\na 4 4 9\na 2 4 9\n";
    assert_eq!(Format::of(text), Some(Format::Roads));
    let imported = import(Format::Roads, text).unwrap();
    let (game, _) = load(&imported.text);
    assert_eq!(game.rules().len(), 5, "an arc to its own place is none");
    let found = least_costs(&game, &game.parse_state("1 4").unwrap());
    assert_eq!(found.values().copied().collect::<Vec<_>>(), [0, 5, 6, 6]);
}

#[test]
fn scenarios_are_instances() {
    let text = "version 1\n0\tmaps/a b.map\t8\t8\t1\t2\t3\t4\t2.82842712\n\n1 m 8 8 0 0 7 0 7\n";
    let found = maps::instances(text).unwrap().unwrap();
    let lines: Vec<&str> = found.lines().collect();
    // Each on its line.
    assert_eq!(lines[1], "1,2 3,4  # distance 2.82842712");
    assert_eq!(lines[3], "0,0 7,0  # distance 7");
    assert_eq!(maps::instances("1 2 3\n"), None);
    let wrong = format!("{text}2 m 8 8 0 0 7\n3 m 8 8 0 0 x 0 7\n");
    let errors = maps::instances(&wrong).unwrap().unwrap_err();
    assert_eq!(errors.len(), 1, "one cause");
    let place = errors[0].primary.as_ref().unwrap().span;
    assert_eq!(&wrong[place.start..place.end], "2 m 8 8 0 0 7");
    assert_eq!(errors[0].n_others, 1);
}

#[test]
fn wrong_maps_are_refused_with_all_errors() {
    let codes = |format, text: &str| -> Vec<&'static str> {
        let errors = import(format, text).unwrap_err();
        errors.iter().map(|it| it.code).collect()
    };
    let octile = |text: &str| codes(Format::Octile, text);
    assert_eq!(
        octile("type tile\nheight 1\nwidth 1\nmap\n.\n"),
        ["map-type"]
    );
    assert_eq!(
        octile("type octile\nheight\nwidth 0\n"),
        ["map-head", "map-head", "map-head"]
    );
    assert_eq!(
        octile("type octile\nheight 3\nwidth 2\nmap\n..\n.x\n...\n..\n"),
        ["map-rows", "map-letter", "map-row"]
    );
    assert_eq!(
        octile("type octile\nheight 1\nwidth 2\nmap\n.@\n"),
        ["map-no-steps"]
    );
    assert_eq!(
        octile("type octile\nheight 999999\nwidth 999999\nmap\n"),
        ["map-too-large"]
    );
    let roads = |text: &str| codes(Format::Roads, text);
    assert_eq!(roads("p sp 2\n"), ["map-head"]);
    assert_eq!(
        roads("p sp 2 3\na 1 2\na 1 3 1\na 2 1 4294967296\na 1 2 3\n"),
        ["map-arcs", "map-arc", "map-cost"]
    );
}
