//! What a frontier search would keep of each state beside its rank: the moves that lead back to the
//! layer before, in plain bits, and in as few bits as their frequencies allow.
//!
//! `used_moves DEPTH NAME [ARG..]`, for a game of at most 128 rules whose moves can be undone, and
//! whose states have one word.

use std::collections::{HashMap, HashSet};

use search::{Direction, PackedStates};

/// What was counted of all states that were expanded.
#[derive(Default)]
struct Counts {
    states: u64,
    generated: u64,
    back: u64,
    /// By the moves that apply, and by those of them that lead back.
    masks: HashMap<u128, HashMap<u128, u64>>,
}

impl Counts {
    /// The bits that the moves back take at least, by Shannon's theorem, if no more is known of a
    /// state than which moves apply.
    fn entropy(&self) -> f64 {
        self.masks
            .values()
            .map(|of_applicable| {
                let all = of_applicable.values().sum::<u64>() as f64;
                let bits = |count: &u64| *count as f64 * (all / *count as f64).log2();
                of_applicable.values().map(bits).sum::<f64>()
            })
            .sum()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [depth, name, args @ ..] = &*words else {
        return Err("used_moves DEPTH NAME [ARG..]".into());
    };
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let game = psvn_ir::load(&domains::generate(name, &args)?)
        .game
        .ok_or("a game with errors")?;
    let states = PackedStates::new(&game);
    let roots = explore::Origin::Goals.packed(&game, &states, None)?;
    let mut moves = states.moves(Direction::Backward);
    let (mut before, mut layer) = (HashSet::new(), HashSet::new());
    layer.extend(roots.iter().map(|root| root[0]));
    let mut counts = Counts::default();
    for _ in 0..=depth.parse::<u64>()? {
        let mut next = HashSet::new();
        #[allow(clippy::iter_over_hash_type, reason = "sums don't depend on the order")]
        for state in &layer {
            let (mut applicable, mut back) = (0_u128, 0_u128);
            moves.each(&[*state], |rule, child| {
                let bit = 1_u128 << rule.index();
                applicable |= bit;
                if before.contains(&child[0]) {
                    back |= bit;
                } else if !layer.contains(&child[0]) {
                    next.insert(child[0]);
                }
            });
            counts.states += 1;
            counts.generated += u64::from(applicable.count_ones());
            counts.back += u64::from(back.count_ones());
            let of_applicable = counts.masks.entry(applicable).or_default();
            *of_applicable.entry(back).or_default() += 1;
        }
        before = std::mem::replace(&mut layer, next);
        if layer.is_empty() {
            break;
        }
    }
    let each = |sum: f64| sum / counts.states as f64;
    #[allow(clippy::print_stdout, reason = "an example shows what it found")]
    {
        println!(
            "{} states; {} rules, {:.2} moves a state, {:.2} of them back; {:.3} bytes in plain \
             bits, {:.3} in the fewest",
            counts.states,
            game.rules_with_ids().count(),
            each(counts.generated as f64),
            each(counts.back as f64),
            each(counts.generated as f64) / 8.0,
            each(counts.entropy()) / 8.0,
        );
    }
    Ok(())
}
