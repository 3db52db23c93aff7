//! The limits of a choice of splits.

use budget::Limits;
use move_prune::Analysis;

/// The work that a choice may take. Steps are counted, so that the limit doesn't depend on the
/// computer: comparisons of sequences, and rules that are tried at states.
#[derive(Clone, Debug)]
pub struct ChoiceLimits {
    /// The maximum number of rules of the split game.
    pub letters: usize,
    /// The maximum number of states that are held.
    pub states: usize,
    /// The steps of a glance at possible gains: the whole cost if there are none.
    pub glance: u64,
    /// The steps that may follow it, for all tries together.
    pub steps: u64,
    /// The least part of the nodes that a round of splits must save. A round that adds many letters
    /// has to save more.
    pub least_gain: f64,
    /// The time limit, the bytes that one comparison with the ideal tree may hold, and an
    /// interrupt.
    pub limits: Limits,
}

/// The steps that a choice may take for each sequence that was composed before it.
const STEPS_FOR_COMPOSITION: u64 = 2_000;

impl ChoiceLimits {
    /// Return the same limits for a choice after an analysis: about the work of the analysis, and
    /// enough for small games.
    pub fn after(self, of_rules: &Analysis) -> Self {
        let composed: u64 = of_rules.levels.iter().map(|level| level.composed).sum();
        let steps = composed.saturating_mul(STEPS_FOR_COMPOSITION);
        Self {
            glance: self.glance.max(composed),
            steps: self.steps.max(steps),
            ..self
        }
    }

    /// Return the same limits with at most so many steps, and within the time and the memory of
    /// others.
    pub fn within(self, most_steps: Option<u64>, limits: &Limits) -> Self {
        let most_steps = most_steps.unwrap_or(u64::MAX);
        let memory = self.limits.memory.into_iter().chain(limits.memory).min();
        Self {
            glance: self.glance.min(most_steps),
            steps: self.steps.min(most_steps),
            limits: Limits {
                nodes: None,
                memory,
                ..limits.clone()
            },
            ..self
        }
    }

    /// Limits for a game with some rules.
    pub fn for_rules(n_rules: usize) -> Self {
        Self {
            letters: n_rules.saturating_mul(16).clamp(1024, 4096),
            states: 5_000,
            glance: 1_000_000,
            steps: 100_000_000,
            least_gain: 0.01,
            limits: Limits {
                memory: Some(512 << 20),
                ..Limits::default()
            },
        }
    }
}
