//! What workers send to each other: parcels, each of which goes to one worker.

use std::fmt;
use std::io::Write;

use budget::StopReason;
use serde::{Deserialize, Serialize};
use timely::Accountable;
use timely::bytes::arc::Bytes as Shared;
use timely::communication::Push;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message, Stamp};

/// A parcel to one worker. It takes the place of a container of records: what it holds is copied as
/// a whole, and a parcel from another process is a part of the memory into which it was received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parcel {
    pub(crate) to: usize,
    pub(crate) body: Body,
}

/// The content of a parcel.
#[derive(Clone, Debug, Default)]
pub(crate) enum Body {
    /// The stage of a parcel begins; to the worker itself.
    #[default]
    Begin,
    /// States that the receiver owns.
    States(Bytes),
    /// Ranks of this distance, for the worker that collects them.
    Ranks { distance: u64, ranks: Bytes },
    /// The first states of the sender's last layer.
    First(Bytes),
    /// The sender stops within a stage, for this reason, and so must all others.
    Stop(u8),
    /// The progress of the sender in its stage.
    Progress(Progress),
    /// The sender's report at the end of a stage.
    Report(Report),
    /// What no worker of this version sends.
    Strange,
}

/// The progress of a worker in a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) from: usize,
    /// The number of states expanded for this stage.
    pub(crate) expanded: u64,
    /// The bytes held.
    pub(crate) bytes: u64,
}

/// The report of a worker at the end of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) from: usize,
    /// The number of its states in the last of its complete stages; in the first report, in each of
    /// them.
    pub(crate) layers: Vec<u64>,
    /// How many times it generated a state.
    pub(crate) generated: u64,
    /// The reason why all workers stopped within this stage, which isn't complete.
    pub(crate) cut: Option<u8>,
    /// The reason why it must stop after this stage.
    pub(crate) stop: Option<u8>,
    /// The peak of the bytes that it held.
    pub(crate) peak: u64,
    /// The bytes that it read from files and wrote to them.
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// The bytes that its process sent; from the first worker of each process.
    pub(crate) sent: u64,
}

/// Bytes of states, made here or received.
#[derive(Clone)]
pub(crate) enum Bytes {
    Made(Vec<u8>),
    Received(Shared),
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Made(Vec::new())
    }
}

impl Bytes {
    /// Return the bytes of states.
    pub(crate) fn of(words: &[u64]) -> Self {
        let mut bytes = Vec::with_capacity(8 * words.len());
        words
            .iter()
            .for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        Self::Made(bytes)
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Made(bytes) => bytes,
            Self::Received(bytes) => bytes,
        }
    }

    /// Return the words of the states.
    pub(crate) fn words(&self) -> Vec<u64> {
        let words = self.as_slice().as_chunks().0.iter();
        words.map(|word| u64::from_le_bytes(*word)).collect()
    }
}

/// Add those bytes of a state that may differ from zero: `length` bytes, the lowest first.
#[inline]
pub(crate) fn append(bytes: &mut Vec<u8>, state: &[u64], length: usize) {
    let end = bytes.len() + length;
    for word in state {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.resize(end, 0);
}

/// Add to words the states whose bytes were made by [`append`], as `width` words each.
#[inline]
pub(crate) fn add_to(words: &mut Vec<u64>, bytes: &[u8], length: usize, width: usize) {
    if width == 1 && length <= 8 {
        let begin = words.len();
        words.resize(begin + bytes.len() / length, 0);
        let new = &mut words[begin..];
        // One load for each state that doesn't end within eight bytes of the end.
        let mask = u64::MAX >> (64 - 8 * length);
        let eights = bytes.windows(8).step_by(length);
        let n_whole = eights.len().min(new.len());
        for (word, eight) in new.iter_mut().zip(eights) {
            *word = little_endian(eight) & mask;
        }
        let rest = bytes.chunks_exact(length).skip(n_whole);
        for (word, state) in new[n_whole..].iter_mut().zip(rest) {
            *word = little_endian(state);
        }
        return;
    }
    for state in bytes.chunks_exact(length) {
        let end = words.len() + width;
        words.extend(state.chunks(8).map(little_endian));
        words.resize(end, 0);
    }
}

/// Return the number with these bytes, at most eight.
#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    if let Ok(word) = bytes.try_into() {
        return u64::from_le_bytes(word);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The words before the bytes of a parcel: its kind, a number, and how many bytes there are.
const HEAD: usize = 3;

impl Body {
    /// Return the kind, a number and the bytes of a parcel on its way to another process.
    fn parts(&self) -> (u64, u64, std::borrow::Cow<'_, [u8]>) {
        let made = |message: Result<Vec<u8>, postcard::Error>| {
            message.expect("numbers are written to memory").into()
        };
        match self {
            Self::Begin => (0, 0, [].as_slice().into()),
            Self::States(states) => (1, 0, states.as_slice().into()),
            Self::Ranks { distance, ranks } => (2, *distance, ranks.as_slice().into()),
            Self::First(states) => (3, 0, states.as_slice().into()),
            Self::Stop(reason) => (4, u64::from(*reason), [].as_slice().into()),
            Self::Progress(progress) => (5, 0, made(postcard::to_allocvec(progress))),
            Self::Report(report) => (6, 0, made(postcard::to_allocvec(report))),
            Self::Strange => (u64::MAX, 0, [].as_slice().into()),
        }
    }

    /// Return the body with these parts.
    fn of(kind: u64, number: u64, bytes: Shared) -> Self {
        let content = |bytes| Bytes::Received(bytes);
        match kind {
            0 => Self::Begin,
            1 => Self::States(content(bytes)),
            2 => Self::Ranks {
                distance: number,
                ranks: content(bytes),
            },
            3 => Self::First(content(bytes)),
            4 => u8::try_from(number).map_or(Self::Strange, Self::Stop),
            5 => postcard::from_bytes(&bytes).map_or(Self::Strange, Self::Progress),
            6 => postcard::from_bytes(&bytes).map_or(Self::Strange, Self::Report),
            _ => Self::Strange,
        }
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        1
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(mut bytes: Shared) -> Self {
        let word = |place: usize| {
            let word = bytes.get(8 * place..).and_then(<[u8]>::first_chunk);
            word.map_or(u64::MAX, |word| u64::from_le_bytes(*word))
        };
        let (kind, number, length) = (word(0), word(1), word(2));
        let room = bytes.len().saturating_sub(8 * HEAD);
        let body = match usize::try_from(length) {
            Ok(length) if length <= room => {
                drop(bytes.extract_to(8 * HEAD));
                Body::of(kind, number, bytes.extract_to(length))
            }
            _ => Body::Strange,
        };
        // Only the receiver gets it.
        Self { to: 0, body }
    }

    fn length_in_bytes(&self) -> usize {
        8 * HEAD + self.body.parts().2.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let (kind, number, bytes) = self.body.parts();
        let length = bytes.len() as u64;
        let head = [kind, number, length].map(u64::to_le_bytes);
        let filler = bytes.len().next_multiple_of(8) - bytes.len();
        let written = writer
            .write_all(head.as_flattened())
            .and_then(|()| writer.write_all(&bytes))
            .and_then(|()| writer.write_all(&[0; 8][..filler]));
        written.expect("the memory for it has its length");
    }
}

/// Sends each parcel to its addressee.
pub(crate) struct ToAddressee;

impl ToAddressee {
    /// Return the contract for a stream of parcels.
    pub(crate) fn pact() -> DistributorPact<fn(usize) -> Self> {
        DistributorPact(|_| Self)
    }
}

impl Distributor<Parcel> for ToAddressee {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        stamp: &Stamp<T>,
        workers: &mut [P],
    ) {
        let to = parcel.to;
        Message::push_at(parcel, stamp.clone(), &mut workers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// The reasons for which workers stop.
const REASONS: [StopReason; 7] = [
    StopReason::Interrupted,
    StopReason::Memory,
    StopReason::Time,
    StopReason::Nodes,
    StopReason::TooLarge,
    StopReason::CostOverflow,
    StopReason::Disk,
];

/// Return the number of a reason. If several workers have one, the least number counts.
pub(crate) fn number_of(reason: StopReason) -> u8 {
    let number = REASONS.iter().position(|it| *it == reason);
    number.expect("every reason has a number") as u8
}

/// Return the reason with a number. A number that no worker of this version sends says no more than
/// that the worker stopped early.
pub(crate) fn reason_of(number: u8) -> StopReason {
    let reason = REASONS.get(usize::from(number));
    reason.copied().unwrap_or(StopReason::Interrupted)
}

#[cfg(test)]
mod tests {
    use timely::bytes::arc::BytesMut;

    use super::*;

    fn received(bytes: Vec<u8>) -> Body {
        let length = bytes.len();
        let bytes = BytesMut::from(bytes).extract_to(length);
        Parcel::from_bytes(bytes).body
    }

    fn sent(body: Body) -> Vec<u8> {
        let parcel = Parcel { to: 7, body };
        let mut bytes = Vec::new();
        parcel.into_bytes(&mut bytes);
        assert_eq!(bytes.len(), parcel.length_in_bytes());
        bytes
    }

    #[test]
    fn parcels_arrive_as_they_were_sent() {
        let words = [1, u64::MAX, 7];
        let report = Report {
            from: 3,
            layers: vec![1, 2, 300],
            cut: Some(2),
            ..Report::default()
        };
        let progress = Progress {
            from: 1,
            expanded: 5,
            bytes: 9,
        };
        let same = |body: Body| format!("{body:?}") == format!("{:?}", received(sent(body)));
        assert!(same(Body::Begin));
        assert!(same(Body::Stop(4)));
        assert!(same(Body::Progress(progress)));
        assert!(same(Body::Report(report)));
        match received(sent(Body::States(Bytes::of(&words)))) {
            Body::States(states) => assert_eq!(states.words(), words),
            other => panic!("{other:?}"),
        }
        let ranks = Bytes::of(&words);
        match received(sent(Body::Ranks { distance: 5, ranks })) {
            Body::Ranks { distance, ranks } => {
                assert_eq!((distance, ranks.words()), (5, words.into()));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_makes_no_sense_is_no_panic() {
        let report = sent(Body::Report(Report::default()));
        // The last bytes only fill a word.
        for length in 0..report.len() - 7 {
            assert!(matches!(received(report[..length].to_vec()), Body::Strange));
        }
        for byte in 0..24 {
            let mut changed = report.clone();
            changed[byte] ^= 0x80;
            // Another number doesn't matter here.
            let is_strange = matches!(received(changed), Body::Strange);
            assert_eq!(is_strange, !(8..16).contains(&byte), "{byte}");
        }
        assert!(matches!(received(sent(Body::Strange)), Body::Strange));
    }

    #[test]
    fn states_are_read_back_from_the_bytes_that_matter() {
        for length in 1..=24 {
            // The greatest state of as many bytes, and smaller ones, some of fewer words.
            let width = usize::div_ceil(length, 8) + length % 2;
            let mut greatest = vec![u64::MAX; usize::div_ceil(length, 8)];
            if let Some(last) = greatest.last_mut() {
                *last >>= 8 * (8 * usize::div_ceil(length, 8) - length);
            }
            for n_states in 0..20_u64 {
                let (mut bytes, mut expected, mut words) = (Vec::new(), Vec::new(), Vec::new());
                for state in 0..n_states {
                    let state = match state % 3 {
                        0 => &*greatest,
                        1 => &[state],
                        _ => &[],
                    };
                    append(&mut bytes, state, length);
                    expected.extend_from_slice(state);
                    expected.resize(expected.len().next_multiple_of(width), 0);
                    if state.is_empty() {
                        expected.resize(expected.len() + width, 0);
                    }
                }
                assert_eq!(bytes.len() as u64, n_states * length as u64);
                add_to(&mut words, &bytes, length, width);
                assert_eq!(words, expected, "{n_states} states of {length} bytes");
            }
        }
    }

    #[test]
    fn reasons_are_read_back() {
        for reason in REASONS {
            assert_eq!(reason_of(number_of(reason)), reason);
        }
    }
}
