//! The kernel for every processor.

use std::array;

use super::{Job, Kernel};
use crate::game::packed::{Bits, Bytes};

/// Plain loops, against which the other kernels are tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// Pick bytes by their indices.
#[inline(always)]
fn shuffle<const N: usize>(packed: &Bytes<N>, indices: &Bytes<N>) -> Bytes<N> {
    // The mask shows the compiler that no index is out of range; N is a power of two.
    Bytes(array::from_fn(|i| {
        packed.0[indices.0[i] as usize & (N - 1)]
    }))
}

/// The same as a call, for states of more than 16 bytes.
#[inline(never)]
fn shuffled<const N: usize>(packed: &Bytes<N>, indices: &Bytes<N>) -> Bytes<N> {
    shuffle(packed, indices)
}

impl<const N: usize> Kernel<Bytes<N>> for Portable {
    one_by_one!(Bytes<N>);

    #[inline(never)]
    fn call<J: Job<Bytes<N>>>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn change(self, packed: &Bytes<N>, first: &Bytes<N>, _second: &Bytes<N>) -> Bytes<N> {
        // A call for many bytes takes no more time than as many instructions in each place.
        if N > 16 {
            return shuffled(packed, first);
        }
        shuffle(packed, first)
    }

    #[inline(always)]
    fn agrees(self, packed: &Bytes<N>, mask: &Bytes<N>, value: &Bytes<N>) -> bool {
        let mut difference = 0;
        for i in 0..N {
            difference |= (packed.0[i] ^ value.0[i]) & mask.0[i];
        }
        difference == 0
    }
}

impl<const W: usize> Kernel<Bits<W>> for Portable {
    one_by_one!(Bits<W>);

    #[inline(never)]
    fn call<J: Job<Bits<W>>>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn change(self, packed: &Bits<W>, first: &Bits<W>, second: &Bits<W>) -> Bits<W> {
        Bits(array::from_fn(|i| packed.0[i] & first.0[i] | second.0[i]))
    }

    #[inline(always)]
    fn agrees(self, packed: &Bits<W>, mask: &Bits<W>, value: &Bits<W>) -> bool {
        let mut difference = 0;
        for i in 0..W {
            difference |= (packed.0[i] ^ value.0[i]) & mask.0[i];
        }
        difference == 0
    }
}
