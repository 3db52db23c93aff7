//! Look-ups of domains and values by name, with diagnostics for unknown ones.

use psvn_ir::{Domain, DomainId, Game, Value, near_miss};
use psvn_syntax::{Diagnostic, Span};

/// Look a domain up by its name. `label` describes the word, if it isn't a domain.
pub(super) fn domain(
    game: &Game,
    name: &str,
    span: Span,
    label: &str,
) -> Result<DomainId, Box<Diagnostic>> {
    if let Some(id) = find_domain(game, name) {
        return Ok(id);
    }
    let names: Vec<&str> = game.domains().iter().map(Domain::name).collect();
    let message = format!("the game has no domain `{name}`");
    let found = Diagnostic::error("unknown-domain", message).at(span, label);
    Err(with_near_miss(found, name, &names))
}

/// Look a domain up by its name.
pub(super) fn find_domain(game: &Game, name: &str) -> Option<DomainId> {
    let mut domains = game.domains().iter();
    let place = domains.position(|domain| domain.name().eq_ignore_ascii_case(name));
    place.map(DomainId::from_index)
}

/// Look a value of a domain up by its name.
pub(super) fn value(domain: &Domain, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
    if let Some(value) = domain.lookup(name) {
        return Ok(value);
    }
    let message = format!("domain `{}` has no value `{name}`", domain.name());
    let found = Diagnostic::error("unknown-value", message).at(span, "no value of this domain");
    Err(with_near_miss(found, name, domain.values()))
}

fn with_near_miss<S: AsRef<str>>(found: Diagnostic, name: &str, known: &[S]) -> Box<Diagnostic> {
    Box::new(match near_miss(name, known) {
        Some(near) => found.hint(format!("did you mean `{near}`?")),
        None => found,
    })
}
