//! A simulated search by iterative deepening: nodes by a law of growth in place of a game.

use advisor::{
    Addition, Candidate, CandidateId, Family, Growth, Iteration, Quality, Remaining, Search,
    Standing, Steps, TrialState,
};

/// The steps of a node with every option.
const STEPS_OF_NODE: Steps = 10.0;
/// The factor by which a search may exceed its budget, if an iteration ends then.
const OVERRUN: f64 = 1.25;

/// A search whose law is known: with a mean estimate h, the iteration with bound k has b^(k - h)
/// nodes.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    /// The factor b of nodes for each unit of the bound.
    pub(crate) growth: f64,
    /// The bound of the first iteration that isn't trivial.
    pub(crate) first_bound: u64,
    /// The bound that has the answer.
    pub(crate) last_bound: u64,
    /// The part of the last iteration after which the answer is found.
    pub(crate) part_of_last: f64,
}

impl Law {
    /// The steps of an iteration with a mean estimate.
    fn iteration(&self, bound: u64, estimate: f64) -> Steps {
        let nodes = self.growth.powf(bound as f64 - estimate);
        if bound == self.last_bound {
            nodes * self.part_of_last * STEPS_OF_NODE
        } else {
            nodes * STEPS_OF_NODE
        }
    }

    /// The steps of the whole search with a mean estimate.
    pub(crate) fn all(&self, estimate: f64) -> Steps {
        let bounds = self.first_bound..=self.last_bound;
        bounds.map(|bound| self.iteration(bound, estimate)).sum()
    }

    /// The greatest work of an iteration for each step before it.
    pub(crate) fn greatest_step(&self) -> f64 {
        let mut before = self.iteration(self.first_bound, 0.0);
        let mut greatest: f64 = 0.0;
        for bound in self.first_bound + 1..=self.last_bound {
            let nodes = self.growth.powf(bound as f64);
            greatest = greatest.max(nodes * STEPS_OF_NODE / before);
            before += nodes * STEPS_OF_NODE;
        }
        greatest
    }
}

/// An option: the mean estimate that it turns out to have.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) estimate: f64,
}

/// A search that buys options.
pub(crate) struct Simulated {
    law: Law,
    families: Vec<Family<Table>>,
    addition: Option<Addition>,
    /// The steps of a search with what was added, for each step without it.
    added: f64,
    estimate: f64,
    spent: Steps,
    /// The work with the option in use.
    spent_with_it: Steps,
    /// The work that was expected of the option in use before it was tried.
    expected: Steps,
    trial: TrialState,
    /// The iterations with the option in use.
    finished: Vec<Iteration>,
    next_bound: u64,
    is_solved: bool,
    /// All prices that were paid.
    pub(crate) paid: Vec<Steps>,
}

impl Simulated {
    pub(crate) fn new(law: Law, families: Vec<Family<Table>>, addition: Option<Addition>) -> Self {
        let mut search = Self {
            next_bound: law.first_bound,
            law,
            families,
            addition,
            added: 1.0,
            estimate: 0.0,
            spent: 0.0,
            spent_with_it: 0.0,
            expected: 0.0,
            trial: TrialState::None,
            finished: Vec::new(),
            is_solved: false,
            paid: Vec::new(),
        };
        search.iterate();
        search.trial = TrialState::Made;
        search
    }

    /// All work of a search that has nothing left to decide.
    pub(crate) fn work_to_the_end(mut self) -> Steps {
        while !self.is_solved {
            self.iterate();
        }
        self.spent
    }

    /// The work of the best choice in hindsight, after the first iteration: nothing is decided
    /// before it.
    pub(crate) fn best_in_hindsight(&self) -> Steps {
        let first = self.law.iteration(self.law.first_bound, 0.0);
        let rest = self.law.all(0.0) - first;
        let candidates = self.families.iter().flat_map(Family::candidates);
        let with = candidates.map(|it| it.price + self.law.all(it.option.estimate));
        let added = self.addition.iter().map(|it| it.price + rest * it.ratio);
        first + with.chain(added).fold(rest, f64::min)
    }

    fn next_iteration(&self) -> Steps {
        // The search doesn't know when it will find the answer.
        let law = Law {
            part_of_last: 1.0,
            ..self.law.clone()
        };
        law.iteration(self.next_bound, self.estimate) * self.added
    }

    fn iterate(&mut self) {
        let bound = self.next_bound;
        let steps = self.law.iteration(bound, self.estimate) * self.added;
        self.spent += steps;
        self.spent_with_it += steps;
        self.is_solved = bound == self.law.last_bound;
        self.next_bound += 1;
        self.finished.push(Iteration {
            bound,
            nodes: (steps / STEPS_OF_NODE) as u64,
        });
    }
}

impl Search for Simulated {
    type Option = Table;
    type End = std::convert::Infallible;

    fn end(&self) -> Option<Self::End> {
        None
    }

    fn families(&self) -> &[Family<Table>] {
        &self.families
    }

    fn fits(&self, _: CandidateId) -> bool {
        true
    }

    fn standing(&self) -> Standing {
        let next_iteration = match self.trial {
            TrialState::None => 0.0,
            TrialState::Made | TrialState::Limited => self.next_iteration(),
        };
        let remaining = match self.trial {
            _ if self.is_solved => Remaining::known(0.0),
            TrialState::None => Remaining::forecast(self.expected),
            TrialState::Made | TrialState::Limited => {
                let least = [self.spent_with_it, next_iteration];
                Remaining::of_unsolved(self.spent, &least, f64::INFINITY)
            }
        };
        Standing {
            spent: self.spent,
            least_spent: 0.0,
            remaining,
            next_iteration,
            trial: self.trial,
            has_fallback: false,
            growth: Growth::measured(&self.finished).unwrap_or(Growth::new(self.law.growth)),
            quality: Quality {
                estimate: self.estimate,
                steps_of_node: STEPS_OF_NODE,
            },
            further_steps_of_node: 0.0,
            steps_left: None,
        }
    }

    fn addition(&self) -> Option<Addition> {
        self.addition
    }

    fn search(&mut self, budget: Steps) {
        let before = self.spent;
        while !self.is_solved
            && self.spent - before + self.next_iteration() <= (budget * OVERRUN).max(1.0)
        {
            self.iterate();
        }
        self.trial = TrialState::Made;
    }

    fn buy(&mut self, id: CandidateId) -> Result<(), Self::End> {
        let standing = self.standing();
        let candidate = &self.families[id.family].candidates()[id.member];
        let (price, estimate) = (candidate.price, candidate.option.estimate);
        let quality = Quality {
            estimate,
            ..standing.quality
        };
        self.spent += price;
        self.paid.push(price);
        self.families[id.family].record(id.member, quality);
        let ratio = standing.ratio(quality);
        if ratio < 1.0 {
            self.estimate = estimate;
            self.expected = standing.remaining.steps * ratio;
            self.trial = TrialState::None;
            self.finished.clear();
            self.spent_with_it = 0.0;
            self.next_bound = self.law.first_bound;
        }
        Ok(())
    }

    fn add(&mut self) -> Result<(), Self::End> {
        let addition = self.addition.take().expect("an addition");
        self.spent += addition.price;
        self.paid.push(addition.price);
        self.added = addition.ratio;
        Ok(())
    }
}

/// A family of tables, each `factor` times as large as the one before: the nodes fall by a power of
/// the size.
pub(crate) fn family(
    first: Steps,
    factor: f64,
    n: i32,
    (least, power): (f64, f64),
    growth: f64,
) -> Family<Table> {
    Family::new((0..n).map(|i| {
        let larger = factor.powi(i);
        Candidate {
            option: Table {
                estimate: least + larger.powf(power).ln() / growth.ln(),
            },
            size: first * larger,
            price: first * larger,
        }
    }))
}
