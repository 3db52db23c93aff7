//! The redundant words of a game.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use fsm::{CertifiedWord, MachineFile, OpenFile};
use invariants::Invariants;
use psvn::analysis::{Analysis, AnalysisReport, Pruning, SplitChoice};
use psvn::machine::file::assumptions;
use psvn::machine::{RedundantWord, WordFilter, WordList};
use psvn::{Environment, Error, Game, Limits, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Question;
use super::machine::States;
use crate::jobs::{JobState, Kind, Owner};
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The longest words that are looked for.
const LONGEST: usize = 20;

/// The longest time of an analysis.
const MOST_SECONDS: u64 = 3600;

/// The most words of an answer.
const MOST_WORDS: usize = 500;

/// The redundant words of a game, with a machine that forbids them.
pub(crate) struct Analyzed {
    pub(super) analysis: Arc<Analysis>,
    /// The machine as a file, which pictures are made of.
    pub(super) file: OpenFile,
    /// The place of each word.
    places: HashMap<Box<[u32]>, usize>,
    /// The length up to which words were looked for, and the start whose invariants are assumed, if
    /// they aren't those of the goal.
    length: usize,
    start: Option<String>,
    /// The assumptions about states.
    known: Invariants,
    longest: usize,
    /// The machine's states, once they were asked for.
    machine: OnceLock<Option<States>>,
}

impl Analyzed {
    fn of(
        opened: &Opened,
        length: usize,
        start: Option<String>,
        env: &Environment,
    ) -> Result<(Self, AnalysisReport), Refusal> {
        let game = opened.game()?;
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
        let (setting, analysis) =
            pruning.analyze_with_request(game, game.name().as_ref(), env)?;
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

    /// The states of the machine.
    pub(super) fn states(&self, game: &Game, env: &Environment) -> Result<&States, Refusal> {
        let states = self.machine.get_or_init(|| States::of(&self.file, game, env).ok());
        states.as_ref().ok_or_else(|| Refusal::wrong("the machine is too large to be shown"))
    }

    /// The machine with its words.
    pub(super) fn machine(&self) -> Result<&MachineFile, Refusal> {
        let machine = self.analysis.machine.as_ref();
        machine.ok_or_else(|| Refusal::not_ready("there is no machine"))
    }

    /// The redundant word at the end of a path: its place among the words, and where it begins.
    pub(super) fn at_end(&self, path: &[u32]) -> Option<(usize, usize)> {
        let longest = self.longest.min(path.len());
        (1..=longest).find_map(|length| {
            let begin = path.len() - length;
            let place = self.places.get(&path[begin..])?;
            Some((*place, begin))
        })
    }

    /// Words with the reasons.
    pub(super) fn explained(
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
    pub(super) fn breach(&self, game: &Game, state: &State) -> Option<String> {
        let checked = self.known.check_state(game.ir(), state);
        checked.err().map(|violation| violation.to_string())
    }
}

/// Look for the redundant words.
#[derive(Debug, Deserialize)]
pub(crate) struct Analyze {
    game: String,
    window: String,
    length: usize,
    seconds: u64,
    /// A state whose invariants are assumed in place of those of the goal.
    #[serde(default)]
    start: Option<String>,
}

/// Long work has begun.
#[derive(Debug, Serialize)]
pub(crate) struct Begun {
    pub(super) job: JobState,
}

impl Question for Analyze {
    type Answer = Begun;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Begun, Refusal> {
        opened.game()?;
        if self.length > LONGEST {
            let error = format!("words of more than {LONGEST} rules are not looked for here");
            return Err(Refusal::wrong(error));
        }
        let owner = Owner {
            game: self.game,
            window: self.window,
        };
        let time = Duration::from_secs(self.seconds.clamp(1, MOST_SECONDS));
        let opened = Arc::clone(opened);
        let work = move |env: &Environment| -> Result<Value, Refusal> {
            let (analyzed, report) = Analyzed::of(&opened, self.length, self.start, env)?;
            if !env.is_cancelled() {
                opened.set_analyzed(Arc::new(analyzed));
            }
            Ok(json!({ "report": report }))
        };
        let job = studio.begin(Kind::Analysis, owner, time, work)?;
        Ok(Begun { job })
    }
}

/// Which words are redundant?
#[derive(Debug, Deserialize)]
pub(crate) struct Words {
    game: String,
    /// A length, or lengths such as `2-3`; all of them if empty.
    #[serde(default)]
    lengths: String,
    /// Names or numbers of rules that occur in the word or in its replacement.
    #[serde(default)]
    filter: String,
    /// The number of the only word that is asked for, from 1.
    #[serde(default)]
    number: Option<usize>,
    #[serde(default)]
    offset: usize,
    #[serde(default)]
    limit: usize,
}

/// Some of the redundant words.
#[derive(Debug, Serialize)]
pub(crate) struct SomeWords {
    /// Up to which length they were looked for, and up to which all were found.
    length: usize,
    complete_length: usize,
    /// The start whose invariants are assumed; `None` for those of the goal.
    start: Option<String>,
    total: usize,
    matching: usize,
    words: Vec<Numbered>,
}

/// A redundant word, with the numbers of its rules.
#[derive(Debug, Serialize)]
struct Numbered {
    #[serde(flatten)]
    word: RedundantWord,
    rules: Vec<u32>,
    replacement: Vec<u32>,
}

/// The numbers of rules, from 1.
pub(super) fn numbers(word: &[u32]) -> Vec<u32> {
    word.iter().map(|letter| letter + 1).collect()
}

impl Question for Words {
    type Answer = SomeWords;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<SomeWords, Refusal> {
        let game = opened.game()?;
        let analyzed = opened.analyzed();
        let analyzed =
            analyzed.ok_or_else(|| Refusal::not_ready("redundant words weren't looked for yet"))?;
        let machine = analyzed.machine()?;
        let lengths = match self.lengths.trim() {
            "" => None,
            text => Some(text.parse().map_err(Refusal::wrong)?),
        };
        let filter = WordFilter {
            lengths,
            letters: Vec::new(),
        };
        let asked = self.filter.to_lowercase();
        let asked: Vec<&str> = asked.split_whitespace().collect();
        let names = game.rule_names();
        let names: Vec<String> = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let name = |id| names.name(id).to_lowercase();
                game.ir().rules_with_ids().map(|(id, _)| name(id)).collect()
            }
        };
        let has = |letter: &u32, text: &&str| names[*letter as usize].contains(*text);
        let admits = |it: &CertifiedWord| {
            let mut letters = it.word.iter().chain(it.replacements.iter().flatten());
            filter.admits(&it.word)
                && asked.iter().all(|text| letters.clone().any(|it| has(it, text)))
                && letters.next().is_some()
        };
        let words = machine.words.iter().enumerate();
        let is_asked_for = |place: usize| self.number.is_none_or(|number| number == place + 1);
        let matching = words.filter(|(place, it)| is_asked_for(*place) && admits(it));
        let matching: Vec<usize> = matching.map(|(place, _)| place).collect();
        let shown = matching.iter().skip(self.offset);
        let shown: Vec<usize> = shown.take(self.limit.min(MOST_WORDS)).copied().collect();
        let explained = analyzed.explained(game, &shown)?;
        let numbered = |(word, place): (RedundantWord, &usize)| {
            let certified = &machine.words[*place];
            let replacement = certified.replacements.first();
            Numbered {
                word,
                rules: numbers(&certified.word),
                replacement: replacement.map_or_else(Vec::new, |it| numbers(it)),
            }
        };
        Ok(SomeWords {
            length: analyzed.length,
            complete_length: analyzed.analysis.summary.max_length,
            start: analyzed.start.clone(),
            total: machine.words.len(),
            matching: matching.len(),
            words: explained.into_iter().zip(&shown).map(numbered).collect(),
        })
    }
}
