//! Messages between workers.

use std::fmt;

use budget::StopReason;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A message to one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) to: u32,
    pub(crate) from: u32,
    /// The step of the sender. It can be one ahead of the receiver's.
    pub(crate) step: u64,
    pub(crate) body: Body,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Body {
    /// States that the receiver owns.
    States(Bytes),
    /// The sender's report at the end of a step; all workers wait for those of all others.
    Report(Report),
    /// The sender stops within a stage, for this reason, and so must all others.
    Stop(u8),
    /// The progress of the sender in its stage.
    Progress { expanded: u64, bytes: u64 },
    /// Ranks of this distance, for the worker that collects them.
    Distances { distance: u64, ranks: Bytes },
    /// The first states of the sender's last layer.
    First(Bytes),
}

/// The report of a worker at the end of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The number of its states in the last of its complete stages; in the first report, in each of
    /// them.
    pub(crate) layers: Vec<u64>,
    /// How many times it generated a state.
    pub(crate) generated: u64,
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

/// Bytes, sent unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_owned()))
    }
}

impl Bytes {
    /// Return the bytes of states.
    pub(crate) fn of(words: &[u64]) -> Self {
        Self(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Add a state, widened with zeros.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], width: usize) {
        for word in state {
            self.0.extend_from_slice(&word.to_le_bytes());
        }
        let end = self.0.len() + 8 * width.saturating_sub(state.len());
        self.0.resize(end, 0);
    }

    /// Return the words of the states that were added.
    pub(crate) fn words(&self) -> Vec<u64> {
        let words = self.0.as_chunks().0.iter();
        words.map(|word| u64::from_le_bytes(*word)).collect()
    }
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
    use super::*;

    #[test]
    fn states_and_reasons_are_read_back() {
        let mut bytes = Bytes::default();
        assert_eq!(Bytes::of(&[1, u64::MAX, 7]).words(), [1, u64::MAX, 7]);
        for state in [&[1, u64::MAX], &[7, 8], &[0, 0][..], &[9]] {
            bytes.push(state, 2);
        }
        assert_eq!(bytes.words(), [1, u64::MAX, 7, 8, 0, 0, 9, 0]);
        for reason in REASONS {
            assert_eq!(reason_of(number_of(reason)), reason);
        }
    }
}
