//! The extension module of the Python package `psvn`.
//!
//! It converts arguments, calls the facade crate `psvn`, and returns data as JSON, which the
//! package turns into typed objects. Work runs in a separate thread without the interpreter's lock,
//! so that other Python threads continue and Ctrl-C works.

mod batch;
mod environment;
mod errors;
mod experiments;
mod game;
mod machine;
mod options;
mod solver;
mod state;
mod tables;
mod terms;
mod trees;

/// The extension module of the Python package `psvn`.
#[pyo3::pymodule]
mod _psvn {
    #[pymodule_export]
    use crate::batch::{StateBlock, check_estimates, solve_in_batches};
    #[pymodule_export]
    use crate::environment::Environment;
    #[pymodule_export]
    use crate::experiments::{experiment, presets, report};
    #[pymodule_export]
    use crate::game::{Game, builtin_games};
    #[pymodule_export]
    use crate::machine::Machine;
    #[pymodule_export]
    use crate::options::option_names;
    #[pymodule_export]
    use crate::solver::{Solver, certify, check_moves, check_plans};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::tables::Tables;
    #[pymodule_export]
    use crate::trees::{count_tree, explore, tree_svg};
}
