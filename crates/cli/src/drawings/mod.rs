//! Boards and pictures, where the program was built with them.

#[cfg(feature = "drawing")]
mod with;
#[cfg(not(feature = "drawing"))]
mod without;

#[cfg(feature = "drawing")]
pub(crate) use self::with::*;
#[cfg(not(feature = "drawing"))]
pub(crate) use self::without::*;
