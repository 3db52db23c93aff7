//! Directed graphs as lists of edges, and their strongly connected components.

use crate::stop::{Stop, Stopped};

/// A directed graph. Edges may be parallel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// The end of each node's edges.
    ends: Vec<usize>,
    targets: Vec<u32>,
}

const UNVISITED: u32 = u32::MAX;

impl Graph {
    /// Add an edge from the node that is being made.
    pub(crate) fn push_edge(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// End the edges of a node; later ones belong to the next node.
    pub(crate) fn end_node(&mut self) {
        self.ends.push(self.targets.len());
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn n_edges(&self) -> usize {
        self.targets.len()
    }

    fn targets(&self, node: usize) -> &[u32] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[node]]
    }

    /// Return the matrix of the graph times a vector: for each node, the sum of its targets'
    /// values.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut start = 0;
        self.ends
            .iter()
            .map(|end| {
                let targets = &self.targets[start..*end];
                start = *end;
                targets.iter().map(|target| vector[*target as usize]).sum()
            })
            .collect()
    }

    /// Return the strongly connected components that can be reached from some nodes, each as a
    /// separate graph: by Tarjan's algorithm with an explicit stack, since graphs can be deep.
    ///
    /// # Errors
    /// When it was stopped.
    pub(crate) fn components(&self, roots: &[u32], stop: &Stop<'_>) -> Result<Vec<Graph>, Stopped> {
        let n = self.n_nodes();
        let mut index = vec![UNVISITED; n];
        let mut low = vec![0_u32; n];
        let mut component_of = vec![UNVISITED; n];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut counter = 0_u32;
        for root in roots.iter().map(|root| *root as usize) {
            if index[root] != UNVISITED {
                continue;
            }
            // Each frame: a node and the next of its edges.
            let mut frames: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some((node, edge)) = frames.pop() {
                stop.count(1 + self.targets(node).len() - edge)?;
                if index[node] == UNVISITED {
                    index[node] = counter;
                    low[node] = counter;
                    counter += 1;
                    open.push(node);
                }
                let mut edges = self.targets(node).iter().enumerate().skip(edge);
                let descend = edges.find_map(|(edge, next)| {
                    let next = *next as usize;
                    if component_of[next] != UNVISITED {
                        return None;
                    }
                    if index[next] == UNVISITED {
                        return Some((edge, next));
                    }
                    low[node] = low[node].min(index[next]);
                    None
                });
                if let Some((edge, next)) = descend {
                    // Return to this edge later: by then its target has a number.
                    frames.push((node, edge));
                    frames.push((next, 0));
                    continue;
                }
                if low[node] == index[node] {
                    let mut component = Vec::new();
                    while let Some(member) = open.pop() {
                        component_of[member] = members.len() as u32;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    members.push(component);
                }
                if let Some((parent, _)) = frames.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
            }
        }
        let mut place = vec![0_u32; n];
        for component in &members {
            for (number, node) in (0..).zip(component) {
                place[*node] = number;
            }
        }
        let graphs = members.into_iter().map(|component| {
            let mut graph = Graph::default();
            for node in &component {
                let inside = |next: &&u32| component_of[**next as usize] == component_of[*node];
                for next in self.targets(*node).iter().filter(inside) {
                    graph.push_edge(place[*next as usize]);
                }
                graph.end_node();
            }
            graph
        });
        Ok(graphs.collect())
    }
}
