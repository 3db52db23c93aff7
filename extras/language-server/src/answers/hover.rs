//! What a place in the text means.

use psvn_syntax::Span;

use crate::document::Document;
use crate::findings::explanation;
use crate::words::{Entity, Role, Word};

/// What is shown about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word that it is about.
    pub span: Span,
    /// The description, as Markdown.
    pub text: String,
}

/// The meaning of each keyword.
pub(super) const KEYWORDS: [(&str, &str); 7] = [
    (
        "DOMAIN",
        "`DOMAIN name size value ...` declares a domain, a set of values.",
    ),
    (
        "GOAL",
        "`GOAL condition` is a condition of goal states; one that holds is enough.",
    ),
    (
        "LABEL",
        "`LABEL name` names a rule. Rules may share a label.",
    ),
    (
        "COST",
        "`COST number` is the cost of a rule, 1 unless given.",
    ),
    (
        "abstraction",
        "`abstraction { ... }` merges values and drops variables.",
    ),
    (
        "projection",
        "`projection { K P ... }` keeps (K) or drops (P) each variable.",
    ),
    (
        "pieces",
        "`pieces { K P ... }` keeps the pieces that the goal has at places with K.",
    ),
];

impl Document {
    /// Describe what is at an offset; `None` where there is nothing to say.
    ///
    /// Words are described by what they refer to, and with the rule or goal that they are in.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let word = self.word_at(offset)?;
        let mut parts: Vec<String> = self.describe_word(word).into_iter().collect();
        if let Some(item) = word.item
            && let Some(described) = self.describe_item(item)
        {
            parts.push(described);
        }
        parts.extend(self.explanations(offset));
        let is_known = !parts.is_empty();
        is_known.then(|| Hover {
            span: word.span,
            text: parts.join("\n\n---\n\n"),
        })
    }

    fn describe_word(&self, word: &Word) -> Option<String> {
        let spelled = self.slice(word.span);
        match (word.entity, word.role) {
            (Some(Entity::Domain(index)), _) => Some(self.describe_domain(index)),
            (Some(Entity::Value(index, value)), _) => {
                let named = &self.meaning.domains[index];
                let size = named.domain.as_ref()?.size();
                let n_uses = self
                    .words
                    .referring_to(Entity::Value(index, value))
                    .filter(|word| !word.is_declaration)
                    .count();
                Some(format!(
                    "{}value `{spelled}` of domain `{}`: {} of {size}, used {}",
                    variable(word),
                    named.name,
                    value.index() + 1,
                    times(n_uses)
                ))
            }
            (Some(Entity::Symbol(..)), _) => {
                let named = self.meaning.of_variable(word.variable?)?;
                let n_uses = self.words.referring_to(word.entity?).count();
                Some(format!(
                    "{}symbol `{spelled}`: any value of domain `{}`, {} in this row",
                    variable(word),
                    named.name,
                    times(n_uses)
                ))
            }
            (Some(Entity::Label(_)), _) => {
                let rules = self.words.referring_to(word.entity?);
                let n_rules = rules.filter(|word| !word.is_in_comment).count();
                let rules = budget::count(n_rules, "row");
                Some(format!("label `{spelled}` of {rules}"))
            }
            (None, Role::Dash) => {
                let named = self.meaning.of_variable(word.variable?)?;
                Some(format!(
                    "{}`-`: not tested, or left as it is; domain `{}`",
                    variable(word),
                    named.name
                ))
            }
            (None, Role::Keyword) => {
                let known = KEYWORDS.iter();
                let mut known = known.filter(|(name, _)| name.eq_ignore_ascii_case(spelled));
                known.next().map(|(_, meaning)| (*meaning).to_owned())
            }
            (None, Role::Number) => self.describe_number(word),
            _ => None,
        }
    }

    /// Describe the number of variables; other numbers speak for themselves.
    fn describe_number(&self, word: &Word) -> Option<String> {
        let variables = self.file().variables.as_ref()?;
        (variables.count.span == word.span).then(|| self.describe_states().to_owned())
    }

    /// The explanations of the findings at an offset, if they were looked for.
    fn explanations(&self, offset: usize) -> Vec<String> {
        if !self.is_examined() {
            return Vec::new();
        }
        let mut codes: Vec<&str> = self
            .findings()
            .iter()
            .filter(|finding| finding.span.start <= offset && offset <= finding.span.end)
            .filter(|finding| finding.span.end > 0)
            .map(|finding| finding.code)
            .collect();
        codes.dedup();
        let explain = |code: &str| Some(format!("`{code}`: {}", explanation(code)?));
        codes.into_iter().filter_map(explain).collect()
    }
}

/// The variable of a word's column, as the beginning of a line.
fn variable(word: &Word) -> String {
    word.variable
        .map(|variable| format!("x{}: ", variable + 1))
        .unwrap_or_default()
}

fn times(n: usize) -> String {
    match n {
        0 => "nowhere".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}
