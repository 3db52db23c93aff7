//! In which order rules and operators are compared.

mod operators;
mod rules;

pub use self::operators::OperatorOrder;
pub(super) use self::rules::RuleOrder;
