//! A task as PSVN.

use budget::{format_bytes, group_digits};
use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::{Diagnostic, Span};

use super::axioms;
use super::cases::{Case, CaseError, Cases};
use super::mutexes::{self, Judgment};
use super::pieces::{self, NotCarried};
use super::sections::short;
use super::task::{Fact, Operator, Task, Variable};
use super::truth::Assignment;
use crate::imported::{Imported, Rejected};
use crate::meter::Meter;
use crate::problems::Problems;
use crate::words::{Unique, call, fact, legal};

/// Write a task as PSVN, with its initial state in the comment line `# start:`.
///
/// Names of facts become names of values, and names of operators labels. Conditional effects and
/// derived variables are compiled into several rules of one label, and several goals. Where all
/// operators only carry facts from place to place, they become moves of pieces, each one rule.
///
/// # Errors
/// When the task is inconsistent, each error with its place, or a limit is reached: the rules are
/// counted, and the memory for reading them is estimated, before they are written.
pub fn to_psvn(task: &Task, limits: &LoadLimits<'_>) -> Result<Imported, Rejected> {
    let mut not_carried = None;
    if pieces::may_help(task) {
        match pieces::puzzle_of(task, limits) {
            Ok(Ok(puzzle)) => return pieces::to_psvn(task, &puzzle, limits),
            Ok(Err(reason)) => not_carried = Some(reason),
            // The limit is reached in what follows, too, where it is reported.
            Err(_) => {}
        }
    }
    let mut writer = Writer {
        task,
        not_carried,
        meter: &Meter::new(limits),
        problems: Problems::default(),
        names: Vec::new(),
        values: Vec::new(),
        columns: Vec::new(),
        n_rules: 0,
    };
    axioms::check(task, &mut writer.problems);
    if writer.problems.has_errors() {
        return Err(writer.problems.into());
    }
    let text = writer.write();
    Imported::unless_wrong(text, writer.names, writer.problems)
}

/// Return the label that the rules of an operator have: `pick(ball,a)` for `pick ball a`.
pub fn label(operator: &str) -> String {
    call(operator)
}

struct Writer<'t> {
    task: &'t Task,
    /// Why the operators aren't moves of pieces.
    not_carried: Option<NotCarried>,
    meter: &'t Meter<'t>,
    problems: Problems,
    names: Vec<(String, String)>,
    /// The words of the values of each variable.
    values: Vec<Vec<String>>,
    /// The variables of the game: those that aren't derived and have several values.
    columns: Vec<usize>,
    n_rules: usize,
}

impl Writer<'_> {
    fn refuse(&mut self, code: &'static str, message: String, span: Span, hint: &str) {
        let error = Diagnostic::error(code, message).at(span, "");
        self.problems.push(match hint {
            "" => error,
            hint => error.hint(hint),
        });
    }

    fn write(&mut self) -> String {
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
            let name = if variable.name.starts_with(|c: char| c.is_ascii_digit()) {
                legal(&format!("v{}", variable.name))
            } else {
                legal(&variable.name)
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
        if let Err(stop) = self.mutex_groups(&mut text) {
            self.stop(stop, "the mutex groups", task.goal_span);
            return text;
        }
        text.push('\n');
        text.push_str(&domains);
        text.push_str(&header);
        text.push_str("\n\n");
        self.rules(&mut text);
        text
    }

    /// The words of a variable's values.
    fn domain(&mut self, variable: &Variable) -> Vec<String> {
        let mut words = Unique::default();
        let made: Vec<String> = variable
            .facts
            .iter()
            .map(|it| words.make(fact(it)))
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
    fn mutex_groups(&mut self, text: &mut String) -> Result<(), LoadStop> {
        let name = |fact: Fact| {
            let variable = &self.task.variables[fact.variable];
            format!(
                "{} = {}",
                variable.name,
                self.word(fact.variable, fact.value)
            )
        };
        let mut findings = Vec::new();
        let judgments = mutexes::judge(self.task, self.meter)?;
        for (group, judgment) in self.task.mutexes.iter().zip(judgments) {
            let reason = match judgment {
                Judgment::Proved => {
                    let facts: Vec<String> = group.facts.iter().map(|fact| name(*fact)).collect();
                    text.push_str(&format!("# mutex: {}\n", facts.join(", ")));
                    self.meter.words(0, text.len())?;
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
        Ok(())
    }

    fn rules(&mut self, text: &mut String) {
        let task = self.task;
        let cases = Cases::new(task, self.meter);
        for operator in &task.operators {
            // Names are for display: several operators may have one, and so may rules have a label.
            let label = label(&operator.name);
            self.names.push((label.clone(), operator.name.clone()));
            let n_before = self.n_rules;
            let found = cases.of_operator(operator, &mut |case| {
                self.rule(case, operator, &label, text)
            });
            if let Err(error) = found {
                let what = format!("operator `{}`", short(&operator.name));
                if self.refuse_cases(error, &what, operator.span) {
                    return;
                }
            } else if self.n_rules == n_before {
                let message = format!("operator `{}` can never be used", short(&operator.name));
                let found = Diagnostic::warning("sas-never", message).at(operator.span, "");
                self.problems
                    .push(found.hint("its conditions contradict each other"));
            }
        }
        let mut n_goals = 0;
        let found = cases.of_goal(&mut |case| {
            n_goals += 1;
            self.goal(case, n_goals, text)
        });
        if let Err(error) = found {
            self.refuse_cases(error, "the goal", task.goal_span);
        } else if n_goals == 0 {
            let warning = Diagnostic::warning("sas-no-goal", "no state satisfies the goal");
            self.problems
                .push(warning.at(task.goal_span, "so the game has no goal"));
        }
    }

    /// Report why an operator or the goal can't be written, and return whether to stop.
    fn refuse_cases(&mut self, error: CaseError, what: &str, span: Span) -> bool {
        match error {
            CaseError::TooMany => self.stop(LoadStop::Rules, what, span),
            CaseError::Stopped(stop) => self.stop(stop, what, span),
            CaseError::TwoValues(variable) => {
                let name = &self.task.variables[variable].name;
                let message = format!("{what} writes two values to `{name}` at once");
                self.refuse("sas-two-values", message, span, "");
                return false;
            }
        }
        true
    }

    /// Report that a limit is reached, and what took it.
    fn stop(&mut self, stop: LoadStop, what: &str, span: Span) {
        let n_rules = group_digits(self.n_rules as u128);
        let (code, message) = match stop {
            LoadStop::Size => {
                let limit = format_bytes(self.meter.limits().memory as u128);
                let message = format!(
                    "reading this task takes more memory than the limit of {limit}: {n_rules} \
                     rules so far, and {what} needs more"
                );
                ("sas-too-large", message)
            }
            LoadStop::Requested => {
                let message = format!("the time ran out at {what}, after {n_rules} rules");
                ("sas-time", message)
            }
            // Those of rules, and of work that gives none.
            _ => {
                let message = format!("{what} takes too many rules for its conditions");
                ("sas-too-many-cases", message)
            }
        };
        let hint = "conditional effects and axioms become a rule for each combination of the \
                    values that they depend on";
        let hint = match &self.not_carried {
            Some(reason) => format!("{hint}, unless operators only move facts; here {reason}"),
            None => hint.to_owned(),
        };
        let found = Diagnostic::error(code, message).at(span, "").hint(hint);
        self.problems.stop(stop, found);
    }

    /// Write a rule.
    fn rule(
        &mut self,
        case: &Case,
        operator: &Operator,
        label: &str,
        text: &mut String,
    ) -> Result<(), LoadStop> {
        self.n_rules += 1;
        if self.n_rules > self.meter.limits().rules {
            return Err(LoadStop::Rules);
        }
        let is_empty =
            |column: &usize| case.tests[*column].is_none() && case.writes[*column].is_none();
        if self.columns.iter().all(is_empty) {
            // A row with only `-` isn't a rule, and this one would change nothing.
            return Ok(());
        }
        // Both sides, the arrow, the label and the cost.
        self.meter.words(2 * self.columns.len() + 5, text.len())?;
        self.meter.work(self.columns.len())?;
        self.row(&case.tests, text);
        text.push_str(" => ");
        self.row(&case.writes, text);
        text.push_str(&format!(" LABEL {label}"));
        match self.task.cost_of(operator) {
            1 => text.push('\n'),
            cost => text.push_str(&format!(" COST {cost}\n")),
        }
        Ok(())
    }

    /// Write the goal of this number, from 1.
    fn goal(&self, case: &Case, number: usize, text: &mut String) -> Result<(), LoadStop> {
        if number > self.meter.limits().rules {
            return Err(LoadStop::Rules);
        }
        self.meter.words(self.columns.len() + 1, text.len())?;
        self.meter.work(self.columns.len())?;
        text.push_str("GOAL ");
        self.row(&case.tests, text);
        text.push('\n');
        Ok(())
    }

    /// Write one side of a rule.
    fn row(&self, values: &Assignment, text: &mut String) {
        for (place, column) in self.columns.iter().enumerate() {
            if place > 0 {
                text.push(' ');
            }
            text.push_str(values[*column].map_or("-", |value| self.word(*column, value)));
        }
    }
}
