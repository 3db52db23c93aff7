//! Received data of a connection, split into whole messages.

use timely::communication::networking::MessageHeader;

/// The bytes of an empty message, with which the dataflow marks its last one.
const LAST_MESSAGE: usize = 48;

/// Received bytes, up to the last whole message.
#[derive(Default)]
pub(crate) struct Inbound {
    bytes: Vec<u8>,
    taken: usize,
    /// Where the last whole message ends.
    whole: usize,
    /// Whether the very last message was received.
    has_last: bool,
    is_at_end: bool,
    /// Whether all bytes are passed on as received: the connection doesn't belong to the dataflow.
    is_plain: bool,
}

impl Inbound {
    /// Pass on bytes as received.
    pub(crate) fn plain() -> Self {
        Self {
            is_plain: true,
            ..Self::default()
        }
    }

    /// Add received bytes.
    pub(crate) fn push(&mut self, content: &[u8]) {
        if self.taken == self.whole && self.taken > 0 {
            self.bytes.drain(..self.taken);
            self.whole = 0;
            self.taken = 0;
        }
        self.bytes.extend_from_slice(content);
        if self.is_plain {
            self.whole = self.bytes.len();
            return;
        }
        while let Some(header) = MessageHeader::try_read(&self.bytes[self.whole..]) {
            self.whole += header.required_bytes();
            self.has_last |= header.length == 0;
        }
    }

    /// End the input. An incomplete message is dropped, and the last one made if it is missing.
    pub(crate) fn end(&mut self) {
        self.bytes.truncate(self.whole);
        if !self.has_last && !self.is_plain {
            self.push(&[0; LAST_MESSAGE]);
        }
        self.is_at_end = true;
    }

    /// Return whether nothing is left but the data that can be taken now.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Take received data, as much as fits.
    pub(crate) fn take(&mut self, buffer: &mut [u8]) -> usize {
        let n = buffer.len().min(self.whole - self.taken);
        buffer[..n].copy_from_slice(&self.bytes[self.taken..self.taken + n]);
        self.taken += n;
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: usize) -> Vec<u8> {
        let header = MessageHeader {
            channel: 1,
            source: 0,
            target_lower: 1,
            target_upper: 2,
            length,
            seqno: 7,
        };
        let mut bytes = Vec::new();
        header.write_to(&mut bytes).unwrap();
        bytes.extend((0..length).map(|i| i as u8));
        bytes
    }

    fn take_all(inbound: &mut Inbound) -> Vec<u8> {
        let mut all = Vec::new();
        let mut buffer = [0; 7];
        loop {
            match inbound.take(&mut buffer) {
                0 => return all,
                n => all.extend_from_slice(&buffer[..n]),
            }
        }
    }

    #[test]
    fn only_whole_messages_are_handed_on() {
        let (first, second) = (message(20), message(30));
        let both = [first.clone(), second].concat();
        for cut in 0..both.len() {
            let mut inbound = Inbound::default();
            inbound.push(&both[..cut]);
            let mut seen = take_all(&mut inbound);
            assert_eq!(seen.len(), if cut < first.len() { 0 } else { first.len() });
            inbound.push(&both[cut..]);
            seen.extend(take_all(&mut inbound));
            assert_eq!(seen, both, "cut at {cut}");
        }
    }

    #[test]
    fn a_lost_connection_ends_in_order_wherever_it_breaks() {
        let whole = [message(20), message(30)].concat();
        for cut in 0..whole.len() {
            let mut inbound = Inbound::default();
            inbound.push(&whole[..cut]);
            inbound.end();
            let seen = take_all(&mut inbound);
            let kept = if cut < message(20).len() {
                0
            } else {
                message(20).len()
            };
            assert_eq!(seen.len(), kept + LAST_MESSAGE);
            assert!(seen[kept..].iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn the_last_message_comes_once() {
        let mut inbound = Inbound::default();
        inbound.push(&[0; LAST_MESSAGE]);
        inbound.end();
        assert_eq!(take_all(&mut inbound).len(), LAST_MESSAGE);
    }

    #[test]
    fn plain_bytes_come_as_they_are() {
        let mut inbound = Inbound::plain();
        inbound.push(b"ab");
        assert_eq!(take_all(&mut inbound), b"ab");
        inbound.push(b"cde");
        inbound.end();
        assert_eq!(take_all(&mut inbound), b"cde");
        assert!(inbound.is_at_end());
    }
}
