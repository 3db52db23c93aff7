//! From text to a task.

use budget::format_bytes;
use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::{Diagnostic, Span};

use super::sections::{Broken, Reader, number, short, wrong};
use super::task::{Axiom, Effect, Fact, MutexGroup, Operator, Task, Variable};
use crate::imported::Rejected;
use crate::lines::Line;

/// The version of the format that is read.
const VERSION: usize = 3;

/// The approximate bytes that a line, and each of its words, takes in a task that is read.
const BYTES_OF_LINE: usize = 40;
const BYTES_OF_WORD: usize = 20;

/// Read a SAS+ file, version 3.
///
/// # Errors
/// When the text is no SAS+ file: all errors, each with its place. When a limit is reached.
pub fn parse(text: &str, limits: &LoadLimits<'_>) -> Result<Task, Rejected> {
    let mut reader = Reader::new(text, limits);
    if let Err(stop) = reader.meter.bytes(bytes_of(text)) {
        let message = format!(
            "reading this task takes about {}, and the limit is {}",
            format_bytes(bytes_of(text) as u128),
            format_bytes(limits.memory as u128)
        );
        let found = Diagnostic::error("sas-too-large", message);
        reader.problems.stop(stop, found);
        return Err(reader.problems.into());
    }
    match read(&mut reader) {
        Ok(task) if !reader.problems.has_errors() => Ok(task),
        Ok(_) => Err(reader.problems.into()),
        Err(stop) => {
            let message = "the time ran out before the task was read".to_owned();
            let found = wrong("sas-time", message, reader.lines.place(), "here");
            reader.problems.stop(stop, *found);
            Err(reader.problems.into())
        }
    }
}

/// The approximate bytes that reading a text takes.
fn bytes_of(text: &str) -> usize {
    let (mut n_lines, mut n_words, mut is_inside) = (1, 0, false);
    for byte in text.bytes() {
        n_lines += usize::from(byte == b'\n');
        let is_space = byte.is_ascii_whitespace();
        n_words += usize::from(!is_space && !is_inside);
        is_inside = !is_space;
    }
    text.len() + n_lines * BYTES_OF_LINE + n_words * BYTES_OF_WORD
}

fn read(reader: &mut Reader<'_>) -> Result<Task, LoadStop> {
    let mut task = Task::default();
    section(reader, "version", |reader| {
        let (version, span) = reader.number("the version of the format")?;
        if version != VERSION {
            let message = format!("version {version} of SAS+ can't be read");
            let found = wrong("sas-version", message, span, "only 3 is known");
            let hint = "translate the task again with a translator of version 3";
            reader.report(Box::new(found.hint(hint)));
        }
        Ok(())
    });
    section(reader, "metric", |reader| {
        let (metric, span) = reader.number("the metric")?;
        if metric > 1 {
            let found = wrong(
                "sas-metric",
                "the metric is 0 or 1".to_owned(),
                span,
                "here",
            );
            reader.report(found);
        }
        task.uses_costs = metric == 1;
        Ok(())
    });
    let n_errors = reader.problems.n_errors();
    task.variables = reader.blocks("variable", "variable", variable)?;
    let variables = std::mem::take(&mut task.variables);
    // If a variable can't be read, the others shift.
    let are_known = reader.problems.n_errors() == n_errors;
    let facts = Facts {
        variables: &variables,
        are_known,
    };
    task.mutexes = reader.blocks("mutex_group", "mutex group", |reader, span| {
        let facts = facts.list(reader, "facts of the mutex group")?;
        Ok(MutexGroup { facts, span })
    })?;
    section(reader, "state", |reader| {
        for variable in 0..facts.variables.len() {
            let (value, span) = reader.number("an initial value")?;
            facts.check(reader, Fact { variable, value }, span);
            task.state.push(value);
        }
        Ok(())
    });
    section(reader, "goal", |reader| {
        task.goal_span = reader.lines.place();
        task.goal = facts.list(reader, "goal conditions")?;
        Ok(())
    });
    task.operators = reader.blocks("operator", "operator", |reader, span| {
        operator(reader, &facts, span)
    })?;
    task.axioms = reader.blocks("rule", "axiom", |reader, span| {
        let conditions = facts.list(reader, "conditions of the axiom")?;
        let ([variable, before, after], place) =
            reader.numbers::<3>("variable, value before, value after", false)?;
        let (variable, before, after) = (
            variable.unwrap_or_default(),
            before.unwrap_or_default(),
            after.unwrap_or_default(),
        );
        facts.check(
            reader,
            Fact {
                variable,
                value: before,
            },
            place,
        );
        facts.check(
            reader,
            Fact {
                variable,
                value: after,
            },
            place,
        );
        Ok(Axiom {
            conditions,
            variable,
            before,
            after,
            span,
        })
    })?;
    if let Some(line) = reader.lines.peek()
        && !reader.problems.has_errors()
    {
        let message = format!("the file continues after its end: `{}`", short(line.text));
        reader.report(wrong("sas-rest", message, line.span, "here"));
    }
    task.variables = variables;
    Ok(task)
}

/// Read a section between its keywords.
fn section(
    reader: &mut Reader<'_>,
    name: &str,
    read: impl FnOnce(&mut Reader<'_>) -> Result<(), Broken>,
) {
    let end = format!("end_{name}");
    let result = match reader.keyword(&format!("begin_{name}")) {
        // The next line may begin the next section.
        Err(error) => return reader.report(error),
        Ok(_) => read(reader),
    };
    if let Err(error) = result.and_then(|()| reader.keyword(&end).map(|_| ())) {
        reader.report(error);
        reader.recover(&end);
    }
}

fn variable(reader: &mut Reader<'_>, span: Span) -> Result<Variable, Broken> {
    let name = reader.line("the name of a variable")?.text.to_owned();
    let ([layer], _) = reader.numbers::<1>("the axiom layer", true)?;
    let (size, place) = reader.number("the size of the domain")?;
    if size == 0 {
        let message = format!("variable `{}` has no values", short(&name));
        reader.report(wrong("sas-empty-domain", message, place, "at least 1"));
    }
    let mut facts = Vec::new();
    for n in 0..size {
        let line = reader.line("the name of a fact")?;
        if matches!(line.text, "end_variable" | "begin_variable") {
            let message = format!("{size} values are declared, and {n} are named");
            let error = wrong("sas-count", message, place, "declared here");
            return Err(Box::new(
                error.also(line.span, "expected the name of a fact"),
            ));
        }
        facts.push(line.text.to_owned());
    }
    Ok(Variable {
        name,
        layer: layer.map(|layer| layer as u32),
        facts,
        span,
    })
}

/// Reads facts of known variables.
struct Facts<'v> {
    variables: &'v [Variable],
    /// Whether all variables could be read.
    are_known: bool,
}

impl Facts<'_> {
    /// Report a fact that there isn't.
    fn check(&self, reader: &mut Reader<'_>, fact: Fact, span: Span) -> bool {
        let n = self.variables.len();
        if !self.are_known {
            return false;
        }
        let message = match self.variables.get(fact.variable) {
            None => format!(
                "there is no variable {}, the last is {}",
                fact.variable,
                n.max(1) - 1
            ),
            Some(variable) if fact.value >= variable.facts.len() => format!(
                "variable {} (`{}`) has no value {}, the last is {}",
                fact.variable,
                short(&variable.name),
                fact.value,
                variable.facts.len().max(1) - 1
            ),
            Some(_) => return true,
        };
        let error = wrong("sas-range", message, span, "here");
        reader.report(Box::new(error.hint("variables and values count from 0")));
        false
    }

    /// Read a number of facts, then the facts, each on a line.
    fn list(&self, reader: &mut Reader<'_>, what: &str) -> Result<Vec<Fact>, Broken> {
        let (n, _) = reader.number(&format!("the number of {what}"))?;
        let mut facts = Vec::new();
        for _ in 0..n {
            let ([variable, value], span) = reader.numbers::<2>("a variable and a value", false)?;
            let fact = Fact {
                variable: variable.unwrap_or_default(),
                value: value.unwrap_or_default(),
            };
            self.check(reader, fact, span);
            facts.push(fact);
        }
        Ok(facts)
    }

    /// Read an effect: its number of conditions, the conditions, variable, value before, value
    /// after.
    fn effect(&self, reader: &mut Reader<'_>, line: Line<'_>) -> Result<Effect, Broken> {
        let mut words = line.words();
        let mut next = |may_lack| {
            let word = words.next().ok_or_else(|| {
                let message = format!("the effect is too short: `{}`", short(line.text));
                let hint = "an effect is the number of its conditions, the conditions as pairs, \
                            then variable, value before (-1: any), value after";
                Box::new(wrong("sas-effect", message, line.span, "here").hint(hint))
            })?;
            number(word, "part of an effect", may_lack).map(|number| (number, word.span))
        };
        let n_conditions = next(false)?.0.unwrap_or_default();
        let mut facts = Vec::new();
        for _ in 0..n_conditions {
            let (variable, span) = next(false)?;
            let value = next(false)?.0.unwrap_or_default();
            facts.push((
                Fact {
                    variable: variable.unwrap_or_default(),
                    value,
                },
                span,
            ));
        }
        let variable = next(false)?.0.unwrap_or_default();
        let (before, before_span) = next(true)?;
        let (after, after_span) = next(false)?;
        let after = after.unwrap_or_default();
        if let Some(rest) = words.next() {
            let message = format!("the effect continues after its end: `{}`", short(rest.text));
            return Err(wrong("sas-effect", message, rest.span, "here"));
        }
        for (fact, span) in &facts {
            self.check(reader, *fact, *span);
        }
        if self.check(
            reader,
            Fact {
                variable,
                value: after,
            },
            after_span,
        ) && let Some(value) = before
        {
            self.check(reader, Fact { variable, value }, before_span);
        }
        let mut conditions: Vec<Fact> = facts.into_iter().map(|(fact, _)| fact).collect();
        conditions.shrink_to_fit();
        Ok(Effect {
            conditions,
            variable,
            before,
            after,
        })
    }
}

fn operator(reader: &mut Reader<'_>, facts: &Facts<'_>, span: Span) -> Result<Operator, Broken> {
    let name = reader.line("the name of an operator")?;
    let prevail = facts.list(reader, "prevail conditions")?;
    let (n_effects, _) = reader.number("the number of effects")?;
    let mut effects = Vec::new();
    for _ in 0..n_effects {
        if let Some(line) = reader.lines.peek()
            && line.text == "end_operator"
        {
            let message = format!(
                "{n_effects} effects are declared, but there are {}",
                effects.len()
            );
            return Err(wrong("sas-count", message, line.span, "here"));
        }
        let line = reader.line("an effect")?;
        effects.push(facts.effect(reader, line)?);
    }
    let (cost, _) = reader.number("the cost")?;
    Ok(Operator {
        name: name.text.to_owned(),
        prevail,
        effects,
        cost: cost as u64,
        span: Span::new(name.span.start, name.span.end.max(span.end)),
    })
}
