//! The order of warnings: first those about the rule that most of them name.
//!
//! One wrong rule has many effects: others lack an inverse or a counterpart, too, and may come
//! earlier in the file. But only the wrong one is named again and again.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use psvn_ir::Game;
use psvn_ir::lint::MAY_BE_MISSING;
use psvn_syntax::Diagnostic;

/// Put errors first, then the warnings about rules that several warnings name, with the rule that
/// most of them name first. Otherwise the order stays as it is.
///
/// A warning that stands for several ([`Diagnostic::others`]) is placed at the one of them whose
/// rule is named most. Takes time linear in the number of findings, up to a logarithmic factor.
pub fn rank(game: &Game, diagnostics: &mut [Diagnostic]) {
    let rules = Rules::of(game);
    let mut names = vec![0_usize; game.source_rules().len()];
    for warning in diagnostics.iter().filter(|it| !it.is_error()) {
        let all = std::iter::once(warning).chain(&warning.others);
        let named: BTreeSet<usize> = all.filter_map(|it| rules.of_place(it)).collect();
        for rule in named {
            names[rule] += 1;
        }
    }
    let n_names = |it: &Diagnostic| rules.of_place(it).map_or(0, |rule| names[rule]);
    for warning in diagnostics.iter_mut().filter(|it| !it.is_error()) {
        lead_with_most_named(warning, &n_names);
    }
    diagnostics.sort_by_key(|it| {
        let rule = rules.of_place(it).filter(|rule| names[*rule] > 1);
        let size = it
            .primary
            .as_ref()
            .map(|label| label.span.end - label.span.start);
        match rule {
            _ if it.is_error() => (false, Reverse(0), 0, None),
            // What is wrong with a word explains what is wrong with its rule.
            Some(rule) => (true, Reverse(names[rule]), rule, size),
            None => (true, Reverse(0), 0, None),
        }
    });
}

/// Let a warning that stands for others be the one whose rule is named most.
fn lead_with_most_named(warning: &mut Diagnostic, n_names: &impl Fn(&Diagnostic) -> usize) {
    // Later ones are only counted, and have no message.
    let with_message = warning
        .others
        .iter()
        .enumerate()
        .filter(|(_, it)| !it.message.is_empty());
    let most = with_message.max_by_key(|(place, it)| (n_names(it), Reverse(*place)));
    let Some((place, _)) = most.filter(|(_, it)| n_names(it) > n_names(warning)) else {
        return;
    };
    let mut others = std::mem::take(&mut warning.others);
    let leader = others.remove(place);
    let mut former = std::mem::replace(warning, leader);
    warning.n_others = std::mem::take(&mut former.n_others);
    // Of two rules without an inverse, the wrong one was probably meant to undo the other.
    let missing = former
        .hint
        .as_deref()
        .and_then(|it| it.strip_prefix(MAY_BE_MISSING));
    if let (Some(rule), 1) = (missing, warning.n_others) {
        warning.hint = Some(format!(
            "it may be meant to be the rule that is missing: {rule}"
        ));
    }
    others.insert(0, former);
    warning.others = others;
}

/// The places of rules in a text.
struct Rules<'g> {
    game: &'g Game,
    /// The rules that have places, in the order of the text.
    in_order: Vec<usize>,
}

impl<'g> Rules<'g> {
    fn of(game: &'g Game) -> Self {
        let rules = game.source_rules();
        let mut in_order: Vec<usize> = (0..rules.len()).collect();
        in_order.retain(|rule| rules[*rule].span.is_some());
        in_order.sort_by_key(|rule| rules[*rule].span.map(|span| span.start));
        Self { game, in_order }
    }

    /// The rule that a finding is about or whose words it is about.
    fn of_place(&self, finding: &Diagnostic) -> Option<usize> {
        let place = finding.primary.as_ref()?.span;
        let span = |rule: &usize| self.game.source_rules()[*rule].span;
        let after = self
            .in_order
            .partition_point(|rule| span(rule).is_some_and(|it| it.start <= place.start));
        let rule = *self.in_order.get(after.checked_sub(1)?)?;
        span(&rule).filter(|it| place.end <= it.end)?;
        Some(rule)
    }
}
