//! The meaning of each code, at more length than in a message.

use psvn_syntax::Severity;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, such as `no-inverse`.
    pub name: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// What the code means, why it matters, and how to fix it.
    pub explanation: &'static str,
}

/// Return all codes of errors and warnings about games, by name: those of `psvn-syntax`, `psvn-ir`
/// and this crate, and those of instance files.
pub fn codes() -> &'static [Code] {
    CODES
}

/// Return the code of that name, in any case.
pub fn explain(name: &str) -> Option<&'static Code> {
    CODES
        .iter()
        .find(|code| code.name.eq_ignore_ascii_case(name))
}

const fn error(name: &'static str, explanation: &'static str) -> Code {
    Code {
        name,
        severity: Severity::Error,
        explanation,
    }
}

const fn warning(name: &'static str, explanation: &'static str) -> Code {
    Code {
        name,
        severity: Severity::Warning,
        explanation,
    }
}

static CODES: &[Code] = &[
    error(
        "ambiguous-line",
        "In an instance file, a line has more words than the game has variables, and several runs of them may be the state. Put `NAME:` before the state and `= COST` after it.",
    ),
    error(
        "bad-cost",
        "COST needs a whole number from 0 on. Fractions and negative costs are not part of the language: multiply all costs by the same number instead.",
    ),
    error(
        "bad-count",
        "After its DOMAIN declarations, the file begins with the number of variables. This word isn't a number of variables.",
    ),
    error(
        "bad-instance-cost",
        "In an instance file, the word after `=` (or in the second column of Korf's files) is the known least cost: a whole number from 0 on.",
    ),
    error(
        "bad-number",
        "A domain declaration has its number of values after its name, as in `DOMAIN size 3 small medium large`.",
    ),
    error(
        "bad-projection",
        "A projection has one letter for each variable: K keeps it, P projects it away.",
    ),
    error(
        "bad-script-line",
        "A line of an abstraction script must be `map DOMAIN FROM TO`, `project K` or `project DOMAIN`.",
    ),
    warning(
        "broken-invariant",
        "All rules but one or two keep the number of variables that hold a certain value, such as the one blank of a sliding-tile puzzle. The others create or delete such a value. Often a position is written twice, or a value is overwritten instead of moved. If this is intended (an item that is used up), ignore the warning.",
    ),
    warning(
        "broken-symmetry",
        "Exchanging variables (a reflection of the board, a rotation of the cube), and perhaps values, turns every rule into another rule, with one or two exceptions. A rule connects the wrong positions, or a rule is missing. If the game is irregular on purpose (a wall on the board), ignore the warning.",
    ),
    warning(
        "constant-variable",
        "Rules test a variable, but none changes it. It keeps the value of the start state, so that rules that test for another one never apply. This is right for facts that never change, such as a map; otherwise a rule is missing.",
    ),
    error(
        "control-character",
        "The text contains an invisible character that has no meaning here. The file may be damaged, or may not be text.",
    ),
    warning(
        "dead-rule",
        "No state that is connected with a goal satisfies the left side of the rule. A value that it tests may be misspelled, or a rule that produces this value may be missing.",
    ),
    error(
        "domain-size",
        "A domain has more values than are possible, or none.",
    ),
    error(
        "domain-too-small",
        "A declared domain needs at least two values. A variable with one value carries no information; built-in domains such as `1` may have one.",
    ),
    error(
        "duplicate-attribute",
        "A rule has two LABELs or two COSTs. Begin each rule on a line of its own.",
    ),
    error(
        "duplicate-domain",
        "Two domains have the same name. Case makes no difference.",
    ),
    error(
        "duplicate-entry",
        "A block of an abstraction maps one domain twice, or lists twice which variables are kept.",
    ),
    error(
        "duplicate-pieces",
        "An abstraction block has two lists of pieces.",
    ),
    error(
        "duplicate-projection",
        "An abstraction block has two projections.",
    ),
    warning(
        "duplicate-rule",
        "Two rules have the same preconditions and effects. Searches do all work below them twice. One of them was probably meant to be different: a copied line whose positions were not changed.",
    ),
    error(
        "duplicate-value",
        "A domain names the same value twice. Case makes no difference.",
    ),
    error(
        "empty-file",
        "The file contains only white space and comments.",
    ),
    error(
        "file-too-large",
        "The text is larger than what can be addressed.",
    ),
    error(
        "foreign-comment",
        "Comments of other languages, such as `/* ... */` and `// ...`, are read as entries of a row. A comment begins with `#` or `;` at the start of a word and ends with its line; within a word, as in `1#blank`, these signs are letters.",
    ),
    error(
        "glued-arrow",
        "White space must surround `=>`. Without it, the arrow becomes part of the word before or after it.",
    ),
    warning(
        "goal-never-produced",
        "The goal requires a value of a variable that rules change, but never to this value. The goal is reached only from starts that already have the value, by paths that never change the variable.",
    ),
    error(
        "goal-with-arrow",
        "A goal is a condition: it has one side and no `=>`.",
    ),
    error(
        "illegal-state",
        "A state has values that no state of the game has together. Comments `# illegal:` in the text list them; imports of twisty puzzles write them for pieces that may not be at some places. Rules never lead to such a state, so a search from it would prove nothing about the game. Give a state that the rules can reach, or a scramble.",
    ),
    error(
        "incomplete-domain",
        "A declaration ends before all of its values. Its number of values may be wrong.",
    ),
    error("invalid-game", "The parts of the game don't fit together."),
    error(
        "invalid-utf8",
        "The file contains bytes that aren't UTF-8 text. It may be in another encoding, or may not be text at all.",
    ),
    warning(
        "invalid-utf8-in-comment",
        "A comment contains bytes that aren't UTF-8 text, such as a name in an old encoding. They do no harm.",
    ),
    error(
        "invisible-character",
        "A word contains a character that is invisible on the screen, such as a zero-width space from a web page. The character doesn't separate words, so this word isn't the one that it looks like.",
    ),
    warning(
        "irregular-grid",
        "The pairs of positions that exchange values are the neighbors on a board, row by row, with one or two exceptions. The usual mistake is a move that wraps around: from the end of one row to the beginning of the next one.",
    ),
    warning(
        "label-gap",
        "Labels are numbered, or made of two parts that are combined, and one number or combination is missing. A rule may have been left out.",
    ),
    error(
        "misplaced-domain",
        "DOMAIN declarations come first, before the number of variables.",
    ),
    error(
        "missing-abstraction",
        "An abstraction file holds an `abstraction { ... }` block, and this one has none.",
    ),
    error(
        "missing-arrow",
        "The two sides of a rule are separated by `=>`.",
    ),
    error(
        "missing-brace",
        "An abstraction block needs braces around its parts.",
    ),
    error(
        "missing-cost",
        "COST is followed by a whole number from 0 on.",
    ),
    error(
        "missing-count",
        "The number of variables is missing. It comes after the DOMAIN declarations.",
    ),
    error("missing-label", "LABEL is followed by one word."),
    warning(
        "missing-power",
        "The rules that only move values come in turns, each with all of its repetitions (a quarter, a half and three quarters of a face), but one turn lacks one.",
    ),
    error(
        "misspelled-arrow",
        "A word looks like an arrow, but isn't one. The arrow of PSVN is `=>`.",
    ),
    warning(
        "misspelled-comment",
        "Some comment lines have a meaning: `# layout:`, `# start:`, `# start NAME:`, `# alias:`, `# players:`, `# abstraction:`, `# illegal:` and `# rotation:`. This line looks like one of them, but is spelled otherwise, and so it means nothing.",
    ),
    error(
        "misspelled-keyword",
        "This word is where a keyword is expected, and looks like one.",
    ),
    warning(
        "no-goal",
        "Rules can be analyzed and counted without a goal, but nothing can be solved.",
    ),
    warning(
        "no-inverse",
        "Most rules of the game are undone by another rule, and this one isn't. In puzzles whose moves can be undone, this is nearly always a mistake in this rule or in the one that ought to undo it. Wrong or missing rules make the shortest solutions of many states longer, and nobody notices. The help shows the rule that would undo it. Where another rule undoes it in some states only, one of the two has a test too few or too many. There is no warning if many rules are like this, since then such tests are part of the game, nor for labels of which no rule is undone, such as pushing a box.",
    ),
    warning(
        "no-op-rule",
        "A rule leads from each state back to that state. A search gains nothing by it.",
    ),
    warning(
        "no-rules",
        "The game has no moves, so only the start state can be reached. A rule is written `before => after`, one entry for each variable on each side.",
    ),
    error(
        "no-such-pieces",
        "A block of an abstraction keeps pieces, and the game has none: no rule moves groups of values together, or there are other pieces than those that are named.",
    ),
    warning(
        "odd-one-out",
        "Several rules share a label. One of them changes another number of positions, moves values by another distance, or has another cost than all the others.",
    ),
    warning(
        "repeated-instance-name",
        "Two instances of a file have the same name. Results carry the names of their instances, so these results can't be distinguished.",
    ),
    error(
        "reserved-domain-name",
        "Names such as `4` and `4N` belong to the built-in domains.",
    ),
    error(
        "second-arrow",
        "A rule has one `=>`. A line break or an entry may be missing before the second one.",
    ),
    warning(
        "separate-goal",
        "Rules never change how many variables hold a value, and this goal requires another number of them than other goals do. A start that reaches one of them can't reach the other one. Often a value of the goal is misspelled, or occurs twice by mistake.",
    ),
    warning(
        "symbol-in-two-domains",
        "The same name is used at positions of two domains. A symbol belongs to a rule and a domain, so these are two different symbols.",
    ),
    warning(
        "symbol-looks-like-value",
        "Any word that isn't a value of its position's domain is a variable symbol, which matches any value. This one is a number, or a value of another domain: probably a value at the wrong position. A name for a value that a rule moves may look like that where no rule names a value of the domain.",
    ),
    warning(
        "symbol-near-value",
        "Any word that isn't a value of its position's domain is a variable symbol, which matches any value. This one is spelled much like a value: probably a misspelled value. A name for a value that a rule moves may look like that where no rule names a value of the domain: `RD`, the sticker on the right beside the lower face, isn't a misspelled `RED`. A number with zeros before it, such as `01`, is never taken for a name.",
    ),
    error("too-many-errors", "There are more errors than are shown."),
    error(
        "too-many-rules",
        "Symbols that occur only on the right side stand for any value: the rule becomes one rule for each combination of values.",
    ),
    error(
        "too-many-values",
        "The values of the domains would take more memory than the limit allows.",
    ),
    warning(
        "too-many-warnings",
        "There are more warnings than are shown.",
    ),
    warning(
        "two-players",
        "Every rule flips one variable, each of its two values has several rules, and no rule undoes another: games of two players who move in turn look like this. The comment line `# players: 2` declares such a game, and `# players: 1` declares that one player makes all moves; other programs skip comments. Searches and pruning are for one player who makes all moves, `psvn play` is for two.",
    ),
    warning(
        "unbound-symbol",
        "A symbol occurs on the right side only, so the rule is non-deterministic: it stands for one rule for each value. If this isn't intended, the symbol is misspelled on one of the sides. A `*` before the symbol on the left side doesn't bind it.",
    ),
    error("unclosed-brace", "An opening brace has no closing one."),
    warning(
        "undeclared-name",
        "A word that isn't a value of its position's domain is a variable symbol, which matches any value. Rules share the names of their symbols, and only one rule has this name: probably a value was meant that the domain has under another name, or lacks. Write the value as the domain declares it.",
    ),
    warning(
        "uneven-labels",
        "All labels have the same number of rules, but one label has one more or one fewer. A rule may be missing or superfluous, or have the wrong label.",
    ),
    error("unexpected-text", "A word like this can't be here."),
    error(
        "unknown-domain",
        "A variable has a domain that is neither declared nor built in. `4` is built in with the values 0 to 3, `4N` with 1 to 4.",
    ),
    error(
        "unknown-value",
        "A word of a state isn't a value of the domain of its position.",
    ),
    error("unmatched-brace", "A closing brace has no opening one."),
    warning(
        "unreachable-goal",
        "No rule leads from any other state to this goal, since the effects of every rule contradict it. Only starts that satisfy it already are solved.",
    ),
    error(
        "unread-format",
        "The text is in a format of another program that is recognized and not read, or that this build of the program doesn't read. The hint says what to do instead.",
    ),
    warning(
        "unsolvable-instance",
        "No goal can be reached from the state, and this follows without a search: some value occurs more or less often than in the goal, and no rule changes that number; or, in a puzzle that only moves values, no sequence of moves brings them to their places. In a sliding-tile puzzle, half of all arrangements can't be reached. Often the instance is written for a goal with the blank in another corner. `psvn solve` reports this without a search, which would run until it has seen every state, or forever; it searches only on request.",
    ),
    error(
        "unusable-value",
        "A value has a name that can't be used in a rule.",
    ),
    warning(
        "unused-symbol",
        "A variable symbol occurs once on the left side of a rule and never on the right, or once in a goal. It matches any value and has no other effect. Where the value doesn't matter, write `-`; a misspelled value looks just like this. There is no warning where this is the author's way of writing: where many rules have such symbols beside a `-` on the right, most rules have some, or a goal has several and no `-`.",
    ),
    warning(
        "unused-value",
        "Rules and goals mention most values of a domain, but not this one. On boards on which rules only move values, such a value is assumed to be something that never moves, such as a wall, and there is no warning.",
    ),
    warning(
        "unused-variable",
        "No rule tests the variable, changes it, or uses its value, and other variables occur in few rules as well: a rule may have been forgotten. If all others occur in many rules, the variable is assumed to be a piece that never moves, and there is no warning.",
    ),
    warning(
        "value-looks-like-symbol",
        "Case doesn't matter in names, so where `a` is a value, `A` is that value and not a variable symbol: a rule that was meant to move any value moves only this one. Use a letter that isn't a value of the domain for the symbol, or spell the value as its declaration does.",
    ),
    warning(
        "wrong-comment",
        "A comment line that says how boards are laid out, where a search starts, what moves are called or who moves says something that doesn't fit the game. Commands that need what it says refuse the game; the others ignore it.",
    ),
    error(
        "wrong-domain-size",
        "A declaration doesn't have the number of values that it declares.",
    ),
    error(
        "wrong-mapping-length",
        "A mapping has one value for each value of its domain.",
    ),
    error(
        "wrong-projection-length",
        "A projection has one letter for each variable.",
    ),
    error(
        "wrong-row-length",
        "A side of a rule, or a goal, has too many or too few entries: one for each variable. Line breaks have no meaning in the language, but they help to find the wrong row.",
    ),
    error(
        "wrong-scramble",
        "In a file of scrambles, a line or a block isn't a list of moves that can be made one after another from the goal. A line is `NAME: MOVES = COST`, of which only the moves are required; a block is `ScrambleAlg NAME`, lines of moves, and `End`. A move is a label of the game or an alias; if there is no such name, a number at the end of a word repeats the move and `'` undoes it.",
    ),
    error(
        "wrong-state-length",
        "A state has one value for each variable of the game. Perhaps the instances belong to another game, or to another encoding of it.",
    ),
    error(
        "wrong-variable-count",
        "The number of variables and the number of their domains differ.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn codes_are_sorted_and_found() {
        assert!(CODES.is_sorted_by_key(|code| code.name));
        assert!(CODES.iter().all(|code| code.explanation.ends_with('.')));
        assert_eq!(
            explain("NO-INVERSE").map(|code| code.name),
            Some("no-inverse")
        );
        assert_eq!(explain("no-such-code"), None);
    }

    /// Every word in the sources of the three crates that looks like a code is one, and is
    /// explained.
    #[test]
    fn every_code_has_an_explanation() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut words = BTreeSet::new();
        for name in ["psvn-syntax", "psvn-ir", "lint"] {
            collect(&crates.join(name).join("src"), &mut words);
        }
        // Others report errors in instance files and in abstractions in the same way.
        for place in [
            "psvn/src/game/instance",
            "psvn/src/game/players.rs",
            "../extras/formats/src/scrambles.rs",
            "abstraction/src/reading",
        ] {
            collect(&crates.join(place), &mut words);
        }
        let known: BTreeSet<String> = CODES.iter().map(|code| code.name.to_owned()).collect();
        // A test's value, and another's name.
        let others: BTreeSet<String> = ["one-to-one", "no-such-code", "psvn-syntax", "psvn-ir"]
            .map(str::to_owned)
            .into();
        let unexplained: Vec<_> = words
            .difference(&known)
            .filter(|w| !others.contains(*w))
            .collect();
        assert!(unexplained.is_empty(), "{unexplained:?}");
        assert!(known.is_subset(&words));
    }

    fn collect(folder: &Path, words: &mut BTreeSet<String>) {
        let paths: Vec<_> = match std::fs::read_dir(folder) {
            Ok(entries) => entries
                .map(|entry| entry.expect("an entry").path())
                .collect(),
            Err(_) => vec![folder.to_path_buf()],
        };
        for path in paths {
            if path.is_dir() {
                collect(&path, words);
            } else if path.file_name().is_some_and(|name| name != "codes.rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                let quoted = text.split('"');
                let is_code = |word: &&str| {
                    word.contains('-')
                        && !word.starts_with('-')
                        && !word.ends_with('-')
                        && word
                            .chars()
                            .all(|c| c.is_ascii_lowercase() || "-8".contains(c))
                };
                words.extend(quoted.filter(is_code).map(str::to_owned));
            }
        }
    }
}
