//! Stands for boards and pictures in a program that was built without them: there are no values of
//! these types.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;

use fsm::OpenFile;
use psvn::solve::TreeRequest;
use psvn::{Environment, Error, Game, Solver, State};

/// The layout of boards.
#[derive(Clone, Debug)]
pub(crate) struct BoardLayout(Infallible);

/// A picture.
#[derive(Debug)]
pub(crate) struct Drawn(Infallible);

/// Why a picture can't be written.
#[derive(Debug)]
pub(crate) struct TooLarge(Infallible);

/// Which arrows of a machine are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrows {
    All,
    Readable,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl BoardLayout {
    pub(crate) fn side_by_side(&self, _: &[Vec<&str>], _: &[String], _: usize) -> Vec<String> {
        match self.0 {}
    }
}

impl Drawn {
    pub(crate) fn dot(&self) -> String {
        match self.0 {}
    }

    pub(crate) fn svg(&self) -> Result<String, TooLarge> {
        match self.0 {}
    }
}

fn missing() -> Error {
    Error::usage("this program was built without boards and pictures")
        .with_hint("build it with the feature `drawing`")
}

pub(crate) fn layout(_: &Game, file: Option<&Path>) -> Result<Option<BoardLayout>, Error> {
    match file {
        Some(_) => Err(missing()),
        None => Ok(None),
    }
}

pub(crate) fn needed_layout(_: &Game, _: Option<&Path>) -> Result<BoardLayout, Error> {
    Err(missing())
}

pub(crate) fn animation(_: &Game, layout: &BoardLayout, _: &[State], _: &[String]) -> String {
    match layout.0 {}
}

pub(crate) fn draw_search(_: &Solver, _: &State, _: Option<&BoardLayout>) -> Result<Drawn, Error> {
    Err(missing())
}

pub(crate) fn draw_tree(
    _: &Game,
    _: &State,
    _: &TreeRequest,
    _: Option<&BoardLayout>,
    _: &Environment,
) -> Result<Drawn, Error> {
    Err(missing())
}

pub(crate) fn draw_words(_: &OpenFile, _: Option<&Game>, _: &Path) -> Result<Drawn, Error> {
    Err(missing())
}

pub(crate) fn draw_machine(
    _: &OpenFile,
    _: Option<&Game>,
    _: &Path,
    _: Arrows,
    _: &Environment,
) -> Result<Drawn, Error> {
    Err(missing())
}
