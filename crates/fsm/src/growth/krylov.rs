//! Finds better vectors for a power iteration that converges slowly.
//!
//! Each step of a power iteration reduces the error by the ratio of the two greatest eigenvalues.
//! The best vector of the space that k steps span (Arnoldi 1951) is about as close as k^2 steps
//! would get. It is computed from the eigenvector of a k x k matrix.

use crate::growth::graph::Graph;
use crate::stop::{Stop, Stopped};

/// The dimensions of the space, and so the number of matrix-vector products in a leap.
pub(crate) const DIMENSIONS: usize = 24;

/// The maximum number of nodes: for more, a basis takes too much memory.
pub(crate) const MOST_NODES: usize = 2_000_000;

/// How often the small matrix is squared: its powers up to 2^24 separate eigenvalues that differ by
/// a millionth.
const SQUARINGS: usize = 24;

/// If a basis vector is shorter than this, the space is complete.
const NEGLIGIBLE: f64 = 1e-13;

/// Find a positive vector near the eigenvector of the greatest eigenvalue in the space that a
/// vector spans, if there is one. It may be no better than the vector.
///
/// # Errors
/// When it was stopped.
pub(crate) fn leap(
    graph: &Graph,
    vector: &[f64],
    stop: &Stop<'_>,
) -> Result<Option<Vec<f64>>, Stopped> {
    let mut basis: Vec<Vec<f64>> = vec![scaled(vector, 1.0 / norm(vector))];
    // The matrix plus the identity on the basis: entry (i, j) is `small[i][j]`.
    let mut small = [[0.0_f64; DIMENSIONS]; DIMENSIONS];
    for j in 0..DIMENSIONS {
        stop.count(graph.n_edges() + DIMENSIONS * graph.n_nodes())?;
        let mut image = graph.times(&basis[j]);
        add(&mut image, 1.0, &basis[j]);
        // Do this twice, since once is not enough if much cancels out.
        for _ in 0..2 {
            for (i, axis) in basis.iter().enumerate() {
                let share = dot(axis, &image);
                small[i][j] += share;
                add(&mut image, -share, axis);
            }
        }
        let length = norm(&image);
        if j + 1 == DIMENSIONS || length < NEGLIGIBLE * small[j][j].abs() {
            break;
        }
        small[j + 1][j] = length;
        basis.push(scaled(&image, 1.0 / length));
    }
    let mut found = vec![0.0; vector.len()];
    for (axis, share) in basis.iter().zip(dominant(&small)) {
        add(&mut found, share, axis);
    }
    let sign = found.iter().sum::<f64>().signum();
    let scale = sign
        / found
            .iter()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
    let found = scaled(&found, scale);
    let is_positive = found.iter().all(|value| *value > 0.0);
    Ok(is_positive.then_some(found))
}

/// Return the eigenvector of the greatest eigenvalue, if that is real and positive.
fn dominant(matrix: &[[f64; DIMENSIONS]; DIMENSIONS]) -> [f64; DIMENSIONS] {
    let mut power = *matrix;
    for _ in 0..SQUARINGS {
        let mut square = [[0.0; DIMENSIONS]; DIMENSIONS];
        for (row, own) in square.iter_mut().zip(&power) {
            for (share, other) in own.iter().zip(&power) {
                for (entry, value) in row.iter_mut().zip(other) {
                    *entry += share * value;
                }
            }
        }
        let entries = square.iter().flatten();
        let scale = entries.fold(0.0_f64, |most, entry| most.max(entry.abs()));
        if scale == 0.0 || !scale.is_finite() {
            break;
        }
        for entry in square.iter_mut().flatten() {
            *entry /= scale;
        }
        power = square;
    }
    // All columns are multiples of it; the longest is the most accurate.
    let column = |j: usize| power.map(|row| row[j]);
    let longest = (0..DIMENSIONS).max_by(|a, b| norm(&column(*a)).total_cmp(&norm(&column(*b))));
    column(longest.unwrap_or(0))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

fn scaled(vector: &[f64], factor: f64) -> Vec<f64> {
    vector.iter().map(|value| value * factor).collect()
}

fn add(vector: &mut [f64], factor: f64, other: &[f64]) {
    for (value, other) in vector.iter_mut().zip(other) {
        *value += factor * other;
    }
}
