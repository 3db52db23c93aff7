//! Heuristics without tables that are compared with each other.

use advisor::{CandidateId, Steps};
use heuristics::{Combined, Name, Named};
use psvn_ir::State;

use crate::auto::selection::{Incumbent, Selection};
use crate::auto::trial;

/// The number of states on which the steps of `lm-cut` are counted: one takes up to milliseconds.
const N_WEIGHED: usize = 24;
/// The part of the work so far that estimating all samples with `lm-cut` may take.
const MOST_OF_SCORING: f64 = 0.5;

impl Selection<'_> {
    /// Return to the former incumbent where the same bounds took more work with the new one.
    pub(crate) fn compare_with_fallback(&mut self) {
        let Some(former) = &self.fallback else {
            return;
        };
        let Some(work) = trial::work_of_same_bounds(&self.incumbent.progress, &former.progress)
        else {
            return;
        };
        if work > 1.0
            && let Some(former) = self.fallback.take()
        {
            self.has_table = former.has_table();
            let growth = former.tried.and_then(|tried| tried.growth);
            self.growth = growth.unwrap_or(self.growth);
            self.incumbent = former;
        }
    }

    /// Take a heuristic that is expected to leave less work.
    pub(crate) fn replace_incumbent(&mut self, incumbent: Incumbent) {
        let former = std::mem::replace(&mut self.incumbent, incumbent);
        // Tables that are no longer used would take memory.
        if former.tables.is_none() && former.tried.is_some() {
            self.fallback = Some(former);
        }
    }

    /// Take `lm-cut` beside the heuristic without tables, if that leaves less work.
    pub(crate) fn consider_cuts(&mut self) {
        let request = self.request;
        let names = self.beside(Name::LmCut);
        let limits = request.named_limits();
        let Ok(both) = Named::within(request.game, request.known, request.starts, &names, &limits)
        else {
            return;
        };
        let states = self.samples.states.iter().chain(self.samples.starts);
        let states: Vec<State> = states.take(N_WEIGHED).cloned().collect();
        both.weigh_cuts(&states);
        let mut with_cuts = Incumbent::new(Combined::from(both), 0.0, 0.0);
        let n_states = self.samples.states.len() + self.samples.starts.len();
        let scoring = with_cuts.steps_of_node * n_states as f64;
        if scoring > self.spent * MOST_OF_SCORING {
            return;
        }
        self.spent += scoring;
        with_cuts.score = self.samples.score_and_note(&with_cuts.estimate);
        let ratio = self.ratio(with_cuts.quality());
        if ratio < 1.0 {
            with_cuts.expected = self.remaining().steps * ratio;
            self.replace_incumbent(with_cuts);
        }
    }

    /// Make abstractions, and take them beside the heuristic without tables if that leaves less
    /// work.
    pub(crate) fn buy_abstractions(&mut self, id: CandidateId, price: Steps) {
        let request = self.request;
        let expected = self.remaining().steps;
        let names = self.beside(Name::Cartesian);
        let limits = request.named_limits();
        let made = Named::within(request.game, request.known, request.starts, &names, &limits);
        self.spent += price;
        let Ok(both) = made else {
            return;
        };
        let mut with = Incumbent::new(Combined::from(both), 0.0, 0.0);
        with.score = self.samples.score_and_note(&with.estimate);
        self.families[id.family].record(id.member, with.quality());
        let ratio = self.ratio(with.quality());
        if ratio < 1.0 {
            with.expected = expected * ratio;
            self.replace_incumbent(with);
        }
    }

    /// The names of the heuristic without tables, and another one.
    fn beside(&self, other: Name) -> Vec<Name> {
        let mut names: Vec<Name> = self.cheap.names().to_vec();
        names.retain(|name| *name != Name::Zero);
        names.push(other);
        names
    }
}
