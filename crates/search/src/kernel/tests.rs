//! Every kernel that the processor has gives the same results as the portable one.

use std::io::Write;

use psvn_ir::testing::SplitMix64;

use crate::game::lines::Lines;
use crate::game::packed::{Bits, Bytes, Change, Test};
use crate::kernel::ahead::{Lanes, Pattern, Survey};
use crate::kernel::{HasKernels, Instructions, Job, Kernel};

/// All families of instructions, with the names that `PSVN_REQUIRE_KERNELS` takes.
const FAMILIES: [(&str, Instructions); 3] = [
    ("portable", Instructions::Portable),
    ("avx2", Instructions::Avx2),
    ("avx512", Instructions::Avx512),
];

/// Return the families that the processor has.
fn present() -> impl Iterator<Item = (&'static str, Instructions)> {
    let families = FAMILIES.into_iter();
    families.filter(|(_, instructions)| instructions.available() == *instructions)
}

/// Random packed states, with valid changes for them.
trait Sample: HasKernels {
    fn packed(random: &mut SplitMix64) -> Self;

    fn change(random: &mut SplitMix64) -> (Self, Self);
}

/// Random bytes, each below a limit.
fn bytes<R: HasKernels>(random: &mut SplitMix64, limit: usize) -> R {
    let mut packed = R::zeroed();
    for byte in bytemuck::bytes_of_mut(&mut packed) {
        *byte = random.below(limit) as u8;
    }
    packed
}

impl<const N: usize> Sample for Bytes<N>
where
    Bytes<N>: HasKernels,
{
    fn packed(random: &mut SplitMix64) -> Self {
        bytes(random, 4)
    }

    fn change(random: &mut SplitMix64) -> (Self, Self) {
        let shuffle: Self = bytes(random, N);
        let change = Change::by_shuffle(shuffle.0);
        (change.first, change.second)
    }
}

impl<const N: usize> Sample for Bits<N>
where
    Bits<N>: HasKernels,
{
    fn packed(random: &mut SplitMix64) -> Self {
        bytes(random, 4)
    }

    fn change(random: &mut SplitMix64) -> (Self, Self) {
        (bytes(random, 256), bytes(random, 4))
    }
}

/// Input for all operations of a kernel.
struct Everything<R> {
    packed_states: Vec<R>,
    n: usize,
    first: Lines<R>,
    second: Lines<R>,
    masks: Lines<R>,
    values: Lines<R>,
    goals: Vec<Test<R>>,
}

/// The results for a packed state. Sets have a bit for each change.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    /// The bytes of the children.
    children: Vec<u8>,
    agree: u64,
    passed: u64,
    /// By goal.
    hits: [u64; 3],
    /// Whether `may_hit` misses a hit.
    misses: bool,
}

impl<R: Sample> Everything<R> {
    fn new(random: &mut SplitMix64) -> Self {
        let n = 1 + random.below(64);
        let changes: Vec<(R, R)> = (0..n).map(|_| R::change(random)).collect();
        let mut lines = |packed_states: &dyn Fn(usize, &mut SplitMix64) -> R| {
            let mut lines = Lines::new();
            let packed_states: Vec<R> = (0..n).map(|i| packed_states(i, random)).collect();
            lines.push(packed_states.len(), &mut |i| packed_states[i]);
            lines
        };
        let (first, second) = (lines(&|i, _| changes[i].0), lines(&|i, _| changes[i].1));
        // Masks have few bits, so that some tests pass.
        let masks = lines(&|_, random| sparse(random));
        let values = {
            let masks: Vec<R> = masks.packed_states()[..n].to_vec();
            lines(&|i, random| under(masks[i], R::packed(random)))
        };
        let goals = (0..3)
            .map(|_| {
                let mask = sparse::<R>(random);
                let value = under(mask, R::packed(random));
                Test { mask, value }
            })
            .collect();
        Self {
            packed_states: (0..20).map(|_| R::packed(random)).collect(),
            n,
            first,
            second,
            masks,
            values,
            goals,
        }
    }
}

/// Return a packed state with two bits or so.
fn sparse<R: HasKernels>(random: &mut SplitMix64) -> R {
    let mut packed = R::zeroed();
    let bytes = bytemuck::bytes_of_mut(&mut packed);
    for _ in 0..2 {
        bytes[random.below(bytes.len())] |= 1 << random.below(2);
    }
    packed
}

/// Return the bits of a packed state under a mask.
fn under<R: HasKernels>(mask: R, mut packed: R) -> R {
    let bytes = bytemuck::bytes_of_mut(&mut packed).iter_mut();
    for (byte, mask) in bytes.zip(bytemuck::bytes_of(&mask)) {
        *byte &= mask;
    }
    packed
}

impl<R: Sample> Job<R> for &Everything<R> {
    type Output = Vec<Results>;

    fn run<K: Kernel<R>>(self, kernel: K) -> Vec<Results> {
        let (first, second) = (self.first.packed_states(), self.second.packed_states());
        let (masks, values) = (self.masks.packed_states(), self.values.packed_states());
        let n = self.n;
        let mut all = Vec::new();
        for packed in &self.packed_states {
            let mut results = Results::default();
            for i in 0..n {
                let child = kernel.change(packed, &first[i], &second[i]);
                results
                    .children
                    .extend_from_slice(bytemuck::bytes_of(&child));
                let agrees = kernel.agrees(packed, &masks[i], &values[i]);
                results.agree |= u64::from(agrees) << i;
            }
            results.passed = kernel.passed(packed, masks, values, n);
            for (goal, hits) in self.goals.iter().zip(&mut results.hits) {
                *hits = kernel.hits(packed, first, second, n, &goal.mask, &goal.value);
                let (first, second) = (self.first.of_list(0, n), self.second.of_list(0, n));
                let nearest =
                    kernel.nearest(packed, first, second, kernel.goal(goal), kernel.far());
                results.misses |= *hits != 0 && !kernel.may_hit(nearest);
            }
            all.push(results);
        }
        all
    }
}

fn compare<R: Sample>() {
    let mut random = SplitMix64::new(size_of::<R>() as u64);
    let (mut n_passed, mut n_hits) = (0, 0);
    for _ in 0..40 {
        let everything = Everything::<R>::new(&mut random);
        let expected = R::with_kernel(Instructions::Portable, &everything);
        for results in &expected {
            n_passed += results.passed.count_ones();
            n_hits += results.hits.map(u64::count_ones).iter().sum::<u32>();
            assert!(!results.misses);
        }
        for (name, instructions) in present() {
            let found = R::with_kernel(instructions, &everything);
            assert_eq!(found, expected, "{name}, {} bytes", size_of::<R>());
        }
    }
    assert!(n_passed > 500 && n_hits > 500, "{n_passed} and {n_hits}");
}

/// Compares the children of packed states with goals that test all of a state: one goal that equals
/// none of them, and one that equals the last of them.
struct Rejects<'e, R>(&'e Everything<R>);

impl<R: Sample> Job<R> for Rejects<'_, R> {
    type Output = Vec<[bool; 2]>;

    fn run<K: Kernel<R>>(self, kernel: K) -> Vec<[bool; 2]> {
        let Everything {
            packed_states,
            n,
            first,
            second,
            ..
        } = self.0;
        let may_hit = |packed: &R| {
            let last = n - 1;
            let (one, two) = (first.packed_states()[last], second.packed_states()[last]);
            let child = kernel.change(packed, &one, &two);
            // Values are below four, so this one is none of them.
            let other = bytes_of(5);
            [other, child].map(|value| {
                let mask = bytes_of(255);
                let goal = kernel.goal(&Test { mask, value });
                let (first, second) = (first.of_list(0, *n), second.of_list(0, *n));
                kernel.may_hit(kernel.nearest(packed, first, second, goal, kernel.far()))
            })
        };
        packed_states.iter().map(may_hit).collect()
    }
}

/// Looks ahead from packed states with patterns.
struct Looks<'l, R>(&'l [(R, Pattern, i32, Lanes)]);

impl<R: Sample> Job<R> for Looks<'_, R> {
    type Output = (Vec<(u32, Lanes)>, Survey);

    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        let mut survey = Survey::NONE;
        let looked = self.0.iter().map(|(packed, pattern, estimate, numbers)| {
            kernel.look_ahead(packed, pattern, *estimate, numbers, &mut survey)
        });
        (looked.collect(), survey)
    }
}

fn look_ahead<const N: usize>()
where
    Bytes<N>: HasKernels,
{
    let mut random = SplitMix64::new(17);
    let mut n_within = 0;
    for _ in 0..200 {
        let looks: Vec<(Bytes<N>, Pattern, i32, Lanes)> = (0..20)
            .map(|_| {
                let pattern = Pattern {
                    bytes: std::array::from_fn(|_| random.below(N) as u8),
                    greater: std::array::from_fn(|_| {
                        std::array::from_fn(|_| random.below(256) as u8)
                    }),
                    lesser: std::array::from_fn(|_| random.below(5) as i8 - 2),
                    more: std::array::from_fn(|_| random.below(4) as u8),
                };
                let estimate = random.below(8) as i32 - 6;
                let numbers = Lanes(std::array::from_fn(|_| random.below(1 << 20) as i32));
                (bytes(&mut random, N), pattern, estimate, numbers)
            })
            .collect();
        let expected = Bytes::with_kernel(Instructions::Portable, Looks(&looks));
        let within = expected.0.iter().map(|(within, _)| within.count_ones());
        n_within += within.sum::<u32>();
        for (name, instructions) in present() {
            let found = Bytes::with_kernel(instructions, Looks(&looks));
            assert_eq!(found, expected, "{name}, {N} bytes");
        }
    }
    assert!((8_000..24_000).contains(&n_within), "{n_within}");
}

#[test]
fn kernels_look_ahead_alike() {
    look_ahead::<16>();
    look_ahead::<32>();
}

/// Gathers bits of packed states under masks.
struct Gathers<'g, R>(&'g [(R, R)]);

impl<R: Sample> Job<R> for Gathers<'_, R> {
    type Output = Vec<u64>;

    fn run<K: Kernel<R>>(self, kernel: K) -> Vec<u64> {
        let gathered = self
            .0
            .iter()
            .map(|(packed, mask)| kernel.gather(packed, mask));
        gathered.collect()
    }
}

fn gather<R: Sample>() {
    let mut random = SplitMix64::new(23);
    let of_random_bytes = |random: &mut SplitMix64| -> R { bytes(random, 256) };
    let pairs: Vec<(R, R)> = (0..500)
        .map(|_| {
            let mut mask = R::zeroed();
            for _ in 0..1 + random.below(40) {
                let at = random.below(8 * size_of::<R>());
                bytemuck::bytes_of_mut(&mut mask)[at / 8] |= 1 << (at % 8);
            }
            (of_random_bytes(&mut random), mask)
        })
        .collect();
    let expected = R::with_kernel(Instructions::Portable, Gathers(&pairs));
    let n_bits: u32 = expected.iter().map(|bits| bits.count_ones()).sum();
    assert!(n_bits > 3_000, "{n_bits}");
    for (name, instructions) in present() {
        let found = R::with_kernel(instructions, Gathers(&pairs));
        assert_eq!(found, expected, "{name}, {} bytes", size_of::<R>());
    }
}

#[test]
fn kernels_gather_alike() {
    gather::<Bytes<16>>();
    gather::<Bytes<32>>();
    gather::<Bits<1>>();
    gather::<Bits<2>>();
    gather::<Bits<4>>();
}

#[test]
fn old_processors_gather_slowly() {
    let is_quick = |vendor: &[u8], signature| super::is_quick_at_gathering(vendor, signature);
    // Zen 2 and Zen 3, and a Xeon with family 6.
    assert!(!is_quick(b"AuthenticAMD", 0x0083_0F10));
    assert!(is_quick(b"AuthenticAMD", 0x00A0_0F11));
    assert!(!is_quick(b"HygonGenuine", 0x0090_0F01));
    assert!(is_quick(b"GenuineIntel", 0x0005_0654));
}

/// Return a packed state whose bytes are all the same.
fn bytes_of<R: HasKernels>(byte: u8) -> R {
    let mut packed = R::zeroed();
    bytemuck::bytes_of_mut(&mut packed).fill(byte);
    packed
}

fn reject<R: Sample>() {
    let mut random = SplitMix64::new(size_of::<R>() as u64);
    for _ in 0..10 {
        let everything = Everything::<R>::new(&mut random);
        for (name, instructions) in present() {
            let may_hit = R::with_kernel(instructions, Rejects(&everything));
            let expected = [false, true];
            assert!(
                may_hit.iter().all(|it| *it == expected),
                "{name}, {may_hit:?}"
            );
        }
    }
}

/// Print which kernels are tested. Fail if a kernel is missing that `PSVN_REQUIRE_KERNELS`, a
/// comma-separated list, names.
#[test]
fn kernels_of_this_processor() {
    let present: Vec<&str> = present().map(|(name, _)| name).collect();
    let names = FAMILIES.map(|(name, _)| name);
    let missing: Vec<&str> = names
        .into_iter()
        .filter(|name| !present.contains(name))
        .collect();
    // Not by `println`, whose output shows only when the test fails.
    let (here, absent) = (present.join(", "), missing.join(", "));
    let absent = if absent.is_empty() { "none" } else { &absent };
    writeln!(
        std::io::stderr(),
        "search kernels tested: {here}; missing on this processor: {absent}"
    )
    .unwrap();
    let required = std::env::var("PSVN_REQUIRE_KERNELS").unwrap_or_default();
    for name in required
        .split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
    {
        assert!(names.contains(&name), "there is no kernel `{name}`");
        assert!(present.contains(&name), "this processor lacks `{name}`");
    }
}

#[test]
fn kernels_agree_on_bytes() {
    compare::<Bytes<16>>();
    compare::<Bytes<32>>();
    compare::<Bytes<64>>();
}

#[test]
fn kernels_reject_what_is_no_goal() {
    reject::<Bytes<16>>();
    reject::<Bytes<32>>();
    reject::<Bytes<64>>();
    reject::<Bits<1>>();
    reject::<Bits<2>>();
    reject::<Bits<4>>();
}

#[test]
fn kernels_agree_on_bits() {
    compare::<Bits<1>>();
    compare::<Bits<2>>();
    compare::<Bits<4>>();
}
