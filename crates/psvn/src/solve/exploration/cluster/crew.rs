//! Processes that search trees together.

use budget::{Limits, StopReason};
use psvn_ir::State;
use scale_out::{ClusterError, Member, local::Children};
use search::{HandOut, Piece};

use super::in_words;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::solve::searcher::Searcher;
use crate::solve::tree::TreeRequest;
use crate::solve::{Algorithm, Cycles, SearchOptions, TranspositionTable};

/// Processes that search trees together: the first one hands out the subtrees of some thousand
/// nodes on request, bound by bound. All of them get the same result, whatever their number; if a
/// process is lost, its unfinished subtrees are searched again.
///
/// All processes make the same calls in the same order.
#[derive(Debug)]
pub struct Crew {
    /// The processes that this one has started. They end before it leaves the others.
    _children: Option<Children>,
    crew: scale_out::Crew<Piece>,
    processes: usize,
    env: Environment,
}

impl Crew {
    /// Meet the other processes for searches. `children` are those that this process has started.
    ///
    /// # Errors
    /// When the search is of a kind that can't be handed out, or the processes don't connect, or
    /// differ.
    pub fn for_searches(
        searcher: &Searcher,
        member: Member,
        children: Option<Children>,
        env: &Environment,
    ) -> Result<Self, Error> {
        Self::check(searcher.options())?;
        let options = SearchOptions {
            limits: Limits {
                time: None,
                interrupt: None,
                ..searcher.options().limits.clone()
            },
            ..searcher.options().clone()
        };
        let heuristic = &searcher.heuristic().estimate;
        let machine = &searcher.pruning().machine_name;
        let agreed = [
            ("game", of_game(searcher.game())),
            ("algorithm", options.algorithm.name().to_owned()),
            ("weight", format!("{:?}", options.weight)),
            ("heuristic", format!("{heuristic} {:?}", options.heuristic)),
            ("pruning", format!("{machine} {:?}", options.prune)),
            ("limit on nodes", format!("{:?}", options.limits.nodes)),
            ("set of options", format!("{options:?}")),
        ];
        Self::meet(member, children, &agreed, env)
    }

    /// Refuse searches that can't be handed out.
    ///
    /// # Errors
    /// When a search doesn't follow paths within a bound, or compares whole paths.
    pub fn check(options: &SearchOptions) -> Result<(), Error> {
        let algorithm = options.algorithm;
        if !matches!(
            algorithm,
            Algorithm::Ida | Algorithm::Wida | Algorithm::Dfid
        ) {
            let message = format!("{} is a search of one process", algorithm.name());
            return Err(
                Error::usage(message).with_hint("only ida, wida and dfid run on several processes")
            );
        }
        let has_table = matches!(
            options.table,
            Some(TranspositionTable::Auto | TranspositionTable::Bytes(_))
        );
        if has_table {
            let message = "several processes have no transposition table in common";
            return Err(Error::usage(message));
        }
        if options.cycles == Cycles::Path {
            let message = "several processes can't use cycle detection along the path";
            return Err(Error::usage(message));
        }
        Ok(())
    }

    /// Meet the other processes for a count of a tree.
    ///
    /// # Errors
    /// When the processes don't connect, or count something else.
    pub fn for_tree(
        game: &Game,
        start: &State,
        request: &TreeRequest,
        member: Member,
        children: Option<Children>,
        env: &Environment,
    ) -> Result<Self, Error> {
        let request = TreeRequest {
            limits: Limits {
                time: None,
                ..request.limits.clone()
            },
            ..request.clone()
        };
        let start = game.ir().format_state(start.values());
        let agreed = [
            ("game", of_game(game)),
            ("start", start),
            ("depth", format!("{:?}", request.bound)),
            (
                "pruning",
                format!("{:?} {:?}", request.lengths, request.machines),
            ),
            ("limit on nodes", format!("{:?}", request.limits.nodes)),
            ("set of options", format!("{request:?}")),
        ];
        Self::meet(member, children, &agreed, env)
    }

    fn meet(
        mut member: Member,
        children: Option<Children>,
        agreed: &[(&str, String)],
        env: &Environment,
    ) -> Result<Self, Error> {
        member.threads = env.threads();
        let processes = member.processes();
        let interrupted = || env.is_cancelled();
        let crew = scale_out::Crew::meet(member, agreed, &interrupted);
        let crew = crew.map_err(in_words)?;
        Ok(Self {
            _children: children,
            crew,
            processes,
            env: env.clone(),
        })
    }

    /// Return the shared work and the losses, in words.
    pub fn summary(&self) -> String {
        let (rounds, pieces) = self.crew.done();
        let again = match self.crew.again() {
            0 => String::new(),
            again => format!("; {again} were handed out again"),
        };
        let processes = match self.processes {
            1 => "1 process".to_owned(),
            n => format!("{n} processes"),
        };
        match rounds {
            0 => format!("no bound was large enough to be handed out to {processes}"),
            1 => format!("{processes} searched a bound in {pieces} pieces{again}"),
            n => format!("{processes} searched {n} bounds in {pieces} pieces{again}"),
        }
    }

    /// Search something with a name together. `stopped` gives the reason why it stopped, if it did.
    pub(in crate::solve) fn search<T, E: Into<Error>>(
        &self,
        name: &str,
        search: impl FnOnce(&dyn HandOut) -> Result<T, E>,
        stopped: impl FnOnce(&T) -> Option<StopReason>,
    ) -> Result<T, Error> {
        self.crew.begin(name);
        let found = search(&self.crew);
        self.crew.end(found.as_ref().ok().and_then(stopped));
        for lost in self.crew.lost() {
            self.env.warning(format!(
                "{lost}; the others search its unfinished subtrees again"
            ));
        }
        match self.crew.failure() {
            Some(error @ (ClusterError::Lost { .. } | ClusterError::Stopped { .. })) => {
                Err(Error::input(error.to_string()).with_hint(
                    "the first process hands out the subtrees: start all processes again",
                ))
            }
            Some(error) => Err(in_words(error)),
            None => found.map_err(Into::into),
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.crew.finish();
    }
}

/// Return the identity of a game: its content and goals.
fn of_game(game: &Game) -> String {
    // The content hash doesn't include goals.
    let ir = game.ir();
    format!("{}\n{:?}", ir.content_hash(), ir.goals())
}
