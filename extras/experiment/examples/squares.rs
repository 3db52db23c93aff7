//! An experiment that squares numbers: it measures only cells without a result, each once.

use std::sync::atomic::AtomicBool;

use experiment::{
    Domain, DomainFacts, Group, Instance, Limits, Measure, Measured, Plan, Results, ResultsFile,
    RunOptions, Runner, Spec, Wrong, run,
};

const SPEC: &str = r#"
    title = "Squares"
    [[domain]]
    name = "numbers"
    file = "none"
    [[method]]
    name = "square"
"#;

struct Squares;

impl Runner for Squares {
    fn domain(&mut self, _: &Domain, _: &Limits) -> Result<DomainFacts, Vec<Wrong>> {
        let instance = |n: u64| Instance {
            id: n.to_string(),
            start: n.to_string(),
            ..Instance::default()
        };
        Ok(DomainFacts {
            instances: (1..=3).map(instance).collect(),
            ..DomainFacts::default()
        })
    }

    fn takes_instances(&self, _: &str) -> Result<bool, String> {
        Ok(true)
    }

    fn check(&mut self, _: &Group<'_>) -> Result<Vec<String>, Vec<Wrong>> {
        Ok(Vec::new())
    }

    fn with_group(
        &mut self,
        _: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String> {
        body(&|instance| {
            let n: u64 = instance?.start.parse().ok()?;
            Some(Measured {
                generated: Some(n * n),
                ..Measured::default()
            })
        });
        Ok(())
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("squares.jsonl");
    let plan = Plan::new(Spec::parse(SPEC)?, &mut Squares)?;
    let options = RunOptions {
        jobs: 1,
        program: "squares".to_owned(),
    };
    let interrupt = AtomicBool::new(false);
    for expected in [3, 0] {
        let mut file = ResultsFile::open(&path)?;
        let summary = run(
            &plan,
            &mut Squares,
            &mut file,
            &options,
            &interrupt,
            &mut |_| (),
        )?;
        println!("{} measured, {} kept", summary.measured, summary.kept);
        assert_eq!(summary.measured, expected);
    }
    for record in Results::read(&path)?.records {
        println!(
            "{} squared is {:?}",
            record.start, record.measured.generated
        );
    }
    Ok(())
}
