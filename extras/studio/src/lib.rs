//! A page to look into a PSVN game while one writes it, and the server that answers it.
//!
//! A [`Studio`] holds a text: a file, a built-in game, or an example. [`Studio::listen`] makes a
//! server of it that only programs on this machine reach, and only those that know its address:
//!
//! ```no_run
//! use psvn::Environment;
//! use studio::Studio;
//!
//! let env = Environment::default();
//! let server = Studio::open(Some("gen:sliding-tiles:3:3".as_ref()), &env)?.listen(0)?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page is in the program; it asks nothing of any other machine.

mod analyzed;
mod answers;
mod disk;
mod jobs;
mod opened;
mod refusal;
mod server;
mod shared;
mod states;

pub use server::{ListenError, Server};
pub use shared::Studio;
