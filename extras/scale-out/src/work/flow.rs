//! The dataflow of a worker: states go to their owners, and reports come back.
//!
//! ```text
//!         +-> expand --states--> (to the owner) --> merge --reports--+
//!         |                                                          |
//!         +-- (to all workers) <------------- feedback <-------------+
//! ```
//!
//! `expand` has a capability for the present stage and round, which all workers hold from the
//! beginning to the end. It gives up a round when it has sent its states, and a stage after its
//! last round. Frontiers say what that means for all workers together:
//!
//! - *The barrier.* When the frontier of `merge` has passed all rounds of a stage, all of its
//!   states have arrived. The worker merges them, and `merge` sends its report to all workers.
//! - *The loop.* The way back takes a round. When the frontier of `expand` has passed the reports,
//!   they are those of all workers. From these, each one finds the same next stage.
//! - *Flow control.* The frontier of `expand` follows that of `merge`, one round behind. A round
//!   begins when the frontier has passed the round before the last.
//!
//! Operators say whose turn it is, and the worker does the work between two steps: it can fail, and
//! it borrows what an operator would have to own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::dataflow::{Scope, Stream};
use timely::progress::Timestamp;
use timely::progress::frontier::MutableAntichain;
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::work::parcel::{Body, Parcel, Report, ToAddressee};
use crate::work::time::Time;

/// What a worker has to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Nothing, before other workers have done their part.
    Wait,
    /// Make a round of states, and send it by [`Flow::end_round`].
    Send,
    /// Merge the states of the stage, all of which have arrived, and [`Flow::report`].
    Merge,
    /// [`Flow::begin`] the stage that follows from the reports of all workers, or end.
    Choose(Vec<Report>),
}

/// What `expand` waits for.
#[derive(Debug, PartialEq, Eq)]
enum Expand {
    /// The end of the round before the last.
    Room,
    /// The worker, to make a round.
    Round,
    /// The worker has made a round: the last one of the stage, or another one follows.
    Made { is_last: bool },
    /// The reports of all workers.
    Reports,
    /// The worker, to choose the next stage.
    Choice,
    /// The worker has chosen a stage, at a distance.
    Chosen(u64),
}

/// What `merge` waits for.
#[derive(Debug, PartialEq, Eq)]
enum Merge {
    /// All states of the stage.
    States,
    /// The worker, to merge them.
    Worker,
    /// The worker has merged them.
    Done(Report),
}

/// What the operators and the worker share.
struct Shared {
    expand: Expand,
    merge: Merge,
    /// Parcels to be sent in this round.
    outbox: Vec<Parcel>,
    /// What has arrived.
    inbox: VecDeque<Body>,
    /// The reports on this stage, so far.
    reports: Vec<Report>,
}

/// The dataflow of a worker.
pub(crate) struct Flow<'w> {
    worker: &'w mut Worker,
    shared: Rc<RefCell<Shared>>,
    expand: Activator,
    merge: Activator,
}

impl<'w> Flow<'w> {
    /// Make the dataflow, in which the first stage begins: one of distance 0.
    pub(crate) fn new(worker: &'w mut Worker) -> Self {
        let shared = Rc::new(RefCell::new(Shared {
            expand: Expand::Chosen(0),
            merge: Merge::States,
            outbox: Vec::new(),
            inbox: VecDeque::new(),
            reports: Vec::new(),
        }));
        let (expand, merge) = worker.dataflow::<Time, _, _>(|scope| {
            let (handle, reports) = scope.feedback::<Parcel>(1);
            let (expand, states) = add_expand(scope, reports, &shared);
            let (merge, reports) = add_merge(scope, states, &shared);
            reports.connect_loop(handle);
            (expand, merge)
        });
        Self {
            worker,
            shared,
            expand,
            merge,
        }
    }

    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    pub(crate) fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// Let the operators work. If there is nothing to do, sleep until there is, at most for a time.
    pub(crate) fn step(&mut self, most: Duration) {
        self.worker.step_or_park(Some(most));
    }

    /// Take the next parcel that has arrived.
    pub(crate) fn receive(&mut self) -> Option<Body> {
        self.shared.borrow_mut().inbox.pop_front()
    }

    /// Return what the worker has to do, after it has taken what has arrived.
    pub(crate) fn turn(&mut self) -> Turn {
        let shared = &mut *self.shared.borrow_mut();
        match (&shared.expand, &shared.merge) {
            (Expand::Round, _) => Turn::Send,
            (_, Merge::Worker) => Turn::Merge,
            (Expand::Choice, _) => {
                let mut reports = std::mem::take(&mut shared.reports);
                reports.sort_by_key(|report| report.from);
                Turn::Choose(reports)
            }
            _ => Turn::Wait,
        }
    }

    /// Send a parcel in this round.
    pub(crate) fn send(&mut self, to: usize, body: Body) {
        self.shared.borrow_mut().outbox.push(Parcel { to, body });
    }

    /// Send a parcel to all workers, including this one.
    pub(crate) fn send_all(&mut self, body: &Body) {
        for to in 0..self.peers() {
            self.send(to, body.clone());
        }
    }

    /// End a round, the last one of its stage or not.
    pub(crate) fn end_round(&mut self, is_last: bool) {
        self.shared.borrow_mut().expand = Expand::Made { is_last };
        self.expand.activate();
    }

    /// Send the report on a stage to all workers.
    pub(crate) fn report(&mut self, report: Report) {
        self.shared.borrow_mut().merge = Merge::Done(report);
        self.merge.activate();
    }

    /// Begin the next stage, at a distance that is no less than the last one.
    pub(crate) fn begin(&mut self, cost: u64) {
        self.shared.borrow_mut().expand = Expand::Chosen(cost);
        self.expand.activate();
    }
}

impl Drop for Flow<'_> {
    /// A worker that has the last reports needs nothing more, and neither do others need more of
    /// it: what told it that they are complete was sent to all. One that ends earlier fails, and
    /// its process tells the others.
    fn drop(&mut self) {
        for dataflow in self.worker.installed_dataflows() {
            self.worker.drop_dataflow(dataflow);
        }
    }
}

/// Return whether nothing of a time, or of an earlier one, can arrive any more.
fn is_over(time: &Time, frontiers: &[MutableAntichain<Time>]) -> bool {
    frontiers.iter().all(|it| !it.less_equal(time))
}

/// Return whether a round may begin.
fn may_begin(time: Time, frontiers: &[MutableAntichain<Time>]) -> bool {
    let before = time.before_it_begins();
    before.is_none_or(|before| is_over(&before, frontiers))
}

/// Add the operator that sends states, and receives reports.
fn add_expand<'s>(
    scope: Scope<'s, Time>,
    reports: Stream<'s, Time, Parcel>,
    shared: &Rc<RefCell<Shared>>,
) -> (Activator, Stream<'s, Time, Parcel>) {
    let mut builder = OperatorBuilder::new("expand".to_owned(), scope);
    let mut input = builder.new_input(reports, ToAddressee::pact());
    let (mut output, states) = builder.new_output::<Parcel>();
    let activator = scope.activator_for(builder.operator_info().address);
    let (own, shared) = (scope.index(), Rc::clone(shared));
    builder.build(move |capabilities| {
        let mut capabilities: Vec<Capability<Time>> = capabilities;
        move |frontiers: &[MutableAntichain<Time>]| {
            let shared = &mut *shared.borrow_mut();
            input.for_each(|_, parcel| match std::mem::take(&mut parcel.body) {
                Body::Report(report) => shared.reports.push(report),
                other => shared.inbox.push_back(other),
            });
            let mut output = output.activate();
            while let Some(present) = capabilities.first_mut() {
                let time = *present.time();
                shared.expand = match shared.expand {
                    Expand::Chosen(cost) => {
                        if cost > time.cost {
                            present.downgrade(&Time { cost, ..time });
                        }
                        let to = own;
                        let body = Body::Begin;
                        output.give(&*present, &mut Parcel { to, body });
                        Expand::Room
                    }
                    Expand::Room if may_begin(time, frontiers) => Expand::Round,
                    Expand::Made { is_last } => {
                        for mut parcel in shared.outbox.drain(..) {
                            output.give(&*present, &mut parcel);
                        }
                        if is_last {
                            present.downgrade(&time.next_stage(0));
                            Expand::Reports
                        } else {
                            present.downgrade(&time.next_round());
                            Expand::Room
                        }
                    }
                    Expand::Reports if is_over(&time.last_answers(), frontiers) => Expand::Choice,
                    // The turn of the worker, or of others.
                    _ => return,
                };
            }
        }
    });
    (activator, states)
}

/// Add the operator that receives states, and sends reports.
fn add_merge<'s>(
    scope: Scope<'s, Time>,
    states: Stream<'s, Time, Parcel>,
    shared: &Rc<RefCell<Shared>>,
) -> (Activator, Stream<'s, Time, Parcel>) {
    let mut builder = OperatorBuilder::new("merge".to_owned(), scope);
    let mut input = builder.new_input(states, ToAddressee::pact());
    let (mut output, reports) = builder.new_output::<Parcel>();
    let activator = scope.activator_for(builder.operator_info().address);
    let (peers, shared) = (scope.peers(), Rc::clone(shared));
    builder.build(move |_| {
        // For the reports on the stage that has begun.
        let mut capability: Option<Capability<Time>> = None;
        move |frontiers: &[MutableAntichain<Time>]| {
            let shared = &mut *shared.borrow_mut();
            input.for_each(|arrived, parcel| match std::mem::take(&mut parcel.body) {
                Body::Begin => {
                    let time = arrived.least().copied().unwrap_or_else(Time::minimum);
                    capability = Some(arrived.delayed(&time.of_reports(), 0));
                }
                other => shared.inbox.push_back(other),
            });
            let Some(present) = &capability else { return };
            match std::mem::replace(&mut shared.merge, Merge::States) {
                Merge::States if is_over(present.time(), frontiers) => shared.merge = Merge::Worker,
                Merge::States => {}
                Merge::Worker => shared.merge = Merge::Worker,
                Merge::Done(report) => {
                    let mut output = output.activate();
                    for to in 0..peers {
                        let body = Body::Report(report.clone());
                        output.give(present, &mut Parcel { to, body });
                    }
                    capability = None;
                }
            }
        }
    });
    (activator, reports)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::Instant;

    use timely::CommunicationConfig;
    use timely::WorkerConfig;
    use timely::communication::initialize;

    use super::*;
    use crate::work::parcel::Bytes;

    /// Those of a cube, which has two to this power vertices.
    const DIMENSIONS: usize = 7;

    /// Return the numbers of vertices at each distance from one of them, where a step along the
    /// dimension i costs `costs[i]`. Each worker sends one vertex in a round.
    fn layers(worker: &mut Worker, costs: &[u64]) -> BTreeMap<u64, u64> {
        let mut flow = Flow::new(worker);
        let (own, peers) = (flow.index(), flow.peers());
        let owner = |vertex: u64| (vertex % peers as u64) as usize;
        // By vertex: the distance. By distance: the numbers of stages.
        let (mut found, mut layers) = (BTreeMap::new(), BTreeMap::new());
        let (mut waiting, mut arrived) = (Vec::new(), Vec::new());
        let mut distance = 0;
        let mut is_first = true;
        loop {
            flow.step(Duration::from_millis(20));
            while let Some(body) = flow.receive() {
                let Body::States(states) = body else {
                    panic!("{body:?}");
                };
                arrived.extend(states.words());
            }
            match flow.turn() {
                Turn::Wait => {}
                Turn::Send => {
                    if let Some(vertex) = waiting.pop() {
                        flow.send(owner(vertex), Body::States(Bytes::of(&[vertex])));
                    } else if is_first && own == 0 {
                        flow.send(0, Body::States(Bytes::of(&[0])));
                    }
                    flow.end_round(waiting.is_empty());
                }
                Turn::Merge => {
                    arrived.sort_unstable();
                    arrived.dedup();
                    let is_new = |vertex: &u64| !found.contains_key(vertex);
                    let new: Vec<u64> = arrived.drain(..).filter(is_new).collect();
                    assert!(new.iter().all(|vertex| owner(*vertex) == own));
                    let report = Report {
                        from: own,
                        layers: vec![new.len() as u64],
                        ..Report::default()
                    };
                    found.extend(new.iter().map(|vertex| (*vertex, distance)));
                    flow.report(report);
                }
                Turn::Choose(reports) => {
                    is_first = false;
                    let from: Vec<usize> = reports.iter().map(|report| report.from).collect();
                    assert_eq!(from, Vec::from_iter(0..peers));
                    let states = reports.iter().map(|report| report.layers[0]).sum::<u64>();
                    *layers.entry(distance).or_insert(0) += states;
                    let least = u64::from(states == 0);
                    let to = |known: u64, cost: &u64| known + cost;
                    let ahead = layers
                        .keys()
                        .flat_map(|known| costs.iter().map(|it| to(*known, it)));
                    let Some(next) = ahead.filter(|it| *it >= distance + least).min() else {
                        return layers;
                    };
                    if next > costs.iter().sum() {
                        return layers;
                    }
                    for (vertex, known) in &found {
                        let leads = costs.iter().enumerate();
                        let leads = leads.filter(|(_, cost)| to(*known, cost) == next);
                        waiting.extend(leads.map(|(dimension, _)| vertex ^ (1 << dimension)));
                    }
                    distance = next;
                    flow.begin(next);
                }
            }
        }
    }

    /// Let workers of one process count, and compare with the coefficients of the product of
    /// 1 + x^cost.
    fn check(peers: usize, costs: &'static [u64]) {
        let mut expected = BTreeMap::from([(0, 1)]);
        for cost in costs {
            for (distance, vertices) in expected.clone() {
                *expected.entry(distance + cost).or_insert(0) += vertices;
            }
        }
        let config = CommunicationConfig::Process(peers);
        let workers = initialize(config, move |allocator| {
            let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
            layers(&mut worker, costs)
        });
        for found in workers.expect("threads").join() {
            let mut found = found.expect("no panic");
            found.retain(|_, vertices| *vertices > 0);
            assert_eq!(found, expected, "{peers} workers");
        }
    }

    #[test]
    fn each_vertex_comes_at_its_least_distance() {
        for peers in [1, 2, 3, 5] {
            check(peers, &[1; DIMENSIONS]);
            check(peers, &[0, 0, 2, 3, 3, 7, 40]);
        }
    }

    /// Let all workers send a parcel to the first one, which is slow, in each of many rounds.
    /// Return how many parcels were sent and not taken yet, at most.
    fn most_in_flight(peers: usize) -> i64 {
        let (in_flight, most) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicI64::new(0)));
        let found = Arc::clone(&most);
        let config = CommunicationConfig::Process(peers);
        let workers = initialize(config, move |allocator| {
            let now = Some(Instant::now());
            let mut worker = Worker::new(WorkerConfig::default(), allocator, now);
            let mut flow = Flow::new(&mut worker);
            let (mut rounds, mut taken) = (0, 0);
            loop {
                if flow.index() == 0 {
                    std::thread::sleep(Duration::from_millis(1));
                }
                flow.step(Duration::from_millis(20));
                while flow.receive().is_some() {
                    in_flight.fetch_sub(1, Ordering::SeqCst);
                    taken += 1;
                }
                match flow.turn() {
                    Turn::Wait => {}
                    Turn::Send => {
                        let now = in_flight.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(now, Ordering::SeqCst);
                        flow.send(0, Body::Stop(0));
                        rounds += 1;
                        flow.end_round(rounds == 100);
                    }
                    Turn::Merge => {
                        let expected = if flow.index() == 0 { 100 * peers } else { 0 };
                        assert_eq!(taken, expected);
                        flow.report(Report::default());
                    }
                    Turn::Choose(_) => return,
                }
            }
        });
        for ended in workers.expect("threads").join() {
            ended.expect("no panic");
        }
        found.load(Ordering::SeqCst)
    }

    #[test]
    fn no_worker_is_more_than_two_rounds_ahead() {
        for peers in [1, 2, 4] {
            // Two rounds are on their way, and one is at the receiver.
            let most = most_in_flight(peers);
            assert!(most <= 3 * peers as i64, "{peers} workers: {most}");
        }
    }
}
