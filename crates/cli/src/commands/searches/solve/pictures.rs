//! Pictures of a search: the path of its solution, and its tree.

use crate::args::SolveArgs;
use crate::drawings::{self, BoardLayout};
use crate::failure::Failure;
use crate::output::ending::{Picture, SVG_OR_DOT, form_of};
use crate::output::log::Log;
use psvn::solve::{labels, states_on_the_way};
use psvn::store::atomic as atomic_file;
use psvn::{Game, Solution, Solver, State};

/// The pictures of solutions.
pub(super) struct Pictures<'a> {
    args: &'a SolveArgs,
    named: &'a Game,
    layout: Option<BoardLayout>,
    is_written: bool,
    is_tree_written: bool,
}

impl<'a> Pictures<'a> {
    /// Find the layout of boards, if boards are requested.
    pub(super) fn new(args: &'a SolveArgs, named: &'a Game) -> Result<Self, Failure> {
        let layout = if args.boards || args.picture().is_some() {
            Some(drawings::needed_layout(named, args.layout.as_deref())?)
        } else {
            None
        };
        Ok(Self {
            args,
            named,
            layout,
            is_written: false,
            is_tree_written: false,
        })
    }

    /// The layout of boards.
    pub(super) fn layout(&self) -> Option<&BoardLayout> {
        self.layout.as_ref()
    }

    /// Write the picture of the first solution.
    pub(super) fn solution(
        &mut self,
        start: &State,
        solution: &Solution,
        log: &Log,
    ) -> Result<(), Failure> {
        let (Some(path), Some(layout), false) =
            (self.args.picture(), &self.layout, self.is_written)
        else {
            return Ok(());
        };
        self.is_written = true;
        let states = states_on_the_way(self.named, start, &solution.moves);
        let moves = labels(self.named, &solution.moves);
        let picture = drawings::animation(self.named, layout, &states, &moves);
        atomic_file::write(path, picture.as_bytes())?;
        log.written(path);
        Ok(())
    }

    /// Write the tree of the first search.
    pub(super) fn search(
        &mut self,
        task: &Solver,
        start: &State,
        log: &Log,
    ) -> Result<(), Failure> {
        let (Some(path), false) = (&self.args.tree, self.is_tree_written) else {
            return Ok(());
        };
        self.is_tree_written = true;
        let layout = drawings::layout(self.named, self.args.layout.as_deref())?;
        let tree = drawings::draw_search(task, start, layout.as_ref())?;
        let text = match form_of(path, SVG_OR_DOT)? {
            Picture::Dot => tree.dot(),
            Picture::Svg => tree
                .svg()
                .map_err(|error| Failure::limit(error.to_string()))?,
        };
        atomic_file::write(path, text.as_bytes())?;
        log.written(path);
        Ok(())
    }
}
