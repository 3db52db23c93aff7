//! `psvn gen-instances`: start states, made by random walks.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::Ordering;

use invariants::{CountInvariant, Fact, Invariants};
use psvn_ir::{CanonicalRule, DEFAULT_RULE_LIMIT, Game, State, Value};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use crate::args::GenInstancesArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::progress::Progress;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game as NamedGame;
use psvn::instance as instances;
use psvn::store::atomic as atomic_file;

/// The most walks in a row that may end in states that there are already.
const MOST_REPEATED: usize = 100;

#[derive(Serialize)]
struct Entry {
    instance: String,
    state: String,
    /// The cost of the walk, if it was made backward: there is a solution that costs no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_of_walk: Option<u64>,
}

pub(crate) fn run(args: &GenInstancesArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let named = NamedGame::open(&args.file, &cx.env)?;
    let game = named.ir();
    let walker = Walker::new(args, game)?;
    let starts = starts(args, &named)?;
    if !args.backward && !game.goals().is_empty() {
        warn_of_one_way_rules(&named, cx);
    }
    let interrupt = interrupt::flag(&cx.env);
    let mut progress = Progress::new(cx.progress);
    let mut random = SplitMix64::seed_from_u64(cx.env.seed());
    let mut seen: HashSet<State> = HashSet::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut n_repeated = 0;
    let mut exit = Exit::Done;
    while entries.len() < args.count && n_repeated < MOST_REPEATED {
        if interrupt.load(Ordering::Relaxed) {
            exit = Exit::Interrupted;
            break;
        }
        let start = &starts[below(&mut random, starts.len())];
        let start = free(game, start, &mut random);
        let stop = || interrupt.load(Ordering::Relaxed);
        let Some((state, cost)) = walker.walk(&start, args.steps, &mut random, stop) else {
            continue;
        };
        if !seen.insert(state.clone()) {
            n_repeated += 1;
            continue;
        }
        n_repeated = 0;
        entries.push(Entry {
            instance: (entries.len() + 1).to_string(),
            state: game.format_state(state.values()),
            cost_of_walk: args.backward.then_some(cost),
        });
        progress.show(
            || format!("{} instances", entries.len()),
            Some((entries.len(), args.count)),
        );
    }
    drop(progress);
    if entries.len() < args.count && exit == Exit::Done {
        cx.log.warning(&format!(
            "{} of {} instances are written: {MOST_REPEATED} walks in a row ended in states that are among \
             them already",
            entries.len(),
            args.count
        ));
    }
    print(args, &named, &entries, cx)?;
    Ok(exit)
}

/// The rules that walks take: those of the game, or the same run backwards.
fn rules(args: &GenInstancesArgs, game: &Game) -> Result<Vec<CanonicalRule>, Failure> {
    let rules = if args.backward {
        game.backward_rules(DEFAULT_RULE_LIMIT)
            .map_err(|error| Failure::limit(format!("the rules can't be run backwards: {error}")))?
    } else {
        game.rules().to_vec()
    };
    Ok(rules.into_iter().map(|rule| rule.canonical).collect())
}

/// Where walks begin: patterns, in which unknown values are drawn.
fn starts(args: &GenInstancesArgs, named: &NamedGame) -> Result<Vec<Vec<Pattern>>, Failure> {
    let game = named.ir();
    if let Some(text) = &args.start {
        let state = named.state("--start", text)?;
        return Ok(vec![
            state
                .values()
                .iter()
                .map(|value| Pattern::Value(*value))
                .collect(),
        ]);
    }
    if game.goals().is_empty() {
        return Err(Failure::usage("the game has no goal for walks to begin at")
            .hint("say where to begin with `--start STATE`"));
    }
    let pattern = |goal: &psvn_ir::Goal| {
        let conditions = goal.conditions().iter();
        let term = |term: &psvn_ir::Term| match term.kind() {
            psvn_ir::TermKind::Constant(value) => Pattern::Value(value),
            psvn_ir::TermKind::Variable(var) => Pattern::SameAs(var.index()),
        };
        conditions.map(term).collect()
    };
    Ok(game.goals().iter().map(pattern).collect())
}

/// What a goal says of a position.
#[derive(Clone, Copy)]
enum Pattern {
    Value(Value),
    /// Any value, the same as at that position, which is this one or an earlier one.
    SameAs(usize),
}

/// A state that fits a pattern.
fn free(game: &Game, pattern: &[Pattern], random: &mut SplitMix64) -> State {
    let mut values: Vec<Value> = Vec::with_capacity(pattern.len());
    for (position, pattern) in pattern.iter().enumerate() {
        let value = match *pattern {
            Pattern::Value(value) => value,
            Pattern::SameAs(other) if other < position => values[other],
            Pattern::SameAs(_) => {
                let domain = game.domain_of(psvn_ir::VarId::from_index(position));
                Value::from_index(below(random, domain.size()))
            }
        };
        values.push(value);
    }
    State::new(values)
}

/// Takes walks.
struct Walker {
    rules: Vec<CanonicalRule>,
    /// Backward walks keep to states that have the goal's counts. Rules that leave an implied test
    /// out (in Hanoi, that the disk is on no other peg) lead backward into states that are not
    /// real.
    counts: Vec<CountInvariant>,
}

/// How often a walk looks whether it is to stop.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

impl Walker {
    fn new(args: &GenInstancesArgs, game: &Game) -> Result<Self, Failure> {
        let rules = rules(args, game)?;
        let counts = if args.backward {
            Invariants::from_goals(game).counts().collect()
        } else {
            Vec::new()
        };
        Ok(Self { rules, counts })
    }

    fn is_real(&self, state: &[Value]) -> bool {
        let holds = |fact: &&Fact| state[fact.var.index()] == fact.value;
        self.counts
            .iter()
            .all(|count| count.facts.iter().filter(holds).count() == count.number as usize)
    }

    /// The end of a walk, and what it costs; `None` if it was to stop. It ends sooner where no rule
    /// applies.
    ///
    /// Steps that change nothing are no steps, and where there is another way, a walk doesn't go
    /// straight back.
    fn walk(
        &self,
        start: &State,
        steps: u64,
        random: &mut SplitMix64,
        stop: impl Fn() -> bool,
    ) -> Option<(State, u64)> {
        let mut state: Box<[Value]> = start.values().into();
        let mut before: Option<Box<[Value]>> = None;
        let mut cost = 0_u64;
        let mut children: Vec<(Box<[Value]>, u64)> = Vec::new();
        for step in 0..steps {
            if step % STEPS_BETWEEN_LOOKS == 0 && stop() {
                return None;
            }
            children.clear();
            let applicable = self.rules.iter().filter(|rule| rule.applies_to(&state));
            children.extend(applicable.map(|rule| (rule.apply(&state), rule.cost())));
            children.retain(|(child, _)| *child != state && self.is_real(child));
            let is_back = |child: &[Value]| before.as_deref() == Some(child);
            if children.iter().any(|(child, _)| !is_back(child)) {
                children.retain(|(child, _)| !is_back(child));
            }
            if children.is_empty() {
                break;
            }
            let (child, step_cost) = children.swap_remove(below(random, children.len()));
            cost = cost.saturating_add(step_cost);
            before = Some(std::mem::replace(&mut state, child));
        }
        Some((State::new(state), cost))
    }
}

/// A number below `bound`; the bias of the remainder is nothing for bounds as small as here.
fn below(random: &mut SplitMix64, bound: usize) -> usize {
    (random.next_u64() % bound.max(1) as u64) as usize
}

/// Walks forward from the goal lead to states with a solution only if steps can be undone.
fn warn_of_one_way_rules(named: &NamedGame, cx: &Context) {
    let relations = psvn_ir::Relations::of(named.ir());
    let rules = named.ir().rules_with_ids();
    let n = rules
        .filter(|(id, _)| relations.inverse(*id).is_none())
        .count();
    if n > 0 {
        cx.log.warning(&format!(
            "{} can't be undone, so there may be no way back from the instances to the goal; \
             `--backward` makes instances with a solution",
            psvn::text::units::count(n, "rule")
        ));
    }
}

fn print(
    args: &GenInstancesArgs,
    named: &NamedGame,
    entries: &[Entry],
    cx: &mut Context,
) -> Result<(), Failure> {
    let mut text = String::new();
    match cx.format {
        Format::Text => {
            let way = if args.backward { " backward" } else { "" };
            let from = args.start.as_deref().unwrap_or("the goal");
            let _ = writeln!(
                text,
                "{}# {} of {} steps{way} from {from}; seed {}",
                instances::head(named.ir()),
                psvn::text::units::count(entries.len(), "walk"),
                args.steps,
                cx.env.seed()
            );
            for entry in entries {
                let _ = writeln!(text, "{}: {}", entry.instance, entry.state);
            }
        }
        Format::Json | Format::Csv if args.output.is_some() => {
            return Err(Failure::usage(
                "`--output` writes instance files, which are text",
            ));
        }
        Format::Json => {
            for entry in entries {
                cx.out.json_line(entry)?;
            }
        }
        Format::Csv => {
            cx.out.csv(["instance", "state"])?;
            for entry in entries {
                cx.out.csv([&entry.instance, &entry.state])?;
            }
        }
    }
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(())
}
