//! What the costs of rules have in common.

/// Return the greatest common divisor of all numbers; 0 if all are 0.
///
/// ```
/// assert_eq!(psvn_ir::common_divisor([6, 0, 4]), 2);
/// assert_eq!(psvn_ir::common_divisor([]), 0);
/// ```
pub fn common_divisor(costs: impl IntoIterator<Item = u64>) -> u64 {
    costs.into_iter().fold(0, |mut a, mut b| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    })
}
