//! Near misses: the known word that an unknown one probably stands for.

/// Return the candidate that `word` is most probably a misspelling of: one edit away, or two in
/// words of six or more letters. Words of one letter have no near misses, since short words are
/// close to everything. Words of two letters have only those that add one letter.
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

/// Call `find` for `word` with look-alike characters exchanged (`O` and `0`, `l` and `1`), or
/// without a last character that was typed twice.
///
/// For words of up to three characters, for which [`near_miss`] finds little.
#[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
pub(crate) fn look_alike<T>(word: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    if !(1..=3).contains(&word.chars().count()) {
        return None;
    }
    let digits: String = word
        .chars()
        .map(|c| match c {
            'o' | 'O' => '0',
            'l' | 'i' | 'I' => '1',
            other => other,
        })
        .collect();
    let letters: String = word
        .chars()
        .map(|c| match c {
            '0' => 'o',
            '1' => 'l',
            other => other,
        })
        .collect();
    let mut last_two = word.chars().rev();
    let is_doubled = last_two.next() == last_two.next();
    let once = if is_doubled {
        word.strip_suffix(|_| true)
    } else {
        None
    };
    [Some(digits.as_str()), Some(letters.as_str()), once]
        .into_iter()
        .flatten()
        .filter(|other| *other != word)
        .find_map(find)
}

fn is_word_of_three(candidate: &str) -> bool {
    candidate.chars().count() == 3 && candidate.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::{look_alike, near_miss};

    #[test]
    fn characters_that_look_alike_are_seen() {
        let find = |word: &str| ["0", "1", "10", "r", "lo"].into_iter().find(|v| *v == word);
        assert_eq!(look_alike("O", find), Some("0"));
        assert_eq!(look_alike("l", find), Some("1"));
        assert_eq!(look_alike("lO", find), Some("10"));
        assert_eq!(look_alike("l0", find), Some("10"));
        assert_eq!(look_alike("rr", find), Some("r"));
        for word in ["0", "a", "2", "", "rrr", "oo", "lol0"] {
            assert_eq!(look_alike(word, find), None, "{word}");
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
