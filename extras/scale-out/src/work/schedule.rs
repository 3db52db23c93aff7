//! The order in which distances are made, and the states from which each is made.
//!
//! States are found in stages. Where all moves cost one unit, a stage is a layer and is made from
//! the layer before. Where moves cost different amounts, the next stage is that of the least
//! distance to which some state leads (Dijkstra 1959). A state of distance d is expanded once for
//! each cost c, when the stage of distance d + c is made, so that no waiting states have to be
//! saved. Moves that cost nothing lead to further stages of the same distance.
//!
//! A schedule depends only on the numbers of states, so all workers have the same one.

/// The stages that are done, and the choice of the next one.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// The different costs of moves.
    costs: Vec<u64>,
    greatest_cost: u64,
    /// The greatest distance; greater ones count as this one.
    most: u64,
    done: Vec<Done>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Done {
    distance: u64,
    states: u64,
}

/// A stage to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) distance: u64,
    /// The sources that lead there; none for the states with which the exploration begins.
    pub(crate) sources: Vec<Source>,
}

/// The states of a stage that are expanded by the moves of some costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) stage: usize,
    pub(crate) costs: Vec<u64>,
}

impl Schedule {
    /// Make a schedule in which nothing is done. Greater distances than `most` count as `most`.
    pub(crate) fn new(mut costs: Vec<u64>, most: u64) -> Self {
        costs.sort_unstable();
        costs.dedup();
        Self {
            greatest_cost: costs.last().copied().unwrap_or(0),
            costs,
            most,
            done: Vec::new(),
        }
    }

    /// Return the number of stages that are done.
    pub(crate) fn len(&self) -> usize {
        self.done.len()
    }

    /// Return the distance of a stage that is done.
    pub(crate) fn distance(&self, stage: usize) -> u64 {
        self.done[stage].distance
    }

    /// Return the number of states in a stage that is done.
    pub(crate) fn states(&self, stage: usize) -> u64 {
        self.done[stage].states
    }

    /// Record that the next stage is done, with this number of states.
    pub(crate) fn add(&mut self, states: u64) {
        if let Some(Stage { distance, .. }) = self.next() {
            self.done.push(Done { distance, states });
        }
    }

    /// Return the stage that is made next; `None` when nothing is left.
    pub(crate) fn next(&self) -> Option<Stage> {
        let Some((last, before)) = self.done.split_last() else {
            return Some(Stage {
                distance: 0,
                sources: Vec::new(),
            });
        };
        let number = before.len();
        let to = |done: &Done, cost: u64| done.distance.saturating_add(cost).min(self.most);
        // These are moves that cost nothing, or lead to the greatest distance that is counted.
        if last.states > 0 {
            let costs = self.costs_where(|cost| to(last, cost) == last.distance);
            if !costs.is_empty() {
                let source = Source {
                    stage: number,
                    costs,
                };
                return Some(Stage {
                    distance: last.distance,
                    sources: vec![source],
                });
            }
        }
        // Earlier stages lead to no further ones.
        let first = self
            .done
            .partition_point(|done| to(done, self.greatest_cost) <= last.distance);
        let recent = || {
            let recent = self.done.iter().enumerate().skip(first);
            recent.filter(|(_, done)| done.states > 0)
        };
        let ahead = recent().flat_map(|(_, done)| self.costs.iter().map(|cost| to(done, *cost)));
        let distance = ahead.filter(|it| *it > last.distance).min()?;
        let sources = recent().map(|(stage, done)| Source {
            stage,
            costs: self.costs_where(|cost| to(done, cost) == distance),
        });
        Some(Stage {
            distance,
            sources: sources.filter(|it| !it.costs.is_empty()).collect(),
        })
    }

    fn costs_where(&self, is_wanted: impl Fn(u64) -> bool) -> Vec<u64> {
        let costs = self.costs.iter().copied();
        costs.filter(|cost| is_wanted(*cost)).collect()
    }

    /// Return the first stage that may hold states to which the next one leads, where each move can
    /// be undone: a state at distance d - c has no neighbor nearer than d - 2c, for the greatest c.
    pub(crate) fn first_near(&self, distance: u64) -> usize {
        let nearest = distance.saturating_sub(self.greatest_cost.saturating_mul(2));
        self.done.partition_point(|done| done.distance < nearest)
    }

    /// Return the distance of the last stage that has states, and the number of states there;
    /// `None` if there are none.
    pub(crate) fn farthest(&self) -> Option<(u64, u64)> {
        let last = self.done.iter().rfind(|done| done.states > 0)?.distance;
        let there = self.done.iter().filter(|done| done.distance == last);
        Some((last, there.map(|done| done.states).sum()))
    }

    /// Return the distance that the last stage has completed, if it has.
    pub(crate) fn completed(&self) -> Option<u64> {
        let last = self.done.last()?.distance;
        let goes_on = self.next().is_some_and(|stage| stage.distance == last);
        (!goes_on).then_some(last)
    }

    /// Return the number of states at each distance that is complete, up to the last one that has
    /// any.
    pub(crate) fn layers(&self) -> Vec<u64> {
        let mut layers = Vec::new();
        let open = match self.completed() {
            Some(_) => None,
            None => self.done.last().map(|done| done.distance),
        };
        let complete = self.done.iter().filter(|done| Some(done.distance) != open);
        for done in complete.filter(|done| done.states > 0) {
            let distance = usize::try_from(done.distance).unwrap_or(usize::MAX);
            if layers.len() <= distance {
                layers.resize(distance + 1, 0);
            }
            layers[distance] += done.states;
        }
        layers
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moves_of_one_unit_make_a_layer_of_the_one_before() {
        let mut schedule = Schedule::new(vec![1], u64::MAX);
        for (number, states) in [1, 4, 7, 0].into_iter().enumerate() {
            let stage = schedule.next().expect("more to do");
            assert_eq!(stage.distance, number as u64);
            let sources: Vec<usize> = stage.sources.iter().map(|it| it.stage).collect();
            assert_eq!(sources, Vec::from_iter(number.checked_sub(1)));
            schedule.add(states);
            assert_eq!(schedule.completed(), Some(number as u64));
        }
        assert_eq!(schedule.next(), None);
        assert_eq!(schedule.layers(), [1, 4, 7]);
        assert_eq!(schedule.farthest(), Some((2, 7)));
    }

    /// Distances in a small graph by stages of a schedule.
    fn by_stages(edges: &[(usize, usize, u64)], nodes: usize, most: u64) -> Vec<Option<u64>> {
        let costs = edges.iter().map(|edge| edge.2).collect();
        let mut schedule = Schedule::new(costs, most);
        let mut stages: Vec<Vec<usize>> = Vec::new();
        let mut found = vec![None; nodes];
        while let Some(stage) = schedule.next() {
            let mut new = Vec::new();
            if stage.sources.is_empty() {
                new.push(0);
            }
            for source in stage.sources {
                for &(from, to, cost) in edges {
                    if stages[source.stage].contains(&from) && source.costs.contains(&cost) {
                        new.push(to);
                    }
                }
            }
            new.sort_unstable();
            new.dedup();
            new.retain(|node| found[*node].is_none());
            for node in &new {
                found[*node] = Some(stage.distance);
            }
            schedule.add(new.len() as u64);
            stages.push(new);
        }
        let mut layers: Vec<u64> = Vec::new();
        for distance in found.iter().flatten() {
            layers.resize(layers.len().max(*distance as usize + 1), 0);
            layers[*distance as usize] += 1;
        }
        assert_eq!(schedule.layers(), layers);
        found
    }

    proptest! {
        #[test]
        fn each_node_comes_at_its_least_distance(
            edges in prop::collection::vec((0_usize..12, 0_usize..12, 0_u64..9), 0..40),
            most in 3_u64..60,
        ) {
            // The algorithm of Bellman and Ford.
            let mut least = [u64::MAX; 12];
            least[0] = 0;
            for _ in 0..12 {
                for &(from, to, cost) in &edges {
                    least[to] = least[to].min(least[from].saturating_add(cost));
                }
            }
            let expected = least.map(|it| (it < u64::MAX).then_some(it.min(most)));
            prop_assert_eq!(by_stages(&edges, 12, most), expected);
        }
    }

    #[test]
    fn costs_of_any_size_do_not_overflow() {
        let mut schedule = Schedule::new(vec![u64::MAX, 1], 254);
        for (distance, stage) in [(0, 1), (1, 1), (2, 0), (254, 1), (254, 0)] {
            assert_eq!(schedule.next().map(|it| it.distance), Some(distance));
            schedule.add(stage);
        }
        assert_eq!(schedule.next(), None);
        assert_eq!(schedule.first_near(254), 0);
    }
}
