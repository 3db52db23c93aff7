//! Whole state spaces of PSVN games on several processes and machines.
//!
//! [`explore()`] is called in each process with the same game and the same list of addresses, and
//! counts the states at each distance like the crate `explore` does in one process: the counts are
//! the same for any number of processes and threads.
//!
//! ```
//! use explore::{Options, Origin};
//! use scale_out::{Member, explore};
//!
//! let text = domains::generate("sliding-tiles", &["3", "3"])?;
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! let folder = tempfile::tempdir()?;
//! // A cluster of one process. Others have their addresses here, and all know the secret.
//! let addresses = vec!["localhost:7101".to_owned()];
//! let member = Member::new(0, addresses, Vec::new(), folder.path().to_owned());
//! let report = explore(&game, &Origin::Goals, member, &Options::default())?;
//! assert_eq!(report.layers[..6], [1, 2, 4, 8, 16, 20]);
//! assert_eq!((report.states(), report.greatest_distance()), (181_440, Some(31)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! Each thread of each process is a worker, which owns the states whose hashes fall in its share.
//! To make a layer, workers read their states of the last one, and send the successors to their
//! owners. An owner collects candidates, sorted in memory and in runs on its disk, and leaves out
//! known states: delayed duplicate detection (Korf 2004), as in the crate `explore`.
//!
//! Together this is a dataflow of the crate [`timely`], with a loop: from the states of a layer to
//! those of the next one. Each message has a time: the distance of its states, and the round in
//! which it was sent. From the progress of all workers the engine finds which times are over. That
//! is the barrier between layers. It is also the flow control: a worker begins a round when all
//! messages of the round before the last have reached their owners, so that the number of messages
//! in flight is bounded, whichever part is slow.
//!
//! [`build_table`] explores the ranks of a pattern database instead of states: a layer is a
//! distance. All layers stay in their files, and the first worker collects them at the end.
//!
//! # Failures that it survives
//! Each worker saves its share of a layer, and the checkpoint that names it, before it reports to
//! the others. A layer is complete when all have saved it. After a crash at any time, two workers
//! differ by at most one layer; those with the extra layer drop it.
//!
//! A process that dies closes its connections. A process whose machine is cut off becomes silent,
//! which is detected since live processes send heartbeats. To the engine, its messages end as if it
//! had left in order. Workers find the reason elsewhere, send it to the others, and stop.
//!
//! # Which processes it admits
//! Two processes first authenticate each other by their secret, and agree on fresh keys: the
//! pattern `NNpsk0` of the Noise protocol, by the crate `snow`. All that follows is encrypted and
//! authenticated, beginning with the comparison of what they explore. Who doesn't know the secret
//! can neither read nor change anything, unnoticed; the page on several machines in the book has
//! the whole model.

mod error;
mod hosts;
mod identity;
pub mod local;
mod member;
mod net;
mod run;
mod secret;
mod table;
mod work;

pub use error::ClusterError;
pub use hosts::{HostsError, parse_hosts};
pub use member::Member;
pub use run::explore;
pub use secret::random_secret;
pub use table::build_table;
