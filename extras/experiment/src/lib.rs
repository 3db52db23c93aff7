//! Experiments: methods measured on instances of games, and a file of results from which an
//! interrupted experiment resumes.
//!
//! A [`Spec`] is read from TOML. A [`Runner`] turns it into a [`Plan`], which lists all cells: each
//! has a domain, a method and an instance. [`run()`] measures those without a result in a
//! [`ResultsFile`], one after the other or several at a time, and adds a line for each. [`Results`]
//! is the content of a results file.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use experiment::{
//!     Domain, DomainFacts, Group, Instance, Limits, Measure, Measured, Plan, Results, ResultsFile,
//!     RunOptions, Runner, Spec, Wrong, run,
//! };
//!
//! let spec = Spec::parse(r#"
//!     title = "Squares"
//!     [[domain]]
//!     name = "numbers"
//!     file = "none"
//!     [[method]]
//!     name = "square"
//! "#)?;
//!
//! struct Squares;
//! impl Runner for Squares {
//!     fn domain(&mut self, _: &Domain, _: &Limits) -> Result<DomainFacts, Vec<Wrong>> {
//!         let instance = |n: u64| {
//!             let text = n.to_string();
//!             Instance { id: text.clone(), start: text, ..Instance::default() }
//!         };
//!         Ok(DomainFacts { instances: (1..=3).map(instance).collect(), ..DomainFacts::default() })
//!     }
//!     fn takes_instances(&self, _: &str) -> Result<bool, String> {
//!         Ok(true)
//!     }
//!     fn check(&mut self, _: &Group<'_>) -> Result<Vec<String>, Vec<Wrong>> {
//!         Ok(Vec::new())
//!     }
//!     fn with_group(
//!         &mut self,
//!         _: &Group<'_>,
//!         body: &mut dyn FnMut(&Measure<'_>),
//!     ) -> Result<(), String> {
//!         body(&|instance| {
//!             let n: u64 = instance?.start.parse().ok()?;
//!             Some(Measured { generated: Some(n * n), ..Measured::default() })
//!         });
//!         Ok(())
//!     }
//! }
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("squares.jsonl");
//! let plan = Plan::new(spec, &mut Squares)?;
//! let options = RunOptions { jobs: 1, program: "example".to_owned() };
//! let mut go = || -> Result<_, Box<dyn std::error::Error>> {
//!     let mut file = ResultsFile::open(&path)?;
//!     Ok(run(&plan, &mut Squares, &mut file, &options, &AtomicBool::new(false), &mut |_| ())?)
//! };
//! assert_eq!(go()?.measured, 3);
//! // The second time there is nothing left to do.
//! assert_eq!((go()?.measured, go()?.kept), (0, 3));
//! let records = Results::read(&path)?.records;
//! let generated: Vec<_> = records.iter().map(|it| it.measured.generated).collect();
//! assert_eq!(generated, [Some(1), Some(4), Some(9)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which results are kept
//! A cell is identified by a fingerprint of all that defines it: the game's content and goals, the
//! command with its options, and the start state. Names are not part of it, so a renamed cell isn't
//! measured again. Limits are not part of it either: after a change of limits, results that no
//! limit stopped are kept, and the others are measured again.
//!
//! # How games are measured
//! [`measure()`] measures a [`Specification`] by the searches, counts and analyses of the crate
//! `psvn`. Nothing else here knows games, searches, or the meaning of a method's options.

mod cell;
mod measuring;
mod options;
mod place_and_time;
mod presets;
mod reading;
mod record;
mod results;
mod run;
mod spec;
mod wrong;

pub use cell::{Cell, DomainFacts, Instance};
pub use measuring::{ExperimentReport, Specification, measure};
pub use options::{Formula, OptionValue, Options};
pub use presets::{PRESETS, Preset};
pub use reading::Reading;
pub use record::{FORMAT, GameEntry, Header, LevelKind, Measured, Outcome, Record, VERSION};
pub use results::{Results, ResultsError, ResultsFile, is_results};
pub use run::{Group, Measure, Plan, Progress, RunOptions, RunSummary, Runner, run};
pub use spec::{
    Domain, InstanceSource, Limits, MOST_STEPS, MOST_STEPS_TOGETHER, Measure as PublishedMeasure,
    Method, Published, Spec, SpecError, SpecErrors, Steps,
};
pub use wrong::{Step, Wrong};
