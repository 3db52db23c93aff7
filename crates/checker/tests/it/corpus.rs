//! The corpus of certificates in `proofs/corpus`: each file's name ends with its verdict.

use std::path::Path;

use checker::{CostCertificate, Limits};

/// The ending of a file with this verdict.
fn verdict(text: &[u8]) -> &'static str {
    match CostCertificate::read(text) {
        Err(_) => "unreadable",
        Ok(certificate) if certificate.check(&Limits::default()).is_ok() => "accept",
        Ok(_) => "reject",
    }
}

#[test]
fn each_file_of_the_corpus_has_its_verdict() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/corpus/files");
    let mut n_checked = 0;
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(&corpus).expect("the corpus is there") {
        let path = file.expect("a file").path();
        let found = verdict(&std::fs::read(&path).expect("the file can be read"));
        n_checked += 1;
        if path.extension() != Some(found.as_ref()) {
            wrong.push(format!("{}: {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_checked >= 773, "only {n_checked} files");
}
