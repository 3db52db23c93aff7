//! Files of results to make reports of.

use experiment::{
    FORMAT, GameEntry, Header, LevelKind, Limits, Measured, Outcome, Record, Results, Spec, VERSION,
};

const SPEC: &str = r#"
title = "Pruning <in> \"two\" puzzles & more"
description = "A test of reports."
[limits]
time = "10s"
[[domain]]
name = "tiles"
file = "gen:sliding-tiles:3:3"
[[domain]]
name = "a domain with a name that is longer than any name should be, really"
file = "gen:topspin:8:3"
[[method]]
name = "nothing"
algorithm = "ida"
[[method]]
name = "L=2"
prune = 2
[[method]]
name = "tree"
command = "tree"
[[published]]
domain = "tiles"
method = "L=2"
measure = "generated"
value = 1234.5
"#;

pub(crate) fn record(
    spec: &Spec,
    domain: usize,
    method: usize,
    number: u64,
    measured: Measured,
) -> Record {
    let method = &spec.methods[method];
    Record {
        key: format!("{domain} {} {number}", method.name),
        domain: spec.domains[domain].name.clone(),
        method: method.name.clone(),
        instance: format!("w{number}"),
        steps: Some(3 + number % 4),
        start: "0 1 2".to_owned(),
        options: spec
            .options_of(&spec.domains[domain], method, None)
            .unwrap(),
        limits: Limits::default(),
        measured,
    }
}

/// A file of results: searches that prune need a third of the nodes, one was stopped, one failed.
pub(crate) fn results() -> Results {
    let spec = Spec::parse(SPEC).unwrap();
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: "psvn test".to_owned(),
        spec_hash: String::new(),
        games: vec![GameEntry {
            domain: "tiles".to_owned(),
            hash: String::new(),
        }],
        cells: 50,
        jobs: 1,
        processors: 2,
        machine: None,
        date: Some("2026-11-23".to_owned()),
        spec: spec.clone(),
    };
    let mut records = Vec::new();
    for domain in 0..2 {
        for method in 0..2 {
            for number in 0..8u64 {
                let generated = 30 * 10u64.pow(number as u32 % 5) / (1 + 2 * method as u64);
                let stopped = number == 7 && method == 0;
                records.push(record(
                    &spec,
                    domain,
                    method,
                    number,
                    Measured {
                        outcome: if stopped {
                            Outcome::Time
                        } else {
                            Outcome::Solved
                        },
                        cost: (!stopped).then_some(10 + number % 3),
                        length: (!stopped).then_some(10 + number % 3),
                        h0: Some(4),
                        generated: Some(generated),
                        seconds: generated as f64 * 1e-7,
                        levels: vec![(8, generated / 10 + 1), (10, generated)],
                        level_kind: Some(LevelKind::Bound),
                        ..Measured::default()
                    },
                ));
            }
        }
        records.push(record(
            &spec,
            domain,
            2,
            0,
            Measured {
                generated: Some(111),
                levels: vec![(0, 1), (1, 10), (2, 100)],
                level_kind: Some(LevelKind::Depth),
                ..Measured::default()
            },
        ));
        records.push(record(&spec, domain, 2, 1, Measured::failed("a <reason>")));
    }
    let mut bytes = serde_json::to_vec(&header).unwrap();
    for record in &records {
        bytes.push(b'\n');
        bytes.extend(serde_json::to_vec(record).unwrap());
    }
    bytes.push(b'\n');
    Results::parse(&bytes).unwrap()
}

/// Results of some methods on some instances of one domain, all searches.
pub(crate) fn results_of(methods: &[(&str, Vec<Measured>)]) -> Results {
    let mut text = "title = \"Some\"\n[[domain]]\nname = \"tiles\"\nfile = \"none\"\n".to_owned();
    for (name, _) in methods {
        text.push_str(&format!("[[method]]\nname = \"{name}\"\n"));
    }
    let all: Vec<Vec<Measured>> = methods.iter().map(|(_, all)| all.clone()).collect();
    results_by(&text, &all)
}

/// The first line of a file of results.
pub(crate) fn header_of(text: &str) -> Header {
    Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: "psvn test".to_owned(),
        spec_hash: String::new(),
        games: Vec::new(),
        cells: 1,
        jobs: 1,
        processors: 2,
        machine: None,
        date: Some("2026-11-23".to_owned()),
        spec: Spec::parse(text).unwrap(),
    }
}

/// Results of the methods of an experiment on some instances of its first domain, all searches.
pub(crate) fn results_by(text: &str, methods: &[Vec<Measured>]) -> Results {
    let header = header_of(text);
    let spec = header.spec.clone();
    let mut bytes = serde_json::to_vec(&header).unwrap();
    for (place, all) in methods.iter().enumerate() {
        for (number, measured) in (0..).zip(all) {
            let mut record = record(&spec, 0, place, number, measured.clone());
            record.steps = None;
            bytes.push(b'\n');
            bytes.extend(serde_json::to_vec(&record).unwrap());
        }
    }
    bytes.push(b'\n');
    Results::parse(&bytes).unwrap()
}

pub(crate) fn searched(
    outcome: Outcome,
    generated: u64,
    seconds: f64,
    preparation: f64,
) -> Measured {
    Measured {
        outcome,
        generated: Some(generated),
        seconds,
        preparation_seconds: preparation,
        ..Measured::default()
    }
}
