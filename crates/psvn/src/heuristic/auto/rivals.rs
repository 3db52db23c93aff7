//! Choices without tables that are compared with each other.

use heuristics::{Combined, Name, Named};
use psvn_ir::State;

use super::forecast::Forecast;
use super::{Best, Choice, MOST_OF_FIRST_TRY, trial, work};

/// The number of states on which the steps of `lm-cut` are counted.
const WEIGHED: usize = 24;

impl Choice<'_> {
    /// Return to the former choice where the same bounds took more work with the new one.
    pub(super) fn compare_with_former(&mut self) {
        let Some(former) = &self.former else {
            return;
        };
        let Some(work) = trial::work_of_same_bounds(&self.best.progress, &former.progress) else {
            return;
        };
        if work > 1.0
            && let Some(former) = self.former.take()
        {
            self.has_table = former.has_table();
            self.forecast = former
                .tried
                .and_then(|tried| tried.growth)
                .map_or(self.forecast, Forecast::new);
            self.best = former;
        }
    }

    /// Take a choice that is expected to leave less work.
    pub(super) fn replace_best(&mut self, best: Best) {
        let former = std::mem::replace(&mut self.best, best);
        // Tables that are no longer used would take memory.
        if former.tables.is_none() && former.tried.is_some() {
            self.former = Some(former);
        }
    }

    /// Take `lm-cut` beside the heuristic without tables, if that leaves less work.
    pub(super) fn consider_cuts(&mut self, cheap: &Named) {
        let request = self.request;
        let mut names: Vec<Name> = cheap.names().to_vec();
        names.retain(|name| *name != Name::Zero);
        names.push(Name::LmCut);
        let limits = request.named_limits();
        let Ok(both) = Named::within(request.game, request.known, &names, &limits) else {
            return;
        };
        let states = self.scale.samples.iter().chain(self.scale.starts);
        let states: Vec<State> = states.take(WEIGHED).cloned().collect();
        both.weigh_cuts(&states);
        let estimate = Combined::from(both);
        let of_node = work::of_node(&estimate);
        let n_states = self.scale.samples.len() + self.scale.starts.len();
        let scoring = of_node * n_states as f64;
        if scoring > self.spent * MOST_OF_FIRST_TRY {
            return;
        }
        self.spent += scoring;
        let score = self.scale.score_and_note(&estimate);
        let ratio = self.ratio(score, of_node);
        if ratio < 1.0 {
            let expected = self.rest().steps * ratio;
            self.replace_best(Best {
                estimate,
                tables: None,
                duals: None,
                score,
                of_node,
                tried: None,
                progress: Vec::new(),
                expected,
            });
        }
    }
}
