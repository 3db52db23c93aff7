//! Analyses by rule: each rule is a letter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fsm::{AnyMachine, CertifiedWord, Dense, MachineFile, product_within};
use host::{Host, HostExt};
use invariants::Invariants;
use move_prune::{Admits, Analysis, Limits, RedundantWord, SharedWords};
use psvn_ir::{Game, RuleId};
use redundancy::{Known, canonical_rules, ignored};
use rule_splits::{Parts, SplitSetting, Splits, split_rules};

use super::machines::{self, Built, COMPRESS_ABOVE, Machines};
use super::rule_order::RuleOrder;
use super::task::{self, Task};
use crate::choices::{MachineKind, MaxLength};
use crate::error::AnalyzeError as Error;
use crate::request::AnalysisRequest;
use crate::summary::{Computed, Level, Summary, file_length, n_remembered};

/// The swaps of a game, and the machine of their sleep sets.
struct SleepSets {
    swaps: Vec<(u32, u32)>,
    machine: Dense,
    rests_on_knowledge: bool,
}

/// Analyze a game by rule.
pub(crate) fn compute(
    game: &Game,
    setting: &AnalysisRequest,
    limits: Limits,
    shared: Option<&SharedWords>,
    host: &dyn Host,
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
    let rule_order = RuleOrder::choose(setting.rule_order, game, &task, &setting.split, host);
    task.rule_order = rule_order.rules.as_deref();
    let left = |time: Duration| time.saturating_sub(started.elapsed());
    task.limits.time = all_time.map(left);
    let analysis = analyze(game, setting, &task, shared, host);
    let letters_in_order: Option<Vec<u32>> = rule_order
        .rules
        .as_ref()
        .map(|rules| rules.iter().map(|rule| rule.0).collect());
    let order = letters_in_order.as_deref();
    let sleep = setting
        .sleep_sets
        .then(|| SleepSets::of(game, &task, order, host))
        .transpose()?;
    let limits = || Limits {
        time: all_time.map(left),
        ..task.limits.clone()
    };
    // Parts are compared in all variables.
    let (splits, parts) = if setting.ignored.is_empty() {
        split(game, setting, &analysis, task.rule_order, &limits())
    } else {
        (None, None)
    };
    let splits_stopped = splits.as_ref().and_then(|splits| splits.stopped);
    let found = Found {
        game,
        setting,
        analysis: &analysis,
        letters_in_order,
        parts,
        sleep,
        stop: &stop,
    };
    let levels = levels(&analysis);
    let mut machines = found.machines(&levels)?;
    let mut branching = None;
    let mut file = None;
    if let Some(built) = machines.built.take() {
        branching = found.growth(built.smallest(), &task, limits())?;
        file = Some(found.file(&mut machines, built)?);
        machines.warn(host);
    }
    Ok(Computed {
        summary: Summary {
            max_length: analysis.max_length,
            order: analysis.order.name().to_owned(),
            letters_in_order: found.letters_in_order,
            rule_order_gain: rule_order.gain.map(|gain| [gain.before, gain.after]),
            rule_order_depth: rule_order.gain.and_then(|gain| gain.depth),
            redundant_words: analysis.redundant.len(),
            machines: machines.sizes,
            branching_factor: branching,
            splits,
            stopped: analysis.stopped,
            ..Summary::of_levels(levels)
        },
        file,
        is_settled: rule_order.is_settled && splits_stopped.is_none(),
    })
}

/// Find the redundant words, unless another analysis has found them.
fn analyze(
    game: &Game,
    setting: &AnalysisRequest,
    task: &Task<'_>,
    shared: Option<&SharedWords>,
    host: &dyn Host,
) -> Arc<Analysis> {
    let find = || {
        let mut analysis = task::analyze_rules(game, task, host);
        if setting.max_length == MaxLength::Auto && analysis.is_complete() {
            // No words are left: show the length that was reached, not the requested one.
            analysis.max_length = analysis.levels.len();
        }
        analysis
    };
    match shared {
        Some(shared) => shared.get_or_find(task.max_length, find),
        None => Arc::new(find()),
    }
}

/// Split rules as requested, if that is worth it, and analyze their parts.
fn split(
    game: &Game,
    setting: &AnalysisRequest,
    of_rules: &Analysis,
    rule_order: Option<&[RuleId]>,
    limits: &Limits,
) -> (Option<Splits>, Option<Parts>) {
    let nothing = Invariants::none(game);
    let known = setting.assumptions.known.as_ref().unwrap_or(&nothing);
    let start = setting.split.start.clone().or_else(|| game.goal_state());
    let start = start.filter(|start| known.check_state(game, start).is_ok());
    let setting = SplitSetting {
        game,
        of_rules,
        rule_order,
        known: &Known(known),
        start: start.as_ref(),
        rules: setting.split.rules(),
    };
    split_rules(setting, limits)
}

/// What was found about a game, from which a machine is made.
struct Found<'f> {
    game: &'f Game,
    setting: &'f AnalysisRequest,
    analysis: &'f Analysis,
    letters_in_order: Option<Vec<u32>>,
    parts: Option<Parts>,
    sleep: Option<SleepSets>,
    /// Says that there is no time left for machines.
    stop: &'f dyn Fn() -> bool,
}

impl Found<'_> {
    fn machines(&self, levels: &[Level]) -> Result<Machines, Error> {
        let (analysis, budget) = (self.analysis, self.setting.budget);
        let Some(parts) = &self.parts else {
            return Machines::of(
                machines::n_letters(analysis),
                analysis.redundant_letters(),
                n_remembered(levels, analysis.max_length),
                budget,
                self.stop,
            );
        };
        let shorter = analysis.max_length.saturating_sub(1);
        let n_remembered = 1 + parts.found.kept.iter().take(shorter).sum::<usize>();
        let words = parts.words();
        Machines::of(parts.n_letters(), words, n_remembered, budget, self.stop)
    }

    /// Return by how much the tree grows with each move, if that is known.
    fn growth(
        &self,
        machine: &Dense,
        task: &Task<'_>,
        limits: Limits,
    ) -> Result<Option<f64>, Error> {
        let of_parts = self.parts.as_ref();
        let of_parts = of_parts.map(|parts| pairs_of_parts(task, parts, limits));
        // Without all pairs, the growth isn't known.
        if of_parts
            .as_ref()
            .is_some_and(|pairs| pairs.stopped.is_some())
        {
            return Ok(None);
        }
        let pairs = of_parts.as_ref().unwrap_or(self.analysis);
        let budget = self.setting.budget;
        let sleep = self.sleep.as_ref();
        let product = sleep.map(|sleep| product_within(machine, &sleep.machine, budget));
        let product = product.transpose().map_err(Error::Machine)?;
        let machine = product.as_ref().unwrap_or(machine);
        let growth = rule_splits::growth_of_possible(machine, pairs, budget, self.stop);
        Ok(growth.map(|growth| growth.value()))
    }

    fn rests_on_assumptions(&self) -> bool {
        let setting = self.setting;
        // The assumptions exclude parts without states.
        let by_parts = self.parts.is_some() && !setting.assumptions.lines.is_empty();
        let by_sleep_sets = self.sleep.as_ref().is_some_and(|it| it.rests_on_knowledge);
        let has_ignored = !setting.ignored.is_empty();
        self.analysis.rests_on_knowledge || by_sleep_sets || by_parts || has_ignored
    }

    /// Return the file of the requested machine.
    fn file(&self, machines: &mut Machines, built: Built) -> Result<MachineFile, Error> {
        let Self {
            game,
            setting,
            analysis,
            parts,
            sleep,
            ..
        } = self;
        let by_sleep = sleep.as_ref().map(|sleep| &sleep.machine);
        let (machine, kind) =
            choose_machine(setting, analysis, machines, built, by_sleep, self.stop)?;
        let words = match parts {
            None => analysis.redundant.iter().map(certified).collect(),
            Some(parts) => parts.certified(),
        };
        let parts_in_file = parts.as_ref().map(|parts| parts.split.parts());
        Ok(MachineFile {
            max_length: file_length(analysis.max_length)?,
            order: analysis.order.name().to_owned(),
            rule_order: self.letters_in_order.clone().unwrap_or_default(),
            assumptions: ignored::with_line(&setting.ignored, &setting.assumptions.lines),
            rests_on_assumptions: self.rests_on_assumptions(),
            words,
            parts: parts_in_file.unwrap_or_default(),
            split_reasons: parts
                .as_ref()
                .map(Parts::reasons_in_file)
                .unwrap_or_default(),
            kind: Some(kind),
            swaps: sleep
                .as_ref()
                .map(|sleep| sleep.swaps.clone())
                .unwrap_or_default(),
            ..MachineFile::new(
                game.content_hash().0,
                AnyMachine::compressed_above(COMPRESS_ABOVE, machine).map_err(Error::Machine)?,
            )
        })
    }
}

/// Which parts of rules can follow each other.
fn pairs_of_parts(task: &Task<'_>, parts: &Parts, limits: Limits) -> Analysis {
    task::analyze_quietly(parts.split.game(), &Task::up_to(2, task.known, limits))
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
        game: &Game,
        task: &Task<'_>,
        order: Option<&[u32]>,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let rules = canonical_rules(game);
        let known = task.known.map(Known);
        let admits = known.as_ref().map(|known| known as &dyn Admits);
        let stop = || host.is_over();
        let n_variables = game.n_variables();
        let found = move_prune::commuting_pairs_unless(n_variables, &rules, admits, &stop)
            .ok_or_else(|| Error::stopped(host, "the sleep sets were found"))?;
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
