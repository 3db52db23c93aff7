//! The redundant words of a game.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use fsm::{MachineFile, OpenFile};
use invariants::Invariants;
use psvn::analysis::{Analysis, AnalysisReport, Pruning, SplitChoice};
use psvn::machine::file::assumptions;
use psvn::machine::{RedundantWord, WordFilter, WordList};
use psvn::{Environment, Error, Game, Limits, State};

use crate::refusal::Refusal;
use crate::states::States;

/// The redundant words of a game, with a machine that forbids them.
pub(crate) struct Analyzed {
    analysis: Arc<Analysis>,
    /// The machine as a file, which pictures are made of.
    file: OpenFile,
    /// The place of each word.
    places: HashMap<Box<[u32]>, usize>,
    /// The length up to which words were looked for, and the start whose invariants are assumed, if
    /// they aren't those of the goal.
    pub(crate) length: usize,
    pub(crate) start: Option<String>,
    /// The assumptions about states.
    known: Invariants,
    longest: usize,
    /// The machine's states, once they were asked for.
    machine: OnceLock<Option<States>>,
}

impl Analyzed {
    pub(crate) fn of(
        game: &Game,
        length: usize,
        start: Option<String>,
        env: &Environment,
    ) -> Result<(Self, AnalysisReport), Refusal> {
        let started = Instant::now();
        let pruning = Pruning {
            start: start.clone(),
            // A letter of a word is a rule here, since moves are.
            split: Some(SplitChoice::None),
            ..Pruning::up_to(length)
        };
        let limits = env.limits(&Limits::default());
        let pruning = pruning.limits(Limits {
            // The machine is built after the words were found.
            time: limits.time,
            memory: limits.memory,
            ..Limits::default()
        });
        let (setting, analysis) = pruning.analyze_with_request(game, game.name().as_ref(), env)?;
        let report = AnalysisReport::of(game.named(), &setting, &analysis, started.elapsed());
        let report = report.map_err(|error| Refusal::wrong(error.to_string()))?;
        let Some(machine) = &analysis.machine else {
            return Err(Refusal::wrong(
                "the machine that forbids these words would be too large: take a smaller length",
            ));
        };
        let file = OpenFile::from_bytes(machine.to_bytes());
        let file = file.map_err(|error| Refusal::wrong(error.to_string()))?;
        let known = assumptions(&file, game.name().as_ref(), game.ir()).map_err(Error::from)?;
        let words = machine.words.iter().zip(0..);
        let places: HashMap<_, _> = words.map(|(it, place)| (it.word.clone(), place)).collect();
        let longest = machine.words.iter().map(|it| it.word.len()).max();
        let analyzed = Self {
            places,
            longest: longest.unwrap_or(0),
            length,
            start,
            known,
            file,
            analysis,
            machine: OnceLock::new(),
        };
        Ok((analyzed, report))
    }

    /// The length up to which all words were found.
    pub(crate) fn complete_length(&self) -> usize {
        self.analysis.summary.max_length
    }

    /// The states of the machine.
    pub(crate) fn states(&self, game: &Game, env: &Environment) -> Result<&States, Refusal> {
        let states = self
            .machine
            .get_or_init(|| States::of(&self.file, game, env).ok());
        states
            .as_ref()
            .ok_or_else(|| Refusal::wrong("the machine is too large to be shown"))
    }

    /// The machine with its words.
    pub(crate) fn machine(&self) -> Result<&MachineFile, Refusal> {
        let machine = self.analysis.machine.as_ref();
        machine.ok_or_else(|| Refusal::not_ready("there is no machine"))
    }

    /// The redundant word at the end of a path: its place among the words, and where it begins.
    pub(crate) fn at_end(&self, path: &[u32]) -> Option<(usize, usize)> {
        let longest = self.longest.min(path.len());
        (1..=longest).find_map(|length| {
            let begin = path.len() - length;
            let place = self.places.get(&path[begin..])?;
            Some((*place, begin))
        })
    }

    /// Words with the reasons.
    pub(crate) fn explained(
        &self,
        game: &Game,
        places: &[usize],
    ) -> Result<Vec<RedundantWord>, Refusal> {
        let machine = self.machine()?;
        let list = WordList::of_analysis(machine, game.ir()).map_err(Error::from)?;
        let words = places.iter().map(|place| Ok(machine.words[*place].clone()));
        let filter = WordFilter::default();
        let mut explained = Vec::with_capacity(places.len());
        for (word, place) in list.explain(words, &filter).zip(places) {
            let mut word = word.map_err(Error::from)?;
            word.number = *place as u64 + 1;
            explained.push(word);
        }
        Ok(explained)
    }

    /// Why words may not be left out below a state: it breaks an assumption.
    pub(crate) fn breach(&self, game: &Game, state: &State) -> Option<String> {
        let checked = self.known.check_state(game.ir(), state);
        checked.err().map(|violation| violation.to_string())
    }
}
