//! Searches that are split into units of work, which any scheduler runs: GNU parallel, SLURM, Dask,
//! Ray, or a loop in a shell.
//!
//! Searches along paths and counts of trees need no exchange while they run. [`Rounds`] split the
//! tree of a bound into units, each a file with all that is needed; [`work()`] searches one and
//! writes its result beside it; [`Rounds::join`] puts the results together, and continues with the
//! next bound. Counts and solutions are those of one process, whatever the number of units, the
//! order in which they are done, and who does them.
//!
//! # How it works
//! A search runs from its start each time, in the same way, and comes to the same rounds. A round
//! that is finished has its result in the plan, so it takes no time. At the first one that isn't,
//! its tree is cut into subtrees; units are shares of them. What a search does depends on neither
//! time nor earlier runs: the heuristic is named once it is chosen, and the machine stays the same.
//!
//! # What is checked
//! A unit names the game, the files, the heuristic and the machine by their contents, and the
//! version of the program. Whoever searches it compares these, and then the paths to all subtrees
//! of the round: a difference is an error, and no result.
//!
//! # Killed at any time
//! Files are written as a whole. What a unit has found is written about once a second, so another
//! run continues there; work that is done twice at the same time writes the same result. The plan
//! names a round before the files of the last one are removed.

mod folder;
mod hands;
mod job;
mod rounds;
mod sealed;
mod work;

pub use self::job::{Oriented, Prepared, options_for_units};
pub use self::rounds::{MOST_UNITS, OpenUnits, Rounds, Splitting};
pub use self::work::{WorkedUnit, work};
