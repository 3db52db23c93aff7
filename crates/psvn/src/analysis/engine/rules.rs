//! Analyses by rule: each rule is a letter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fsm::{CertifiedWord, Dense, MachineFile};
use move_prune::{Admits, Analysis, Limits, RedundantWord};
use psvn_ir::RuleId;

use super::machines::{self, Built, COMPRESS_ABOVE, Machines};
use crate::analysis::choices::{MachineKind, MaxLength};
use crate::analysis::engine::{self, Known, SharedWords, Task};
use crate::analysis::order::RuleOrder;
use crate::analysis::splits::{self, Parts};
use crate::analysis::{AnalysisRequest, Computed, Level, Summary, file_length, n_remembered};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::game::ignored;
use crate::text::order::order_name;

/// The swaps of a game, and the machine of their sleep sets.
struct SleepSets {
    swaps: Vec<(u32, u32)>,
    machine: Dense,
    rests_on_knowledge: bool,
}

/// Analyze a game by rule.
pub(in crate::analysis) fn compute(
    named: &Game,
    setting: &AnalysisRequest,
    limits: Limits,
    shared: Option<&SharedWords>,
    env: &Environment,
) -> Result<Computed, Error> {
    let mut task = Task {
        order: setting.order,
        ignored: &setting.ignored,
        ..Task::up_to(
            setting.max_length.length(),
            setting.assumptions.known.as_ref(),
            limits,
        )
    };
    let started = Instant::now();
    let all_time = task.limits.time;
    let stop = machines::out_of_time(&task.limits);
    let rule_order = RuleOrder::choose(setting.rule_order, named, &task, &setting.split, env)?;
    task.rule_order = rule_order.rules.as_deref();
    let left = |time: Duration| time.saturating_sub(started.elapsed());
    task.limits.time = task.limits.time.map(left);
    let find = || {
        let mut analysis = engine::analyze(named, &task, env);
        if setting.max_length == MaxLength::Auto && analysis.is_complete() {
            // No words are left: show the length that was reached, not the requested one.
            analysis.max_length = analysis.levels.len();
        }
        analysis
    };
    let analysis = match shared {
        Some(shared) => shared.get_or_find(task.max_length, find),
        None => Arc::new(find()),
    };
    let letters_in_order: Option<Vec<u32>> = rule_order
        .rules
        .as_ref()
        .map(|rules| rules.iter().map(|rule| rule.0).collect());
    let sleep = if setting.sleep_sets {
        Some(SleepSets::of(
            named,
            &task,
            letters_in_order.as_deref(),
            env,
        )?)
    } else {
        None
    };
    // Parts are compared in all variables.
    let (splits, parts) = if setting.ignored.is_empty() {
        let limits = Limits {
            time: all_time.map(left),
            ..task.limits.clone()
        };
        splits::choose(named, setting, &analysis, task.rule_order, &limits)
    } else {
        (None, None)
    };
    let splits_stopped = splits.as_ref().and_then(|splits| splits.stopped);
    let levels = levels(&analysis);
    let mut machines = match &parts {
        None => Machines::of(
            machines::n_letters(&analysis),
            analysis.redundant_letters(),
            n_remembered(&levels, analysis.max_length),
            setting.budget,
            &stop,
        ),
        Some(parts) => {
            let shorter = analysis.max_length.saturating_sub(1);
            let n_remembered = 1 + parts.found.kept.iter().take(shorter).sum::<usize>();
            Machines::of(
                parts.n_letters(),
                parts.words(),
                n_remembered,
                setting.budget,
                &stop,
            )
        }
    }?;
    let mut branching = None;
    let mut file = None;
    if let Some(built) = machines.built.take() {
        let limits = Limits {
            time: all_time.map(left),
            ..task.limits.clone()
        };
        let of_parts = parts.as_ref();
        let of_parts = of_parts.map(|parts| pairs_of_parts(named, &task, parts, limits));
        let pairs = of_parts.as_ref().unwrap_or(&*analysis);
        // Without all pairs, the growth isn't known.
        if of_parts
            .as_ref()
            .is_none_or(|pairs| pairs.stopped.is_none())
        {
            let sleep = sleep.as_ref().map(|sleep| &sleep.machine);
            branching = machines::growth_of_possible(
                built.smallest(),
                pairs,
                sleep,
                setting.budget,
                &stop,
            )?;
        }
        let sleep_machine = sleep.as_ref().map(|sleep| &sleep.machine);
        let (machine, kind) = choose_machine(
            setting,
            &analysis,
            &mut machines,
            built,
            sleep_machine,
            &stop,
        )?;
        machines.warn(env);
        let by_sleep_sets = sleep.as_ref().is_some_and(|sleep| sleep.rests_on_knowledge);
        // The assumptions exclude parts without states.
        let by_parts = parts.is_some() && !setting.assumptions.lines.is_empty();
        let rests_on_assumptions =
            analysis.rests_on_knowledge || by_sleep_sets || by_parts || !setting.ignored.is_empty();
        let game = named.ir();
        file = Some(MachineFile {
            max_length: file_length(analysis.max_length)?,
            order: order_name(analysis.order).to_owned(),
            rule_order: letters_in_order.clone().unwrap_or_default(),
            assumptions: ignored::with_line(&setting.ignored, &setting.assumptions.lines),
            rests_on_assumptions,
            words: match &parts {
                None => analysis.redundant.iter().map(certified).collect(),
                Some(parts) => parts.certified(),
            },
            parts: parts
                .as_ref()
                .map(|it| it.in_file(game))
                .unwrap_or_default(),
            split_reasons: parts
                .as_ref()
                .map(Parts::reasons_in_file)
                .unwrap_or_default(),
            kind: Some(kind),
            swaps: sleep.map(|sleep| sleep.swaps).unwrap_or_default(),
            ..MachineFile::new(
                named.game.content_hash().0,
                machines::compressed_above(COMPRESS_ABOVE, machine)?,
            )
        });
    }
    Ok(Computed {
        summary: Summary {
            max_length: analysis.max_length,
            order: order_name(analysis.order).to_owned(),
            letters_in_order,
            rule_order_gain: rule_order.gain.map(|gain| [gain.before, gain.after]),
            rule_order_depth: rule_order.gain.and_then(|gain| gain.depth),
            redundant_words: analysis.redundant.len(),
            machines: machines.sizes,
            branching_factor: branching.map(|growth| growth.value()),
            splits,
            stopped: analysis.stopped,
            ..Summary::of_levels(levels)
        },
        file,
        is_settled: rule_order.is_settled && splits_stopped.is_none(),
    })
}

/// Which parts of rules can follow each other.
fn pairs_of_parts(named: &Game, task: &Task<'_>, parts: &Parts, limits: Limits) -> Analysis {
    let game = named.with_rules_of(parts.split.game().clone());
    engine::analyze_quietly(&game, &Task::up_to(2, task.known, limits))
}

/// Build the requested machine.
fn choose_machine(
    setting: &AnalysisRequest,
    analysis: &Analysis,
    machines: &mut Machines,
    built: Built,
    sleep: Option<&Dense>,
    stop: &dyn Fn() -> bool,
) -> Result<(Dense, fsm::MachineKind), Error> {
    let mut machine = match setting.machine {
        MachineKind::Minimized | MachineKind::AhoCorasick => built.into_machine(setting.machine),
        MachineKind::Table => {
            drop(built);
            let table = machines.sizes.table;
            (
                machines::table(analysis, table, setting.budget)?,
                fsm::MachineKind::Table,
            )
        }
    };
    if let Some(sleep) = sleep {
        machine = machines.with_sleep_sets(machine, sleep, stop)?;
    }
    if setting.dont_cares {
        machine = machines.with_dont_cares(machine, &analysis.compatible_pairs(), stop)?;
    }
    Ok(machine)
}

impl SleepSets {
    fn of(
        named: &Game,
        task: &Task<'_>,
        order: Option<&[u32]>,
        env: &Environment,
    ) -> Result<Self, Error> {
        let rules = engine::canonical_rules(&named.game);
        let known = task.known.map(Known);
        let admits = known.as_ref().map(|known| known as &dyn Admits);
        let stop = || env.is_over();
        let n_variables = named.game.n_variables();
        let found = move_prune::commuting_pairs_unless(n_variables, &rules, admits, &stop)
            .ok_or_else(|| env.over("the sleep sets were found"))?;
        let swaps: Vec<(u32, u32)> = found
            .pairs
            .into_iter()
            .map(|(first, second)| (first.0, second.0))
            .collect();
        let n_letters = u32::try_from(rules.len()).expect("rules have ids of 32 bits");
        Ok(Self {
            machine: machines::sleep_machine(n_letters, &swaps, order)?,
            swaps,
            rests_on_knowledge: found.rests_on_knowledge,
        })
    }
}

fn levels(analysis: &Analysis) -> Vec<Level> {
    let level = |level: &move_prune::Level| Level {
        length: level.length,
        composed: level.composed,
        impossible: level.invalid,
        unreachable: level.unreachable,
        redundant: level.redundant,
        kept: level.kept,
        seconds: level.elapsed.as_secs_f64(),
        bytes: level.bytes,
        open_instances: None,
        rejected: None,
    };
    analysis.levels.iter().map(level).collect()
}

fn certified(redundant: &RedundantWord) -> CertifiedWord {
    let letters = |word: &[RuleId]| -> Box<[u32]> { word.iter().map(|rule| rule.0).collect() };
    CertifiedWord::new(letters(&redundant.word), letters(&redundant.replacement))
}
