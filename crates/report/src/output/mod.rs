//! Reports in the forms in which they are written.

mod data;
mod html;
mod latex;
mod markdown;
mod text;

pub use data::{csv, json};
pub use html::html;
pub use latex::latex;
pub use markdown::markdown;
pub use text::{tables_text, text};
