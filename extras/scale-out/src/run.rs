//! One process of an exploration, from the first call to the report.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use budget::Progress;
use explore::{Codes, Layer, Options, Origin, Report, StoredAs, moves_can_be_undone};
use pattern_databases::Distances;
use psvn_ir::Game;
use search::{Direction, PackedStates};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Allocator, Hooks, WorkerGuards, initialize_from};
use timely::worker::Worker;

use crate::error::ClusterError;
use crate::identity::{Identity, Terms};
use crate::member::Member;
use crate::net::{Health, Heart, Link, connect};
use crate::work::{Job, News, Outcome, Space, work};

/// Count the states of a game by their distance in moves, together with other processes that call
/// this with the same game, origin and addresses. The call returns in all processes when the
/// exploration ends.
///
/// Counts don't depend on the number of processes and threads. Each complete layer is a checkpoint
/// in the folders of the members, from which the same call continues.
///
/// The limit on nodes is that of the states that all processes generate together, as each one
/// estimates them from its own; memory is that of this process, 1 GiB if `None`. The limits of the
/// processes may differ: all stop when one does. A full memory doesn't stop it: states are written
/// to files. The depth and the number of farthest states must be the same in all processes.
/// Progress is that of all processes, and the first one receives it. The options' storage and
/// symmetries have no effect.
///
/// # Errors
/// If the processes don't connect, one is lost, states are too wide, there are no origin states, or
/// a file fails. A limit isn't an error: the report says that it was reached.
pub fn explore(
    game: &Game,
    origin: &Origin,
    member: Member,
    options: &Options<'_>,
) -> Result<Report, ClusterError> {
    let started = Instant::now();
    let _span = tracing::info_span!("explore", process = member.process).entered();
    member.check()?;
    let states = PackedStates::new(game);
    let roots = origin.packed(game, &states, options.budget.limits().memory)?;
    let hash = roots
        .iter()
        .fold(0_u64, |sum, root| sum.rotate_left(1) ^ states.hash(root));
    let codes = Codes::new(game, origin, &states, &roots)?;
    let direction = origin.direction();
    let forgets = moves_can_be_undone(game);
    let identity = Identity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.content_hash().to_string(),
        direction: match direction {
            Direction::Forward => "forward".to_owned(),
            Direction::Backward => "backward".to_owned(),
        },
        roots: format!("{hash:016x}"),
        codes: codes.identity(&states),
        words: codes.form().words(),
        forgets,
        processes: member.processes(),
        threads: member.threads,
    };
    let terms = Terms {
        identity,
        depth: options.depth,
        farthest: options.farthest,
    };
    let space = Space::States {
        states: Box::new(states.clone()),
        codes: Box::new(codes.clone()),
        direction,
    };
    let mut coder = codes.coder(&states);
    let roots = roots.iter().map(|root| coder.code(root).to_vec()).collect();
    let call = Call::meet(member, terms, space, roots, options, started)?;
    let found = call.run()?;
    let unpack = |state: &Vec<u64>| states.unpack(state);
    Ok(Report {
        farthest: found.farthest.iter().map(unpack).collect(),
        ..found.report
    })
}

fn broken(error: std::io::Error) -> ClusterError {
    ClusterError::Broken(error.to_string())
}

/// An exploration whose processes are connected.
pub(crate) struct Call<'c> {
    job: Job,
    links: Vec<Option<Link>>,
    options: &'c Options<'c>,
    started: Instant,
}

/// The common result of the processes.
pub(crate) struct Found {
    /// The report, without the farthest states.
    pub(crate) report: Report,
    /// The farthest states, packed.
    pub(crate) farthest: Vec<Vec<u64>>,
    /// The distances of a table, in the process that collects them.
    pub(crate) distances: Option<Distances>,
}

impl<'c> Call<'c> {
    /// Meet the other processes, and describe the common task.
    pub(crate) fn meet(
        mut member: Member,
        terms: Terms,
        space: Space,
        roots: Vec<Vec<u64>>,
        options: &'c Options<'c>,
        started: Instant,
    ) -> Result<Self, ClusterError> {
        let interrupted = || options.budget.limits().is_interrupted();
        let channels = connect(&member, &terms, &interrupted)?;
        // From here on, no further process may connect.
        member.listener = None;
        let health = Arc::new(Health::new(member.addresses.clone()));
        let (own, threads) = (member.process, member.threads);
        let links = channels.into_iter().enumerate().map(|(process, channel)| {
            let health = Arc::clone(&health);
            let link = Link::new(process, channel?, health, member.patience, own, threads);
            Some(link)
        });
        let links = links.collect();
        let job = Job {
            member,
            terms,
            space,
            roots,
            budget: options.budget.clone(),
            health,
        };
        Ok(Self {
            job,
            links,
            options,
            started,
        })
    }

    pub(crate) fn run(self) -> Result<Found, ClusterError> {
        let hearts = self.links.iter().flatten().map(Heart::of);
        let hearts: Vec<Heart> = hearts.collect::<Result<_, _>>().map_err(broken)?;
        let job = Arc::new(self.job);
        let (sender, news) = mpsc::channel();
        // The news end with the workers.
        let threads = start(&job, self.links, sender)?;
        listen(&news, self.options);
        let outcomes = join(threads);
        drop(hearts);
        let outcome = one_of(outcomes)?;
        let report = Report {
            layers: outcome.layers,
            orbits: None,
            stopped: outcome.stopped,
            is_whole: outcome.is_whole,
            beyond: 0,
            generated: outcome.generated,
            farthest: Vec::new(),
            peak_bytes: outcome.peak,
            stored_as: StoredAs::Cluster {
                bytes_of_state: job.bytes_of_state(),
                forgets: job.terms.identity.forgets,
                ranking: job.space.ranking(),
                read: outcome.read,
                written: outcome.written,
                sent: outcome.sent,
                resumed_from: outcome.resumed_from,
            },
            elapsed: self.started.elapsed(),
        };
        Ok(Found {
            report,
            farthest: outcome.farthest,
            distances: outcome.distances,
        })
    }
}

/// The threads of this process.
struct Threads {
    workers: WorkerGuards<Result<Outcome, ClusterError>>,
    /// Those of the connections.
    connections: Option<CommsGuard>,
}

/// Start the threads of this process.
fn start(
    job: &Arc<Job>,
    links: Vec<Option<Link>>,
    news: Sender<News>,
) -> Result<Threads, ClusterError> {
    let n_threads = job.member.threads;
    let n_links = links.iter().flatten().count();
    check_threads(n_threads + 2 * n_links).map_err(broken)?;
    let hooks = Hooks::default();
    let alone = ProcessBuilder::new_typed_vector(n_threads, hooks.refill.clone(), None);
    let (builders, connections) = if n_links == 0 {
        let builders = alone.into_iter().map(AllocatorBuilder::Process);
        (builders.collect(), None)
    } else {
        let process = job.member.process;
        let (builders, connections) =
            initialize_networking_from_sockets(alone, links, process, n_threads, hooks)
                .map_err(broken)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp);
        (builders.collect(), Some(connections))
    };
    let job = Arc::clone(job);
    let run = move |allocator| run_worker(&job, allocator, &news);
    let workers = initialize_from(builders, Box::new(()), run).map_err(ClusterError::Broken)?;
    Ok(Threads {
        workers,
        connections,
    })
}

/// Try to run `n` threads at once. The engine would notice only after it has started some that the
/// system allows no more, and those would panic.
fn check_threads(n: usize) -> std::io::Result<()> {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || drop(gate.lock());
        let started = (0..n).try_for_each(|_| {
            let thread = Builder::new().spawn_scoped(scope, wait);
            thread.map(drop)
        });
        drop(closed);
        started
    })
}

/// Do the share of a worker. If it fails, the others of this process and, by the farewell, those of
/// the other processes stop as well. The allocator must end after the reason is known: when those
/// of all workers have, the process says goodbye.
fn run_worker(
    job: &Job,
    allocator: Allocator,
    news: &Sender<News>,
) -> Result<Outcome, ClusterError> {
    // A worker that waits sleeps at once: other threads need the processor. Without a clock, it
    // would never sleep.
    let config = WorkerConfig::default().idle_spin(Duration::ZERO);
    let mut worker = Worker::new(config, allocator, Some(Instant::now()));
    let result = catch_unwind(AssertUnwindSafe(|| work(job, &mut worker, news)));
    let result = result.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        Err(ClusterError::Broken(format!("a thread failed: {message}")))
    });
    if let Err(error) = &result {
        job.health.fail(error.to_string());
    }
    drop(worker);
    result
}

/// Pass on reports of workers until all of them are done.
fn listen(news: &Receiver<News>, options: &Options<'_>) {
    let mut total = 0;
    for news in news {
        match news {
            News::Layer { distance, states } => {
                total += states;
                if let Some(on_layer) = options.on_layer {
                    on_layer(&Layer {
                        distance,
                        states,
                        total,
                        orbits: None,
                        goals: None,
                        elapsed: options.budget.elapsed(),
                    });
                }
            }
            News::Progress {
                distance,
                expanded,
                total,
                bytes,
            } => {
                if let Some(on_progress) = options.on_progress {
                    on_progress(&Progress {
                        level: distance,
                        done: expanded,
                        total: Some(total),
                        elapsed: options.budget.elapsed(),
                        bytes: usize::try_from(bytes).ok(),
                    });
                }
            }
        }
    }
}

/// Wait for all threads of this process, including those of the connections.
fn join(threads: Threads) -> Vec<Result<Outcome, ClusterError>> {
    let failed = |what: &str| Err(ClusterError::Broken(format!("{what} thread failed")));
    let outcomes = threads.workers.join().into_iter();
    let mut outcomes: Vec<_> = outcomes
        .map(|outcome| outcome.unwrap_or_else(|_| failed("a worker's")))
        .collect();
    // The guard waits for them, and panics if one of them has.
    let ended = catch_unwind(AssertUnwindSafe(|| drop(threads.connections)));
    if ended.is_err() {
        outcomes.push(failed("a connection's"));
    }
    outcomes
}

/// Return the outcome on which all workers agree, or the error that made the others fail.
fn one_of(outcomes: Vec<Result<Outcome, ClusterError>>) -> Result<Outcome, ClusterError> {
    let (mut found, mut broken) = (None, None);
    for outcome in outcomes {
        match outcome {
            // The first worker has the collected distances.
            Ok(outcome) => found = found.or(Some(outcome)),
            // A worker that stops because another one did reports this error, too.
            Err(error @ ClusterError::Broken(_)) => broken = Some(error),
            Err(error) => return Err(error),
        }
    }
    let none = || ClusterError::Broken("there was no worker".to_owned());
    match broken {
        Some(error) => Err(error),
        None => found.ok_or_else(none),
    }
}
