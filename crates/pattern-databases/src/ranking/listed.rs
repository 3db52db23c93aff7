//! Lists of states. If no compact numbering is proved, the existing states are listed and looked
//! up.

use std::collections::HashSet;
use std::iter::zip;

use ahash::RandomState;
use psvn_ir::{CanonicalRule, Game, Value, VarId};
use search::GoalStates;

use crate::backward::Backward;
use crate::progress::{BuildError, Reporter};
use crate::ranking::Ranking;

/// The bytes for each state while the list is made: a growing set, and the list.
const BYTES_PER_STATE: u128 = 80;
/// The default limit on bytes.
const DEFAULT_BYTES: u64 = 1 << 30;
/// The number of rules that are tried between two checks of the limits.
const PULSE: usize = 1 << 16;

/// States as numbers, sorted. The rank is the place in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// By variable: where its bits begin, and their number.
    bits: Vec<(u32, u32)>,
    keys: Vec<u128>,
}

/// Return the place of each variable's bits; `None` beyond 128.
fn layout(game: &Game) -> Option<Vec<(u32, u32)>> {
    let mut begin = 0;
    let mut bits = Vec::with_capacity(game.n_variables());
    for var in 0..game.n_variables() {
        let size = game.domain_of(VarId::from_index(var)).size() as u32;
        let n = u32::BITS - (size - 1).leading_zeros();
        bits.push((begin, n));
        begin += n;
    }
    (begin <= u128::BITS).then_some(bits)
}

impl Listed {
    /// List all states from which a goal is reachable, as far as they satisfy the proved invariants
    /// (`known`).
    ///
    /// `None` when states don't fit 128 bits, or don't fit in `most` bytes.
    pub(crate) fn reach(
        game: &Game,
        rules: &[Backward],
        known: &Ranking,
        memory: Option<u64>,
        reporter: &Reporter<'_>,
    ) -> Result<Option<Self>, BuildError> {
        let limit = memory.unwrap_or(DEFAULT_BYTES);
        let most = u128::from(limit) / BYTES_PER_STATE;
        let n_goals = GoalStates::count_all(game).filter(|n| *n <= most);
        let (Some(bits), Some(_)) = (layout(game), n_goals) else {
            return Ok(None);
        };
        let mut listed = Self {
            bits,
            keys: Vec::new(),
        };
        let mut seen: HashSet<u128, RandomState> = HashSet::default();
        let mut numbers = vec![0; game.n_variables()];
        let mut add = |state: &[Value], keys: &mut Vec<u128>, bits: &[(u32, u32)]| {
            for (number, value) in zip(&mut numbers, state) {
                *number = value.0;
            }
            if known.admits(&numbers) {
                let key = pack(bits, &|var| numbers[var]);
                if seen.insert(key) {
                    keys.push(key);
                }
            }
        };
        let mut keys = Vec::new();
        for state in GoalStates::of(game) {
            add(state.values(), &mut keys, &listed.bits);
        }
        let mut state = vec![0; game.n_variables()];
        let mut values = vec![Value(0); game.n_variables()];
        let mut next = 0;
        let pulse = (PULSE / rules.len().max(1)).max(1);
        while next < keys.len() {
            if next % pulse == 0 {
                reporter.poll()?;
                if keys.len() as u128 > most {
                    return Ok(None);
                }
            }
            listed.unpack(keys[next], &mut state);
            for (value, number) in zip(&mut values, &state) {
                *value = Value(*number);
            }
            let applies = |rule: &&CanonicalRule| rule.applies_to(&values);
            for rule in rules.iter().map(|backward| &backward.rule).filter(applies) {
                add(&rule.apply(&values), &mut keys, &listed.bits);
            }
            next += 1;
        }
        keys.sort_unstable();
        listed.keys = keys;
        Ok(Some(listed))
    }

    /// Take the states of a file. `None` when they aren't sorted, or don't belong to this game.
    pub(crate) fn from_keys(game: &Game, keys: Vec<u128>) -> Option<Self> {
        let listed = Self {
            bits: layout(game)?,
            keys,
        };
        let ascending = listed.keys.windows(2).all(|pair| pair[0] < pair[1]);
        let width: u32 = listed.bits.iter().map(|(_, n)| n).sum();
        let last = listed.keys.last().copied().unwrap_or(0);
        let fits = width == u128::BITS || last >> width == 0;
        (ascending && fits).then_some(listed)
    }

    pub(crate) fn keys(&self) -> &[u128] {
        &self.keys
    }

    pub(crate) fn n_variables(&self) -> usize {
        self.bits.len()
    }

    pub(crate) fn size(&self) -> u128 {
        self.keys.len() as u128
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let key = pack(&self.bits, value);
        self.keys.binary_search(&key).ok().map(|rank| rank as u64)
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        self.unpack(self.keys[rank as usize], state);
    }

    fn unpack(&self, key: u128, state: &mut [u32]) {
        for (value, (begin, n)) in zip(state, &self.bits) {
            *value = match n {
                0 => 0,
                n => (key >> begin) as u32 & ((1_u64 << n) - 1) as u32,
            };
        }
    }
}

#[inline(always)]
fn pack(bits: &[(u32, u32)], value: &impl Fn(usize) -> u32) -> u128 {
    let parts = bits.iter().enumerate();
    // A variable with one value has no bits; its shift may be 128.
    parts.fold(0, |key, (var, (begin, n))| match n {
        0 => key,
        _ => key | u128::from(value(var)) << begin,
    })
}
