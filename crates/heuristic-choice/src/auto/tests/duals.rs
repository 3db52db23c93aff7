//! Look-ups for dual states.

use std::time::Duration;

use advisor::{Advice, Growth, SECOND, Search as _, advise};
use heuristics::tables::Candidate;
use pattern_databases::Patterns;

use super::*;
use crate::auto::selection::{Incumbent, Samples, Selection, options};
use crate::auto::trial::Findings;

/// What duals would say is weighed before anything is built for them, and it is what they say then.
#[test]
fn duals_are_looked_up_where_the_rest_of_a_search_pays_for_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = Case::walks("rubik", &["2", "fixed"], 3);
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    let spec: HeuristicSpec = "like U2 R2 F2".parse().expect("a table");
    let request = case.request(&spec, 64 * MIB);
    let estimate = prepare(&request, &|_| None).expect("a table");
    let estimate = estimate.estimate;
    let known: Vec<Candidate> = {
        let store = KeptTables::new(&case.host);
        let options = options(&request, None, &store, None);
        let families = named_tables::families(&case.game, &case.host, &options, &[]);
        families.into_iter().flat_map(|it| it.candidates).collect()
    };
    let [candidate] = &known[..] else {
        panic!("{known:?}");
    };
    let samples = sample_states(&case.game, &case.known, 60, 1);
    let table = estimate.patterns().and_then(Patterns::coordinates);
    let of_dual = |state| table.expect("coordinates").of_dual_by_path(state);
    let own = samples.iter().map(|state| estimate.of_state(state));
    let own: Vec<u64> = own.collect();
    let both = samples
        .iter()
        .zip(&own)
        .map(|(state, own)| of_dual(state).max(*own));
    let both: Vec<u64> = both.collect();
    assert!(both > own);
    let mut selection = Selection {
        request: &request,
        trial: &|_| None,
        deadline: None,
        for_tries: None,
        first_try: 1e6,
        spent: 1e6,
        seconds_per_step: 1.0 / SECOND,
        samples: Samples {
            starts: &case.starts,
            states: samples.clone(),
            least_costs: vec![0; case.starts.len()],
        },
        cheap: Named::new(&case.game, &case.known, &[]).expect("no name"),
        families: Vec::new(),
        fallback: None,
        incumbent: Incumbent {
            tables: Some(candidate.clone()),
            ..Incumbent::new(estimate, 0.0, 0.0)
        },
        growth: Growth::new(8.0),
        has_table: false,
        work_with_duals: 0.0,
        considered: Vec::new(),
        findings: Findings::default(),
        store: KeptTables::new(&case.host),
    };
    let duals = selection.duals_of(candidate, 7e8, &selection.incumbent.estimate);
    let needed = duals.as_ref().expect("duals").price;
    selection.incumbent.duals = duals;
    // It must be affordable, and save more than it takes.
    let mut advice = |spent, remaining| {
        selection.spent = spent;
        selection.incumbent.expected = remaining;
        advise(&selection)
    };
    assert_eq!(advice(needed, 1e12), Advice::Add);
    let later = Advice::Search {
        least_price: needed,
    };
    assert_eq!(advice(needed * 0.9, 1e12), later);
    assert_eq!(advice(needed, needed), later);
    selection.incumbent.expected = 1e12;
    let row = |selection: &Selection<'_>| selection.row_of_duals(|_| 1.0).expect("a row");
    assert_eq!(row(&selection).fate, CandidateDecision::NotBuilt);
    let before = selection.spent;
    assert_eq!(selection.add(), Ok(()));
    assert!((selection.spent - before - needed).abs() < 1.0);
    let estimates = samples
        .iter()
        .map(|state| selection.incumbent.estimate.of_state(state));
    assert_eq!(estimates.collect::<Vec<u64>>(), both);
    assert_eq!(advise(&selection), Advice::NothingLeft);
    let built = row(&selection);
    assert_eq!(built.fate, CandidateDecision::Chosen);
    assert!((built.build_seconds - 0.7 - needed / SECOND).abs() < 1e-9);
    let incumbent = &selection.incumbent;
    let words = incumbent.tables.as_ref().map_or("", Candidate::words);
    assert_eq!(built.heuristic, words);
    assert!(incumbent.estimate.to_string().contains(words));
    assert!(selection.choice().expect("tables with names").duals);
}
