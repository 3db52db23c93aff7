//! A game in the rows that fit it, with the plan of a search.

use std::cell::OnceCell;

use fsm::Machine;
use psvn_ir::Game;

use crate::game::branches::Branch;
use crate::game::form::{AnyForm, GameForm};
use crate::game::row::{BitsForm, BytesForm, Form};
use crate::kernel::HasKernels;
use crate::plan::{Known, Plan, Tails, plan};

/// A form with a plan in it.
pub(crate) struct Planned<'g, F: Form> {
    pub(crate) form: &'g F,
    pub(crate) plan: Plan<F::Row>,
    tails: OnceCell<Tails<F::Row>>,
    no_tails: OnceCell<Tails<F::Row>>,
}

impl<'g, F: Form<Row: HasKernels>> Planned<'g, F> {
    fn new<M: Machine>(
        game: &Game,
        branches: &[Branch],
        form: &'g F,
        machine: &M,
        known: Option<&Known<'_>>,
    ) -> Option<Self> {
        Some(Self {
            form,
            plan: plan(game, branches, form, machine, known)?,
            tails: OnceCell::new(),
            no_tails: OnceCell::new(),
        })
    }

    /// The tails for a walk down to a depth: those of `max_plies` at most, or as many as there is room
    /// for, but none where the whole tree takes less time than making them. They are made when they are
    /// first asked for.
    pub(crate) fn tails(&self, max_plies: Option<usize>, depth: u64) -> &Tails<F::Row> {
        if max_plies.is_none() && self.plan.is_small(depth, SMALL_TREE) {
            return self.no_tails.get_or_init(Tails::none);
        }
        self.tails
            .get_or_init(|| Tails::new(&self.plan, self.form, max_plies.unwrap_or(usize::MAX)))
    }
}

/// A tree of so many nodes takes some milliseconds without tails, which is what making them takes.
const SMALL_TREE: u64 = 1 << 20;

/// A plan in any form.
pub(crate) enum AnyPlanned<'g> {
    Bits1(Planned<'g, BitsForm<1>>),
    Bytes16(Planned<'g, BytesForm<16>>),
    Bits2(Planned<'g, BitsForm<2>>),
    Bytes32(Planned<'g, BytesForm<32>>),
    Bits4(Planned<'g, BitsForm<4>>),
    Bytes64(Planned<'g, BytesForm<64>>),
}

impl<'g> AnyPlanned<'g> {
    /// Lays out a search. `None` when it has to go without a plan.
    pub(crate) fn new<M: Machine>(
        game: &Game,
        form: &'g GameForm,
        machine: &M,
        known: Option<&Known<'_>>,
    ) -> Option<Self> {
        let branches = &form.branches;
        Some(match &form.form {
            AnyForm::Bits1(form) => {
                Self::Bits1(Planned::new(game, branches, form, machine, known)?)
            }
            AnyForm::Bytes16(form) => {
                Self::Bytes16(Planned::new(game, branches, form, machine, known)?)
            }
            AnyForm::Bits2(form) => {
                Self::Bits2(Planned::new(game, branches, form, machine, known)?)
            }
            AnyForm::Bytes32(form) => {
                Self::Bytes32(Planned::new(game, branches, form, machine, known)?)
            }
            AnyForm::Bits4(form) => {
                Self::Bits4(Planned::new(game, branches, form, machine, known)?)
            }
            AnyForm::Bytes64(form) => {
                Self::Bytes64(Planned::new(game, branches, form, machine, known)?)
            }
        })
    }
}

/// Calls a function generic over the form with the plan inside an [`AnyPlanned`].
macro_rules! with_planned {
    ($any:expr, $planned:ident => $body:expr) => {
        match $any {
            $crate::plan::planned::AnyPlanned::Bits1($planned) => $body,
            $crate::plan::planned::AnyPlanned::Bytes16($planned) => $body,
            $crate::plan::planned::AnyPlanned::Bits2($planned) => $body,
            $crate::plan::planned::AnyPlanned::Bytes32($planned) => $body,
            $crate::plan::planned::AnyPlanned::Bits4($planned) => $body,
            $crate::plan::planned::AnyPlanned::Bytes64($planned) => $body,
        }
    };
}
pub(crate) use with_planned;

#[cfg(test)]
mod tests {
    use fsm::Unrestricted;

    use super::*;

    #[test]
    fn small_trees_go_without_tails() {
        let game = "
            5  5 5 5 5 5
            A B C D E => B A C D E
            A B C D E => B C D E A
            GOAL 0 1 2 3 4
        ";
        let game = psvn_ir::load(game).game.expect("a game without errors");
        let form = GameForm::new(&game).unwrap();
        let planned = AnyPlanned::new(&game, &form, &Unrestricted, None).unwrap();
        with_planned!(&planned, planned => {
            // Two children each: 2^20 - 2 nodes down to depth 19.
            assert_eq!(planned.tails(None, 19).max_plies(), 1);
            assert!(planned.tails.get().is_none());
            assert!(planned.tails(None, 20).max_plies() > 1);
            assert!(planned.tails(Some(2), 1).max_plies() > 1);
        });
    }
}
