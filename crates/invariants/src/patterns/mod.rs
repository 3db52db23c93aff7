//! What invariants say of a vector of terms: whether some state may match it, and what they imply.

pub(crate) mod closing;
mod lists;
pub(crate) mod tables;

use psvn_ir::Term;

use crate::facts::Fact;
use crate::invariants::Invariants;

use self::closing::ClosingScratch;
use self::tables::Scratch;

impl Invariants {
    /// List the values that the invariants imply beside a vector of terms: a precondition vector in
    /// canonical form, constants and equal unknowns. Return whether some state may have all that.
    ///
    /// `false` is certain: no state that satisfies the invariants matches the vector. Otherwise
    /// each state that satisfies the invariants and matches the vector holds the listed values, in
    /// no particular order; constants of the vector are not among them. Where an unknown stands at
    /// several positions, all of them are listed or none. A vector with more constants, or more
    /// equal unknowns, implies no less, and the vector with the listed values implies no more.
    pub fn implied(
        &self,
        scratch: &mut Scratch,
        pattern: &[Term],
        implied: &mut Vec<Fact>,
    ) -> bool {
        implied.clear();
        if self.is_empty() {
            return true;
        }
        let closing = &self.closing;
        let Some(always) = &closing.always_implied else {
            return false;
        };
        let repeats = scratch.read(pattern, &self.index);
        let Scratch {
            facts,
            closing: room,
            ..
        } = scratch;
        let found: &[u32] = match facts.as_slice() {
            [] if !repeats => &[],
            constants => {
                let close = |room: &mut ClosingScratch| {
                    room.read_classes(pattern, repeats);
                    closing.begin(room, &self.index).close(pattern, constants)
                };
                match constants {
                    [fact] if !repeats => {
                        let by_one = closing.by_one[*fact as usize].get_or_init(|| {
                            let closed = close(room).ok();
                            closed.map(|()| room.implied.as_slice().into())
                        });
                        match by_one {
                            Some(found) => found,
                            None => return false,
                        }
                    }
                    _ if close(room).is_err() => return false,
                    _ => &room.implied,
                }
            }
        };
        let is_open = |fact: &&u32| pattern[self.index.var(**fact)].as_constant().is_none();
        let facts = always.iter().filter(is_open).chain(found);
        implied.extend(facts.map(|fact| self.index.fact(*fact)));
        true
    }
}
