//! The advisor against simulated searches, whose work in hindsight is known.

mod regret;
mod simulated;
