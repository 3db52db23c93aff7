//! An independent checker of redundancy certificates.
