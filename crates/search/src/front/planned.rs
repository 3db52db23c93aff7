//! A plan in the form that fits the game, with the tables that rest on it.

use std::sync::{Arc, Mutex, PoisonError};

use fsm::SharedMachine;

use crate::game::compiled::CompiledGame;
use crate::game::form::AnyForm;
use crate::game::packed::{BitsForm, BytesForm, Form};
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::weight::Weight;
use crate::kernel::HasKernels;
use crate::plan::{Known, LeafMacros, Plan, plan};
use crate::run::limits::{Checkpoints, StopReason, Watch};
use crate::run::made_once::MadeOnce;
use crate::walk::evaluator::SumEstimator;

/// A form with its plan, and the tables that rest on the plan.
pub(crate) struct Planned<F: Form> {
    pub(crate) form: Arc<F>,
    pub(crate) plan: Plan<F::Packed>,
    leaf_macros: MadeOnce<LeafMacros<F::Packed>>,
    no_leaf_macros: LeafMacros<F::Packed>,
    sums: Mutex<Vec<Arc<PreparedSums<F::Packed>>>>,
}

/// A sum with a weight, prepared for a plan; `None` if numbers are too large.
struct PreparedSums<R> {
    sums: ValueSums,
    weight: Weight,
    estimator: MadeOnce<Option<Arc<SumEstimator<R>>>>,
}

/// The maximum number of sums that are kept.
const MAX_SUMS: usize = 8;

impl<F: Form<Packed: HasKernels>> Planned<F> {
    fn new(
        game: &CompiledGame,
        form: &Arc<F>,
        machine: &SharedMachine,
        known: Option<&Known>,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<Option<Self>, StopReason> {
        let plan = plan(
            &game.game,
            game.branches(),
            &**form,
            machine,
            known,
            checkpoints,
        )?;
        Ok(plan.map(|plan| Self {
            form: Arc::clone(form),
            plan,
            leaf_macros: MadeOnce::default(),
            no_leaf_macros: LeafMacros::none(),
            sums: Mutex::default(),
        }))
    }

    /// Return no macro lists, for a walk that makes one child at a time.
    pub(crate) fn no_leaf_macros(&self) -> &LeafMacros<F::Packed> {
        &self.no_leaf_macros
    }

    /// Return the macro lists for a walk down to a depth: at most `max_plies` plies, by default as
    /// many as there is room for, and none if the whole tree takes less time than making them.
    pub(crate) fn leaf_macros(
        &self,
        max_plies: Option<usize>,
        depth: u64,
        watch: &mut Watch<'_, '_>,
    ) -> Result<&LeafMacros<F::Packed>, StopReason> {
        if max_plies.is_none() && self.plan.graph.is_small(depth, SMALL_TREE) {
            return Ok(&self.no_leaf_macros);
        }
        self.leaf_macros.get_or_make(watch, |_| {
            let most = max_plies.unwrap_or(usize::MAX);
            Ok(LeafMacros::new(&self.plan, &*self.form, most))
        })
    }

    /// Return a sum with a weight, prepared for the plan; `None` if numbers are too large.
    pub(crate) fn sum_estimator(
        &self,
        game: &CompiledGame,
        sums: &ValueSums,
        weight: Weight,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<Arc<SumEstimator<F::Packed>>>, StopReason> {
        let prepared = {
            let mut kept = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
            let is_it = |it: &&Arc<PreparedSums<_>>| it.weight == weight && it.sums == *sums;
            if let Some(prepared) = kept.iter().find(is_it) {
                Arc::clone(prepared)
            } else {
                if kept.len() == MAX_SUMS {
                    kept.remove(0);
                }
                let prepared = Arc::new(PreparedSums {
                    sums: sums.clone(),
                    weight,
                    estimator: MadeOnce::default(),
                });
                kept.push(Arc::clone(&prepared));
                prepared
            }
        };
        let estimator = prepared.estimator.get_or_make(watch, |_| {
            let (branches, sizes) = (game.branches(), game.domain_sizes());
            let (form, plan) = (&*self.form, &self.plan);
            let estimator = SumEstimator::new(form, plan, branches, &sizes, sums, weight);
            Ok(estimator.map(Arc::new))
        })?;
        Ok(estimator.clone())
    }
}

/// Below this many nodes, a tree is walked without macro lists: the walk takes a few milliseconds,
/// no longer than making the lists.
const SMALL_TREE: u64 = 1 << 20;

/// A plan in any form.
pub(crate) enum AnyPlanned {
    Bits1(Planned<BitsForm<1>>),
    Bytes16(Planned<BytesForm<16>>),
    Bits2(Planned<BitsForm<2>>),
    Bytes32(Planned<BytesForm<32>>),
    Bits4(Planned<BitsForm<4>>),
    Bytes64(Planned<BytesForm<64>>),
}

impl AnyPlanned {
    /// Lay out a search. `None` if it can have no plan.
    pub(crate) fn new(
        game: &CompiledGame,
        machine: &SharedMachine,
        known: Option<&Known>,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<Option<Self>, StopReason> {
        let Some(form) = &game.form else {
            return Ok(None);
        };
        Ok(match &form.form {
            AnyForm::Bits1(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bits1)
            }
            AnyForm::Bytes16(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bytes16)
            }
            AnyForm::Bits2(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bits2)
            }
            AnyForm::Bytes32(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bytes32)
            }
            AnyForm::Bits4(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bits4)
            }
            AnyForm::Bytes64(form) => {
                Planned::new(game, form, machine, known, checkpoints)?.map(Self::Bytes64)
            }
        })
    }
}

/// Call a function that is generic over the form with the plan inside an [`AnyPlanned`].
macro_rules! with_planned {
    ($any:expr, $planned:ident => $body:expr) => {
        match $any {
            $crate::front::planned::AnyPlanned::Bits1($planned) => $body,
            $crate::front::planned::AnyPlanned::Bytes16($planned) => $body,
            $crate::front::planned::AnyPlanned::Bits2($planned) => $body,
            $crate::front::planned::AnyPlanned::Bytes32($planned) => $body,
            $crate::front::planned::AnyPlanned::Bits4($planned) => $body,
            $crate::front::planned::AnyPlanned::Bytes64($planned) => $body,
        }
    };
}
pub(crate) use with_planned;

#[cfg(test)]
pub(crate) mod tests {
    use fsm::{Machine, Unrestricted};

    use super::*;
    use crate::run::limits::Limits;

    /// Return the plan of a game without limits and invariants, in this form.
    fn planned<F: Form<Packed: HasKernels>>(
        text: &str,
        machine: impl Machine + Send + 'static,
        form_of: impl Fn(&AnyForm) -> Option<&Arc<F>>,
    ) -> Planned<F> {
        let game = psvn_ir::load(text).game.expect("a game without errors");
        let mut check = |_| Ok(());
        let mut checkpoints = Checkpoints::new(&mut check);
        let game = CompiledGame::new(&game);
        let form = game.form.as_ref().and_then(|it| form_of(&it.form));
        let form = form.expect("this form fits");
        let machine = SharedMachine::new(machine);
        let planned = Planned::new(&game, form, &machine, None, &mut checkpoints);
        planned.unwrap().expect("a plan")
    }

    /// Return the plan of a game that fits 64 bits.
    pub(crate) fn planned_in_bits(
        text: &str,
        machine: impl Machine + Send + 'static,
    ) -> Planned<BitsForm<1>> {
        planned(text, machine, |form| match form {
            AnyForm::Bits1(form) => Some(form),
            _ => None,
        })
    }

    /// Return the plan of a game that needs some of 16 bytes.
    pub(crate) fn planned_in_bytes(
        text: &str,
        machine: impl Machine + Send + 'static,
    ) -> Planned<BytesForm<16>> {
        planned(text, machine, |form| match form {
            AnyForm::Bytes16(form) => Some(form),
            _ => None,
        })
    }

    #[test]
    fn small_trees_go_without_leaf_macros() {
        let game = "
            5  5 5 5 5 5
            A B C D E => B A C D E
            A B C D E => B C D E A
            GOAL 0 1 2 3 4
        ";
        let limits = Limits::default();
        let mut watch = Watch::new(&limits, None);
        let planned = planned_in_bytes(game, Unrestricted);
        let mut max_plies = |most, depth| {
            let made = planned.leaf_macros(most, depth, &mut watch);
            made.unwrap().max_plies()
        };
        // There are two children each: 2^20 - 2 nodes down to depth 19.
        assert_eq!(max_plies(None, 19), 1);
        assert!(planned.leaf_macros.get().is_none());
        assert!(max_plies(None, 20) > 1);
        assert!(max_plies(Some(2), 1) > 1);
    }
}
