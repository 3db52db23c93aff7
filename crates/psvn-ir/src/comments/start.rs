//! The start states that a game's text declares.

/// The text of the state in the first comment line `# start: STATE`.
pub(super) fn declared(text: &str) -> Option<String> {
    super::lines_of(text, "start").next().map(str::to_owned)
}

/// The states of comment lines `# start NAME: STATE`, with their names.
pub(super) fn named(text: &str) -> Vec<(String, String)> {
    let declared = super::lines(text).filter_map(|comment| comment.trim().strip_prefix("start "));
    let split = declared.filter_map(|line| line.split_once(':'));
    split
        .map(|(name, state)| (name.trim().to_owned(), state.trim().to_owned()))
        .filter(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_declares_the_start() {
        let text = "# a game\n  # start: 1 0  \n2 2 2\n# start: 0 0\n";
        assert_eq!(declared(text).as_deref(), Some("1 0"));
        assert_eq!(declared("# starting: 1 0\n2 2 2\n"), None);
        let text = "# start usual: 1 0\n# start at once: 0 0\n2 2 2\n";
        assert_eq!(named(text), [("usual".to_owned(), "1 0".to_owned())]);
        assert_eq!(declared(text), None);
    }
}
