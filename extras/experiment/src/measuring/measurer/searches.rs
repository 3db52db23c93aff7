//! Searches for solutions.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use psvn::instance::{self, Refutation};
use psvn::solve::{Answer, SearchOptions, Solver};
use psvn::{Error, ErrorKind, Game, Watch};
use psvn_ir::State;
use search::Limits;

use super::measured::{Preparation, finish, parsed, solved};
use super::{LoadedDomain, Measurer};
use crate::measuring::cpu_time;
use crate::{Measure, Measured};

/// A search for all instances of a method, with what it has prepared so far.
struct Task {
    solver: Solver,
    /// The limit on the time of each cell.
    most_time: Option<Duration>,
    /// The time of the plan, which the first search makes.
    plan: OnceLock<Duration>,
    /// The time of preparations during searches, such as longer analyses, in nanoseconds.
    later: AtomicU64,
}

impl Measurer<'_> {
    pub(super) fn solve(
        &self,
        options: &SearchOptions,
        search_anyway: bool,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let named = &domain.named;
        let mut refutations: HashMap<&State, Refutation> = HashMap::new();
        if !search_anyway {
            let found = instance::refutations(&domain.starts, named, &|| false);
            let found = domain.starts.iter().zip(found);
            refutations.extend(found.filter_map(|(start, found)| Some((start, found?))));
        }
        // Starts with a proof that they have no solution take no part in any preparation.
        let starts = domain.starts.iter();
        let starts = starts.filter(|start| !refutations.contains_key(start));
        let starts: Vec<State> = starts.cloned().collect();
        let task = if starts.is_empty() {
            None
        } else {
            Some(self.prepare(options, starts, domain)?)
        };
        let one_thread = self.env.threads() == 1;
        body(&|instance| {
            let instance = parsed(instance?, named);
            if let Some(found) = refutations.get(&instance.state) {
                let answer = Answer::refuted(found.proof.clone());
                let measured = solved(false, named, &instance, answer);
                return finish(measured, None, Preparation::default(), self.env.terms());
            }
            match task.as_ref()? {
                Ok(task) => {
                    let (measured, spent) = task.measure(&instance, named);
                    let spent = spent.filter(|_| one_thread);
                    finish(measured, spent, task.preparation(), self.env.terms())
                }
                Err(stopped) => Some(Measured::clone(stopped)),
            }
        });
        Ok(())
    }

    /// Prepare the searches of a method, or return what its cells come to where the limit on their
    /// time ends the preparation.
    fn prepare(
        &self,
        options: &SearchOptions,
        starts: Vec<State>,
        domain: &LoadedDomain,
    ) -> Result<Result<Task, Box<Measured>>, Error> {
        let most_time = options.limits.time;
        let began = Instant::now();
        let builder = Solver::builder(&domain.named)
            .options(options.clone())
            .starts(starts)
            .prepared_within(Watch::new(self.env.limits(&Limits {
                time: most_time,
                ..Limits::default()
            })))
            .shared(&domain.shared);
        let error = match builder.build(self.env) {
            Ok(solver) => {
                return Ok(Ok(Task {
                    solver,
                    most_time,
                    plan: OnceLock::new(),
                    later: AtomicU64::new(0),
                }));
            }
            Err(error) => error,
        };
        let elapsed = began.elapsed();
        let is_over = most_time.is_some_and(|most| elapsed >= most);
        if error.kind() != ErrorKind::Limit || !is_over {
            return Err(error);
        }
        Ok(Err(Box::new(Measured {
            preparation_seconds: elapsed.as_secs_f64(),
            ..Measured::stopped_while_preparing()
        })))
    }
}

impl Task {
    /// The time of all preparations so far.
    fn preparation(&self) -> Preparation {
        let plan = self.plan.get().copied().unwrap_or_default();
        let later = Duration::from_nanos(self.later.load(Ordering::Relaxed));
        Preparation {
            all: self.solver.preparation() + plan + later,
            reused: self.solver.reused(),
        }
    }

    /// Search from an instance, and return also the processor time of this thread. The limit on a
    /// cell's time is for its search and for all that it needs.
    fn measure(
        &self,
        instance: &instance::Instance,
        named: &Game,
    ) -> (Result<Option<Measured>, Error>, Option<Duration>) {
        let solver = &self.solver;
        let start = &instance.state;
        // The first search makes the plan, which isn't part of an instance's time.
        let plan = self.plan.get_or_init(|| {
            let no_nodes = Limits {
                nodes: Some(0),
                ..Limits::default()
            };
            let answer = solver.solve_within(start, no_nodes);
            answer.map_or(Duration::ZERO, |answer| answer.preparation)
        });
        let heuristic = Some(solver.heuristic().estimate.to_string());
        let spent = solver.preparation() + *plan;
        let left = self.most_time.map(|most| most.saturating_sub(spent));
        if left == Some(Duration::ZERO) {
            let stopped = Measured {
                heuristic,
                ..Measured::stopped_while_preparing()
            };
            return (Ok(Some(stopped)), None);
        }
        let limits = Limits {
            time: left,
            ..Limits::default()
        };
        let before = cpu_time::of_thread();
        let answer = solver.solve_within(start, limits);
        let spent = cpu_time::of_thread()
            .zip(before)
            .map(|(after, before)| after - before);
        if let Ok(answer) = &answer {
            let time = u64::try_from(answer.preparation.as_nanos()).unwrap_or(u64::MAX);
            self.later.fetch_add(time, Ordering::Relaxed);
        }
        let measured = answer
            .and_then(|answer| solved(solver.is_optimal(), named, instance, answer))
            .map(|measured| {
                Some(Measured {
                    heuristic,
                    ..measured?
                })
            });
        (measured, spent)
    }
}
