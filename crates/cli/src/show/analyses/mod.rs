//! Results of analyses, and explanations.

mod analysis;
mod composition;
mod explained;
mod ideal;
