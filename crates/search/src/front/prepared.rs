//! Data that the runs of a searcher share.

use std::sync::Arc;

use fsm::SharedMachine;
use psvn_ir::{RuleId, State};

use crate::best_first::space::Space;
use crate::best_first::space::packed::Group;
use crate::front::planned::AnyPlanned;
use crate::game::compiled::CompiledGame;
use crate::plan::Known;
use crate::run::limits::{Checkpoints, StopReason, Watch};
use crate::run::made_once::MadeOnce;
use crate::run::options::{CycleDetection, Options};
use crate::transposition::inclusion::Inclusions;

/// The shared data.
pub(crate) struct Prepared {
    pub(crate) game: CompiledGame,
    pub(crate) machine: SharedMachine,
    /// Whether there is a machine that may forbid something.
    pub(crate) prunes: bool,
    pub(crate) options: Options,
    pub(crate) invariants: Option<Arc<Known>>,
    /// For each rule, the rule that it is a part of, if rules are parts of another game's rules.
    pub(crate) part_of: Option<Box<[RuleId]>>,
    /// `None` if there can be no plan.
    pub(crate) plan: MadeOnce<Option<AnyPlanned>>,
    /// The game in the form for searches with duplicate detection.
    pub(crate) space: MadeOnce<Space>,
    /// The same, with groups of variables packed together, for searches that only go forward.
    pub(crate) grouped_space: MadeOnce<Space>,
    pub(crate) groups: Vec<Group>,
    /// The machine states that an entry of a transposition table serves, by the entry's machine
    /// state; `None` if the machine is too large.
    pub(crate) inclusions: MadeOnce<Option<Inclusions>>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("game", &self.game)
            .field("prunes", &self.prunes)
            .field("options", &self.options)
            .field("is_planned", &self.plan.get().is_some())
            .finish_non_exhaustive()
    }
}

impl Prepared {
    /// Return the game in the form for searches with duplicate detection.
    ///
    /// # Errors
    /// When a limit of the run is reached while another run makes it.
    pub(crate) fn space(&self, watch: &mut Watch<'_, '_>) -> Result<&Space, StopReason> {
        let make = |_: &mut Watch<'_, '_>| Ok(Space::new(&self.game.game, &[]));
        self.space.get_or_make(watch, make)
    }

    /// Return the same for searches forward from a start: groups of variables are packed together
    /// if the start satisfies them.
    ///
    /// # Errors
    /// When a limit of the run is reached while another run makes it.
    pub(crate) fn space_from(
        &self,
        start: &State,
        watch: &mut Watch<'_, '_>,
    ) -> Result<&Space, StopReason> {
        if !self.groups.is_empty() {
            let make = |_: &mut Watch<'_, '_>| Ok(Space::new(&self.game.game, &self.groups));
            let space = self.grouped_space.get_or_make(watch, make)?;
            if space.admits(start) {
                return Ok(space);
            }
        }
        self.space(watch)
    }

    /// Return the pairs of machine states of which one allows everything that the other allows;
    /// `None` if there are too many states.
    ///
    /// # Errors
    /// When a limit of the run is reached while another run finds them.
    pub(crate) fn inclusions(
        &self,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<&Inclusions>, StopReason> {
        let n_letters = self.game.game.rules().len();
        let make = |_: &mut Watch<'_, '_>| Ok(Inclusions::new(&self.machine, n_letters));
        Ok(self.inclusions.get_or_make(watch, make)?.as_ref())
    }

    /// Return the plan of the search, made on first use; `None` if there can be none.
    ///
    /// # Errors
    /// When a limit of the run is reached first.
    pub(crate) fn plan(
        &self,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<&AnyPlanned>, StopReason> {
        if !self.options.plans {
            return Ok(None);
        }
        let plan = self.plan.get_or_make(watch, |watch| {
            let mut check = |bytes| watch.check(bytes);
            let mut checkpoints = Checkpoints::new(&mut check);
            let invariants = self.invariants.as_deref();
            AnyPlanned::new(&self.game, &self.machine, invariants, &mut checkpoints)
        })?;
        Ok(plan.as_ref())
    }

    /// Return the cycle detection for a bound by cost. With free rules, paths within a bound may be
    /// infinitely long unless they never return to a state.
    pub(crate) fn cycle_detection_by_cost(&self) -> CycleDetection {
        if self.game.has_free_rules() {
            CycleDetection::Path
        } else {
            self.options.cycle_detection
        }
    }
}
