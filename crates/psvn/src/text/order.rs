//! The names of the orders of words.

use move_prune::Order;

/// The orders of words, with their names.
const ORDERS: [(&str, Order); 2] = [
    ("length-lexicographic", Order::LengthLexicographic),
    ("cost-length-lexicographic", Order::CostLengthLexicographic),
];

/// Read the name of an order of words.
///
/// # Errors
/// When no order has the name; the text lists those that exist.
pub fn parse_order(text: &str) -> Result<Order, String> {
    let found = ORDERS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(_, order)| *order).ok_or_else(|| {
        "the orders are `length-lexicographic` and `cost-length-lexicographic`".to_owned()
    })
}

/// Return the name of an order of words.
pub fn order_name(order: Order) -> &'static str {
    match order {
        Order::LengthLexicographic => ORDERS[0].0,
        Order::CostLengthLexicographic => ORDERS[1].0,
    }
}
