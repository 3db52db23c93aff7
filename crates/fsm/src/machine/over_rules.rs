//! Machines over rules for searches, whatever their own letters are.

use super::Machine;
use super::any::{AnyMachine, AnyState};
use super::relabeled::Relabeled;

/// A machine that reads rules. One over operators translates each rule first.
#[derive(Clone, Debug)]
pub enum RuleMachine {
    /// Its letters are rules.
    Rules(AnyMachine),
    /// Its letters are operators.
    Operators(Relabeled<AnyMachine>),
}

impl RuleMachine {
    /// Make it from a machine and the letter of each rule; `operator_of` is empty where letters are
    /// rules.
    ///
    /// Letters must be given for all rules of the game that is searched.
    pub fn new(machine: AnyMachine, operator_of: &[u32]) -> Self {
        if operator_of.is_empty() {
            RuleMachine::Rules(machine)
        } else {
            RuleMachine::Operators(Relabeled::new(machine, operator_of.to_vec()))
        }
    }
}

impl Machine for RuleMachine {
    type State = AnyState;

    #[inline]
    fn start(&self) -> AnyState {
        match self {
            RuleMachine::Rules(machine) => machine.start(),
            RuleMachine::Operators(machine) => machine.start(),
        }
    }

    #[inline]
    fn next(&self, state: AnyState, letter: u32) -> Option<AnyState> {
        match self {
            RuleMachine::Rules(machine) => machine.next(state, letter),
            RuleMachine::Operators(machine) => machine.next(state, letter),
        }
    }
}
