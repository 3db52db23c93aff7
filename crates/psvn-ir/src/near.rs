//! Near misses: the known word that an unknown one probably stands for.

/// The candidate that `word` is most probably a misspelling of: one edit away, or two in words of
/// six letters and more. Words shorter than three letters have no near misses, since there
/// everything is close to everything.
pub fn near_miss<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let length = word.chars().count();
    // Edit distance takes quadratic time, and no sensible name is longer.
    if !(3..=64).contains(&length) {
        return None;
    }
    let most_edits = if length >= 6 { 2 } else { 1 };
    candidates
        .into_iter()
        .map(AsRef::as_ref)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= most_edits)
        .filter(|candidate| candidate.parse::<u64>().is_err())
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&word, &candidate.to_ascii_lowercase()),
                candidate,
            )
        })
        .filter(|(edits, _)| (1..=most_edits).contains(edits))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}
