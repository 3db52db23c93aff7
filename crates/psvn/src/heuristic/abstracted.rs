//! A game under an abstraction, as text.

use std::fmt::Write;

use abstraction::{AbstractGame, to_psvn};
use heuristic_choice::tables::Pattern;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::game::Game;
use crate::text::units::count;

/// The most rules that are named in the text.
const MOST_NAMED: usize = 8;

/// A game under an abstraction, as PSVN text.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AbstractedGame {
    /// The concrete game.
    pub game: String,
    /// The name of the abstraction.
    pub pattern: String,
    /// The number of variables of the abstract game.
    pub variables: usize,
    /// The number of its rules.
    pub rules: usize,
    /// The combinations of its values; `None` beyond 128 bits.
    pub combinations: Option<String>,
    /// The rules of the concrete game, by number and label, that lead from one abstract state to
    /// several.
    pub nondeterministic_rules: Vec<String>,
    /// The abstraction as a block that games and files may hold.
    pub block: String,
    /// The abstract game.
    pub psvn: String,
}

impl AbstractedGame {
    /// Return a game under the abstraction of a pattern.
    ///
    /// ```
    /// use psvn::heuristic::{AbstractedGame, Pattern};
    /// use psvn::{Environment, Game};
    ///
    /// let env = Environment::default();
    /// let game = Game::built_in("sliding-tiles:3:3", &env)?;
    /// let pattern = Pattern::parse(game.ir(), "keep 0 1")?;
    /// let colors = AbstractedGame::of(&pattern, &game)?;
    /// assert_eq!((colors.variables, colors.rules), (9, 24));
    /// assert!(colors.nondeterministic_rules.is_empty());
    /// let pattern = Pattern::parse(game.ir(), "project 1-4")?;
    /// let squares = AbstractedGame::of(&pattern, &game)?;
    /// assert!(!squares.nondeterministic_rules.is_empty());
    /// # Ok::<(), psvn::Error>(())
    /// ```
    ///
    /// # Errors
    /// When rules read dropped variables, and so become too many rules, and for patterns of
    /// coordinates.
    pub fn of(pattern: &Pattern, game: &Game) -> Result<Self, Error> {
        if pattern.coordinates.is_some() {
            return Err(Error::usage(format!(
                "`{}` is a pattern of coordinates, which has no abstract game in this language",
                pattern.name
            )));
        }
        let ir = game.ir();
        let abstract_game = AbstractGame::new(ir, &pattern.abstraction)
            .map_err(|error| Error::input(error.to_string()).caused_by(error))?;
        let statistics = abstract_game.statistics();
        let loose = abstract_game.nondeterministic_rules(ir);
        let loose: Vec<String> = loose
            .iter()
            .map(|id| format!("{} ({})", id.index() + 1, ir.rule(*id).label))
            .collect();
        let block = pattern.abstraction.to_file(ir);
        let mut text = format!(
            "# {} under the abstraction {}:\n#\n",
            game.name(),
            pattern.name
        );
        for line in block.lines() {
            let _ = writeln!(text, "#   {line}");
        }
        if !loose.is_empty() {
            let named = loose.len().min(MOST_NAMED);
            let more = if loose.len() > named { ", .." } else { "" };
            let _ = writeln!(
                text,
                "#\n# {} of the game copy variables that are dropped, and lead from one state to several:\n\
                 # {}{more}",
                count(loose.len(), "rule"),
                loose[..named].join(", ")
            );
        }
        text.push('\n');
        text.push_str(&to_psvn(abstract_game.game()));
        Ok(Self {
            game: game.name().to_owned(),
            pattern: pattern.name.clone(),
            variables: statistics.n_variables,
            rules: statistics.n_rules,
            combinations: statistics.n_combinations.map(|n| n.to_string()),
            nondeterministic_rules: loose,
            block,
            psvn: text,
        })
    }
}
