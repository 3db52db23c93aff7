//! Near misses: the known word that an unknown one probably stands for.

/// The candidate that `word` is most probably a misspelling of: one edit away, or two in words of
/// six letters and more. Words of one letter have no near misses, and words of two only those that
/// lack one letter of a longer word, since short words are close to everything.
pub fn near_miss<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let length = word.chars().count();
    // Edit distance takes quadratic time, and no sensible name is longer.
    if !(2..=64).contains(&length) {
        return None;
    }
    let most_edits = if length >= 6 { 2 } else { 1 };
    candidates
        .into_iter()
        .map(AsRef::as_ref)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= most_edits)
        .filter(|candidate| candidate.parse::<u64>().is_err())
        .filter(|candidate| length > 2 || is_word_of_three(candidate))
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

/// The candidate that `word` is, but for characters that look alike (`O` and `0`, `l` and `1`) or one
/// that was typed twice.
///
/// For words of one or two characters, of which [`near_miss`] says nothing.
pub(crate) fn look_alike<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<&'a str> {
    let shape = |word: &str| -> Vec<char> {
        let shape = word.chars().map(|c| match c.to_ascii_lowercase() {
            'o' => '0',
            'l' | 'i' => '1',
            other => other,
        });
        shape.collect()
    };
    let wanted = shape(word);
    if !(1..=3).contains(&wanted.len()) {
        return None;
    }
    let once: Vec<char> = match wanted.split_last() {
        Some((last, rest)) if rest.last() == Some(last) => rest.to_vec(),
        _ => wanted.clone(),
    };
    candidates
        .into_iter()
        .map(AsRef::as_ref)
        .filter(|candidate| candidate.len() <= 4 && !candidate.eq_ignore_ascii_case(word))
        .find(|candidate| {
            let shape = shape(candidate);
            shape == wanted || shape == once
        })
}

fn is_word_of_three(candidate: &str) -> bool {
    candidate.chars().count() == 3 && candidate.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::{look_alike, near_miss};

    #[test]
    fn characters_that_look_alike_are_seen() {
        let values = ["0", "1", "10", "r", "small"];
        assert_eq!(look_alike("O", values), Some("0"));
        assert_eq!(look_alike("l", values), Some("1"));
        assert_eq!(look_alike("lO", values), Some("10"));
        assert_eq!(look_alike("RR", values), Some("r"));
        for word in ["0", "R", "a", "2", "", "small", "rrr"] {
            assert_eq!(look_alike(word, values), None, "{word}");
        }
    }

    #[test]
    fn close_words_are_found_and_others_are_not() {
        let values = ["off", "on", "medium", "12", "x10", "b"];
        assert_eq!(near_miss("of", values), Some("off"));
        assert_eq!(near_miss("OFG", values), Some("off"));
        assert_eq!(near_miss("medum", values), Some("medium"));
        assert_eq!(near_miss("mediums", values), Some("medium"));
        for word in ["o", "no", "x1", "122", "on", "medic", "a", ""] {
            assert_eq!(near_miss(word, values), None, "{word}");
        }
    }
}
