//! Path costs of stored states, in the fewest bytes that hold the largest one.

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::prefetch::prefetch;
use crate::run::limits::StopReason;

/// One cost for each state. All costs are multiples of a unit, which isn't 0. Only the factor is
/// stored: in one byte each, until one doesn't fit.
#[derive(Debug)]
pub(crate) struct Costs {
    unit: u64,
    factors: Factors,
}

#[derive(Debug)]
enum Factors {
    Byte(Column<u8>),
    Short(Column<u16>),
    Word(Column<u32>),
    Long(Column<u64>),
}

impl Costs {
    pub(crate) fn new(unit: u64) -> Self {
        Self {
            unit,
            factors: Factors::Byte(Column::new(1)),
        }
    }

    /// Return the cost of a state.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> u64 {
        let at = id as usize;
        let factor = match &self.factors {
            Factors::Byte(column) => u64::from(column.get(at)[0]),
            Factors::Short(column) => u64::from(column.get(at)[0]),
            Factors::Word(column) => u64::from(column.get(at)[0]),
            Factors::Long(column) => column.get(at)[0],
        };
        factor * self.unit
    }

    /// Prefetch the cost of a state.
    #[inline(always)]
    pub(crate) fn fetch(&self, id: u32) {
        let at = id as usize;
        match &self.factors {
            Factors::Byte(column) => prefetch(&column.get(at)[0]),
            Factors::Short(column) => prefetch(&column.get(at)[0]),
            Factors::Word(column) => prefetch(&column.get(at)[0]),
            Factors::Long(column) => prefetch(&column.get(at)[0]),
        }
    }

    /// Add the cost of the next state.
    #[inline]
    pub(crate) fn push(&mut self, cost: u64, budget: &mut Budget) -> Result<(), StopReason> {
        let factor = self.factor(cost);
        if let (Factors::Byte(column), Ok(byte)) = (&mut self.factors, u8::try_from(factor)) {
            return column.push(&[byte], budget);
        }
        self.widen_for(factor, budget)?;
        match &mut self.factors {
            Factors::Byte(column) => column.push(&[factor as u8], budget),
            Factors::Short(column) => column.push(&[factor as u16], budget),
            Factors::Word(column) => column.push(&[factor as u32], budget),
            Factors::Long(column) => column.push(&[factor], budget),
        }
    }

    /// Lower a cost.
    #[inline]
    pub(crate) fn lower(&mut self, id: u32, cost: u64) {
        debug_assert!(cost < self.get(id));
        let (at, factor) = (id as usize, self.factor(cost));
        match &mut self.factors {
            Factors::Byte(column) => column.get_mut(at)[0] = factor as u8,
            Factors::Short(column) => column.get_mut(at)[0] = factor as u16,
            Factors::Word(column) => column.get_mut(at)[0] = factor as u32,
            Factors::Long(column) => column.get_mut(at)[0] = factor,
        }
    }

    #[inline]
    fn factor(&self, cost: u64) -> u64 {
        // Division is slow, so skip it where possible.
        if self.unit == 1 {
            cost
        } else {
            cost / self.unit
        }
    }

    /// Widen the column until it holds this factor.
    fn widen_for(&mut self, factor: u64, budget: &mut Budget) -> Result<(), StopReason> {
        loop {
            let fits = match &self.factors {
                Factors::Byte(_) => u8::try_from(factor).is_ok(),
                Factors::Short(_) => u16::try_from(factor).is_ok(),
                Factors::Word(_) => u32::try_from(factor).is_ok(),
                Factors::Long(_) => true,
            };
            if fits {
                return Ok(());
            }
            let narrow = std::mem::replace(&mut self.factors, Factors::Byte(Column::new(1)));
            self.factors = match narrow {
                Factors::Byte(column) => Factors::Short(column.convert(budget, u16::from)?),
                Factors::Short(column) => Factors::Word(column.convert(budget, u32::from)?),
                Factors::Word(column) => Factors::Long(column.convert(budget, u64::from)?),
                Factors::Long(column) => Factors::Long(column),
            };
        }
    }

    /// Return the size of the costs in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.factors {
            Factors::Byte(column) => column.bytes(),
            Factors::Short(column) => column.bytes(),
            Factors::Word(column) => column.bytes(),
            Factors::Long(column) => column.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use psvn_ir::common_divisor;

    #[test]
    fn costs_take_the_bytes_that_they_need() {
        let mut budget = Budget::new(None);
        let mut costs = Costs::new(common_divisor([600, 0, 1_400]));
        let values = [
            0_u64,
            200,
            51_000,
            51_200,
            13_107_000,
            13_107_200,
            200 << 32,
            200 << 40,
        ];
        let mut bytes = Vec::new();
        for (number, value) in values.iter().enumerate() {
            costs.push(*value, &mut budget).unwrap();
            bytes.push(costs.bytes());
            assert!(
                values[..=number]
                    .iter()
                    .enumerate()
                    .all(|(id, v)| costs.get(id as u32) == *v)
            );
        }
        assert!(bytes[2] < bytes[3] && bytes[4] < bytes[5] && bytes[5] < bytes[6]);
        costs.lower(6, 400);
        assert_eq!(
            (costs.get(5), costs.get(6), costs.get(7)),
            (13_107_200, 400, 200 << 40)
        );
        budget.release(costs.bytes());
        assert!(budget.affords(usize::MAX));
    }
}
