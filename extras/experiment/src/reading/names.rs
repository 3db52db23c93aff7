//! Names that may be meant by others.

/// The similarity from which a name may be meant by another one.
const SIMILAR: f64 = 0.8;

/// Return the name that is most like another one, if it may be meant.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let similarity = |known: &str| strsim::jaro(known, name);
    let names = names.into_iter();
    let nearest = names.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    nearest.filter(|known| similarity(known) >= SIMILAR)
}

/// Return a hint for a name that isn't among some: the one that may be meant, or all of them.
pub(crate) fn hint(name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("known are {}", names.join(", ")),
    }
}
