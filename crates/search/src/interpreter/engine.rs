//! The depth-first engine of all interpreted searches.
//!
//! It walks the tree of rule sequences in rule order, without recursion: the path is a stack of
//! rows and frames that grows by levels. So nothing is allocated for a node, and a path of millions
//! of levels needs only memory. A [`Task`] holds the differences between the searches (bounds,
//! goals, heuristics).
//!
//! A child passes these gates, in this order: its rule applies; the machine allows it; it closes no
//! cycle; the task classifies it.

use std::ops::ControlFlow;

use fsm::{Machine, SharedMachine};

use crate::game::cell::{BLOCK, Block, Cell};
use crate::game::compiled::Compiled;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::LevelCount;
use crate::walk::cycles::Cycles;
use crate::walk::outcome::{End, OnGoal, Visit};
use crate::walk::stack;

/// What a search does with the nodes that the engine makes.
pub(crate) trait Task<C: Cell> {
    /// The data kept for each node of the path.
    type Mark: Copy;

    /// Visit the root.
    fn root(&mut self, row: &[C]) -> Visit<Self::Mark>;

    /// Visit a child: its depth, its parent's mark, the rule that made it, and its state.
    fn child(
        &mut self,
        depth: usize,
        parent: &mut Self::Mark,
        rule: u32,
        row: &[C],
    ) -> Visit<Self::Mark>;

    /// Note that a child was left out because it closes a cycle.
    #[inline]
    fn closes_cycle(&mut self, parent: &mut Self::Mark, rule: u32, row: &[C]) {
        let _ = (parent, rule, row);
    }

    /// Note that a node is about to be expanded, after `generated` nodes were made.
    #[inline]
    fn enter(&mut self, node: &mut Self::Mark, generated: u64) {
        let _ = (node, generated);
    }

    /// Note that the subtree below a node was walked; `generated` nodes have been made by then.
    #[inline]
    fn leave(
        &mut self,
        node: Self::Mark,
        parent: Option<&mut Self::Mark>,
        row: &[C],
        generated: u64,
    ) {
        let _ = (node, parent, row, generated);
    }
}

/// A node of the path that is being expanded.
#[derive(Clone, Copy, Debug)]
struct Frame<K> {
    /// The candidates of the current word that are not tried yet.
    bits: u64,
    /// The number of the current word.
    word: u32,
    /// The rule that led here.
    rule: u32,
    /// The state of the machine.
    state: u32,
    mark: K,
}

/// Return the rules of a path, without that of the root, and the last one.
fn rules_to<K>(frames: &[Frame<K>], last: Option<u32>) -> Vec<u32> {
    let mut rules = Vec::with_capacity(frames.len());
    for frame in frames.get(1..).unwrap_or_default() {
        rules.push(frame.rule);
    }
    rules.extend(last);
    rules
}

/// Pass on a goal to which a rule leads from the end of the path. Without anyone to pass it to, the
/// walk ends.
#[cold]
fn pass_on<K>(on_goal: &mut Option<OnGoal<'_>>, frames: &[Frame<K>], rule: u32) -> ControlFlow<()> {
    let on_goal = on_goal.as_mut();
    on_goal.map_or(ControlFlow::Break(()), |on_goal| {
        on_goal(&rules_to(frames, Some(rule)))
    })
}

/// The engine, with its stack. Used again for each iteration of a search.
pub(crate) struct Engine<'g, C, K> {
    game: &'g Compiled<C>,
    machine: &'g SharedMachine,
    cycles: Cycles,
    /// The number of levels that the next three fields have room for.
    n_levels: usize,
    rows: Vec<Block<C>>,
    /// The sets of candidates, if one word doesn't hold them.
    candidates: Vec<u64>,
    levels: Vec<LevelCount>,
    frames: Vec<Frame<K>>,
    /// The rules that lead to the best goal that the last walk passed without ending.
    best: Option<Vec<u32>>,
    /// What is done with each goal, if all are wanted.
    pub(crate) on_goal: Option<OnGoal<'g>>,
}

impl<'g, C: Cell, K: Copy> Engine<'g, C, K> {
    pub(crate) fn new(
        game: &'g Compiled<C>,
        machine: &'g SharedMachine,
        cycles: CycleDetection,
    ) -> Self {
        Self {
            game,
            machine,
            cycles: Cycles::new(cycles),
            n_levels: 0,
            rows: Vec::new(),
            candidates: Vec::new(),
            levels: Vec::new(),
            frames: Vec::new(),
            best: None,
            on_goal: None,
        }
    }

    /// Take the path to the best goal that the last walk passed.
    pub(crate) fn take_best(&mut self) -> Option<Vec<u32>> {
        self.best.take()
    }

    /// Return the counts of the last walk by depth. Levels at the end may be empty.
    pub(crate) fn levels(&self) -> &[LevelCount] {
        &self.levels
    }

    /// Return the size of the stack in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice())
            + size_of_val(self.candidates.as_slice())
            + size_of_val(self.levels.as_slice())
            + self.frames.capacity() * size_of::<Frame<K>>()
    }

    /// Walk the tree below `start`.
    pub(crate) fn walk<T>(
        &mut self,
        start: &[Block<C>],
        task: &mut T,
        watch: &mut Watch<'_, '_>,
    ) -> End
    where
        T: Task<C, Mark = K>,
    {
        self.levels.fill(LevelCount::default());
        self.frames.clear();
        self.cycles.clear();
        self.best = None;
        match self.walk_from(start, task, watch) {
            Ok(None) => End::Exhausted,
            Ok(Some(last)) => End::Goal(rules_to(&self.frames, last)),
            Err(reason) => End::Stopped(reason),
        }
    }

    /// Visit the root, and return whether it is a goal. Unless it is entered, there are no frames.
    fn is_goal_at_root<T>(
        &mut self,
        start: &[Block<C>],
        task: &mut T,
        watch: &Watch<'_, '_>,
    ) -> Result<bool, StopReason>
    where
        T: Task<C, Mark = K>,
    {
        self.make_room(1, watch)?;
        self.rows[..self.game.n_blocks()].copy_from_slice(start);
        self.levels[0].generated = 1;
        match task.root(start.as_flattened()) {
            Visit::Enter(mut mark) => {
                task.enter(&mut mark, watch.generated());
                self.push(0, self.machine.start(), mark);
                Ok(false)
            }
            Visit::Leaf | Visit::CutOff | Visit::Beyond => Ok(false),
            Visit::Goal | Visit::Better | Visit::Wanted => Ok(true),
        }
    }

    /// Walk the tree. Returns `Ok(Some(rule))` at a goal, with the last rule, or `None` at the
    /// root.
    fn walk_from<T>(
        &mut self,
        start: &[Block<C>],
        task: &mut T,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<Option<u32>>, StopReason>
    where
        T: Task<C, Mark = K>,
    {
        let game = self.game;
        let (n_blocks, n_words) = (game.n_blocks(), game.index.n_words());
        if self.is_goal_at_root(start, task, watch)? {
            return Ok(Some(None));
        }
        if self.frames.is_empty() {
            return Ok(None);
        }
        let mut allowance = watch.poll()?;
        while let Some(frame) = self.frames.last_mut() {
            let (state, mut mark) = (frame.state, frame.mark);
            let (mut bits, mut word) = (frame.bits, frame.word as usize);
            let depth = self.frames.len() - 1;
            self.make_room(depth + 2, watch)?;
            let (path, below) = self.rows.split_at_mut((depth + 1) * n_blocks);
            let (parent, child) = (&path[depth * n_blocks..], &mut below[..n_blocks]);
            let mut count = LevelCount::default();
            let outcome = loop {
                while bits == 0 && word + 1 < n_words {
                    word += 1;
                    bits = self.candidates[depth * n_words + word];
                }
                if bits == 0 {
                    break Outcome::Done;
                }
                if allowance == 0 {
                    break Outcome::Poll;
                }
                allowance -= 1;
                let rule = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if !game.applies(rule, parent.as_flattened()) {
                    continue;
                }
                let Some(state) = self.machine.next(state, rule) else {
                    count.pruned_by_machine += 1;
                    continue;
                };
                game.apply(rule, parent, child);
                if self.cycles.closes(path, depth, child) {
                    count.pruned_by_cycle += 1;
                    task.closes_cycle(&mut mark, rule, child.as_flattened());
                    continue;
                }
                match task.child(depth + 1, &mut mark, rule, child.as_flattened()) {
                    Visit::Enter(mark) => {
                        count.generated += 1;
                        break Outcome::Enter(rule, state, mark);
                    }
                    Visit::Leaf => count.generated += 1,
                    Visit::CutOff => {
                        count.generated += 1;
                        count.beyond_bound += 1;
                    }
                    Visit::Beyond => count.beyond_bound += 1,
                    Visit::Better => {
                        count.generated += 1;
                        self.best = Some(rules_to(&self.frames, Some(rule)));
                    }
                    Visit::Wanted => {
                        count.generated += 1;
                        if pass_on(&mut self.on_goal, &self.frames, rule).is_break() {
                            break Outcome::Goal(rule);
                        }
                    }
                    Visit::Goal => {
                        count.generated += 1;
                        break Outcome::Goal(rule);
                    }
                }
            };
            watch.note(count.generated);
            self.levels[depth + 1].add(&count);
            let frame = &mut self.frames[depth];
            (frame.bits, frame.word, frame.mark) = (bits, word as u32, mark);
            match outcome {
                Outcome::Enter(rule, state, mut mark) => {
                    task.enter(&mut mark, watch.generated());
                    self.push(rule, state, mark);
                }
                Outcome::Done => {
                    let path = &self.rows[..(depth + 1) * n_blocks];
                    self.cycles.leave(path, depth, n_blocks);
                    self.frames.pop();
                    let above = self.frames.last_mut().map(|frame| &mut frame.mark);
                    let row = path[depth * n_blocks..].as_flattened();
                    task.leave(mark, above, row, watch.generated());
                }
                Outcome::Poll => allowance = watch.poll()?,
                Outcome::Goal(rule) => return Ok(Some(Some(rule))),
            }
        }
        Ok(None)
    }

    /// Begin to expand the row at the level after the last frame.
    #[inline]
    fn push(&mut self, rule: u32, state: u32, mark: K) {
        let (game, depth) = (self.game, self.frames.len());
        let (n_blocks, n_words) = (game.n_blocks(), game.index.n_words());
        let path = &self.rows[..(depth + 1) * n_blocks];
        let row = path[depth * n_blocks..].as_flattened();
        let bits = if n_words == 1 {
            game.index.candidates_word(row)
        } else {
            let set = &mut self.candidates[depth * n_words..(depth + 1) * n_words];
            game.index.candidates(row, set);
            set[0]
        };
        self.cycles.enter(path, depth, n_blocks);
        self.levels[depth].expanded += 1;
        self.frames.push(Frame {
            bits,
            word: 0,
            rule,
            state,
            mark,
        });
    }

    /// Make room for `n_levels` levels and as many frames.
    #[inline]
    fn make_room(&mut self, n_levels: usize, watch: &Watch<'_, '_>) -> Result<(), StopReason> {
        if n_levels <= self.n_levels {
            Ok(())
        } else {
            self.grow(n_levels, watch.memory())
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize, memory: usize) -> Result<(), StopReason> {
        let (n_blocks, n_words) = (self.game.n_blocks(), self.game.index.n_words());
        let n_words = if n_words == 1 { 0 } else { n_words };
        let by_path = matches!(self.cycles, Cycles::Path(_));
        let bytes_per_level = n_blocks * BLOCK * size_of::<C>()
            + n_words * size_of::<u64>()
            + size_of::<LevelCount>()
            + size_of::<Frame<K>>()
            + stack::path_bytes(by_path);
        let n_levels = stack::n_levels(self.n_levels, needed, bytes_per_level, memory)?;
        stack::resize(&mut self.rows, n_levels * n_blocks, [C::default(); BLOCK])?;
        stack::resize(&mut self.candidates, n_levels * n_words, 0)?;
        stack::resize(&mut self.levels, n_levels, LevelCount::default())?;
        stack::reserve(&mut self.frames, n_levels)?;
        self.n_levels = n_levels;
        Ok(())
    }
}

/// Why the loop over the children of a node was left.
enum Outcome<K> {
    Done,
    Poll,
    Enter(u32, u32, K),
    Goal(u32),
}
