//! Reports as CSV and text.

use experiment::{LevelKind, Measured, Outcome};
use report::{Report, TABLE_NAMES, csv, html, latex, markdown, text};

use crate::results::{results, results_of, searched};

/// The records of a text in CSV.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut is_quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let record = records.last_mut().unwrap();
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                record.last_mut().unwrap().push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => record.push(String::new()),
            '\n' if !is_quoted => records.push(vec![String::new()]),
            c => record.last_mut().unwrap().push(c),
        }
    }
    assert_eq!(records.pop().unwrap(), [""], "the last line has an end");
    records
}

#[test]
fn every_csv_is_one_table() {
    let other = results_of(&[
        ("one", vec![searched(Outcome::Solved, 3, 0.1, 0.0)]),
        ("two", vec![searched(Outcome::Time, 4, 0.2, 0.0)]),
    ]);
    let analysis = Measured {
        words: Some(7),
        levels: vec![(2, 7)],
        level_kind: Some(LevelKind::Length),
        ..Measured::default()
    };
    let analyses = results_of(&[("L=2", vec![analysis])]);
    // Experiments with other methods and domains are in the same table.
    let report = Report::new(&[results(), other, analyses]);
    let mut names: Vec<&str> = Vec::new();
    for section in &report.sections {
        let of_section: Vec<&str> = section.tables.iter().map(|table| table.name).collect();
        let places = of_section.iter().map(|name| {
            let place = TABLE_NAMES.iter().position(|known| known == name);
            place.unwrap_or_else(|| panic!("{name} is not among the names of tables"))
        });
        assert!(places.is_sorted(), "{of_section:?}");
        names.extend(of_section);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        names,
        [
            "analyses", "cells", "costs", "coverage", "laws", "levels", "steps", "summary"
        ]
    );
    for name in names {
        let table = records(&csv(&report, name).unwrap());
        let (head, rows) = table.split_first().unwrap();
        assert_eq!(head[0], "experiment", "{name}");
        assert!(!rows.is_empty(), "{name}");
        let mut keys: Vec<&String> = head.iter().collect();
        keys.sort();
        keys.dedup();
        assert_eq!(
            keys.len(),
            head.len(),
            "{name}: names of columns are different"
        );
        for row in rows {
            assert_eq!(row.len(), head.len(), "{name}: {row:?}");
            assert_ne!(row, head, "{name}");
        }
    }
    let levels = csv(&report, "levels").unwrap();
    assert_eq!(
        levels.lines().next(),
        Some("experiment,domain,kind,level,method,instances,count")
    );
    assert!(levels.contains(",tiles,depth,2,tree,1,100\n"), "{levels}");
    assert!(
        levels.contains("\nSome,tiles,length,2,L=2,1,7\n"),
        "{levels}"
    );
}

#[test]
fn reports_say_what_is_counted_and_not_made() {
    let counted = Measured {
        generated_is_counted: Some(true),
        ..searched(Outcome::Solved, 3, 0.1, 0.0)
    };
    let made = Measured {
        generated_is_counted: Some(false),
        ..counted.clone()
    };
    let report = Report::new(&[results_of(&[("ida", vec![counted]), ("astar", vec![made])])]);
    let cells = records(&csv(&report, "cells").unwrap());
    let place = cells[0]
        .iter()
        .position(|key| key == "generated_is_counted")
        .unwrap();
    let of_cells: Vec<&str> = cells[1..].iter().map(|row| row[place].as_str()).collect();
    assert_eq!(of_cells, ["yes", "no"]);
    for page in [text(&report).replace('\n', " "), html(&report)] {
        assert!(
            page.contains("counted without being made one by one"),
            "{page}"
        );
    }
}

#[test]
fn text_and_csv_have_the_columns_of_a_course() {
    let report = Report::new(&[results()]);
    let cells = csv(&report, "cells").unwrap();
    let mut lines = cells.lines();
    let head = lines.next().unwrap();
    assert!(
        head.starts_with(
            "experiment,algorithm,heuristic,domain,instance,cost,h0,generated,time,gen_per_sec"
        ),
        "{head}"
    );
    let quoted = "\"Pruning <in> \"\"two\"\" puzzles & more\"";
    assert!(lines.clone().all(|line| line.starts_with(quoted)));
    assert_eq!(lines.clone().count(), 36);
    let stopped = lines.find(|line| line.contains("time limit")).unwrap();
    assert!(stopped.contains(",ida,zero,tiles,w7,,4,"), "{stopped}");
    assert!(csv(&report, "nothing").is_none());
    let text = text(&report);
    assert!(
        text.contains("Nodes and time by method") && text.contains("limits for each cell: 10s")
    );
    assert!(text.contains("> 3,000"), "{text}");
}

#[test]
fn markdown_has_as_many_cells_in_each_row_of_a_table() {
    let text = markdown(&Report::new(&[results()]));
    assert!(text.contains("Pruning \\<in\\> \"two\" puzzles"), "{text}");
    let mut width = None;
    let mut n_tables = 0;
    for line in text.lines() {
        let Some(row) = line.strip_prefix("| ") else {
            width = None;
            continue;
        };
        let n_cells = row.replace("\\|", "").matches('|').count();
        n_tables += usize::from(width.is_none());
        assert_eq!(*width.get_or_insert(n_cells), n_cells, "{line}");
    }
    assert!(n_tables >= 5, "{n_tables} tables");
}

#[test]
fn latex_escapes_its_special_characters() {
    let report = Report::new(&[results()]);
    let text = latex(&report, None).unwrap();
    let count = |what: &str| text.matches(what).count();
    assert!(count("\\begin{tabular}") >= 5);
    assert_eq!(count("\\begin{tabular}"), count("\\end{tabular}"));
    assert_eq!(count("\\begin{table}"), count("\\end{table}"));
    for line in text.lines().filter(|line| !line.starts_with('%')) {
        let plain = line
            .replace("\\%", "")
            .replace("\\$", "")
            .replace("\\#", "");
        assert!(!plain.contains(['%', '#']), "{line}");
        let n_dollars = plain.matches('$').count();
        assert_eq!(n_dollars % 2, 0, "{line}");
    }
    assert!(latex(&report, Some("summary")).unwrap().len() < text.len());
    assert_eq!(latex(&report, Some("none of these")), None);
}

/// What no reader of data takes for a number stands in no column of numbers.
#[test]
fn numbers_that_are_missing_are_empty() {
    let report = Report::new(&[results()]);
    for name in TABLE_NAMES {
        let Some(text) = csv(&report, name) else {
            continue;
        };
        let table = records(&text);
        let tables = report.sections[0].tables.iter();
        let table_of = tables
            .filter(|table| table.name == name)
            .map(report::Table::for_programs);
        let columns = &table_of.clone().next().unwrap().columns;
        for row in &table[1..] {
            for (column, field) in columns.iter().zip(&row[1..]) {
                let is_number = field.is_empty() || field.parse::<f64>().is_ok();
                assert!(
                    column.align == report::Align::Left || is_number,
                    "{name}, {}: {field}",
                    column.key
                );
            }
        }
    }
}

#[test]
fn text_fits_a_terminal() {
    let pruning = psvn::solve::Pruned {
        sequences: vec![
            psvn::solve::PrunedSequences::up_to(2),
            psvn::solve::PrunedSequences {
                from_bound: Some(28),
                ..psvn::solve::PrunedSequences::up_to(10)
            },
        ],
        ..psvn::solve::Pruned::default()
    };
    let auto = Measured {
        pruning: Some(pruning),
        heuristic: Some("manhattan + linear conflict".to_owned()),
        ..searched(Outcome::Solved, 3, 0.1, 0.0)
    };
    let mut methods = vec![("auto", vec![auto; 2])];
    let name = |n: usize| format!("a method with number {n}");
    let names: Vec<String> = (1..9).map(name).collect();
    for name in &names {
        methods.push((
            name,
            vec![searched(Outcome::Solved, 123_456_789, 12.0, 0.0); 2],
        ));
    }
    let report = Report::new(&[results(), results_of(&methods)]);
    for line in text(&report).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let said = text(&report);
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    assert!(said.contains("10 from bound 28 on"), "{said}");
    for written in [
        html(&report),
        markdown(&report),
        csv(&report, "cells").unwrap(),
    ] {
        assert!(written.contains("redundant sequences up to length 2, 10 from bound 28 on"));
        assert!(written.contains("manhattan + linear conflict"));
    }
}

#[test]
fn columns_can_be_chosen() {
    let report = Report::new(&[results()]);
    let chosen = |table: &str, columns: &[&str]| {
        let columns: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
        report.chosen(table, &columns)
    };
    let part = chosen("summary", &["method", "nodes", "domain"]).unwrap();
    let written = csv(&part, "summary").unwrap();
    assert!(
        written.starts_with("method,generated,domain\nnothing,"),
        "{written}"
    );
    let table = report::tables_markdown(&part, "summary").unwrap();
    assert!(table.contains("| method | nodes | domain |"), "{table}");
    let table = latex(&part, Some("summary")).unwrap();
    assert!(
        table.contains("    method & nodes & domain \\\\"),
        "{table}"
    );
    // Columns that aren't essential are shown where they are chosen.
    let part = chosen("cells", &["instance", "h0"]).unwrap();
    let shown = report::tables_text(&part, "cells").unwrap();
    assert!(shown.contains("  w0         4\n"), "{shown}");
    // A table with a column for each method has others for programs.
    let part = chosen("coverage", &["method", "seconds"]).unwrap();
    assert!(
        report::tables_text(&part, "coverage")
            .unwrap()
            .contains("L=2")
    );
    let error = chosen("cells", &["instanze"]).unwrap_err().to_string();
    assert_eq!(error, "the table `cells` has no column `instanze`");
    assert!(chosen("nothing", &[]).is_err());
}
