//! The start state that a game's text declares.

/// The state of the first comment line `# start: STATE`, as it is written there.
pub(crate) fn declared(text: &str) -> Option<String> {
    super::lines_of(text, "start").next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_declares_the_start() {
        let text = "# a game\n  # start: 1 0  \n2 2 2\n# start: 0 0\n";
        assert_eq!(declared(text).as_deref(), Some("1 0"));
        assert_eq!(declared("# starting: 1 0\n2 2 2\n"), None);
    }
}
