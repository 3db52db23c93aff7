//! The dataflow: one operator that delivers each message to its worker.
//!
//! Times are steps, and rounds within a step. When the frontier has passed a time, all messages of
//! earlier times, from all workers, have arrived: a barrier that needs no counting.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange as Route;
use timely::dataflow::operators::generic::OutputBuilderSession;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::Handle as Probe;
use timely::dataflow::operators::{Input, Probe as _};
use timely::worker::Worker;

use crate::work::message::{Body, Message};

/// The time that an idle worker sleeps before it checks for events.
const NAP: Duration = Duration::from_millis(20);

type Builder<T> = CapacityContainerBuilder<Vec<T>>;

/// The connection to all other workers.
pub(crate) struct Exchange<'w> {
    worker: &'w mut Worker,
    input: InputHandle<u64, Builder<Message>>,
    probe: Probe<u64>,
    inbox: Rc<RefCell<VecDeque<Message>>>,
    dataflow: usize,
}

impl<'w> Exchange<'w> {
    pub(crate) fn new(worker: &'w mut Worker) -> Self {
        let mut input: InputHandle<u64, Builder<Message>> = InputHandle::new();
        let inbox = Rc::new(RefCell::new(VecDeque::new()));
        let into = Rc::clone(&inbox);
        let dataflow = worker.next_dataflow_index();
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let messages = scope.input_from(&mut input).container::<Vec<Message>>();
            let route = Route::new(|message: &Message| u64::from(message.to));
            let nothing = messages.unary(route, "inbox", move |_, _| {
                move |input, _: &mut OutputBuilderSession<'_, u64, Builder<()>>| {
                    input.for_each(|_, messages: &mut Vec<Message>| {
                        into.borrow_mut().extend(messages.drain(..));
                    });
                }
            });
            nothing.container::<Vec<()>>().probe().0
        });
        Self {
            worker,
            input,
            probe,
            inbox,
            dataflow,
        }
    }

    /// Return the number of this worker among all.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// Return the number of all workers.
    pub(crate) fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// Send a message at the present time, for this step.
    pub(crate) fn send(&mut self, to: usize, step: u64, body: Body) {
        let message = Message {
            to: to as u32,
            from: self.index() as u32,
            step,
            body,
        };
        self.input.send_batch(&mut vec![message]);
    }

    /// Advance the time of the messages sent from now on.
    pub(crate) fn advance(&mut self, time: u64) {
        self.input.advance_to(time);
    }

    /// Return whether messages of earlier times may still arrive.
    pub(crate) fn awaits(&self, time: u64) -> bool {
        self.probe.less_than(&time)
    }

    /// Pass messages on, or sleep briefly.
    pub(crate) fn step(&mut self, may_sleep: bool) {
        let nap = if may_sleep { NAP } else { Duration::ZERO };
        self.worker.step_or_park(Some(nap));
    }

    /// Return the next message received.
    pub(crate) fn receive(&mut self) -> Option<Message> {
        self.inbox.borrow_mut().pop_front()
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        // Don't wait for messages in flight, at the end or before.
        if self.worker.installed_dataflows().contains(&self.dataflow) {
            self.worker.drop_dataflow(self.dataflow);
        }
    }
}
