//! A task as PSVN.

use psvn_syntax::{Diagnostic, Span};

use super::axioms;
use super::cases::{Case, CaseError, Cases};
use super::mutexes::{self, Judgment};
use super::sections::short;
use super::task::{Fact, Task, Variable};
use crate::imported::Imported;
use crate::problems::Problems;
use crate::words::{Unique, call, legal};

/// The most rules that the operators of a task may become.
pub const MOST_RULES: usize = 1_000_000;

/// The most steps that splitting into cases may take, for all operators.
const MOST_STEPS: usize = 4_000_000;

/// The most entries of all rows: a bound on the length of the text.
const MOST_ENTRIES: usize = 200_000_000;

/// Write a task as PSVN, with its initial state in the comment line `# start:`.
///
/// Names of facts become names of values, and names of operators labels. Conditional effects and
/// derived variables are compiled into several rules of one label, and several goals.
///
/// # Errors
/// When that takes more than `most_rules` rules, or the task is inconsistent; each error with its
/// place.
pub fn to_psvn(task: &Task, most_rules: usize) -> Result<Imported, Vec<Diagnostic>> {
    let mut writer = Writer {
        task,
        problems: Problems::default(),
        names: Vec::new(),
        values: Vec::new(),
        columns: Vec::new(),
    };
    axioms::check(task, &mut writer.problems);
    if writer.problems.has_errors() {
        return Err(writer.problems.finish());
    }
    let text = writer.write(most_rules);
    Imported::unless_wrong(text, writer.names, writer.problems)
}

struct Writer<'t> {
    task: &'t Task,
    problems: Problems,
    names: Vec<(String, String)>,
    /// The words of the values of each variable.
    values: Vec<Vec<String>>,
    /// The variables of the game: those that aren't derived and have several values.
    columns: Vec<usize>,
}

/// The name of a fact as one word.
fn fact_name(name: &str) -> String {
    let name = name.trim();
    let (sign, atom) = match (
        name.strip_prefix("Atom "),
        name.strip_prefix("NegatedAtom "),
    ) {
        (Some(atom), _) => ("", atom),
        (_, Some(atom)) => ("not-", atom),
        _ if name == "<none of those>" => return "none-of-those".to_owned(),
        _ => ("", name),
    };
    legal(&format!("{sign}{}", atom.replace(", ", ",")))
}

impl Writer<'_> {
    fn refuse(&mut self, code: &'static str, message: String, span: Span, hint: &str) {
        let error = Diagnostic::error(code, message).at(span, "");
        self.problems.push(match hint {
            "" => error,
            hint => error.hint(hint),
        });
    }

    fn write(&mut self, most_rules: usize) -> String {
        let task = self.task;
        let variables = task.variables.len();
        // PSVN has no variables that can't change.
        let varies = |it: &usize| !task.is_derived(*it) && task.variables[*it].facts.len() > 1;
        self.columns = (0..variables).filter(varies).collect();
        if self.columns.is_empty() {
            let message = "no variable has two values or more".to_owned();
            self.refuse(
                "sas-no-variables",
                message,
                task.goal_span,
                "a game needs one",
            );
            return String::new();
        }
        let mut text = String::from("# A planning task, translated from SAS+.\n#\n");
        let mut domains = String::new();
        let mut header = format!("\n{}\n", self.columns.len());
        let mut domain_names = Unique::default();
        for variable in &task.variables {
            let words = self.domain(variable);
            self.values.push(words);
        }
        for column in self.columns.clone() {
            let variable = &task.variables[column];
            let name = match variable.name.starts_with(|c: char| c.is_ascii_digit()) {
                true => legal(&format!("v{}", variable.name)),
                false => legal(&variable.name),
            };
            let name = domain_names.make(name);
            let words = self.values[column].join(" ");
            domains.push_str(&format!("DOMAIN {name} {} {words}\n", variable.facts.len()));
            header.push_str(&name);
            header.push(' ');
        }
        header.truncate(header.trim_end().len());
        let start: Vec<&str> = self
            .columns
            .iter()
            .map(|it| self.word(*it, task.state[*it]))
            .collect();
        text.push_str(&format!("# start: {}\n", start.join(" ")));
        self.mutex_groups(&mut text);
        text.push('\n');
        text.push_str(&domains);
        text.push_str(&header);
        text.push_str("\n\n");
        self.rules(&mut text, most_rules);
        text
    }

    /// The words of a variable's values.
    fn domain(&mut self, variable: &Variable) -> Vec<String> {
        let mut words = Unique::default();
        let made: Vec<String> = variable
            .facts
            .iter()
            .map(|it| words.make(fact_name(it)))
            .collect();
        for (word, fact) in made.iter().zip(&variable.facts) {
            self.names.push((word.clone(), fact.clone()));
        }
        made
    }

    fn word(&self, variable: usize, value: usize) -> &str {
        &self.values[variable][value]
    }

    /// Add a comment line for each proved group, and a warning for each other one.
    fn mutex_groups(&mut self, text: &mut String) {
        let name = |fact: Fact| {
            let variable = &self.task.variables[fact.variable];
            format!(
                "{} = {}",
                variable.name,
                self.word(fact.variable, fact.value)
            )
        };
        let mut findings = Vec::new();
        for (group, judgment) in self.task.mutexes.iter().zip(mutexes::judge(self.task)) {
            let reason = match judgment {
                Judgment::Proved => {
                    let facts: Vec<String> = group.facts.iter().map(|fact| name(*fact)).collect();
                    text.push_str(&format!("# mutex: {}\n", facts.join(", ")));
                    continue;
                }
                Judgment::BrokenAtStart(a, b) => {
                    format!(
                        "`{}` and `{}` both hold in the initial state",
                        name(a),
                        name(b)
                    )
                }
                Judgment::BrokenBy(operator, a, b) => format!(
                    "operator `{}` may make `{}` and `{}` true together",
                    short(&self.task.operators[operator].name),
                    name(a),
                    name(b)
                ),
                Judgment::Derived => "derived facts aren't part of the game".to_owned(),
                Judgment::TooLarge => "there are too many pairs of facts to try".to_owned(),
            };
            let found = Diagnostic::warning(
                "sas-mutex",
                format!("this mutex group is left out, since it isn't proved: {reason}"),
            );
            findings.push(found.at(group.span, "").hint("nothing rests on it"));
        }
        findings
            .into_iter()
            .for_each(|found| self.problems.push(found));
    }

    fn rules(&mut self, text: &mut String, most_rules: usize) {
        let task = self.task;
        let mut cases = Cases::new(task, MOST_STEPS);
        let mut labels = Unique::default();
        let mut n_rules = 0;
        for operator in &task.operators {
            let label = labels.make(call(&operator.name));
            self.names.push((label.clone(), operator.name.clone()));
            let found = match cases.of_operator(operator, most_rules - n_rules) {
                Ok(found) => found,
                Err(error) => {
                    self.refuse_cases(
                        error,
                        &format!("operator `{}`", operator.name),
                        operator.span,
                    );
                    if error == CaseError::TooMany {
                        return;
                    }
                    continue;
                }
            };
            if found.is_empty() {
                let message = format!("operator `{}` can never be used", short(&operator.name));
                let found = Diagnostic::warning("sas-never", message).at(operator.span, "");
                self.problems
                    .push(found.hint("its conditions contradict each other"));
            }
            n_rules += found.len();
            if n_rules.saturating_mul(self.columns.len()) > MOST_ENTRIES {
                let message = format!("the task is too large: {n_rules} rules and more");
                return self.refuse("sas-too-large", message, operator.span, "");
            }
            for case in &found {
                let is_empty = |it: &usize| case.tests[*it].is_none();
                let writes = case
                    .writes
                    .iter()
                    .any(|fact| self.columns.contains(&fact.variable));
                if !writes && self.columns.iter().all(is_empty) {
                    // A row with only `-` isn't a rule, and this one would change nothing.
                    continue;
                }
                self.rule(case, text);
                text.push_str(&format!("LABEL {label}"));
                match task.cost_of(operator) {
                    1 => text.push('\n'),
                    cost => text.push_str(&format!(" COST {cost}\n")),
                }
            }
        }
        match cases.of_goal(most_rules) {
            Err(error) => self.refuse_cases(error, "the goal", task.goal_span),
            Ok(found) => {
                if found.is_empty() {
                    let warning = Diagnostic::warning("sas-no-goal", "no state satisfies the goal");
                    self.problems
                        .push(warning.at(task.goal_span, "so the game has no goal"));
                }
                for case in found {
                    text.push_str("GOAL ");
                    for column in &self.columns {
                        text.push_str(case.tests[*column].map_or("-", |it| self.word(*column, it)));
                        text.push(' ');
                    }
                    text.truncate(text.trim_end().len());
                    text.push('\n');
                }
            }
        }
    }

    fn refuse_cases(&mut self, error: CaseError, what: &str, span: Span) {
        match error {
            CaseError::TooMany => {
                let message = format!("{what} takes too many rules for its conditions");
                let hint = "conditional effects and axioms become a rule for each combination of \
                            the values that they depend on";
                self.refuse("sas-too-many-cases", message, span, hint);
            }
            CaseError::TwoValues(variable) => {
                let name = &self.task.variables[variable].name;
                let message = format!("{what} writes two values to `{name}` at once");
                self.refuse("sas-two-values", message, span, "");
            }
        }
    }

    /// Both sides of a rule.
    fn rule(&self, case: &Case, text: &mut String) {
        let write = |column: usize| {
            let found = case.writes.iter().find(|fact| fact.variable == column);
            found.map(|fact| fact.value)
        };
        for column in &self.columns {
            text.push_str(case.tests[*column].map_or("-", |it| self.word(*column, it)));
            text.push(' ');
        }
        text.push_str("=> ");
        for column in &self.columns {
            text.push_str(write(*column).map_or("-", |it| self.word(*column, it)));
            text.push(' ');
        }
    }
}
