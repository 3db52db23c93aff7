//! A task as text.

use std::fmt::Write;

use super::task::{Effect, Fact, Task};

/// Write a task as a SAS+ file, version 3.
pub fn write(task: &Task) -> String {
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_to(task, &mut out);
    out
}

fn write_to(task: &Task, out: &mut String) -> std::fmt::Result {
    writeln!(out, "begin_version\n3\nend_version")?;
    writeln!(
        out,
        "begin_metric\n{}\nend_metric",
        u8::from(task.uses_costs)
    )?;
    writeln!(out, "{}", task.variables.len())?;
    for variable in &task.variables {
        writeln!(out, "begin_variable\n{}", variable.name)?;
        match variable.layer {
            Some(layer) => writeln!(out, "{layer}")?,
            None => writeln!(out, "-1")?,
        }
        writeln!(out, "{}", variable.facts.len())?;
        for fact in &variable.facts {
            writeln!(out, "{fact}")?;
        }
        writeln!(out, "end_variable")?;
    }
    writeln!(out, "{}", task.mutexes.len())?;
    for group in &task.mutexes {
        writeln!(out, "begin_mutex_group")?;
        facts(&group.facts, out)?;
        writeln!(out, "end_mutex_group")?;
    }
    writeln!(out, "begin_state")?;
    for value in &task.state {
        writeln!(out, "{value}")?;
    }
    writeln!(out, "end_state\nbegin_goal")?;
    facts(&task.goal, out)?;
    writeln!(out, "end_goal\n{}", task.operators.len())?;
    for operator in &task.operators {
        writeln!(out, "begin_operator\n{}", operator.name)?;
        facts(&operator.prevail, out)?;
        writeln!(out, "{}", operator.effects.len())?;
        for effect in &operator.effects {
            write_effect(effect, out)?;
        }
        writeln!(out, "{}\nend_operator", operator.cost)?;
    }
    writeln!(out, "{}", task.axioms.len())?;
    for axiom in &task.axioms {
        writeln!(out, "begin_rule")?;
        facts(&axiom.conditions, out)?;
        writeln!(
            out,
            "{} {} {}\nend_rule",
            axiom.variable, axiom.before, axiom.after
        )?;
    }
    Ok(())
}

/// A number of facts, and the facts.
fn facts(facts: &[Fact], out: &mut String) -> std::fmt::Result {
    writeln!(out, "{}", facts.len())?;
    for fact in facts {
        writeln!(out, "{} {}", fact.variable, fact.value)?;
    }
    Ok(())
}

fn write_effect(effect: &Effect, out: &mut String) -> std::fmt::Result {
    write!(out, "{}", effect.conditions.len())?;
    for fact in &effect.conditions {
        write!(out, " {} {}", fact.variable, fact.value)?;
    }
    write!(out, " {}", effect.variable)?;
    match effect.before {
        Some(value) => write!(out, " {value}")?,
        None => write!(out, " -1")?,
    }
    writeln!(out, " {}", effect.after)
}
