//! A search bounded by cost with a transposition table.

use crate::game::cell::Cell;
use crate::interpreter::engine::Task;
use crate::interpreter::tasks::{FindToCost, Judged};
use crate::transposition::learner::{Known, Learner, Lesson};
use crate::walk::outcome::Visit;

/// Looks for a goal within a bound, as [`FindToCost`] does, with a transposition table.
pub(crate) struct LearnToCost<'g, 'l, 't, C> {
    pub(crate) find: FindToCost<'g, C>,
    pub(crate) learner: &'l mut Learner<'t>,
    /// A buffer for the words of a state.
    pub(crate) words: Vec<u64>,
}

/// Return the number of 64-bit words of a whole number of blocks of cells.
pub(crate) fn n_words<C: Cell>(row: &[C]) -> usize {
    size_of_val(row) / size_of::<u64>()
}

impl<C: Cell> LearnToCost<'_, '_, '_, C> {
    fn load(&mut self, row: &[C]) {
        self.words.clear();
        let (chunks, _) = bytemuck::cast_slice::<C, u8>(row).as_chunks();
        self.words
            .extend(chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)));
    }

    /// Update a node's bound by a child that was left out, or is a goal.
    fn charge(&self, parent: &mut Lesson, rule: u32, judged: &Judged) {
        match judged {
            Judged::Within(total) | Judged::Beyond(total) => parent.charge_total(*total),
            Judged::Overflow => self.learner.charge_rule(parent, rule),
            Judged::DeadEnd => {}
        }
    }

    fn judge(&self, parent: &Lesson, rule: u32, row: &[C]) -> Judged {
        let cost = parent.spent.checked_add(self.learner.cost(rule));
        self.find.judge(cost, row)
    }
}

impl<C: Cell> Task<C> for LearnToCost<'_, '_, '_, C> {
    type Mark = Lesson;

    fn root(&mut self, row: &[C]) -> Visit<Lesson> {
        let judged = self.find.judge(Some(0), row);
        let lesson = match judged {
            Judged::Within(total) => self.learner.root(total),
            _ => Lesson::default(),
        };
        self.find.visit(judged, row, lesson)
    }

    fn child(&mut self, _: usize, parent: &mut Lesson, rule: u32, row: &[C]) -> Visit<Lesson> {
        let judged = self.judge(parent, rule, row);
        let Judged::Within(total) = judged else {
            self.charge(parent, rule, &judged);
            return self.find.visit(judged, row, *parent);
        };
        let mut lesson = self.learner.child(parent, rule, total);
        self.load(row);
        let known = self
            .learner
            .look_up(&self.words, &mut lesson, self.find.bound);
        let known = match known {
            Known::Within => {
                let visit = self.find.visit(judged, row, lesson);
                if matches!(visit, Visit::Better) {
                    parent.charge_total(total);
                }
                return visit;
            }
            Known::Beyond(total) => Judged::Beyond(total),
            Known::Overflow => Judged::Overflow,
            Known::DeadEnd => {
                parent.charge_child(&lesson);
                return Visit::CutOff;
            }
        };
        parent.charge_child(&lesson);
        self.find.visit(known, row, lesson)
    }

    fn closes_cycle(&mut self, parent: &mut Lesson, rule: u32, row: &[C]) {
        let judged = self.judge(parent, rule, row);
        self.charge(parent, rule, &judged);
    }

    fn enter(&mut self, node: &mut Lesson, generated: u64) {
        node.enter(generated);
    }

    fn leave(&mut self, mut node: Lesson, parent: Option<&mut Lesson>, row: &[C], generated: u64) {
        self.load(row);
        self.learner.leave(&self.words, &mut node, generated);
        if let Some(parent) = parent {
            parent.charge_child(&node);
        }
    }
}
