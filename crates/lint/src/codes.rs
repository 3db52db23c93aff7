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

/// All codes of errors and warnings about games, by name: those of `psvn-syntax`, `psvn-ir` and
/// this crate, and those of instance files.
pub fn codes() -> &'static [Code] {
    CODES
}

/// The code of that name, in any case.
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
        "After its DOMAIN declarations, the file begins with the number of variables. This word is no such number.",
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
        "All rules but one or two leave the number of variables that hold a value alone, such as the one blank of a sliding-tile puzzle. These bring another one into being or delete it. Often a position is written twice, or a value is overwritten instead of moved. If it is meant (an item that is used up), ignore the warning.",
    ),
    warning(
        "broken-symmetry",
        "Exchanging variables (a reflection of the board, a rotation of the cube), and perhaps values, turns every rule into another rule, but for one or two. A rule connects the wrong positions, or one is missing. If the game is irregular on purpose (a wall on the board), ignore the warning.",
    ),
    warning(
        "constant-variable",
        "Rules test a variable, but none changes it. It keeps the value of the start state, so that rules that test for another one never apply. That is right for facts that never change, such as a map; else a rule is missing.",
    ),
    error(
        "control-character",
        "The text holds a character that can't be seen and means nothing here. The file may be damaged, or not be text.",
    ),
    warning(
        "dead-rule",
        "No state that is connected with a goal satisfies the left side of the rule. A value that it tests may be misspelled, or a rule that produces it missing.",
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
        "A block of an abstraction says twice what becomes of one domain, or which variables are kept.",
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
        "Two rules demand and do the same. Searches do all work below them twice. One of them was probably meant to be different: a copied line whose positions were not changed.",
    ),
    error(
        "duplicate-value",
        "A domain names the same value twice. Case makes no difference.",
    ),
    error(
        "empty-file",
        "There is nothing in the file but white space and comments.",
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
        "White space must surround `=>`: what touches it is read as a part of the word before or after it.",
    ),
    warning(
        "goal-never-produced",
        "The goal requires a value of a variable that rules do change, but never to this value. Only starts that have it already, and never change the variable, reach the goal.",
    ),
    error(
        "goal-with-arrow",
        "A goal is a condition: it has one side and no `=>`.",
    ),
    error(
        "incomplete-domain",
        "A declaration ends before all of its values. Its number of values may be wrong.",
    ),
    error("invalid-game", "The parts of the game don't fit together."),
    error(
        "invalid-utf8",
        "The file holds bytes that are no UTF-8 text. It may be in another encoding, or no text at all.",
    ),
    warning(
        "invalid-utf8-in-comment",
        "A comment holds bytes that are no UTF-8 text, such as a name in an old encoding. They do no harm.",
    ),
    error(
        "invisible-character",
        "A word holds a character that takes no place on the screen, such as a zero-width space from a web page. It separates nothing, and makes the word another one than it looks like.",
    ),
    warning(
        "irregular-grid",
        "The pairs of positions that exchange values are the neighbors on a board, row by row, but for one or two pairs. The usual mistake is a move that wraps around: from the end of one row to the beginning of the next one.",
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
        "An abstraction block wants its parts in braces.",
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
        "A word looks like an arrow, but is none. PSVN writes `=>`.",
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
        "Most rules of the game are undone by another rule, and this one isn't. In puzzles whose moves can be taken back, that is nearly always a mistake in this rule or in the one that ought to undo it. Wrong or missing rules make the shortest solutions of many states longer, and nobody notices. The help shows the rule that would undo it. Where a rule undoes it in some states only, one of the two has a test too few or too many; if that is so with many rules, tests on the way are part of the game, and nothing is said. The same holds for labels of which no rule is undone, such as pushing a box.",
    ),
    warning(
        "no-op-rule",
        "A rule leads from each state to the same state. A search gains nothing by it.",
    ),
    warning(
        "no-rules",
        "Nothing can be done in the game: the start state is all there is. A rule is written `before => after`, one entry for each variable on each side.",
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
        "Two instances of a file have the same name. Results are named by it, so they could not be distinguished.",
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
        "Any word that is no value of its position's domain is a variable symbol, which matches everything. This one is a number, or a value of another domain: probably a value at the wrong position. A name for a value that a rule moves may look like that where no rule names a value of the domain.",
    ),
    warning(
        "symbol-near-value",
        "Any word that is no value of its position's domain is a variable symbol, which matches everything. This one is spelled much like a value: probably a misspelled value. A name for a value that a rule moves may look like that where no rule names a value of the domain: `RD`, the sticker on the right beside the lower face, is no misspelled `RED`.",
    ),
    error("too-many-errors", "There are more errors than are shown."),
    error(
        "too-many-rules",
        "Symbols that occur only on the right side stand for any value: the rule becomes one rule for each combination of values.",
    ),
    warning(
        "too-many-warnings",
        "There are more warnings than are shown.",
    ),
    warning(
        "two-players",
        "Every rule flips one variable, each of its two values has several rules, and no rule undoes another: this is the pattern of games of two players who move in turn. The comment line `# players: 2` declares such a game, and `# players: 1` that one player makes all moves; other programs skip comments. Searches and pruning are for one player who makes all moves, `psvn play` is for two.",
    ),
    warning(
        "unbound-symbol",
        "A symbol occurs on the right side only, so that the rule is non-deterministic: it stands for one rule for each value. If that is not meant, the symbol is misspelled on one of the sides. A symbol with `*` on the left side is not bound by it.",
    ),
    error("unclosed-brace", "An opening brace has no closing one."),
    warning(
        "uneven-labels",
        "All labels have the same number of rules, but one has one more or one less. A rule may be missing, superfluous, or have the wrong label.",
    ),
    error("unexpected-text", "Nothing like this word can be here."),
    error(
        "unknown-domain",
        "A variable has a domain that is neither declared nor built in. `4` is built in with the values 0 to 3, `4N` with 1 to 4.",
    ),
    error(
        "unknown-value",
        "A word of a state is no value of the domain of its position.",
    ),
    error("unmatched-brace", "A closing brace has no opening one."),
    warning(
        "unreachable-goal",
        "No rule leads from any other state to this goal: what each rule leaves contradicts it. Only starts that satisfy it already are solved.",
    ),
    warning(
        "unsolvable-instance",
        "No goal can be reached from the state, and this follows without a search: some value occurs more or less often than in the goal, and no rule changes that number; or, in a puzzle that only moves values, no sequence of moves brings them to their places: of a sliding-tile puzzle, half of all arrangements can't be reached. Often the instance is written for a goal with the blank in another corner. `psvn solve` answers so without a search, which would run until it has seen every state, or forever, unless it is asked to search anyway.",
    ),
    error(
        "unusable-value",
        "A value has a name that can't be used in a rule.",
    ),
    warning(
        "unused-symbol",
        "A variable symbol occurs once on the left side of a rule and never on the right, or once in a goal. It matches any value, and does nothing more. Where the value doesn't matter, `-` says so; a misspelled value looks just like this. Where many rules have such symbols beside a `-` on the right, or most rules have some, or a goal has several and no `-`, that is a way of writing, and nothing is said.",
    ),
    warning(
        "unused-value",
        "Rules and goals mention most values of a domain, but not this one. On boards on which rules only move values it is taken for something that never moves, such as a wall.",
    ),
    warning(
        "unused-variable",
        "No rule tests the variable, changes it, or uses its value, and other variables occur in few rules as well: a rule may have been forgotten. If all others occur in many rules, the variable is taken for a piece that never moves.",
    ),
    warning(
        "value-looks-like-symbol",
        "Case doesn't matter in names, so where `a` is a value, `A` is that value and no variable symbol: a rule that was meant to move any value moves this one only. Take a letter that is no value of the domain for the symbol, or spell the value as its declaration does.",
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
        "A side of a rule, or a goal, has too many or too few entries: one for each variable. Line breaks mean nothing in the language, but show which row is wrong.",
    ),
    error(
        "wrong-scramble",
        "In a file of scrambles, a line or a block isn't a list of moves that can be made one after another from the goal. A line is `NAME: MOVES = COST`, of which only the moves must be there; a block is `ScrambleAlg NAME`, lines of moves, and `End`. A move is a label of the game or an alias; where there is no such name, a number at its end repeats the move and `'` undoes it.",
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
        // The facade reports errors in instance files in the same way.
        collect(&crates.join("psvn/src/game/instance"), &mut words);
        collect(&crates.join("psvn/src/game/comments"), &mut words);
        collect(&crates.join("abstraction/src/reading"), &mut words);
        let known: BTreeSet<String> = CODES.iter().map(|code| code.name.to_owned()).collect();
        // A test's value, and another one's name.
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
