//! Laws of growth, on artificial data and on published figures.

use experiment::{Measured, Outcome, Results};
use report::{Report, json};

use crate::results::{record, searched};

const SPEC: &str = r#"
title = "Growth"
[[domain]]
name = "tiles"
file = "none"
[[method]]
name = "power"
[[method]]
name = "exponential"
[[method]]
name = "stopped"
"#;

/// Table 7-3 of "Algorithms in a Nutshell": depth-first search to twice the depth.
const PUBLISHED: [f64; 13] = [
    6.2, 27.7, 67.9, 179.2, 319.5, 758.1, 1124.3, 2577.3, 3065.4, 7033.8, 6104.0, 12346.0, 14079.1,
];

/// Searches after 2 to 14 steps: one method has 8 (n - 1)^3 states, one 3 2^n; one is stopped after
/// more than 4 steps.
fn made() -> Results {
    let mut text = SPEC.to_owned();
    for (steps, value) in (2..).zip(PUBLISHED) {
        text.push_str(&format!(
            "[[published]]\ndomain = \"tiles\"\nmethod = \"power\"\nsteps = {steps}\n\
             measure = \"states\"\nvalue = {value:?}\n"
        ));
    }
    let header = crate::results::header_of(&text);
    let mut bytes = serde_json::to_vec(&header).unwrap();
    for (place, _) in header.spec.methods.iter().enumerate() {
        for steps in 2..=14_u64 {
            let (outcome, states) = match place {
                0 => (Outcome::Solved, 8 * (steps - 1).pow(3)),
                1 => (Outcome::Solved, 3 << steps),
                _ if steps <= 4 => (Outcome::Solved, steps),
                _ => (Outcome::Nodes, 1000),
            };
            let measured = Measured {
                states: Some(states),
                ..searched(outcome, states, 1.0, 0.0)
            };
            let mut record = record(&header.spec, 0, place, steps, measured);
            record.steps = Some(steps);
            bytes.push(b'\n');
            bytes.extend(serde_json::to_vec(&record).unwrap());
        }
    }
    bytes.push(b'\n');
    Results::parse(&bytes).unwrap()
}

#[test]
fn laws_are_found_and_named() {
    let report = json(&Report::new(&[made()]));
    let tables = report["experiments"][0]["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["name"] == "laws").unwrap();
    let rows = table["rows"].as_array().unwrap();
    let law = |method: &str, of: &str, law: &str| {
        let is_it = |row: &&serde_json::Value| {
            row["method"] == method && row["of"] == of && row["law"] == law
        };
        let row = rows.iter().find(is_it).unwrap();
        ["factor", "rate", "fit", "lengths"].map(|key| row[key].as_f64().unwrap())
    };
    let is_near = |found: [f64; 4], expected: [f64; 4]| {
        let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-3;
        assert!(
            found.iter().zip(&expected).all(near),
            "{found:?}, {expected:?}"
        );
    };
    is_near(
        law("power", "measured", "c (n - 1)^b"),
        [8.0, 3.0, 1.0, 13.0],
    );
    is_near(
        law("exponential", "measured", "c b^n"),
        [3.0, 2.0, 1.0, 13.0],
    );
    // The book says 3.18 (n + 1)^3.164.
    let [factor, rate, ..] = law("power", "published", "c (n - 1)^b");
    assert_eq!(format!("{factor:.2} {rate:.3}"), "3.18 3.164");
    // Lower bounds are no figures.
    assert_eq!(law("stopped", "measured", "c n^b")[3], 3.0);
    assert!(
        !rows
            .iter()
            .any(|row| row["method"] == "stopped" && row["of"] == "published")
    );
}
