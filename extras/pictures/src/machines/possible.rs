//! Which arrows of a machine a search can take in a game.

use std::path::Path;

use fsm::{Dense, Machine, OpenFile};
use invariants::Invariants;
use move_prune::{Analysis, Limits};
use psvn::analysis::{Task, analyze_rules};
use psvn::machine::file;
use psvn::{Environment, Error, Game};
use psvn_ir::RuleId;

/// The letters that can follow in each state of a machine.
#[derive(Debug)]
pub struct Possible {
    n_letters: usize,
    /// By state and letter.
    can_follow: Bits,
    /// By state.
    is_reached: Bits,
}

impl Possible {
    /// Each letter can follow in each state.
    pub fn anything(machine: &Dense) -> Self {
        let n_letters = machine.n_letters() as usize;
        Self {
            n_letters,
            can_follow: Bits::ones((machine.n_states() + 1) * n_letters),
            is_reached: Bits::ones(machine.n_states() + 1),
        }
    }

    /// The letters that can follow in a game, as far as its pairs of rules show.
    ///
    /// # Errors
    /// When the assumptions or the parts of the file don't fit the game.
    pub fn in_game(
        machine: &Dense,
        of: &OpenFile,
        path: &Path,
        game: &Game,
        env: &Environment,
    ) -> Result<Self, Error> {
        let known: Invariants = file::assumptions(of, path, game.ir())?;
        let split = file::split_game_of(of, path, game.ir())?;
        let game = split.as_ref().map_or(game.ir(), |split| split.game());
        let pairs = analyze_rules(game, &Task::up_to(2, Some(&known), Limits::default()), env);
        let followers = Followers::new(&pairs, machine.n_letters() as usize, of.operator_of());
        Ok(Self::by_followers(machine, &followers))
    }

    /// Walk through all pairs of a state and the letter that led to it.
    pub(crate) fn by_followers(machine: &Dense, followers: &Followers) -> Self {
        let n_letters = machine.n_letters() as usize;
        let n_states = machine.n_states();
        let mut possible = Self {
            n_letters,
            can_follow: Bits::zeros((n_states + 1) * n_letters),
            is_reached: Bits::zeros(n_states + 1),
        };
        let next: Vec<Vec<usize>> = (1..=n_states)
            .map(|state| machine.successors(state).collect())
            .collect();
        let mut is_seen = Bits::zeros((n_states + 1) * n_letters);
        let start = machine.number(machine.start());
        possible.is_reached.set(start);
        let mut open: Vec<(usize, Option<u32>)> = vec![(start, None)];
        while let Some((state, last)) = open.pop() {
            let letters = match last {
                None => &followers.first,
                Some(last) => &followers.lists[followers.list_of[last as usize]],
            };
            for letter in letters {
                possible
                    .can_follow
                    .set(state * n_letters + *letter as usize);
                let to = next[state - 1][*letter as usize];
                if to != 0 && is_seen.set(to * n_letters + *letter as usize) {
                    possible.is_reached.set(to);
                    open.push((to, Some(*letter)));
                }
            }
        }
        possible
    }

    /// Return whether a letter can come in a state, allowed or not.
    pub fn can_follow(&self, state: usize, letter: u32) -> bool {
        self.can_follow
            .get(state * self.n_letters + letter as usize)
    }

    /// Return whether a search can reach a state.
    pub fn is_reached(&self, state: usize) -> bool {
        self.is_reached.get(state)
    }
}

/// Which letters can follow which.
pub(crate) struct Followers {
    /// The letters that can be used at all.
    pub(super) first: Vec<u32>,
    /// Lists of letters that can follow.
    pub(super) lists: Vec<Vec<u32>>,
    /// For each letter its list.
    pub(super) list_of: Vec<usize>,
}

impl Followers {
    /// Find followers by an analysis of pairs of rules. An operator can follow another one if one
    /// of its rules can follow one of the other's.
    fn new(pairs: &Analysis, n_letters: usize, operator_of: &[u32]) -> Self {
        let compatible = pairs.compatible_pairs();
        // The analysis says nothing about rules that another one replaces; a machine may keep them
        // instead of that one.
        let replaced: Vec<RuleId> = pairs
            .redundant
            .iter()
            .filter_map(|found| match *found.word {
                [rule] => Some(rule),
                _ => None,
            })
            .collect();
        let letter = |rule: &RuleId| match operator_of.get(rule.index()) {
            Some(operator) => *operator,
            None => rule.0,
        };
        let with_replaced = |rules: &[RuleId]| {
            let mut letters: Vec<u32> = rules.iter().chain(&replaced).map(letter).collect();
            letters.sort_unstable();
            letters.dedup();
            letters
        };
        let first = with_replaced(compatible.first());
        if operator_of.is_empty() {
            let is_replaced = |rule: usize| replaced.iter().any(|it| it.index() == rule);
            let (lists, list_of) = compatible.into_lists();
            let mut lists: Vec<Vec<u32>> = lists.iter().map(|list| with_replaced(list)).collect();
            lists.push(first.clone());
            let all = lists.len() - 1;
            let list_of = (0..).zip(list_of).map(|(rule, list)| {
                if is_replaced(rule) {
                    all
                } else {
                    list as usize
                }
            });
            return Self {
                first,
                list_of: list_of.collect(),
                lists,
            };
        }
        let mut lists = vec![Vec::new(); n_letters];
        for rule in compatible.first() {
            lists[letter(rule) as usize].extend(compatible.of(*rule).iter().map(letter));
        }
        for list in &mut lists {
            list.extend(replaced.iter().map(letter));
            list.sort_unstable();
            list.dedup();
        }
        for rule in &replaced {
            lists[letter(rule) as usize].clone_from(&first);
        }
        Self {
            first,
            lists,
            list_of: (0..n_letters).collect(),
        }
    }
}

/// A set of numbers below a bound.
#[derive(Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn zeros(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)])
    }

    fn ones(n: usize) -> Self {
        Self(vec![u64::MAX; n.div_ceil(64)])
    }

    fn get(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Insert a number; return whether it is new.
    fn set(&mut self, number: usize) -> bool {
        let is_new = !self.get(number);
        self.0[number / 64] |= 1 << (number % 64);
        is_new
    }
}
