//! Searches for maps of variables under which all rules but a few become rules.

use psvn_ir::{Game, Term, VarId};

use super::values::ValueMap;
use crate::subject::touched;

/// No image yet.
const NONE: u32 = u32::MAX;
/// The most maps that are found for one image of the first variable.
const MOST_FOUND: usize = 8;

/// A rule in the form that the search uses.
struct Shape {
    p: Vec<Term>,
    a: Vec<Term>,
    touched: Vec<bool>,
    n_touched: usize,
    cost: u64,
}

/// Gives variables images one by one. For each rule it keeps the rules that it may still become. It
/// backtracks if too many rules have none.
pub(super) struct Searcher<'a> {
    game: &'a Game,
    values: &'a ValueMap,
    shapes: Vec<Shape>,
    /// For each variable the rules that touch it.
    touching: Vec<Vec<u32>>,
    /// Variables in the order in which they get images: each after one that it shares a rule with.
    order: Vec<u32>,
    image: Vec<u32>,
    taken: Vec<bool>,
    /// For each rule, the set of rules that it may become, as bits. One vector for each depth of
    /// the search.
    candidates: Vec<Vec<u64>>,
    n_words: usize,
    tolerance: usize,
    budget: u64,
    n_found: usize,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(game: &'a Game, values: &'a ValueMap, tolerance: usize, budget: u64) -> Self {
        let shapes: Vec<Shape> = game
            .rules()
            .iter()
            .map(|rule| {
                let touched = touched(rule);
                Shape {
                    p: rule.canonical.preconditions().to_vec(),
                    a: rule.canonical.actions().to_vec(),
                    n_touched: touched.iter().filter(|touched| **touched).count(),
                    touched,
                    cost: rule.canonical.cost(),
                }
            })
            .collect();
        let n = game.n_variables();
        let touching: Vec<Vec<u32>> = (0..n)
            .map(|i| {
                (0..shapes.len() as u32)
                    .filter(|rule| shapes[*rule as usize].touched[i])
                    .collect()
            })
            .collect();
        let n_words = shapes.len().div_ceil(64);
        let mut first = vec![0; n_words * shapes.len()];
        for (rule, shape) in shapes.iter().enumerate() {
            for (other, image) in shapes.iter().enumerate() {
                if shape.n_touched == image.n_touched && shape.cost == image.cost {
                    first[rule * n_words + other / 64] |= 1 << (other % 64);
                }
            }
        }
        Self {
            order: order(&shapes, &touching),
            game,
            values,
            shapes,
            touching,
            image: vec![NONE; n],
            taken: vec![false; n],
            candidates: vec![first],
            n_words,
            tolerance,
            budget,
            n_found: 0,
        }
    }

    /// Report each map except the identity.
    pub(super) fn run(&mut self, mut found: impl FnMut(&[u32])) {
        for i in 0..self.image.len() {
            // Variables that no rule touches keep their places.
            if self.touching[i].is_empty() {
                self.image[i] = i as u32;
                self.taken[i] = true;
            }
        }
        // Each image of the first variable gets an equal share of the budget, so a wrong one uses
        // up no more.
        let places = self.image.len() - self.taken.iter().filter(|taken| **taken).count();
        let share = self.budget / places.max(1) as u64;
        for place in 0..self.image.len() {
            self.budget = share;
            self.n_found = 0;
            self.place(0, place, &mut found);
        }
    }

    /// Give the next variable each image in turn.
    fn extend(&mut self, depth: usize, found: &mut impl FnMut(&[u32])) {
        if depth == self.order.len() {
            self.n_found += 1;
            found(&self.image);
            return;
        }
        for place in 0..self.image.len() {
            if self.budget == 0 || self.n_found >= MOST_FOUND {
                return;
            }
            self.place(depth, place, found);
        }
    }

    /// Give the next variable this image, and continue from there.
    fn place(&mut self, depth: usize, place: usize, found: &mut impl FnMut(&[u32])) {
        let Some(var) = self.order.get(depth).map(|var| *var as usize) else {
            return;
        };
        let n_touching = self.touching[var].len();
        let fits = !self.taken[place]
            && self.game.variables()[place] == self.game.variables()[var]
            && self.touching[place].len().abs_diff(n_touching) <= 2 * self.tolerance;
        if !fits {
            return;
        }
        self.image[var] = place as u32;
        self.taken[place] = true;
        if self.narrow(depth, var, place) {
            self.extend(depth + 1, found);
        }
        self.taken[place] = false;
        self.image[var] = NONE;
    }

    /// Keep for each rule the rules that it may become now that `var` has an image. Return `false`
    /// if too many rules have none.
    fn narrow(&mut self, depth: usize, var: usize, place: usize) -> bool {
        if self.candidates.len() == depth + 1 {
            self.candidates.push(Vec::new());
        }
        let mut next = std::mem::take(&mut self.candidates[depth + 1]);
        next.clone_from(&self.candidates[depth]);
        // A comparison examines each position once.
        let cost = 4 + self.image.len() as u64;
        let mut n_lost = 0;
        let mut fine = true;
        for rule in 0..self.shapes.len() {
            let row = &mut next[rule * self.n_words..(rule + 1) * self.n_words];
            let mut any = false;
            for (word, bits) in row.iter_mut().enumerate() {
                let mut left = *bits;
                while left != 0 {
                    let other = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    self.budget = self.budget.saturating_sub(cost);
                    if !self.fits(rule, other, var, place) {
                        *bits &= !(1 << (other % 64));
                    }
                }
                any |= *bits != 0;
            }
            n_lost += usize::from(!any);
            if n_lost > self.tolerance {
                fine = false;
                break;
            }
        }
        self.candidates[depth + 1] = next;
        fine
    }

    /// Whether `rule` can become `other` as far as `var` is concerned, which becomes `place`.
    fn fits(&self, rule: usize, other: usize, var: usize, place: usize) -> bool {
        let (one, two) = (&self.shapes[rule], &self.shapes[other]);
        if one.touched[var] != two.touched[place] {
            return false;
        }
        if !one.touched[var] {
            return true;
        }
        let domain = self.game.variables()[var];
        let constants =
            |before: Term, after: Term| match (before.as_constant(), after.as_constant()) {
                (Some(value), Some(image)) => self.values.image(domain, value) == image,
                (None, None) => true,
                _ => false,
            };
        if !constants(one.p[var], two.p[place]) || !constants(one.a[var], two.a[place]) {
            return false;
        }
        // Unknowns have other names in the image, but the same ones must be equal.
        let unknown = |term: Term| -> Option<VarId> { term.as_variable() };
        let (p, a) = (unknown(one.p[var]), unknown(one.a[var]));
        let (p_image, a_image) = (unknown(two.p[place]), unknown(two.a[place]));
        (0..one.touched.len()).all(|u| {
            let image = self.image[u];
            if image == NONE || !one.touched[u] {
                return true;
            }
            let w = image as usize;
            let same = |x: Option<VarId>, y: Term, x_image: Option<VarId>, y_image: Term| {
                let equal = |x: Option<VarId>, y: Term| x.is_some() && x == y.as_variable();
                equal(x, y) == equal(x_image, y_image)
            };
            same(p, one.p[u], p_image, two.p[w])
                && same(p, one.a[u], p_image, two.a[w])
                && same(a, one.p[u], a_image, two.p[w])
                && same(a, one.a[u], a_image, two.a[w])
        })
    }
}

/// The variables that rules touch: first one of the rarest kind, then always the one that shares
/// the most rules with those before it.
fn order(shapes: &[Shape], touching: &[Vec<u32>]) -> Vec<u32> {
    let n = touching.len();
    let mut kinds = vec![0_usize; shapes.len() + 1];
    for rules in touching {
        kinds[rules.len()] += 1;
    }
    let mut shared = vec![0_usize; n];
    let mut seen = vec![false; shapes.len()];
    let mut left: Vec<usize> = (0..n).filter(|i| !touching[*i].is_empty()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let best = (0..left.len()).min_by_key(|i| {
            let var = left[*i];
            (std::cmp::Reverse(shared[var]), kinds[touching[var].len()])
        });
        let var = left.remove(best.expect("a variable is left"));
        order.push(var as u32);
        for rule in &touching[var] {
            if !std::mem::replace(&mut seen[*rule as usize], true) {
                for (other, touched) in shapes[*rule as usize].touched.iter().enumerate() {
                    shared[other] += usize::from(*touched);
                }
            }
        }
    }
    order
}
