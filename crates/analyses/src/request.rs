//! What an analysis is asked for, and the key of its result.

use budget::Choice;
use container::cache::Key;
use host::Host;
use move_prune::{OperatorOrder, Operators, Order};
use psvn_ir::{ContentHash, Game, State, VarId};
use redundancy::ignored;
use rule_splits::SplitRules;

use crate::assumptions::Assumptions;
use crate::choices::{Letters, MachineKind, MaxLength, Method, RuleOrderChoice, SplitChoice};
use crate::engine::machines::budget;
use crate::error::AnalyzeError;

/// Everything that decides the result of an analysis, apart from the game and the limits.
pub struct AnalysisRequest {
    /// The length of the longest sequences that are compared.
    pub max_length: MaxLength,
    /// The order of words. A replacement comes before its word in this order.
    pub order: Order,
    /// The order in which rules are compared, where letters are rules.
    pub rule_order: RuleOrderChoice,
    /// The assumptions about the states of a search.
    pub assumptions: Assumptions,
    /// The letters of words: rules, or labels that stand for all their rules.
    pub letters: Letters,
    /// The method that finds redundant words.
    pub method: Method,
    /// The state to which the learner applies operators; by default the goal state.
    pub generic_start: Option<String>,
    /// The order in which operators are compared, where letters are operators.
    pub operator_order: Option<OperatorOrder>,
    /// The kind of machine that is built.
    pub machine: MachineKind,
    /// Whether the result is the product of the machine and the sleep-set machine (Holte,
    /// Alkhazraji & Wehrle 2015).
    pub sleep_sets: bool,
    /// Whether the machine may allow or forbid anything after two rules that can't follow each
    /// other. It is then smaller, and valid for this game only.
    pub dont_cares: bool,
    /// Variables in which a sequence and its replacement may differ afterwards, since no goal
    /// depends on them (Taylor 1992, section 2.4). Empty unless the search is for goals.
    pub ignored: Vec<VarId>,
    /// Whether rules are split, where letters are rules. Splits exclude sleep sets, don't-cares and
    /// the table machine.
    pub split: SplitRequest,
    /// The most bytes that a machine may take; a larger one is not built.
    pub budget: usize,
}

impl AnalysisRequest {
    /// Ask for the redundant words of rules up to a length, in the order of the file and in all
    /// states, without splits, and for the minimal machine.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length: MaxLength::Length(max_length),
            order: Order::default(),
            rule_order: RuleOrderChoice::File,
            assumptions: Assumptions::none(),
            letters: Letters::Rules,
            method: Method::Exact,
            generic_start: None,
            operator_order: None,
            machine: MachineKind::Minimized,
            sleep_sets: false,
            dont_cares: false,
            ignored: Vec::new(),
            split: SplitRequest::none(),
            budget: budget(None),
        }
    }

    /// The key of the result. Anything else must not change the result: the threads, limits that
    /// don't stop the analysis, how it is printed.
    pub(crate) fn key(&self, max_length: usize, game: &Game, host: &dyn Host) -> Key {
        self.key_of(game.content_hash(), (max_length, &self.split), game, host)
    }

    /// The same of a game with a hash, for a length and splits that need not be the request's own.
    pub(crate) fn key_of(
        &self,
        hash: ContentHash,
        (max_length, split): (usize, &SplitRequest),
        game: &Game,
        host: &dyn Host,
    ) -> Key {
        let mut key = host.new_key();
        key.push("game", hash);
        key.push("length", max_length);
        key.push("order", self.order.name());
        key.push("rule order", self.rule_order.name());
        if self.rule_order == RuleOrderChoice::Optimize {
            key.push("seed", host.seed());
            let start = split.start.clone();
            if let Some(start) = start.or_else(|| game.goal_state()) {
                key.push("ordered for", game.format_state(start.values()));
            }
        }
        key.push("letters", self.letters.name());
        key.push("method", self.method.name());
        if let Some(start) = &self.generic_start {
            key.push("generic start", start);
        }
        if let Some(order) = &self.operator_order {
            key.push("operator order", order);
        }
        key.push("machine", self.machine.name());
        key.push("sleep sets", self.sleep_sets);
        key.push("don't-cares", self.dont_cares);
        if !self.ignored.is_empty() {
            key.push("ignored", ignored::line(&self.ignored));
        }
        if split.choice != SplitChoice::None {
            key.push("split", split.choice.name());
            let goal = game.goal_state();
            let start = split.start.as_ref();
            if let Some(start) = start.filter(|start| goal.as_ref() != Some(start)) {
                key.push("split for", game.format_state(start.values()));
            }
            if let Some(steps) = split.most_steps {
                key.push("split in", steps);
            }
        }
        for line in &self.assumptions.lines {
            key.push("assumed", line);
        }
        key
    }
}

/// The request for splits in an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitRequest {
    /// Which rules are split.
    pub choice: SplitChoice,
    /// The root of the tree that splits should reduce; the goal state unless given.
    pub start: Option<State>,
    /// The most steps that the choice of splits may take; a number that fits the game unless given.
    pub most_steps: Option<u64>,
}

impl SplitRequest {
    /// A request to split no rule.
    pub fn none() -> Self {
        Self {
            choice: SplitChoice::None,
            start: None,
            most_steps: None,
        }
    }

    /// Return which rules are split.
    pub(crate) fn rules(&self) -> SplitRules {
        match self.choice {
            SplitChoice::None => SplitRules::None,
            SplitChoice::Auto => SplitRules::Paying {
                most_steps: self.most_steps,
            },
            SplitChoice::All => SplitRules::All,
        }
    }
}

/// Return the operators of a game in an order.
///
/// # Errors
/// When the order isn't one of all labels, each once.
pub fn operators_in(order: &OperatorOrder, game: &Game) -> Result<Operators, AnalyzeError> {
    order.operators(game).map_err(|error| {
        let operators = Operators::by_label(game);
        let labels = operators.names().map(str::to_owned).collect();
        AnalyzeError::Operators { error, labels }
    })
}
