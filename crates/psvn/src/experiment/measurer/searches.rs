//! Searches for solutions.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use experiment::Measure;
use psvn_ir::State;

use super::super::cpu_time;
use super::measured::{Preparation, finish, parsed, solved};
use super::{LoadedDomain, Measurer};
use crate::error::Error;
use crate::instance::{self, Refutation};
use crate::solve::{Answer, SearchOptions, Searcher as GameSearcher};

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
        let starts: Vec<State> = domain
            .starts
            .iter()
            .filter(|start| !refutations.contains_key(start))
            .cloned()
            .collect();
        let task = if starts.is_empty() {
            None
        } else {
            let builder = GameSearcher::builder(named)
                .options(options.clone())
                .starts(starts)
                .shared(&domain.shared);
            Some(builder.build(self.env)?)
        };
        let preparation = task.as_ref().map(|task| Preparation {
            all: task.preparation(),
            reused: task.reused(),
        });
        // The time of preparations on first use, in nanoseconds.
        let plans = AtomicU64::new(0);
        let planned = OnceLock::new();
        let one_thread = self.env.threads() == 1;
        body(&|instance| {
            let instance = parsed(instance?, named);
            if let Some(found) = refutations.get(&instance.state) {
                let answer = Answer::refuted(found.proof.clone());
                let measured = solved(false, named, &instance, answer);
                return finish(measured, None, Preparation::default(), self.env.terms());
            }
            let task = task.as_ref()?;
            // The first search makes the plan, which isn't part of an instance's time.
            planned.get_or_init(|| {
                let answer = task.run(&instance.state).max_nodes(0).solve();
                let preparation = answer.map_or(Duration::ZERO, |answer| answer.preparation);
                plans.fetch_add(nanoseconds(preparation), Ordering::Relaxed);
            });
            let before = cpu_time::of_thread().filter(|_| one_thread);
            let answer = task.run(&instance.state).solve();
            let spent = cpu_time::of_thread()
                .zip(before)
                .map(|(after, before)| after - before);
            if let Ok(answer) = &answer {
                plans.fetch_add(nanoseconds(answer.preparation), Ordering::Relaxed);
            }
            let measured =
                answer.and_then(|answer| solved(task.is_optimal(), named, &instance, answer));
            let mut preparation = preparation.unwrap_or_default();
            preparation.all += Duration::from_nanos(plans.load(Ordering::Relaxed));
            finish(measured, spent, preparation, self.env.terms())
        });
        Ok(())
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
