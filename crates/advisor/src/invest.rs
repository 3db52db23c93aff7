//! The loop of a search that may buy options: the next one that pays for itself, or more search.

use crate::families::{exploration, open, second_look};
use crate::offers::{Allowance, Offer, most_profitable};
use crate::{CandidateId, Family, Growth, Quality, Remaining, Steps};

/// The part of the work so far that the first trial of an option may take at least, and at most:
/// only a trial shows its value for certain. A tenth is little beside all, and less than half as
/// much again is never lost on an option that turns out worse.
const LEAST_OF_TRIAL: f64 = 0.1;
const MOST_OF_TRIAL: f64 = 0.5;
/// The factor by which the work of a trial may exceed the forecast: without room, a trial would end
/// just before the iteration that it is for.
const ROOM: f64 = 1.2;
/// The factor by which an option may take longer than forecast, where time is limited: options that
/// aren't ready in time are useless.
const MARGIN: f64 = 1.25;

/// How the option in use was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialState {
    /// Not yet.
    None,
    /// By a search that had room for more.
    Made,
    /// By a search that a limit stopped: a longer trial would show nothing more.
    Limited,
}

/// Where a search stands that may buy options.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// All work so far: of searching, of options, and of deciding.
    pub spent: Steps,
    /// What counts as spent from the beginning, so that cheap options are bought at once.
    pub least_spent: Steps,
    /// The work that remains with the option in use.
    pub remaining: Remaining,
    /// The work of the next iteration with it; 0 if it isn't known.
    pub next_iteration: Steps,
    /// How it was tried.
    pub trial: TrialState,
    /// Whether the search returns to an earlier option if a trial shows that to be better.
    pub has_fallback: bool,
    /// The growth of the search.
    pub growth: Growth,
    /// The quality of the option in use.
    pub quality: Quality,
    /// The steps of each node that depend on no option.
    pub further_steps_of_node: Steps,
    /// The steps that a limit on time leaves, if there is one.
    pub steps_left: Option<Steps>,
}

impl Standing {
    /// Return the steps of a search with another option, for each step of the search with the one
    /// in use.
    pub fn ratio(&self, to: Quality) -> f64 {
        let further = self.further_steps_of_node;
        self.quality.ratio_to(to, further, self.growth)
    }

    fn affordable(&self) -> Steps {
        let spent = self.spent.max(self.least_spent);
        self.remaining.affordable(spent, self.next_iteration)
    }
}

/// An addition to the option in use whose value is known.
#[derive(Clone, Copy, Debug)]
pub struct Addition {
    /// What it costs.
    pub price: Steps,
    /// The steps of a search with it, for each step without it.
    pub ratio: f64,
}

/// A search that may buy options.
pub trait Search {
    /// What describes an option.
    type Option;
    /// Why the search ended by itself.
    type End;

    /// Return why nothing more may be done, such as an interruption.
    fn end(&self) -> Option<Self::End>;
    /// Return all candidates.
    fn families(&self) -> &[Family<Self::Option>];
    /// Return whether a candidate fits the memory.
    fn fits(&self, id: CandidateId) -> bool;
    /// Return where it stands.
    fn standing(&self) -> Standing;
    /// Return the addition that the option in use may have.
    fn addition(&self) -> Option<Addition>;
    /// Search with the option in use, by about this much work.
    fn search(&mut self, budget: Steps);
    /// Buy a candidate, and use it if it leaves less work. It is recorded in the families.
    ///
    /// # Errors
    /// When nothing more may be done.
    fn buy(&mut self, id: CandidateId) -> Result<(), Self::End>;
    /// Buy the addition.
    ///
    /// # Errors
    /// When nothing more may be done.
    fn add(&mut self) -> Result<(), Self::End>;
}

/// Why no further option is bought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending<E> {
    /// The search ended by itself.
    Ended(E),
    /// No work remains.
    Solved,
    /// No candidate is left that fits.
    NothingLeft,
    /// None pays for itself.
    NotWorth {
        /// The work that remains.
        remaining: Steps,
        /// The lowest price.
        least_price: Steps,
    },
    /// Within the limits of the search, none would help.
    Limited,
    /// There is no time for the next one.
    NoTime,
}

/// The next action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advice {
    /// Buy this candidate.
    Buy(CandidateId),
    /// Buy the addition to the option in use.
    Add,
    /// Go on with the search: nothing pays. The cheapest option has this price.
    Search {
        /// The price.
        least_price: Steps,
    },
    /// Nothing more can be bought.
    NothingLeft,
}

/// Return the next action of a search: the offer with the greatest gain that it can afford, or more
/// search.
pub fn advise<S: Search + ?Sized>(search: &S) -> Advice {
    let standing = search.standing();
    let families = search.families();
    let affordable = standing.affordable();
    let spent = standing.spent.max(standing.least_spent);
    if let Some(id) = exploration(families, affordable.min(spent)) {
        return Advice::Buy(id);
    }
    let remaining = standing.remaining.steps;
    let offer = |option, price, ratio| Offer {
        option,
        price,
        saving: remaining - remaining * ratio,
    };
    let addition = search.addition().filter(|addition| addition.ratio < 1.0);
    let of_addition = addition.map(|it| offer(Advice::Add, it.price, it.ratio));
    let candidates: Vec<_> = open(families)
        .filter(|id| search.fits(*id))
        .map(|id| {
            let family = &families[id.family];
            let expected = family.expected(id.member, standing.growth);
            // An unknown family is expected to be no better than what is in use.
            let ratio = standing.ratio(expected.unwrap_or(standing.quality));
            offer(Advice::Buy(id), family.candidates()[id.member].price, ratio)
        })
        .chain(of_addition)
        .collect();
    let prices = candidates.iter().map(|offer| offer.price);
    let Some(least_price) = prices.min_by(f64::total_cmp) else {
        return Advice::NothingLeft;
    };
    let allowance = Allowance {
        price: affordable,
        saving: f64::INFINITY,
    };
    match most_profitable(candidates, allowance) {
        Some(best) => best.option,
        None => Advice::Search { least_price },
    }
}

/// Search, and buy options as long as they pay. Return why it ended.
pub fn invest<S: Search + ?Sized>(search: &mut S) -> Ending<S::End> {
    loop {
        if let Some(end) = search.end() {
            return Ending::Ended(end);
        }
        let standing = search.standing();
        let remaining = standing.remaining;
        if remaining.is_known && remaining.steps <= 0.0 {
            return Ending::Solved;
        }
        let is_untried = standing.trial == TrialState::None;
        let id = match advise(search) {
            // A short trial shows whether the forecast is right.
            Advice::NothingLeft if is_untried && standing.has_fallback => {
                search.search(standing.spent * MOST_OF_TRIAL);
                continue;
            }
            Advice::NothingLeft => return Ending::NothingLeft,
            Advice::Search { least_price } if remaining.is_known => {
                return Ending::NotWorth {
                    remaining: remaining.steps,
                    least_price,
                };
            }
            Advice::Search { .. } if standing.trial == TrialState::Limited => {
                match furthest(search, &standing) {
                    Some(id) => id,
                    None => return Ending::Limited,
                }
            }
            Advice::Search { least_price } => {
                // At least the next iteration, and until the cheapest option may pay.
                let until_worth = least_price - standing.spent;
                let next = standing.next_iteration * ROOM;
                search.search(standing.spent.max(until_worth).max(next));
                continue;
            }
            Advice::Add => {
                if is_untried {
                    search.search(first_trial(&standing));
                } else if let Err(end) = search.add() {
                    return Ending::Ended(end);
                }
                continue;
            }
            Advice::Buy(id) => {
                let second = second_look(search.families(), id);
                second.filter(|id| search.fits(*id)).unwrap_or(id)
            }
        };
        let family = &search.families()[id.family];
        let price = family.candidates()[id.member].price;
        let is_unknown = family.bought().is_empty();
        if is_untried && (!is_unknown || price > remaining.steps) {
            search.search(first_trial(&standing));
            continue;
        }
        if standing
            .steps_left
            .is_some_and(|left| price * MARGIN > left)
        {
            return Ending::NoTime;
        }
        if let Err(end) = search.buy(id) {
            return Ending::Ended(end);
        }
    }
}

/// The work of the first trial of an option.
fn first_trial(standing: &Standing) -> Steps {
    let (expected, spent) = (standing.remaining.steps * ROOM, standing.spent);
    expected
        .max(spent * LEAST_OF_TRIAL)
        .min(spent * MOST_OF_TRIAL)
}

/// The candidate with which the search comes furthest in the time that is left, where it takes some
/// of it. `None` if it comes as far with the option in use, or time isn't limited.
fn furthest<S: Search + ?Sized>(search: &S, standing: &Standing) -> Option<CandidateId> {
    let left = standing.steps_left?;
    let families = search.families();
    let reach = |id: CandidateId| {
        let family = &families[id.family];
        let expected = family.expected(id.member, standing.growth)?;
        let after = left - family.candidates()[id.member].price * MARGIN;
        Some(after / standing.ratio(expected))
    };
    open(families)
        .filter(|id| search.fits(*id))
        .filter_map(|id| Some((id, reach(id)?)))
        .filter(|(_, reach)| *reach > left)
        .max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(id, _)| id)
}
