//! What analyses found, and why.

mod analysis;
mod composition;
mod explained;
mod ideal;
