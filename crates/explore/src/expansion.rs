//! The common part of all storages: the game's moves, limits, counts, and the layers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use budget::{Progress, StopReason};
use psvn_ir::{Game, Value};
use search::{Direction, PackedStates};

use crate::options::Options;
use crate::report::Layer;
use crate::symmetric::{Images, Representative};

/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// A running exploration.
pub(crate) struct Expansion<'e> {
    pub(crate) states: &'e PackedStates,
    pub(crate) direction: Direction,
    /// Whether layers older than the last two can be forgotten.
    pub(crate) forgets: bool,
    pub(crate) options: &'e Options<'e>,
    pub(crate) layers: Vec<u64>,
    /// The number of stored states at each distance, with symmetries.
    pub(crate) orbits: Option<Vec<u64>>,
    pub(crate) images: Option<&'e Images>,
    /// The game whose goals are looked for, if they are.
    pub(crate) sought: Option<&'e Game>,
    /// The number of goals in the layer that is about to be complete.
    n_goals: Option<u64>,
    generated: AtomicU64,
    expanded: AtomicU64,
    bytes: AtomicUsize,
    peak: AtomicUsize,
    stopped: AtomicBool,
    reason: Mutex<Option<StopReason>>,
    reported: Mutex<Instant>,
}

impl<'e> Expansion<'e> {
    pub(crate) fn new(
        states: &'e PackedStates,
        direction: Direction,
        forgets: bool,
        images: Option<&'e Images>,
        options: &'e Options<'e>,
    ) -> Self {
        Self {
            states,
            direction,
            forgets,
            options,
            layers: Vec::new(),
            orbits: images.map(|_| Vec::new()),
            images,
            sought: None,
            n_goals: None,
            generated: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            reason: Mutex::new(None),
            reported: Mutex::new(Instant::now()),
        }
    }

    /// Look for the goals of the game in each layer.
    pub(crate) fn seek_goals(&mut self, game: &'e Game) {
        self.sought = Some(game);
    }

    /// Record the number of goals in the layer that is complete next.
    pub(crate) fn found_goals(&mut self, n_goals: Option<u64>) {
        self.n_goals = n_goals;
    }

    /// Make a finder of representatives: one for each thread.
    pub(crate) fn representative(&self) -> Representative<'e> {
        Representative::new(self.states, self.images)
    }

    /// Record a complete layer: its number of states, and of stored ones.
    pub(crate) fn complete(&mut self, states: u64, stored: u64) {
        self.layers.push(states);
        if let Some(orbits) = &mut self.orbits {
            orbits.push(stored);
        }
        self.expanded.store(0, Ordering::Relaxed);
        tracing::debug!(distance = self.layers.len() - 1, states, "layer");
        if let Some(on_layer) = self.options.on_layer {
            on_layer(&Layer {
                distance: self.layers.len() as u64 - 1,
                states,
                total: self.layers.iter().sum(),
                orbits: self.orbits.as_ref().map(|_| stored),
                goals: self.n_goals,
                elapsed: self.options.budget.elapsed(),
            });
        }
    }

    /// Return whether the greatest requested distance is complete, or else a layer with a goal.
    pub(crate) fn is_deep_enough(&self) -> bool {
        let deepest = self.layers.len() as u64;
        match self.options.depth {
            Some(depth) => deepest > depth,
            None => self.n_goals.is_some_and(|n_goals| n_goals > 0),
        }
    }

    /// Count work, and return whether to continue. Each thread calls this every few hundred states.
    pub(crate) fn goes_on(&self, expanded: u64, generated: u64) -> bool {
        let generated = self.generated.fetch_add(generated, Ordering::Relaxed) + generated;
        let expanded = self.expanded.fetch_add(expanded, Ordering::Relaxed) + expanded;
        let bytes = self.bytes.load(Ordering::Relaxed);
        if let Err(reason) = self.options.budget.check(generated, bytes) {
            self.stop(reason);
        }
        self.report(expanded, bytes);
        !self.is_stopped()
    }

    fn report(&self, expanded: u64, bytes: usize) {
        let Some(on_progress) = self.options.on_progress else {
            return;
        };
        // If another thread is reporting, there is nothing to add.
        let Ok(mut reported) = self.reported.try_lock() else {
            return;
        };
        if reported.elapsed() < BETWEEN_REPORTS {
            return;
        }
        *reported = Instant::now();
        on_progress(&Progress {
            level: self.layers.len() as u64,
            done: expanded,
            total: match &self.orbits {
                Some(orbits) => orbits.last().copied(),
                None => self.layers.last().copied(),
            },
            elapsed: self.options.budget.elapsed(),
            bytes: Some(bytes),
        });
    }

    /// Stop all threads; the first reason counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        let mut first = self
            .reason
            .lock()
            .expect("no thread panics while it holds the reason");
        first.get_or_insert(reason);
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Return why the exploration stopped.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        *self
            .reason
            .lock()
            .expect("no thread panics while it holds the reason")
    }

    /// Record that the bytes held change from `before` to `after`.
    pub(crate) fn account(&self, before: usize, after: usize) {
        let held = if after >= before {
            self.bytes.fetch_add(after - before, Ordering::Relaxed) + (after - before)
        } else {
            self.bytes.fetch_sub(before - after, Ordering::Relaxed) - (before - after)
        };
        self.peak.fetch_max(held, Ordering::Relaxed);
    }

    pub(crate) fn generated(&self) -> u64 {
        self.generated.load(Ordering::Relaxed)
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed) as u64
    }
}

/// Tells which packed states are goals, with its own scratch memory: one for each thread.
pub(crate) struct GoalTest<'e> {
    game: &'e Game,
    states: &'e PackedStates,
    words: Vec<u32>,
    values: Vec<Value>,
}

impl<'e> GoalTest<'e> {
    pub(crate) fn new(game: &'e Game, states: &'e PackedStates) -> Self {
        Self {
            game,
            states,
            words: vec![0; states.n_variables()],
            values: vec![Value(0); states.n_variables()],
        }
    }

    pub(crate) fn is_goal(&mut self, packed: &[u64]) -> bool {
        self.states.values(packed, &mut self.words);
        for (value, word) in self.values.iter_mut().zip(&self.words) {
            *value = Value(*word);
        }
        self.game.is_goal(&self.values)
    }
}
