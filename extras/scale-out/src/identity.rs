//! The data on which the processes of one exploration must agree.

use serde::{Deserialize, Serialize};

/// The data on which the processes of one exploration must agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The version of the program.
    pub(crate) version: String,
    /// The game's content hash.
    pub(crate) game: String,
    /// "forward" or "backward".
    pub(crate) direction: String,
    /// A hash of the states at distance 0.
    pub(crate) roots: String,
    /// The identity of the codes of states in messages and files.
    pub(crate) codes: String,
    /// The words of a code.
    pub(crate) words: usize,
    /// Whether only the last layers are kept.
    pub(crate) forgets: bool,
    /// The number of processes.
    pub(crate) processes: usize,
    /// The number of threads of each.
    pub(crate) threads: usize,
}

/// The data on which the processes of one call must also agree; another call may choose
/// differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) identity: Identity,
    /// The greatest distance to complete.
    pub(crate) depth: Option<u64>,
    /// The number of farthest states that are listed.
    pub(crate) farthest: usize,
}

impl Identity {
    /// Describe the difference in words: "another game".
    pub(crate) fn difference(&self, theirs: &Self) -> Option<String> {
        let numbers = |what: &str, ours: usize, theirs: usize| {
            Some(format!("it has {what} {theirs}, not {ours}"))
        };
        if self.version != theirs.version {
            let (ours, theirs) = (&self.version, &theirs.version);
            return Some(format!(
                "another version of the program, {theirs}, not {ours}"
            ));
        }
        if self.game != theirs.game {
            return Some("another game".to_owned());
        }
        if (&self.direction, &self.roots) != (&theirs.direction, &theirs.roots) {
            return Some("other start states".to_owned());
        }
        if self.processes != theirs.processes {
            return numbers("a number of processes of", self.processes, theirs.processes);
        }
        if self.threads != theirs.threads {
            return numbers("a number of threads of", self.threads, theirs.threads);
        }
        (self != theirs).then(|| "another layout of states".to_owned())
    }
}

impl Terms {
    /// Describe the difference in words.
    pub(crate) fn difference(&self, theirs: &Self) -> Option<String> {
        let identity = self.identity.difference(&theirs.identity);
        identity.or_else(|| match (self.depth, self.farthest) {
            (depth, _) if depth != theirs.depth => Some("another greatest distance".to_owned()),
            (_, farthest) if farthest != theirs.farthest => {
                Some("another number of farthest states".to_owned())
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let ours = Terms {
            identity: Identity {
                version: "1".to_owned(),
                game: "a".to_owned(),
                direction: "forward".to_owned(),
                roots: "0".to_owned(),
                codes: String::new(),
                words: 1,
                forgets: true,
                processes: 2,
                threads: 1,
            },
            depth: None,
            farthest: 0,
        };
        assert_eq!(ours.difference(&ours), None);
        let changed = |change: fn(&mut Terms)| {
            let mut theirs = ours.clone();
            change(&mut theirs);
            ours.difference(&theirs).expect("a difference")
        };
        assert!(changed(|it| it.identity.version = "2".to_owned()).contains("version"));
        assert_eq!(
            changed(|it| it.identity.game = "b".to_owned()),
            "another game"
        );
        assert_eq!(
            changed(|it| it.identity.roots = "1".to_owned()),
            "other start states"
        );
        assert!(changed(|it| it.identity.processes = 3).contains("processes of 3, not 2"));
        assert!(changed(|it| it.identity.threads = 4).contains("threads of 4, not 1"));
        assert!(changed(|it| it.identity.words = 2).contains("layout"));
        assert!(changed(|it| it.depth = Some(3)).contains("distance"));
        assert!(changed(|it| it.farthest = 3).contains("farthest"));
    }
}
