//! A game under construction: the parts that a generator fills in, and the layout as an aligned
//! PSVN file.

use std::fmt::Write as _;

/// The most rows and columns of a board.
const MOST_SIDE: usize = 1_000;

/// One token of a rule or goal.
pub(crate) type Token = String;

/// A PSVN file in the making.
#[derive(Debug, Default)]
pub(crate) struct Game {
    /// Paragraphs of the comment at the top; lines are kept as they are.
    about: Vec<String>,
    domains: Vec<Domain>,
    /// Domain name of each variable, grouped into the lines in which they are written.
    variables: Vec<VariableLine>,
    rules: Vec<Rule>,
    goals: Vec<Goal>,
}

#[derive(Debug)]
struct Domain {
    name: String,
    values: Vec<String>,
}

#[derive(Debug)]
struct VariableLine {
    domains: Vec<String>,
    note: String,
}

#[derive(Debug)]
struct Goal {
    note: String,
    tokens: Vec<Token>,
}

/// A rule as the positions that it mentions; others are neither tested nor changed.
#[derive(Debug)]
pub(crate) struct Rule {
    label: String,
    cost: u32,
    /// A comment in front of the rule; of rules that belong together, only the first one has it.
    note: Option<String>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    position: usize,
    before: Token,
    after: Token,
}

impl Rule {
    /// A rule that mentions nothing yet.
    pub(crate) fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            cost: 1,
            note: None,
            entries: Vec::new(),
        }
    }

    /// Give the rule a cost; without it, the cost is 1, which is not written.
    pub(crate) fn cost(mut self, cost: u32) -> Self {
        self.cost = cost;
        self
    }

    /// Put a comment line in front of the rule.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Position `position` (from 0) holds `before` and then `after`.
    pub(crate) fn change(
        mut self,
        position: usize,
        before: impl ToString,
        after: impl ToString,
    ) -> Self {
        self.entries.push(Entry {
            position,
            before: before.to_string(),
            after: after.to_string(),
        });
        self
    }

    /// Position `position` must hold `value`, and keeps it.
    pub(crate) fn test(self, position: usize, value: impl ToString) -> Self {
        self.change(position, value.to_string(), "-")
    }
}

impl Game {
    /// A game introduced by `about`: paragraphs, each of which may have several lines.
    pub(crate) fn new<S: Into<String>>(about: impl IntoIterator<Item = S>) -> Self {
        Self {
            about: about.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Declare a layout with these rows and columns, from the first variable on, if the size is
    /// valid for a board.
    pub(crate) fn grid(&mut self, n_rows: usize, n_columns: usize, rest: &str) {
        self.board(n_rows, n_columns, rest, []);
    }

    /// Declare a layout with these places, row by row, if the size is valid for a board.
    pub(crate) fn board(
        &mut self,
        n_rows: usize,
        n_columns: usize,
        rest: &str,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) {
        if n_rows.max(n_columns) > MOST_SIDE {
            return;
        }
        let mut text = format!("layout: rows {n_rows} columns {n_columns} {rest}");
        text.truncate(text.trim_end().len());
        for row in rows {
            text.push_str("\nlayout: places ");
            text.push_str(&row.join(" "));
        }
        self.about.push(text);
    }

    /// Declare a start state by a name.
    pub(crate) fn start<S: ToString>(&mut self, name: &str, state: impl IntoIterator<Item = S>) {
        let state: Vec<String> = state.into_iter().map(|value| value.to_string()).collect();
        self.about
            .push(format!("start {name}: {}", state.join(" ")));
    }

    /// Declare a domain. PSVN requires at least two values in a declared domain.
    pub(crate) fn domain<S: ToString>(&mut self, name: &str, values: impl IntoIterator<Item = S>) {
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        debug_assert!(
            values.len() >= 2,
            "PSVN refuses named domains smaller than 2"
        );
        self.domains.push(Domain {
            name: name.to_owned(),
            values,
        });
    }

    /// Add variables, written on one line, with a comment (may be empty) on their meaning.
    pub(crate) fn variables<S: ToString>(
        &mut self,
        domains: impl IntoIterator<Item = S>,
        note: &str,
    ) {
        let domains = domains
            .into_iter()
            .map(|domain| domain.to_string())
            .collect();
        self.variables.push(VariableLine {
            domains,
            note: note.to_owned(),
        });
    }

    /// Add a rule behind the others.
    pub(crate) fn rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    /// Add an alternative goal, one token for each variable, with a comment (may be empty).
    pub(crate) fn goal<S: ToString>(&mut self, tokens: impl IntoIterator<Item = S>, note: &str) {
        let tokens = tokens.into_iter().map(|token| token.to_string()).collect();
        self.goals.push(Goal {
            note: note.to_owned(),
            tokens,
        });
    }

    /// Write the file: comment, domains, variables, rules, goals, with columns aligned.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_about(&mut text);
        self.write_domains(&mut text);
        let n_variables = self.write_variables(&mut text);
        let widths = [
            |entry: &Entry| entry.before.len(),
            |entry: &Entry| entry.after.len(),
        ]
        .map(|width| self.column_widths(n_variables, width));
        self.write_rules(&mut text, &widths);
        self.write_goals(&mut text);
        text
    }

    fn write_about(&self, text: &mut String) {
        for (index, paragraph) in self.about.iter().enumerate() {
            if index > 0 {
                text.push_str("#\n");
            }
            for line in paragraph.lines() {
                push_line(text, &format!("# {line}"));
            }
        }
        text.push('\n');
    }

    fn write_domains(&self, text: &mut String) {
        for domain in &self.domains {
            let head = format!("DOMAIN {} {}", domain.name, domain.values.len());
            write_wrapped(text, &head, &domain.values);
        }
        if !self.domains.is_empty() {
            text.push('\n');
        }
    }

    /// Write the number of variables and their domains; returns the number.
    fn write_variables(&self, text: &mut String) -> usize {
        let n_variables = self.variables.iter().map(|line| line.domains.len()).sum();
        push_line(text, &format!("{n_variables}"));
        for line in &self.variables {
            if line.note.is_empty() {
                write_wrapped(text, "", &line.domains);
            } else {
                push_line(
                    text,
                    &format!("{}  # {}", line.domains.join(" "), line.note),
                );
            }
        }
        text.push('\n');
        n_variables
    }

    /// The widest token of each column, on one side of all rules.
    fn column_widths(&self, n_variables: usize, width: fn(&Entry) -> usize) -> Vec<usize> {
        let mut widths = vec![1; n_variables];
        for entry in self.rules.iter().flat_map(|rule| &rule.entries) {
            let widest = &mut widths[entry.position];
            *widest = (*widest).max(width(entry));
        }
        widths
    }

    fn write_rules(&self, text: &mut String, widths: &[Vec<usize>; 2]) {
        // One row, reused: position -> (before, after), reset after each rule.
        let mut row: Vec<(&str, &str)> = vec![("-", "-"); widths[0].len()];
        for (index, rule) in self.rules.iter().enumerate() {
            if let Some(note) = &rule.note {
                if index > 0 {
                    text.push('\n');
                }
                push_line(text, &format!("# {note}"));
            }
            for entry in &rule.entries {
                row[entry.position] = (&entry.before, &entry.after);
            }
            write_row(text, row.iter().map(|(before, _)| *before), &widths[0]);
            text.push_str(" => ");
            write_row(text, row.iter().map(|(_, after)| *after), &widths[1]);
            let _ = write!(text, " LABEL {}", rule.label);
            if rule.cost != 1 {
                let _ = write!(text, " COST {}", rule.cost);
            }
            text.push('\n');
            for entry in &rule.entries {
                row[entry.position] = ("-", "-");
            }
        }
        text.push('\n');
    }

    fn write_goals(&self, text: &mut String) {
        for goal in &self.goals {
            if !goal.note.is_empty() {
                push_line(text, &format!("# {}", goal.note));
            }
            push_line(text, &format!("GOAL {}", goal.tokens.join(" ")));
        }
    }
}

/// Append tokens padded to their columns, separated by single blanks.
fn write_row<'a>(text: &mut String, tokens: impl Iterator<Item = &'a str>, widths: &[usize]) {
    for (index, (token, &width)) in tokens.zip(widths).enumerate() {
        if index > 0 {
            text.push(' ');
        }
        let _ = write!(text, "{token:width$}");
    }
}

/// Append `head` and `words` in lines of moderate length; line breaks mean nothing in PSVN.
fn write_wrapped(text: &mut String, head: &str, words: &[String]) {
    const MAX_LINE: usize = 100;
    let mut line = head.to_owned();
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > MAX_LINE {
            push_line(text, &line);
            line = if head.is_empty() {
                String::new()
            } else {
                "   ".to_owned()
            };
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    push_line(text, &line);
}

/// Append a line without trailing blanks.
fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The name of the `index`-th (from 0) of `n_symbols` variable symbols: letters if they suffice.
pub(crate) fn symbol(index: usize, n_symbols: usize) -> Token {
    if n_symbols <= 26 {
        char::from(b'A' + u8::try_from(index).expect("at most 26 symbols have letters")).to_string()
    } else {
        format!("x{}", index + 1)
    }
}
