//! Packed states: as many bits for each variable as its domain needs, in words of 64.

use psvn_ir::random::mixed;

/// Where a variable's bits are.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    /// The field's lowest bits, all ones.
    mask: u32,
    /// Whether the field goes on in the next word.
    spills: bool,
}

impl Field {
    #[inline(always)]
    fn read(&self, packed: &[u64]) -> u32 {
        let word = self.word as usize;
        let mut bits = packed[word] >> self.shift;
        if self.spills {
            bits |= packed[word + 1] << (64 - self.shift);
        }
        bits as u32 & self.mask
    }
}

/// The packing of a game's states: ceil(log2(size)) bits for each variable, one after another,
/// without gaps. A field may begin in one word and end in the next.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Box<[Field]>,
    n_words: usize,
}

impl Packing {
    /// Return the packing for domains of these sizes.
    pub(crate) fn new(domain_sizes: &[usize]) -> Self {
        let mut bit = 0_u32;
        let fields = domain_sizes.iter().map(|size| {
            let bits = size.max(&1).next_power_of_two().trailing_zeros();
            let field = Field {
                word: bit / 64,
                shift: bit % 64,
                mask: (1 << bits) - 1,
                spills: bit % 64 + bits > 64,
            };
            bit += bits;
            field
        });
        let mut fields: Box<[Field]> = fields.collect();
        let n_words = (bit.div_ceil(64) as usize).max(1);
        // Fields of zero bits after a full last word have no word.
        for field in &mut fields {
            field.word = field.word.min(n_words as u32 - 1);
        }
        Self { fields, n_words }
    }

    /// Return the number of words of a packed state, at least 1.
    #[inline]
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Pack values, each in its domain.
    pub(crate) fn pack(&self, values: impl IntoIterator<Item = u32>, packed: &mut [u64]) {
        packed.fill(0);
        for (position, value) in values.into_iter().enumerate() {
            self.flip(packed, position, value);
        }
    }

    /// Write the values of a packed state.
    #[inline]
    pub(crate) fn unpack(&self, packed: &[u64], values: &mut [u32]) {
        for (field, value) in self.fields.iter().zip(values) {
            *value = field.read(packed);
        }
    }

    /// Return one value of a packed state.
    #[inline]
    pub(crate) fn value(&self, packed: &[u64], position: usize) -> u32 {
        self.fields[position].read(packed)
    }

    /// Return the mask of a value's bits.
    pub(crate) fn mask(&self, position: usize) -> u32 {
        self.fields[position].mask
    }

    /// Return a variable's lowest bit and shifted-down mask in packed states of one word.
    pub(crate) fn field_of_one_word(&self, position: usize) -> (u32, u64) {
        debug_assert_eq!(self.n_words, 1);
        let field = self.fields[position];
        (field.shift, u64::from(field.mask))
    }

    /// Change one value: `difference` is the old one xor the new one.
    #[inline]
    pub(crate) fn flip(&self, packed: &mut [u64], position: usize, difference: u32) {
        let field = self.fields[position];
        let word = field.word as usize;
        packed[word] ^= u64::from(difference) << field.shift;
        if field.spills {
            packed[word + 1] ^= u64::from(difference) >> (64 - field.shift);
        }
    }
}

/// Hash a packed state. The highest and lowest bits of the hash are equally good.
#[inline]
pub(crate) fn hash(packed: &[u64]) -> u64 {
    // Mix after each word, so that every bit of a word affects all bits of the result.
    packed.iter().fold(0, |hash, word| mixed(hash ^ word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_come_back(
            variables in prop::collection::vec(
                (1..=1_usize << 20, any::<u32>(), any::<u32>()),
                0..40,
            ),
        ) {
            let sizes: Vec<usize> = variables.iter().map(|(size, ..)| *size).collect();
            let within = |(size, value): (&usize, u32)| value % *size as u32;
            let values = variables.iter().map(|variable| variable.1);
            let values: Vec<u32> = sizes.iter().zip(values).map(within).collect();
            let packing = Packing::new(&sizes);
            let mut packed = vec![0; packing.n_words()];
            packing.pack(values.iter().copied(), &mut packed);
            let mut unpacked = vec![0; sizes.len()];
            packing.unpack(&packed, &mut unpacked);
            prop_assert_eq!(&unpacked, &values);
            // Changing values one by one gives the same as packing all at once.
            let others = variables.iter().map(|variable| variable.2);
            let others: Vec<u32> = sizes.iter().zip(others).map(within).collect();
            for (position, (old, new)) in values.iter().zip(&others).enumerate() {
                packing.flip(&mut packed, position, old ^ new);
            }
            let mut at_once = vec![0; packing.n_words()];
            packing.pack(others, &mut at_once);
            prop_assert_eq!(packed, at_once);
        }
    }

    #[test]
    fn no_bit_is_wasted() {
        assert_eq!(Packing::new(&[16; 16]).n_words(), 1);
        assert_eq!(Packing::new(&[25; 25]).n_words(), 2);
        assert_eq!(Packing::new(&[2; 72]).n_words(), 2);
        assert_eq!(Packing::new(&[2; 64]).n_words(), 1);
        assert_eq!(Packing::new(&[1; 100]).n_words(), 1);
        assert_eq!(Packing::new(&[]).n_words(), 1);
        // A variable of one value behind a full word.
        let mut sizes = vec![2; 64];
        sizes.push(1);
        let packing = Packing::new(&sizes);
        let (mut packed, mut values) = ([0], [1; 65]);
        packing.pack([0; 65], &mut packed);
        packing.unpack(&packed, &mut values);
        assert_eq!(values, [0; 65]);
    }
}
