//! The arguments of `psvn analyze`.

use std::path::PathBuf;

use clap::Args;
use psvn::Pruning;
use psvn::analysis::{
    Assume, Letters, MachineKind, MaxLength, Method, OperatorOrder, Order, RuleOrderChoice,
    SearchFor, SplitChoice,
};
use psvn::text::Choice;

use super::machines::WordListArgs;
use crate::args::choice::choice;
use crate::args::number::number;
use crate::args::shared::{AnalysisLimits, FILE_HELP, VariationArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
A sequence is redundant if an earlier one in the order costs no more, can be used wherever it can,
and always leads to the same state. L = 1 compares single rules, L = 2 also pairs, and L = 0
nothing.

A machine is valid for the states that have the assumed invariants. The invariants of the goal hold
in all states from which the goal can be reached, if each rule can be undone. The machine's file
records them, and searches refuse other starts. `--invariants none` makes a machine for all states.

Examples:
  psvn analyze gen:hanoi:4:8
  psvn analyze puzzle.psvn --max-length 5 --time 1m --memory 2G -o puzzle.fsm
  psvn analyze puzzle.psvn --max-length auto --time 10s
  psvn analyze puzzle.psvn --invariants none
  psvn analyze gen:topspin:16:4 -L 3 --sleep-sets -o topspin.fsm
  psvn analyze gen:sliding-tiles:4:4 -L 10 --operators labels \\
      --operator-order R,L,U,D
  psvn analyze gen:sliding-tiles:5:5 -L 8 --method learner \\
      --generic-start '- - - - - - - - - - - - 0 - - - - - - - - - - - -'
  psvn analyze gen:hanoi:4:4 -L 3 --words
  psvn analyze gen:hanoi:4:4 -L 3 --ideal
  psvn analyze gen:gripper:4 -L 4 --split none --ideal
  psvn analyze gen:topspin:14:3 --max-length 3 --format json")]
pub(crate) struct AnalyzeArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    /// The length of the longest sequences to compare; `auto` continues until a limit is reached
    #[arg(short = 'L', long, value_name = "L|auto", default_value = "2")]
    pub(crate) max_length: MaxLength,
    /// The order in which a replacement comes before the sequence that it replaces:
    /// length-lexicographic; cost-length-lexicographic, which also prunes sequences in favor of
    /// longer ones that cost less and suits searches that are bounded by cost; or cost, which
    /// prunes only what costs more than it must and so keeps all solutions of least cost
    #[arg(long, value_name = "ORDER", default_value = "length-lexicographic")]
    pub(crate) order: Order,
    /// The order in which rules are compared: that of the file, by label, or one that a
    /// search finds because it prunes more
    #[arg(
        long,
        value_parser = choice::<RuleOrderChoice>(),
        default_value = RuleOrderChoice::default().name(),
        hide_possible_values = true,
        value_name = "file|label|optimize"
    )]
    pub(crate) rule_order: RuleOrderChoice,
    /// What to assume of states, so that sequences which none of them allows are left out: the
    /// invariants of the states reachable from a goal, of those reachable from all given starts, or
    /// nothing. Without it, from the starts if there are any, otherwise from the goal
    #[arg(
        long,
        value_parser = choice::<Assume>(),
        hide_possible_values = true,
        value_name = "goal|start|none"
    )]
    pub(crate) invariants: Option<Assume>,
    /// A state whose invariants are assumed
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// A file of such states, as for `psvn solve`
    #[arg(long, value_name = "FILE", conflicts_with = "start")]
    pub(crate) instances: Option<PathBuf>,
    /// The letters of sequences: single rules, or labels. A label stands for all rules that share
    /// it, as in Taylor's work; the machines are much smaller, and forbid less
    #[arg(
        long,
        value_parser = choice::<Letters>(),
        hide_possible_values = true,
        value_name = "rules|labels",
        help_heading = "Operators"
    )]
    pub(crate) operators: Option<Letters>,
    /// The order in which operators are compared: that of their first rules, by name, or as listed
    #[arg(
        long,
        value_name = "file|alphabetic|LABEL,LABEL,..",
        help_heading = "Operators"
    )]
    pub(crate) operator_order: Option<OperatorOrder>,
    /// How to find sequences of operators: exactly, or as Taylor and Korf do, by applying them to
    /// one generic state
    #[arg(
        long,
        value_parser = choice::<Method>(),
        default_value = Method::default().name(),
        hide_possible_values = true,
        value_name = "exact|learner",
        help_heading = "Operators"
    )]
    pub(crate) method: Method,
    /// The state to which the learner applies operators, `-` for a value unlike all others; by
    /// default the goal state
    #[arg(
        long,
        value_name = "STATE",
        allow_hyphen_values = true,
        help_heading = "Operators"
    )]
    pub(crate) generic_start: Option<String>,
    #[command(flatten)]
    pub(crate) limits: AnalysisLimits,
    #[command(flatten)]
    pub(crate) words: WordListArgs,
    /// Write the machine to this file
    #[arg(short, long, value_name = "FILE.fsm")]
    pub(crate) output: Option<PathBuf>,
    /// Which machine to write; all forbid the same sequences, with more or fewer states
    #[arg(
        long,
        value_parser = choice::<MachineKind>(),
        default_value = MachineKind::default().name(),
        requires = "output",
        hide_possible_values = true,
        value_name = "table|aho-corasick|minimized"
    )]
    pub(crate) machine: MachineKind,
    /// Also forbid commuting rules in the wrong order with other rules between them: the product
    /// with the machine of sleep sets
    #[arg(long)]
    pub(crate) sleep_sets: bool,
    /// Let the machine do anything with rules that can't follow each other. This makes it smaller,
    /// but valid only for this game, not for abstract versions of it
    #[arg(long)]
    pub(crate) dont_cares: bool,
    /// What searches look for: all states, each at its least cost, or only a goal. For goals, a
    /// sequence is also redundant if its end differs from that of another sequence only in
    /// variables on which no goal depends; `psvn tree` refuses such machines
    #[arg(
        long = "for",
        value_parser = choice::<SearchFor>(),
        default_value = SearchFor::default().name(),
        conflicts_with_all = ["operators", "ideal", "split"],
        hide_possible_values = true,
        value_name = "states|goals"
    )]
    pub(crate) search_for: SearchFor,
    /// Analyze the rules run backward, for searches from the goals: `psvn tree` and `verify` take
    /// the machine with their option of this name
    #[arg(long, conflicts_with_all = ["search_for", "split", "generic_start"])]
    pub(crate) backward: bool,
    /// Split rules by the values of variables: `none`, `all`, or `auto`, where that makes more
    /// sequences redundant and so saves nodes in the tree from `--start`, or else from the goal
    /// state. The default is `auto`, but `none` with `--invariants none`
    #[arg(
        long,
        value_parser = choice::<SplitChoice>(),
        hide_possible_values = true,
        value_name = "none|auto|all"
    )]
    pub(crate) split: Option<SplitChoice>,
    /// Count the nodes that the machine leaves, from `--start` or else from the goal state, and
    /// those of the ideal tree: the fewest that comparing sequences of up to L rules can leave.
    /// Brute force, for small games
    #[arg(
        long,
        conflicts_with_all = ["operators", "instances"],
        help_heading = "Ideal tree"
    )]
    pub(crate) ideal: bool,
    /// The depth down to which the nodes are counted
    #[arg(
        long,
        value_name = "N",
        default_value_t = 12,
        requires = "ideal",
        help_heading = "Ideal tree",
        value_parser = number::<usize>,
    )]
    pub(crate) depth: usize,
    /// How many sequences to list that the machine keeps although an earlier one replaces them in
    /// some states
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        requires = "ideal",
        help_heading = "Ideal tree",
        value_parser = number::<usize>,
    )]
    pub(crate) differences: usize,
}

impl AnalyzeArgs {
    /// The options of the analysis.
    pub(crate) fn pruning(&self) -> Pruning {
        let split = if self.backward {
            // Searches from the goals use whole rules.
            Some(SplitChoice::None)
        } else {
            self.split
        };
        Pruning {
            max_length: self.max_length,
            order: self.order,
            rule_order: self.rule_order,
            invariants: self.invariants,
            start: self.start.clone(),
            instances: self.instances.clone(),
            letters: self.operators,
            operator_order: self.operator_order.clone(),
            method: self.method,
            generic_start: self.generic_start.clone(),
            machine: self.machine,
            sleep_sets: self.sleep_sets,
            dont_cares: self.dont_cares,
            search_for: self.search_for,
            split,
            limits: self.limits.limits(),
        }
    }
}
