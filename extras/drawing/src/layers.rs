//! The layer of each node of a graph, and its place there (after Sugiyama, Tagawa & Toda 1981).

/// How many times the order within layers is improved in either direction.
const SWEEPS: usize = 12;

/// The layers of a graph from left to right, in an order with few crossings. Nodes are layered by
/// their distance from the first one, or by the longest path that doesn't go back, whichever gives
/// fewer arrows that stay in a layer or skip one. Nodes that can't be reached form a separate layer
/// at the end.
pub(crate) fn layers(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let near = by_distance(n_nodes, edges);
    let far = by_longest_way(&near, edges);
    let n_awkward = |layer_of: &[usize]| {
        let awkward = edges.iter().filter(|(from, to)| {
            let (from, to) = (layer_of[*from], layer_of[*to]);
            from == to || from.abs_diff(to) > 1
        });
        awkward.filter(|(from, to)| from != to).count()
    };
    let layer_of = if n_awkward(&far) < n_awkward(&near) {
        far
    } else {
        near
    };
    layers_as_given(&layer_of, edges)
}

/// The layers of nodes with given layer numbers, in an order with few crossings. Layers without
/// nodes are left out.
pub(crate) fn layers_as_given(layer_of: &[usize], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let n_nodes = layer_of.len();
    let n_layers = layer_of.iter().max().map_or(0, |last| last + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); n_layers];
    for (node, layer) in layer_of.iter().enumerate() {
        layers[*layer].push(node);
    }
    layers.retain(|layer| !layer.is_empty());
    in_order(layers, edges, n_nodes)
}

/// For each node, its distance from the first one.
fn by_distance(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layer_of = vec![usize::MAX; n_nodes];
    let mut current = if n_nodes > 0 { vec![0] } else { Vec::new() };
    let mut layer = 0;
    while !current.is_empty() {
        current.iter().for_each(|node| layer_of[*node] = layer);
        let mut next = Vec::new();
        for (from, to) in edges {
            if current.contains(from) && layer_of[*to] == usize::MAX && !next.contains(to) {
                next.push(*to);
            }
        }
        current = next;
        layer += 1;
    }
    for place in &mut layer_of {
        *place = (*place).min(layer);
    }
    layer_of
}

/// For each node, the length of the longest path to it along arrows to nodes found later.
fn by_longest_way(near: &[usize], edges: &[(usize, usize)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by_key(|node| (near[*node], *node));
    let mut rank = vec![0; near.len()];
    for (place, node) in order.iter().enumerate() {
        rank[*node] = place;
    }
    let mut layer_of = vec![0; near.len()];
    for node in &order {
        for (from, to) in edges {
            // Arrows between two nodes in both directions don't make one later than the other.
            if from == node && rank[*to] > rank[*from] && !edges.contains(&(*to, *from)) {
                layer_of[*to] = layer_of[*to].max(layer_of[*from] + 1);
            }
        }
    }
    layer_of
}

/// The layers with the order in them improved.
fn in_order(
    mut layers: Vec<Vec<usize>>,
    edges: &[(usize, usize)],
    n_nodes: usize,
) -> Vec<Vec<usize>> {
    let mut layer_of = vec![0; n_nodes];
    for (number, layer) in layers.iter().enumerate() {
        layer.iter().for_each(|node| layer_of[*node] = number);
    }
    let mut best = layers.clone();
    let mut fewest = crossings(&layers, edges, &layer_of);
    for sweep in 0..SWEEPS {
        let n = layers.len();
        for step in 1..n {
            // Forward by the layer to the left, and backward by the one to the right.
            let (layer, beside) = if sweep % 2 == 0 {
                (step, step - 1)
            } else {
                (n - 1 - step, n - step)
            };
            by_barycenter(&mut layers, layer, beside, edges);
        }
        let found = crossings(&layers, edges, &layer_of);
        if found < fewest {
            fewest = found;
            best.clone_from(&layers);
        }
    }
    best
}

/// Sort a layer by the mean place of the neighbors in another.
fn by_barycenter(layers: &mut [Vec<usize>], layer: usize, beside: usize, edges: &[(usize, usize)]) {
    let place_in =
        |node: usize, layers: &[Vec<usize>]| layers[beside].iter().position(|n| *n == node);
    let mut keyed: Vec<(f64, usize)> = Vec::new();
    for (place, node) in layers[layer].iter().enumerate() {
        let mut sum = 0.0;
        let mut n = 0.0;
        for (from, to) in edges {
            let other = match (from == node, to == node) {
                (true, false) => *to,
                (false, true) => *from,
                _ => continue,
            };
            if let Some(place) = place_in(other, layers) {
                sum += place as f64;
                n += 1.0;
            }
        }
        keyed.push((if n > 0.0 { sum / n } else { place as f64 }, *node));
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
}

/// How many arrows between neighboring layers cross each other.
fn crossings(layers: &[Vec<usize>], edges: &[(usize, usize)], layer_of: &[usize]) -> usize {
    let place = |node: usize| {
        layers[layer_of[node]]
            .iter()
            .position(|n| *n == node)
            .unwrap_or(0)
    };
    let mut n_crossings = 0;
    for layer in 1..layers.len() {
        let between: Vec<(usize, usize)> = edges
            .iter()
            .filter_map(|(a, b)| match (layer_of[*a], layer_of[*b]) {
                (x, y) if x + 1 == layer && y == layer => Some((place(*a), place(*b))),
                (x, y) if y + 1 == layer && x == layer => Some((place(*b), place(*a))),
                _ => None,
            })
            .collect();
        for (i, first) in between.iter().enumerate() {
            let crossed = between[i + 1..].iter().filter(|second| {
                (first.0 < second.0 && first.1 > second.1)
                    || (first.0 > second.0 && first.1 < second.1)
            });
            n_crossings += crossed.count();
        }
    }
    n_crossings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_by_their_distance() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 4), (4, 0)];
        let layers = layers(6, &edges);
        assert_eq!(layers.len(), 4);
        assert_eq!(
            (layers[0].as_slice(), layers[3].as_slice()),
            (&[0][..], &[5][..])
        );
    }

    #[test]
    fn crossings_that_need_not_be_are_taken_out() {
        // 1 leads to 4 and 2 to 3.
        let edges = [(0, 1), (0, 2), (2, 3), (1, 4), (1, 5)];
        let layers = layers(6, &edges);
        let layer_of = [0, 1, 1, 2, 2, 2];
        assert_eq!(crossings(&layers, &edges, &layer_of), 0);
        assert_eq!(
            crossings(&[vec![0], vec![1, 2], vec![3, 4, 5]], &edges, &layer_of),
            2
        );
    }
}
