//! Runs the cells of an experiment, and resumes it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::cell::{Cell, DomainFacts, Instance, fingerprint};
use crate::options::Options;
use crate::place_and_time;
use crate::record::{FORMAT, GameEntry, Header, Measured, Record, VERSION};
use crate::results::{ResultsFile, holds_under};
use crate::spec::{Domain, InstanceSource, Limits, Method, Spec, SpecError, SpecErrors};
use crate::wrong::{Step, Wrong, way};

/// Progress is reported at least this often.
const TICK: Duration = Duration::from_millis(250);

/// Measures one instance; `None` if interrupted.
pub type Measure<'a> = dyn Fn(Option<&Instance>) -> Option<Measured> + Sync + 'a;

/// Measures the cells of an experiment.
pub trait Runner {
    /// Read the game of a domain within the limits of a cell, and make its instances. Sources of
    /// instances that equal the default were wrong, which has been reported: they have no
    /// instances.
    ///
    /// # Errors
    /// All that is wrong with the domain.
    fn domain(&mut self, domain: &Domain, limits: &Limits) -> Result<DomainFacts, Vec<Wrong>>;

    /// Whether a command takes instances. If not, its methods have one cell per domain.
    ///
    /// # Errors
    /// With a message, if there is no such command.
    fn takes_instances(&self, command: &str) -> Result<bool, String>;

    /// Check whether options are valid, and return the fingerprints of files that they name. The
    /// domain may be one that couldn't be read.
    ///
    /// # Errors
    /// All that is wrong with the options, each at the field of its name.
    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, Vec<Wrong>>;

    /// Prepare for cells that differ only in the instance, and pass on what measures them.
    ///
    /// # Errors
    /// With a message, if none of them can be measured.
    fn with_group(
        &mut self,
        group: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String>;
}

/// Cells that differ only by the instance.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The place of the domain in the experiment.
    pub domain_place: usize,
    /// The domain.
    pub domain: &'a Domain,
    /// The method.
    pub method: &'a Method,
    /// Its options.
    pub options: &'a Options,
    /// The limits of each cell.
    pub limits: &'a Limits,
}

/// An experiment with all of its cells.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment.
    pub spec: Spec,
    /// The cells; those that differ only in the instance are adjacent.
    pub cells: Vec<Cell>,
    /// The games.
    pub games: Vec<GameEntry>,
}

impl Plan {
    /// All cells of an experiment.
    ///
    /// # Errors
    /// All that is wrong with its domains and methods. [`Reading::plan`] also has their places.
    ///
    /// [`Reading::plan`]: crate::Reading::plan
    pub fn new(spec: Spec, runner: &mut impl Runner) -> Result<Self, SpecErrors> {
        let (plan, wrong) = Self::examined(spec, runner, false);
        if wrong.is_empty() {
            Ok(plan)
        } else {
            Err(SpecErrors(wrong.into_iter().map(SpecError::from).collect()))
        }
    }

    /// All cells of the parts of an experiment in which nothing is wrong, and all that is wrong.
    /// `has_gaps` says that a missing file of a domain was reported before.
    pub(crate) fn examined(
        spec: Spec,
        runner: &mut impl Runner,
        has_gaps: bool,
    ) -> (Self, BTreeSet<Wrong>) {
        let mut wrong = BTreeSet::new();
        let mut cells = Vec::new();
        let mut games = Vec::new();
        for (place, domain) in spec.domains.iter().enumerate() {
            let facts = if has_gaps && domain.file.is_empty() {
                None
            } else {
                runner
                    .domain(domain, &spec.limits)
                    .map_err(|found| {
                        let front = [Step::Field("domain".to_owned()), Step::Element(place)];
                        wrong.extend(found.into_iter().map(|it| it.within(&front)));
                    })
                    .ok()
            };
            games.extend(facts.as_ref().map(|facts| GameEntry {
                domain: domain.name.clone(),
                hash: facts.game_hash.clone(),
            }));
            for (number, method) in spec.methods.iter().enumerate() {
                let is_for = |domain| method.is_for(domain);
                // The options of a method for domains that aren't there are examined too.
                let is_lost = place == 0 && !spec.domains.iter().any(is_for);
                if method.is_for(domain) || is_lost {
                    let examined = Examined {
                        spec: &spec,
                        place,
                        number,
                    };
                    let facts = facts.as_ref().filter(|_| !is_lost);
                    match examined.cells(facts, runner) {
                        Ok(found) => cells.extend(found),
                        Err(found) => wrong.extend(found),
                    }
                }
            }
        }
        (Self { spec, cells, games }, wrong)
    }
}

/// Instances with the same options.
type Alike<'i> = (Options, Vec<Option<&'i Instance>>);

/// A method in a domain.
struct Examined<'s> {
    spec: &'s Spec,
    /// The place of the domain.
    place: usize,
    /// The place of the method.
    number: usize,
}

impl Examined<'_> {
    /// The cells of the method, or all that is wrong with it, as ways from the whole specification.
    /// Without facts about the domain there are none.
    fn cells(
        &self,
        facts: Option<&DomainFacts>,
        runner: &mut impl Runner,
    ) -> Result<Vec<Cell>, Vec<Wrong>> {
        let spec = self.spec;
        let (domain, method) = (&spec.domains[self.place], &spec.methods[self.number]);
        let takes_instances = runner.takes_instances(&method.command).map_err(|message| {
            let message = format!("method `{}`: {message}", method.name);
            let path = way("method", self.number, "command");
            vec![Wrong::new(message).within(&path)]
        })?;
        let unknown = DomainFacts::default();
        let all = &facts.unwrap_or(&unknown).instances;
        let instances: Vec<Option<&Instance>> = match (takes_instances, facts) {
            (true, Some(_)) if all.is_empty() => {
                // Instances that are wrong have been reported.
                if domain.instances.contains(&InstanceSource::default()) {
                    return Ok(Vec::new());
                }
                let message = format!("domain `{}` has no instances", domain.name);
                let path = way("domain", self.place, "name");
                return Err(vec![Wrong::new(message).within(&path)]);
            }
            (true, Some(_)) => all.iter().map(Some).collect(),
            _ => vec![None],
        };
        let mut cells = Vec::new();
        for (options, instances) in self.groups(&instances)? {
            let group = Group {
                domain_place: self.place,
                domain,
                method,
                options: &options,
                limits: &spec.limits,
            };
            let files = runner.check(&group).map_err(|wrong| {
                let wrong = wrong.into_iter();
                wrong.map(|it| self.outward(it)).collect::<Vec<Wrong>>()
            })?;
            let Some(facts) = facts else {
                continue;
            };
            cells.extend(instances.into_iter().map(|instance| Cell {
                domain: self.place,
                method: self.number,
                instance: instance.cloned(),
                options: options.clone(),
                limits: spec.limits.clone(),
                key: Cell::key_of(
                    facts,
                    &method.command,
                    &options,
                    &files,
                    instance,
                    spec.warmup,
                ),
            }));
        }
        Ok(cells)
    }

    /// Group instances with the same options, in the order of their first occurrence.
    fn groups<'i>(&self, instances: &[Option<&'i Instance>]) -> Result<Vec<Alike<'i>>, Vec<Wrong>> {
        let spec = self.spec;
        let (domain, method) = (&spec.domains[self.place], &spec.methods[self.number]);
        let mut groups: Vec<Alike<'_>> = Vec::new();
        let mut by_steps: BTreeMap<Option<u64>, usize> = BTreeMap::new();
        for instance in instances {
            let steps = instance.and_then(|instance| instance.steps);
            let place = match by_steps.get(&steps) {
                Some(place) => *place,
                None => {
                    let options = spec.options_of(domain, method, steps);
                    let options = options.map_err(|message| {
                        let path = way("method", self.number, "name");
                        vec![Wrong::new(message).within(&path)]
                    })?;
                    let found = groups.iter().position(|(known, _)| *known == options);
                    let place = found.unwrap_or(groups.len());
                    if found.is_none() {
                        groups.push((options, Vec::new()));
                    }
                    by_steps.insert(steps, place);
                    place
                }
            };
            groups[place].1.push(*instance);
        }
        Ok(groups)
    }

    /// What is wrong with an option, at the place that gives it: the method, the domain, or the
    /// limits of all cells.
    fn outward(&self, wrong: Wrong) -> Wrong {
        let (domain, method) = (
            &self.spec.domains[self.place],
            &self.spec.methods[self.number],
        );
        let named = |wrong: Wrong| Wrong {
            message: format!("method `{}`: {}", method.name, wrong.message),
            ..wrong
        };
        let Some(Step::Field(name)) = wrong.path.first().cloned() else {
            return named(wrong).within(&way("method", self.number, "name"));
        };
        // Both spellings mean the same option.
        let is_it = |written: &&String| written.replace('_', "-") == name.replace('_', "-");
        let rest = Wrong {
            path: wrong.path[1..].to_vec(),
            ..wrong
        };
        let of_domain = domain.options.get(&method.command);
        if let Some(written) = method.options.keys().find(is_it) {
            named(rest).within(&way("method", self.number, written))
        } else if let Some(written) = of_domain.and_then(|it| it.keys().find(is_it)) {
            let mut path = way("domain", self.place, "options");
            path.extend([&method.command, written].map(|name| Step::Field(name.clone())));
            named(rest).within(&path)
        } else if ["time", "nodes", "memory"].contains(&name.as_str()) {
            rest.within(&["limits".to_owned(), name].map(Step::Field))
        } else {
            named(rest).within(&way("method", self.number, "name"))
        }
    }
}

/// The progress of an experiment.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Finished cells, including those of earlier runs.
    pub done: usize,
    /// All cells.
    pub total: usize,
    /// The domain that is being worked on.
    pub domain: &'a str,
    /// The method.
    pub method: &'a str,
    /// The estimated remaining time, once there is an estimate.
    pub left: Option<Duration>,
}

/// How an experiment is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The number of cells to measure at the same time.
    pub jobs: usize,
    /// The program that measures, with its version.
    pub program: String,
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// All cells of the experiment.
    pub total: usize,
    /// Cells that were done before.
    pub kept: usize,
    /// Cells that were measured now.
    pub measured: usize,
    /// Cells, measured now or before, that a limit stopped.
    pub stopped: usize,
    /// Cells that couldn't be run.
    pub failed: usize,
}

impl RunSummary {
    /// Return whether all cells are done.
    pub fn is_complete(&self) -> bool {
        self.kept + self.measured == self.total
    }
}

/// Measure all cells without a result in the file, and add their results.
///
/// # Errors
/// When the file can't be written.
pub fn run(
    plan: &Plan,
    runner: &mut impl Runner,
    file: &mut ResultsFile,
    options: &RunOptions,
    interrupt: &AtomicBool,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> std::io::Result<RunSummary> {
    let mut summary = RunSummary {
        total: plan.cells.len(),
        ..RunSummary::default()
    };
    let pending = take_over(plan, file, options, &mut summary)?;
    let mut clock = Estimate::new(plan, &pending);
    let mut rest = pending.as_slice();
    while let Some(first) = rest.first().map(|place| &plan.cells[*place]) {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let same = |cell: &Cell| {
            (cell.domain, cell.method) == (first.domain, first.method)
                && cell.options == first.options
        };
        let n = rest
            .iter()
            .take_while(|place| same(&plan.cells[**place]))
            .count();
        let (group, after) = rest.split_at(n);
        rest = after;
        let domain = &plan.spec.domains[first.domain];
        let method = &plan.spec.methods[first.method];
        let mut outcome = Ok(());
        let mut report = |summary: &RunSummary, clock: &Estimate| {
            progress(&Progress {
                done: summary.kept + summary.measured,
                total: summary.total,
                domain: &domain.name,
                method: &method.name,
                left: clock.left(options.jobs),
            });
        };
        report(&summary, &clock);
        let prepared = runner.with_group(
            &Group {
                domain_place: first.domain,
                domain,
                method,
                options: &first.options,
                limits: &first.limits,
            },
            &mut |measure| {
                let mut take = |message: Option<(usize, Measured, Duration)>| {
                    if let Some((place, measured, elapsed)) = message {
                        clock.took(&plan.cells[place], elapsed);
                        note(&measured, &mut summary);
                        file.add(&record(plan, &plan.cells[place], measured))?;
                        summary.measured += 1;
                    }
                    report(&summary, &clock);
                    Ok(())
                };
                outcome = measure_all(plan, group, measure, options.jobs, interrupt, &mut take);
            },
        );
        outcome?;
        if let Err(message) = prepared {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            for place in group {
                let measured = Measured::failed(message.clone());
                note(&measured, &mut summary);
                file.add(&record(plan, &plan.cells[*place], measured))?;
                summary.measured += 1;
            }
        }
    }
    file.sync()?;
    Ok(summary)
}

/// Begin an edition, unless the file has one of this exact experiment, and take over unchanged
/// results. Return the places of the cells that must be measured.
fn take_over(
    plan: &Plan,
    file: &mut ResultsFile,
    options: &RunOptions,
    summary: &mut RunSummary,
) -> std::io::Result<Vec<usize>> {
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: options.program.clone(),
        spec_hash: fingerprint(&(&plan.spec, &plan.games)),
        games: plan.games.clone(),
        cells: plan.cells.len(),
        jobs: options.jobs,
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        machine: place_and_time::processor(),
        date: place_and_time::today(),
        spec: plan.spec.clone(),
    };
    let mut present: HashSet<Name> = file.before().records.iter().map(name_of).collect();
    let cells = plan.cells.iter();
    let wanted: HashSet<Name> = cells
        .map(|cell| name_of(&record(plan, cell, Measured::default())))
        .collect();
    // Results of changed cells, for example after a change of a file that a method names, must not
    // be in one edition with the results that replace them.
    let same = file.before().header.as_ref().is_some_and(|before| {
        before.spec_hash == header.spec_hash
            && before.program == header.program
            && before.cells == header.cells
    }) && present.is_subset(&wanted);
    if !same {
        present.clear();
        file.begin(&header)?;
    }
    let mut pending = Vec::new();
    for (place, cell) in plan.cells.iter().enumerate() {
        let before = file.before().get(&cell.key);
        let Some(before) = before.filter(|record| holds_under(record, &cell.limits)) else {
            pending.push(place);
            continue;
        };
        let measured = before.measured.clone();
        note(&measured, summary);
        summary.kept += 1;
        let mut taken = record(plan, cell, measured);
        // The limits under which it was measured.
        taken.limits = before.limits.clone();
        if !present.contains(&name_of(&taken)) {
            file.add(&taken)?;
        }
    }
    Ok(pending)
}

/// Identifies a result in an edition: the key, and the names of domain, method and instance.
type Name = [String; 4];

fn name_of(record: &Record) -> Name {
    [
        &record.key,
        &record.domain,
        &record.method,
        &record.instance,
    ]
    .map(String::clone)
}

fn note(measured: &Measured, summary: &mut RunSummary) {
    summary.stopped += usize::from(measured.outcome.is_limit());
    summary.failed += usize::from(measured.outcome == crate::record::Outcome::Failed);
}

fn record(plan: &Plan, cell: &Cell, mut measured: Measured) -> Record {
    let instance = cell.instance.clone().unwrap_or_default();
    measured.known_cost = measured.known_cost.or(instance.known_cost);
    Record {
        key: cell.key.clone(),
        domain: plan.spec.domains[cell.domain].name.clone(),
        method: plan.spec.methods[cell.method].name.clone(),
        instance: instance.id,
        steps: instance.steps,
        start: instance.start,
        options: cell.options.clone(),
        limits: cell.limits.clone(),
        measured,
    }
}

/// Run a cell before it is measured; `false` if interrupted.
///
/// If a limit stops a run, it is the last one: it was long enough, and so would be the others.
fn warm_up(
    runs: u32,
    instance: Option<&Instance>,
    measure: &Measure<'_>,
    stopped: &dyn Fn() -> bool,
) -> bool {
    for _ in 0..runs {
        match measure(instance) {
            None => return false,
            Some(_) if stopped() => return false,
            Some(measured) if measured.outcome.is_limit() => return true,
            Some(_) => {}
        }
    }
    true
}

/// The messages of the measuring threads.
type Message = (usize, Measured, Duration);

/// Measure cells on `jobs` threads; the calling thread writes.
fn measure_all(
    plan: &Plan,
    group: &[usize],
    measure: &Measure<'_>,
    jobs: usize,
    interrupt: &AtomicBool,
    take: &mut dyn FnMut(Option<Message>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, group.len().max(1)) {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                while let Some(place) = group.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let started = Instant::now();
                    let instance = plan.cells[*place].instance.as_ref();
                    let stopped =
                        || interrupt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
                    let is_over = warm_up(plan.spec.warmup, instance, measure, &stopped);
                    let Some(measured) = is_over.then(|| measure(instance)).flatten() else {
                        break;
                    };
                    if sender.send((*place, measured, started.elapsed())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            let result = match receiver.recv_timeout(TICK) {
                Ok(message) => take(Some(message)),
                Err(RecvTimeoutError::Timeout) => take(None),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
                return result;
            }
        }
    })
}

/// Estimates the remaining time from that of finished cells of the same method.
struct Estimate {
    /// By domain and method: remaining cells, finished cells, time of the finished ones.
    groups: BTreeMap<(usize, usize), (usize, usize, Duration)>,
}

impl Estimate {
    fn new(plan: &Plan, pending: &[usize]) -> Self {
        let mut groups = BTreeMap::new();
        for place in pending {
            let cell = &plan.cells[*place];
            let entry: &mut (usize, usize, Duration) =
                groups.entry((cell.domain, cell.method)).or_default();
            entry.0 += 1;
        }
        Self { groups }
    }

    fn took(&mut self, cell: &Cell, elapsed: Duration) {
        if let Some(group) = self.groups.get_mut(&(cell.domain, cell.method)) {
            group.0 = group.0.saturating_sub(1);
            group.1 += 1;
            group.2 += elapsed;
        }
    }

    fn left(&self, jobs: usize) -> Option<Duration> {
        let sum =
            |f: fn(&(usize, usize, Duration)) -> f64| self.groups.values().map(f).sum::<f64>();
        let done = sum(|group| group.1 as f64);
        if done == 0.0 {
            return None;
        }
        let mean = sum(|group| group.2.as_secs_f64()) / done;
        let left: f64 = self
            .groups
            .values()
            .map(|(to_come, done, time)| {
                let each = if *done > 0 {
                    time.as_secs_f64() / *done as f64
                } else {
                    mean
                };
                each * *to_come as f64
            })
            .sum();
        Duration::try_from_secs_f64(left / jobs.max(1) as f64).ok()
    }
}
