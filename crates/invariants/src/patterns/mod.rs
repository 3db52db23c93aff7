//! Tests of vectors of terms against invariants: whether some state may match, and what is implied.

mod admits;
pub(crate) mod closing;
mod lists;
pub(crate) mod memo;
pub(crate) mod tables;

use psvn_ir::Term;

use crate::facts::Fact;
use crate::invariants::Invariants;
use crate::patterns::memo::write_key;
use crate::patterns::tables::Scratch;

impl Invariants {
    /// List the values that the invariants imply beside a vector of terms: a precondition vector in
    /// canonical form, constants and equal unknowns. Return whether some state may match all that.
    ///
    /// `false` is certain: no state that satisfies the invariants matches the vector. Otherwise
    /// each state that satisfies the invariants and matches the vector holds the listed values, in
    /// no particular order; constants of the vector are not among them. If an unknown is at several
    /// positions, all of them are listed or none. A vector with more constants, or more equal
    /// unknowns, implies no less, and the vector with the listed values implies no more.
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
            memo,
            ..
        } = scratch;
        let found: &[u32] = match facts.as_slice() {
            [] if !repeats => &[],
            [fact] if !repeats => {
                closing.find_alone(*fact, room, &self.index);
                match closing.alone[*fact as usize].get() {
                    Some(Some(alone)) => &alone.implied,
                    Some(None) => return false,
                    None if closing.close(pattern, facts, repeats, room, &self.index) => {
                        &room.implied
                    }
                    None => return false,
                }
            }
            _ => {
                let constants = facts.len();
                if repeats {
                    write_key(pattern, facts);
                }
                let place = match memo.find(closing.id, facts) {
                    Ok(place) => place,
                    Err(hash) => {
                        let constants = &facts[..constants];
                        let is_possible =
                            closing.close(pattern, constants, repeats, room, &self.index);
                        memo.insert(hash, facts, is_possible.then_some(&*room.implied))
                    }
                };
                match memo.get(place) {
                    Some(found) => found,
                    None => return false,
                }
            }
        };
        let is_open = |fact: &&u32| pattern[self.index.var(**fact)].as_constant().is_none();
        let facts = always.iter().filter(is_open).chain(found);
        implied.extend(facts.map(|fact| self.index.fact(*fact)));
        true
    }
}
