//! The steps of many paths, which share their beginnings.

use psvn_ir::RuleId;

/// Marks the beginning of a path, which has no step.
pub(super) const NONE: u32 = u32::MAX;

/// A step of a path. Paths share their beginnings.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    rule: RuleId,
    /// The number of nodes on the stack and of steps that continue from here.
    n_uses: u32,
}

/// All steps of the paths to nodes on the stack.
#[derive(Default)]
pub(super) struct Steps {
    steps: Vec<Step>,
    free: Vec<u32>,
}

impl Steps {
    pub(super) fn add(&mut self, parent: u32, rule: RuleId) -> u32 {
        if let Some(step) = self.steps.get_mut(parent as usize) {
            step.n_uses += 1;
        }
        let step = Step {
            parent,
            rule,
            n_uses: 1,
        };
        match self.free.pop() {
            Some(number) => {
                self.steps[number as usize] = step;
                number
            }
            None => {
                self.steps.push(step);
                (self.steps.len() - 1) as u32
            }
        }
    }

    /// Release one use. Steps without uses are free.
    pub(super) fn release(&mut self, mut number: u32) {
        while let Some(step) = self.steps.get_mut(number as usize) {
            step.n_uses -= 1;
            if step.n_uses > 0 {
                return;
            }
            self.free.push(number);
            number = step.parent;
        }
    }

    /// Return the approximate number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>() + self.free.capacity() * size_of::<u32>()
    }

    /// Return the rules of the path that ends with a step.
    pub(super) fn path(&self, mut number: u32) -> Vec<RuleId> {
        let mut rules = Vec::new();
        while let Some(step) = self.steps.get(number as usize) {
            rules.push(step.rule);
            number = step.parent;
        }
        rules.reverse();
        rules
    }
}
