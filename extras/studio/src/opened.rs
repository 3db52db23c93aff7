//! A text that was handed over, with what is known about it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use drawing::BoardLayout;
use language_server::Document;
use psvn::{Environment, Game, Lints, Solver};
use psvn_ir::{Relations, RuleId, State};
use sha2::{Digest, Sha256};

use crate::analyzed::Analyzed;
use crate::refusal::Refusal;

/// The most searches whose estimates are kept for a game.
const MOST_ESTIMATES: usize = 8;

/// Return the hash by which a text is known: 128 bits in hexadecimal.
pub(crate) fn hash_of(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A text that was handed over, with what is known about it. What takes longer than reading it is
/// found when it is first asked for.
pub(crate) struct Opened {
    /// The hash of the text: answers name it, so that a page never shows one for another text.
    pub(crate) id: String,
    pub(crate) text: String,
    document: OnceLock<Document>,
    game: Option<Game>,
    layout: OnceLock<Option<BoardLayout>>,
    relations: OnceLock<Relations>,
    /// For each rule what a filter looks at, in lower case.
    searched: OnceLock<Vec<String>>,
    analyzed: Mutex<Option<Arc<Analyzed>>>,
    estimates: Mutex<Vec<(EstimateKey, Estimate)>>,
}

/// A prepared search, or why the heuristic doesn't fit the game.
type Estimate = Result<Arc<Solver>, Refusal>;

/// A heuristic and the state for which it was prepared.
pub(crate) type EstimateKey = (String, State);

impl Opened {
    pub(crate) fn new(name: &str, text: String, env: &Environment) -> Self {
        let env = env.clone().with_lints(Lints::None);
        Self {
            id: hash_of(&text),
            game: Game::parse(name, &text, &env).ok(),
            document: OnceLock::new(),
            text,
            layout: OnceLock::new(),
            relations: OnceLock::new(),
            searched: OnceLock::new(),
            analyzed: Mutex::new(None),
            estimates: Mutex::new(Vec::new()),
        }
    }

    /// The game, if the text has no errors.
    pub(crate) fn game(&self) -> Result<&Game, Refusal> {
        self.game.as_ref().ok_or_else(Refusal::no_game)
    }

    /// What an editor asks about the text.
    pub(crate) fn document(&self) -> &Document {
        self.document
            .get_or_init(|| Document::new(self.text.as_str()))
    }

    /// The layout of its boards, if it declares one that fits.
    pub(crate) fn layout(&self) -> Option<&BoardLayout> {
        let read = || self.game.as_ref()?.board_layout(None).ok()?;
        self.layout.get_or_init(read).as_ref()
    }

    /// How the rules relate to each other.
    pub(crate) fn relations(&self, game: &Game) -> &Relations {
        self.relations.get_or_init(|| Relations::of(game.ir()))
    }

    /// For each rule its number, name, label and canonical form, in lower case.
    pub(crate) fn searched(&self, game: &Game) -> &[String] {
        self.searched.get_or_init(|| {
            let names = game.rule_names();
            let of = |id: RuleId| {
                let rule = &game.ir().rule(id).canonical;
                let form = game.ir().format_rule(rule);
                format!("{} {} {form}", id.index() + 1, names.name(id)).to_lowercase()
            };
            game.ir().rules_with_ids().map(|(id, _)| of(id)).collect()
        })
    }

    /// The redundant words, if they were looked for.
    pub(crate) fn analyzed(&self) -> Option<Arc<Analyzed>> {
        let analyzed = self.analyzed.lock();
        analyzed.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_analyzed(&self, analyzed: Arc<Analyzed>) {
        let mut kept = self.analyzed.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(analyzed);
    }

    /// A prepared search, whose estimate is used; made unless it was made before.
    pub(crate) fn estimate(
        &self,
        key: EstimateKey,
        make: impl FnOnce() -> Result<Solver, Refusal>,
    ) -> Result<Arc<Solver>, Refusal> {
        let estimates = || {
            self.estimates
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let found = estimates().iter().find(|(it, _)| *it == key).cloned();
        if let Some((_, estimate)) = found {
            return estimate;
        }
        let estimate = make().map(Arc::new);
        let mut estimates = estimates();
        estimates.truncate(MOST_ESTIMATES - 1);
        estimates.insert(0, (key, estimate.clone()));
        estimate
    }

    /// The rules that a page names by their numbers, from 1.
    pub(crate) fn word(&self, numbers: &[usize]) -> Result<Vec<RuleId>, Refusal> {
        let n_rules = self.game()?.ir().rules().len();
        let rule = |number: &usize| match number.checked_sub(1).filter(|it| *it < n_rules) {
            Some(index) => Ok(RuleId(u32::try_from(index).unwrap_or(u32::MAX))),
            None => Err(Refusal::wrong(format!("there is no rule {number}"))),
        };
        numbers.iter().map(rule).collect()
    }
}
