//! Options of an analysis.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use analyses::{
    Analysis, AnalysisRequest, Letters, MachineKind, MaxLength, Method, RuleOrderChoice,
    SplitChoice, SplitRequest, budget, time_before,
};
use move_prune::{Limits, OperatorOrder, Order};
use redundancy::{SearchFor, ignored};

use super::{Assume, Starts, analyze};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::{Choice, Message, Parameter, message};

/// The time of an analysis without a length and without limits.
const TIME_OF_AUTO: Duration = Duration::from_secs(10);

/// Options of an analysis, which finds redundant sequences of rules: the length of sequences, their
/// order, the assumptions about states, the kind of machine, and limits.
///
/// The default compares sequences of up to 2 rules in the order of the file, assumes the invariants
/// of the goal, splits rules where that pays, and builds the minimized machine, without limits.
///
/// ```
/// use psvn::{Environment, Game, Pruning};
///
/// let env = Environment::default();
/// let game = Game::built_in("topspin:14:3", &env)?;
/// let analysis = Pruning::up_to(3).analyze(&game, &env)?;
/// assert_eq!(analysis.summary.redundant_words, 145);
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pruning {
    /// The length of the longest sequences that are compared.
    pub max_length: MaxLength,
    /// The order of words. A replacement comes before its word in this order.
    pub order: Order,
    /// The order in which rules are compared.
    pub rule_order: RuleOrderChoice,
    /// The assumptions about states. By default, these are the invariants of the given starts or,
    /// without starts, of the goal.
    pub invariants: Option<Assume>,
    /// A start state, as text.
    pub start: Option<String>,
    /// A file of start states.
    pub instances: Option<PathBuf>,
    /// The letters of words: rules or labels. By default, those that the method takes.
    pub letters: Option<Letters>,
    /// The order in which operators are compared.
    pub operator_order: Option<OperatorOrder>,
    /// The method that finds redundant words.
    pub method: Method,
    /// The state to which the learner applies operators, `-` for a value unlike all others.
    pub generic_start: Option<String>,
    /// The kind of machine that is built.
    pub machine: MachineKind,
    /// Whether commuting rules are forbidden in the wrong order, even with other rules between
    /// them.
    pub sleep_sets: bool,
    /// Whether the machine treats rules that can't follow each other as don't-cares.
    pub dont_cares: bool,
    /// The aim of the searches that the analysis is for.
    pub search_for: SearchFor,
    /// Whether rules are split by values of variables. By default, rules are split where that pays,
    /// if anything is assumed of states and no other option excludes splits.
    pub split: Option<SplitChoice>,
    /// The time that the analysis may take, its machines included, and the bytes that it may hold.
    /// It is interrupted by the cancellation of its environment.
    pub limits: Limits,
}

impl Default for Pruning {
    fn default() -> Self {
        Self::up_to(2)
    }
}

impl Pruning {
    /// Compare sequences of up to `max_length` rules.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length: MaxLength::Length(max_length),
            order: Order::default(),
            rule_order: RuleOrderChoice::default(),
            invariants: None,
            start: None,
            instances: None,
            letters: None,
            operator_order: None,
            method: Method::default(),
            generic_start: None,
            machine: MachineKind::default(),
            sleep_sets: false,
            dont_cares: false,
            search_for: SearchFor::States,
            split: None,
            limits: Limits::default(),
        }
    }

    /// Set the limits on time, including that of building machines, and on memory. An analysis
    /// counts no nodes, and is interrupted by the cancellation of its environment. If it is
    /// stopped, it returns the lengths that it completed.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Assume the invariants of all states that can be reached from this state, given as text.
    #[must_use]
    pub fn start(mut self, state: impl Into<String>) -> Self {
        self.start = Some(state.into());
        self
    }

    /// Analyze a game, or read the result of an earlier analysis from the cache of `env`.
    ///
    /// # Errors
    /// When options contradict each other or the game, or a machine doesn't fit
    /// in memory. If a limit stops the analysis, the result covers the lengths that were completed,
    /// and its summary names the limit.
    pub fn analyze(&self, game: &Game, env: &Environment) -> Result<Arc<Analysis>, Error> {
        let file = Path::new(game.name());
        self.analyze_with_request(game, file, env)
            .map(|(_, analysis)| analysis)
    }

    /// Analyze a game that was read from `file`, and also return the request that decided the
    /// result.
    ///
    /// # Errors
    /// As [`analyze`](Self::analyze); also when both the game and the starts would come from
    /// standard input.
    pub fn analyze_with_request(
        &self,
        game: &Game,
        file: &Path,
        env: &Environment,
    ) -> Result<(AnalysisRequest, Arc<Analysis>), Error> {
        self.check()?;
        let starts = Starts {
            state: self.start.as_deref(),
            file: self.instances.as_deref(),
        };
        let request = AnalysisRequest {
            max_length: self.max_length,
            order: self.order,
            rule_order: self.rule_order,
            assumptions: starts.assumptions(self.invariants, file, game, env)?,
            letters: self.letters(),
            method: self.method,
            generic_start: self.generic_start.clone(),
            operator_order: self.operator_order(),
            machine: self.machine,
            sleep_sets: self.sleep_sets,
            dont_cares: self.dont_cares,
            ignored: ignored::variables(self.search_for, game.ir()),
            split: SplitRequest {
                choice: self.split_choice(),
                start: match &self.start {
                    Some(text) => Some(game.state("the start", text)?),
                    None => None,
                },
                most_steps: None,
            },
            budget: budget(env.limits(&self.limits).memory),
        };
        let Limits { time, memory, .. } = self.limits;
        let limits = Limits {
            time: match (self.max_length, time, memory) {
                (MaxLength::Auto, None, None) => Some(TIME_OF_AUTO),
                _ => time.map(time_before),
            },
            memory,
            ..Limits::default()
        };
        let analysis = analyze(game, &request, limits, env)?;
        Ok((request, analysis))
    }

    /// The letters. The learner knows operators only.
    fn letters(&self) -> Letters {
        self.letters.unwrap_or(match self.method {
            Method::Exact => Letters::Rules,
            Method::Learner => Letters::Labels,
        })
    }

    /// In which order operators are compared; `None` where letters are rules.
    fn operator_order(&self) -> Option<OperatorOrder> {
        match (self.letters(), &self.operator_order) {
            (Letters::Rules, _) => None,
            (Letters::Labels, Some(order)) => Some(order.clone()),
            (Letters::Labels, None) if self.rule_order == RuleOrderChoice::Label => {
                Some(OperatorOrder::Alphabetic)
            }
            (Letters::Labels, None) => Some(OperatorOrder::File),
        }
    }

    /// Whether rules are split.
    fn split_choice(&self) -> SplitChoice {
        let unless_given = match self.against_splits() {
            None => SplitChoice::usual(self.invariants != Some(Assume::None)),
            Some(_) => SplitChoice::None,
        };
        self.split.unwrap_or(unless_given)
    }

    /// The option that makes it impossible to split rules, if there is one.
    fn against_splits(&self) -> Option<Message> {
        let options = [
            (
                Message::from(Parameter::Letters.is("labels")),
                self.letters() == Letters::Labels,
            ),
            (Parameter::SleepSets.into(), self.sleep_sets),
            (Parameter::DontCares.into(), self.dont_cares),
            (
                Parameter::Order.is(Order::Cost.name()).into(),
                self.order == Order::Cost,
            ),
            (
                Parameter::Machine.is("table").into(),
                self.machine == MachineKind::Table,
            ),
        ];
        let found = options.into_iter().find(|(_, is_used)| *is_used);
        found.map(|(option, _)| option)
    }

    /// Refuse options that contradict each other.
    ///
    /// # Errors
    /// When options contradict each other, or one is missing that another one needs.
    pub fn check(&self) -> Result<(), Error> {
        if self.max_length == MaxLength::Auto && self.rule_order == RuleOrderChoice::Optimize {
            return Err(Error::usage(message![
                "`",
                Parameter::RuleOrder.is("optimize"),
                "` needs to know the length for which it optimizes"
            ])
            .with_hint(message!["give a number as `", Parameter::MaxLength, "`"]));
        }
        if self.search_for == SearchFor::Goals && self.dont_cares {
            return Err(Error::usage(message![
                "`",
                Parameter::SearchFor.is("goals"),
                "` and `",
                Parameter::DontCares,
                "` can't be combined: what can't follow is proved for searches that tell all states \
                 apart"
            ]));
        }
        if self.order == Order::Cost && self.sleep_sets {
            return Err(Error::usage(message![
                "`",
                Parameter::Order.is(Order::Cost.name()),
                "` keeps all cheapest sequences, and `",
                Parameter::SleepSets,
                "` keeps one of those that commute"
            ]));
        }
        if self.generic_start.is_some() && self.method != Method::Learner {
            return Err(Error::usage(message![
                "`",
                Parameter::GenericStart,
                "` is for `",
                Parameter::Method.is("learner"),
                "`"
            ]));
        }
        if self.operator_order.is_some() && self.rule_order != RuleOrderChoice::File {
            return Err(Error::usage(message![
                "`",
                Parameter::RuleOrder,
                "` and `",
                Parameter::OperatorOrder,
                "` contradict each other"
            ]));
        }
        if let Some(split) = self.split
            && split != SplitChoice::None
            && let Some(option) = self.against_splits()
        {
            return Err(Error::usage(message![
                "`",
                Parameter::Split.is(split.name()),
                "` and `",
                option,
                "` contradict each other"
            ]));
        }
        match self.letters() {
            Letters::Rules => self.check_of_rules(),
            Letters::Labels => self.check_of_operators(),
        }
    }

    /// Refuse options that are for operators only, and don't-cares of a machine without them.
    fn check_of_rules(&self) -> Result<(), Error> {
        if self.operator_order.is_some() {
            return Err(Error::usage(message![
                "`",
                Parameter::OperatorOrder,
                "` is for operators, not for rules"
            ])
            .with_hint(message![
                "add `",
                Parameter::Letters.is("labels"),
                "`, or use `",
                Parameter::RuleOrder,
                "`"
            ]));
        }
        if self.method == Method::Learner {
            return Err(Error::usage(message![
                "`",
                Parameter::Method.is("learner"),
                "` learns sequences of operators, not of rules"
            ])
            .with_hint(message![
                "leave `",
                Parameter::Letters,
                "` out, or use `",
                Parameter::Letters.is("labels"),
                "`"
            ]));
        }
        if self.dont_cares && self.machine != MachineKind::Minimized {
            return Err(Error::usage(message![
                "`",
                Parameter::DontCares,
                "` is an option of the minimized machine; it requires `",
                Parameter::Machine.is("minimized"),
                "`"
            ]));
        }
        Ok(())
    }

    /// Refuse options that are for rules only.
    fn check_of_operators(&self) -> Result<(), Error> {
        let for_rules = [
            (
                Message::from(Parameter::Order.is("cost-length-lexicographic")),
                self.order != Order::LengthLexicographic,
            ),
            (
                Parameter::RuleOrder.is("optimize").into(),
                self.rule_order == RuleOrderChoice::Optimize,
            ),
            (
                Parameter::Machine.is("table").into(),
                self.machine == MachineKind::Table,
            ),
            (Parameter::SleepSets.into(), self.sleep_sets),
            (Parameter::DontCares.into(), self.dont_cares),
            (
                Parameter::SearchFor.is("goals").into(),
                self.search_for == SearchFor::Goals,
            ),
        ];
        match for_rules.into_iter().find(|(_, is_used)| *is_used) {
            Some((option, _)) => {
                Err(
                    Error::usage(message!["`", option, "` is for rules, not for operators"])
                        .with_hint(message![
                            "use `",
                            Parameter::Letters.is("rules"),
                            "`, or leave one of them out"
                        ]),
                )
            }
            None => Ok(()),
        }
    }
}
