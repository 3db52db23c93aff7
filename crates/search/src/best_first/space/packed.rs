//! Packed states: as many bits for each variable as its domain needs, in words of 64.

use std::ops::Range;

use psvn_ir::random::mixed;

/// The place of the bits of one or several variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u32,
    /// The field's lowest bits, all ones.
    mask: u32,
    /// Whether the field continues in the next word.
    spills: bool,
}

impl Field {
    /// Return the field of at most 32 bits from this bit on.
    fn at(bit: u32, bits: u32) -> Self {
        Self {
            word: bit / 64,
            shift: bit % 64,
            mask: u32::MAX.checked_shr(32 - bits).unwrap_or(0),
            spills: bit % 64 + bits > 64,
        }
    }

    #[inline(always)]
    pub(crate) fn read(&self, packed: &[u64]) -> u32 {
        let word = self.word as usize;
        let mut bits = packed[word] >> self.shift;
        if self.spills {
            bits |= packed[word + 1] << (64 - self.shift);
        }
        bits as u32 & self.mask
    }
}

/// Access in states of one word.
impl Field {
    #[inline(always)]
    pub(crate) fn read_one_word(self, state: u64) -> u32 {
        (state >> self.shift) as u32 & self.mask
    }

    pub(crate) fn bits_of_one_word(self) -> u64 {
        u64::from(self.mask) << self.shift
    }

    pub(crate) fn put_in_one_word(self, value: u32) -> u64 {
        u64::from(value) << self.shift
    }

    pub(crate) fn shift(self) -> u32 {
        self.shift
    }

    pub(crate) fn ones(self) -> u32 {
        self.mask
    }

    /// Return the number of values that the bits can have.
    pub(crate) fn n_values(self) -> usize {
        self.mask as usize + 1
    }
}

/// Facts of which exactly one holds: variables of two values, each with one of its values.
pub(crate) type Group = Vec<(usize, u32)>;

/// The way in which one variable is packed.
#[derive(Clone, Copy, Debug)]
struct Place {
    field: Field,
    /// For a variable of a group: its place in the group, and its value there.
    fact: Option<(u32, u32)>,
}

impl Place {
    #[inline(always)]
    fn read(&self, packed: &[u64]) -> u32 {
        self.value(self.field.read(packed))
    }

    /// Return the value that the field's bits stand for.
    #[inline(always)]
    fn value(&self, bits: u32) -> u32 {
        match self.fact {
            None => bits,
            Some((number, value)) if bits == number => value,
            Some((_, value)) => 1 - value,
        }
    }

    /// Return the bits of the field after `value` was written; `None` if they stay, because another
    /// variable of the group has the fact that holds.
    fn bits_for(&self, value: u32) -> Option<u32> {
        match self.fact {
            None => Some(value),
            Some((number, of_fact)) => (value == of_fact).then_some(number),
        }
    }
}

/// A field with its variables, and the number of values that it has.
#[derive(Clone, Debug)]
struct Digit {
    field: Field,
    variables: Vec<usize>,
    size: usize,
}

/// The packing of a game's states: digits one after another, without gaps. A variable is usually a
/// digit of ceil(log2(size)) bits. The variables of a group, exactly one of which has a certain
/// value, are one digit together: the number of that variable. A field may begin in one word and
/// end in the next.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    places: Box<[Place]>,
    digits: Vec<Digit>,
    n_words: usize,
    n_bytes: usize,
}

/// Digits that are read together.
#[derive(Clone, Debug)]
pub(crate) struct DigitRun {
    pub(crate) field: Field,
    digits: Range<usize>,
}

impl Packing {
    /// Return the packing for domains of these sizes, and groups without common variables.
    pub(crate) fn new(domain_sizes: &[usize], groups: &[Group]) -> Self {
        let mut in_group = vec![None; domain_sizes.len()];
        for (group, facts) in groups.iter().enumerate() {
            for (number, (variable, value)) in facts.iter().enumerate() {
                in_group[*variable] = Some((group, number as u32, *value));
            }
        }
        let nothing = Place {
            field: Field::at(0, 0),
            fact: None,
        };
        let mut places = vec![nothing; domain_sizes.len()].into_boxed_slice();
        let mut digits: Vec<Digit> = Vec::new();
        let mut bit = 0;
        for (variable, size) in domain_sizes.iter().enumerate() {
            let (variables, size) = match in_group[variable] {
                None => (vec![variable], *size),
                // The group was added with its first variable.
                Some((_, 1.., _)) => continue,
                Some((group, ..)) => {
                    let variables = groups[group].iter().map(|(variable, _)| *variable);
                    (variables.collect(), groups[group].len())
                }
            };
            let bits = size.max(1).next_power_of_two().trailing_zeros();
            let field = Field::at(bit, bits);
            bit += bits;
            for variable in &variables {
                let fact = in_group[*variable].map(|(_, number, value)| (number, value));
                places[*variable] = Place { field, fact };
            }
            digits.push(Digit {
                field,
                variables,
                size,
            });
        }
        let n_words = (bit.div_ceil(64) as usize).max(1);
        // Fields of zero bits after a full last word belong to that word.
        let last = n_words as u32 - 1;
        places
            .iter_mut()
            .for_each(|it| it.field.word = it.field.word.min(last));
        digits
            .iter_mut()
            .for_each(|it| it.field.word = it.field.word.min(last));
        Self {
            places,
            digits,
            n_words,
            n_bytes: bit.div_ceil(8) as usize,
        }
    }

    /// Return the number of words of a packed state, at least 1.
    #[inline]
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Return the number of words, and the number of bytes in them that are used.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.n_words, self.n_bytes)
    }

    /// Return whether exactly one fact of each group holds.
    pub(crate) fn admits(&self, values: &[u32]) -> bool {
        let mut groups = self.digits.iter().filter(|digit| self.is_group(digit));
        groups.all(|digit| {
            let holds = |variable: &&usize| self.places[**variable].bits_for(values[**variable]);
            let holding = digit.variables.iter().filter(|it| holds(it).is_some());
            holding.count() == 1
        })
    }

    fn is_group(&self, digit: &Digit) -> bool {
        self.places[digit.variables[0]].fact.is_some()
    }

    /// Return whether some variables are packed together.
    pub(crate) fn has_groups(&self) -> bool {
        self.digits.len() < self.places.len()
    }

    /// Pack values, each in its domain.
    pub(crate) fn pack(&self, values: impl IntoIterator<Item = u32>, packed: &mut [u64]) {
        packed.fill(0);
        for (position, value) in values.into_iter().enumerate() {
            if let Some(bits) = self.places[position].bits_for(value) {
                self.flip(packed, position, bits);
            }
        }
    }

    /// Write the values of a packed state.
    #[inline]
    pub(crate) fn unpack(&self, packed: &[u64], values: &mut [u32]) {
        for (place, value) in self.places.iter().zip(values) {
            *value = place.read(packed);
        }
    }

    /// Return the values of a packed state.
    #[cfg(debug_assertions)]
    pub(crate) fn values(&self, packed: &[u64]) -> Vec<u32> {
        let mut values = vec![0; self.places.len()];
        self.unpack(packed, &mut values);
        values
    }

    /// Return one value of a packed state.
    #[inline]
    pub(crate) fn value(&self, packed: &[u64], position: usize) -> u32 {
        self.places[position].read(packed)
    }

    /// Divide the digits into runs, each of at most `most_bits` bits if it has several digits.
    pub(crate) fn runs(&self, most_bits: u32) -> Vec<DigitRun> {
        let bits = |field: &Field| field.mask.count_ones();
        let mut runs: Vec<DigitRun> = Vec::new();
        for (number, Digit { field, .. }) in self.digits.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if bits(&run.field) + bits(field) <= most_bits => {
                    run.digits.end += 1;
                    // The place of a field without bits doesn't matter.
                    let begin = if bits(&run.field) > 0 {
                        run.field
                    } else {
                        *field
                    };
                    let n_bits = bits(&run.field) + bits(field);
                    run.field = Field::at(begin.word * 64 + begin.shift, n_bits);
                }
                _ => runs.push(DigitRun {
                    field: *field,
                    digits: number..number + 1,
                }),
            }
        }
        runs
    }

    /// Return the variables of a run.
    pub(crate) fn variables_of<'a>(&'a self, run: &DigitRun) -> impl Iterator<Item = usize> + 'a {
        let digits = self.digits[run.digits.clone()].iter();
        digits.flat_map(|digit| digit.variables.iter().copied())
    }

    /// Call `each` with all bits of a run's field, and the values of its variables that they stand
    /// for, if they do.
    pub(crate) fn values_of_run(
        &self,
        run: &DigitRun,
        mut each: impl FnMut(usize, &[(usize, u32)]),
    ) {
        let digits = &self.digits[run.digits.clone()];
        let mut values = Vec::new();
        for bits in 0..=run.field.mask {
            values.clear();
            let mut rest = u64::from(bits);
            let mut is_state = true;
            for digit in digits {
                let number = rest as u32 & digit.field.mask;
                rest >>= digit.field.mask.count_ones();
                is_state &= (number as usize) < digit.size;
                for position in &digit.variables {
                    values.push((*position, self.places[*position].value(number)));
                }
            }
            if is_state {
                each(bits as usize, &values);
            }
        }
    }

    /// Return the field of a variable, which it may share with others.
    pub(crate) fn field(&self, position: usize) -> Field {
        self.places[position].field
    }

    /// Return the bits of a variable's field: those of the first word come first.
    pub(crate) fn bits(&self, position: usize) -> Range<u32> {
        let field = self.field(position);
        let begin = 64 * field.word + field.shift;
        begin..begin + field.mask.count_ones()
    }

    /// Return the bits of a variable's field after a value was written; `None` if they stay.
    pub(crate) fn bits_for(&self, position: usize, value: u32) -> Option<u32> {
        self.places[position].bits_for(value)
    }

    /// Change one value.
    #[inline]
    pub(crate) fn set(&self, packed: &mut [u64], position: usize, old: u32, new: u32) {
        let place = &self.places[position];
        if place.fact.is_none() {
            self.flip(packed, position, old ^ new);
        } else if let Some(bits) = place.bits_for(new) {
            let before = place.field.read(packed);
            self.flip(packed, position, before ^ bits);
        }
    }

    /// Change the bits of a variable's field: `difference` is the old ones xor the new ones.
    #[inline]
    pub(crate) fn flip(&self, packed: &mut [u64], position: usize, difference: u32) {
        let field = self.places[position].field;
        let word = field.word as usize;
        packed[word] ^= u64::from(difference) << field.shift;
        if field.spills {
            packed[word + 1] ^= u64::from(difference) >> (64 - field.shift);
        }
    }
}

/// Hash the words of a packed state. The hash is the same on every machine, and all its bits are
/// equally random, the highest and the lowest too.
#[inline]
pub fn hash(packed: &[u64]) -> u64 {
    // Mix after each word, so that every bit of a word affects all bits of the result.
    packed.iter().fold(0, |hash, word| mixed(hash ^ word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The variables of groups come after the others, in any order.
        #[test]
        fn values_come_back(
            variables in prop::collection::vec(
                (1..=1_usize << 20, any::<u32>(), any::<u32>()),
                0..40,
            ),
            groups in prop::collection::vec(
                (prop::collection::vec(0..2_u32, 1..9), any::<u32>(), any::<u32>()),
                0..12,
            ),
        ) {
            let mut sizes: Vec<usize> = variables.iter().map(|(size, ..)| *size).collect();
            let within = |(size, value): (&usize, u32)| value % *size as u32;
            let of = |values: Vec<u32>| sizes.iter().zip(values).map(within).collect::<Vec<_>>();
            let mut values = of(variables.iter().map(|it| it.1).collect());
            let mut others = of(variables.iter().map(|it| it.2).collect());
            let mut facts: Vec<Group> = vec![Vec::new(); groups.len()];
            for place in 0..9 {
                for (group, (of_facts, one, other)) in groups.iter().enumerate() {
                    let Some(fact) = of_facts.get(place) else { continue };
                    facts[group].push((sizes.len(), *fact));
                    sizes.push(2);
                    for (values, one) in [(&mut values, one), (&mut others, other)] {
                        let holds = *one as usize % of_facts.len() == place;
                        values.push(if holds { *fact } else { 1 - fact });
                    }
                }
            }
            let packing = Packing::new(&sizes, &facts);
            prop_assert!(packing.admits(&values));
            let mut packed = vec![0; packing.n_words()];
            packing.pack(values.iter().copied(), &mut packed);
            let mut unpacked = vec![0; sizes.len()];
            packing.unpack(&packed, &mut unpacked);
            prop_assert_eq!(&unpacked, &values);
            // Runs of variables are read as their values.
            for run in packing.runs(9).iter().filter(|run| run.field.mask < 1 << 9) {
                let bits = run.field.read(&packed) as usize;
                let mut found = Vec::new();
                packing.values_of_run(run, |at, values| {
                    if at == bits {
                        found = values.to_vec();
                    }
                });
                let expected = packing.variables_of(run).map(|it| (it, values[it]));
                prop_assert_eq!(found, expected.collect::<Vec<_>>());
            }
            // Changing values one by one gives the same as packing all at once.
            for (position, (old, new)) in values.iter().zip(&others).enumerate() {
                packing.set(&mut packed, position, *old, *new);
            }
            let mut at_once = vec![0; packing.n_words()];
            packing.pack(others, &mut at_once);
            prop_assert_eq!(packed, at_once);
            if let Some((variable, value)) = facts.first().and_then(|it| it.first()) {
                values[*variable] = *value;
                for (variable, value) in &facts[0][1..] {
                    values[*variable] = *value;
                }
                prop_assert_eq!(packing.admits(&values), facts[0].len() == 1);
            }
        }
    }

    #[test]
    fn no_bit_is_wasted() {
        let n_words = |sizes: &[usize]| Packing::new(sizes, &[]).n_words();
        assert_eq!(n_words(&[16; 16]), 1);
        assert_eq!(n_words(&[25; 25]), 2);
        assert_eq!(n_words(&[2; 72]), 2);
        assert_eq!(n_words(&[2; 64]), 1);
        assert_eq!(n_words(&[1; 100]), 1);
        assert_eq!(n_words(&[]), 1);
        // A variable of one value behind a full word.
        let mut sizes = vec![2; 64];
        sizes.push(1);
        let packing = Packing::new(&sizes, &[]);
        let (mut packed, mut values) = ([0], [1; 65]);
        packing.pack([0; 65], &mut packed);
        packing.unpack(&packed, &mut values);
        assert_eq!(values, [0; 65]);
        // Eighteen groups of four.
        let groups: Vec<Group> = (0..72)
            .map(|i| (i, 1))
            .collect::<Vec<_>>()
            .chunks(4)
            .map(<[_]>::to_vec)
            .collect();
        assert_eq!(Packing::new(&[2; 72], &groups).n_words(), 1);
    }
}
