//! Work that asks its host when to stop, and tells it what it found.

use std::sync::Mutex;
use std::time::Duration;

use budget::Limits;
use container::cache::Cache;
use host::{Host, HostExt};

/// A program that collects notes and leaves little time.
struct Program {
    cache: Cache,
    notes: Mutex<Vec<String>>,
}

impl Host for Program {
    fn limits(&self, own: &Limits) -> Limits {
        let time = own.time.unwrap_or(Duration::MAX);
        Limits {
            time: Some(time.min(Duration::from_secs(2))),
            ..own.clone()
        }
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn note(&self, message: String) {
        if let Ok(mut notes) = self.notes.lock() {
            notes.push(message);
        }
    }
}

/// Count primes below a number, by trial division.
fn count_primes(below: u32, host: &dyn Host) -> usize {
    let is_prime = |n: &u32| {
        (2..*n)
            .take_while(|d| d * d <= *n)
            .all(|d| !n.is_multiple_of(d))
    };
    let count = host.compute(|| {
        let numbers = (2..below).take_while(|_| !host.is_over());
        numbers.filter(is_prime).count()
    });
    host.note(format!("{count} primes"));
    count
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    let host = Program {
        cache: Cache::none(),
        notes: Mutex::default(),
    };
    let count = count_primes(1000, &host);
    println!("{count} primes; notes: {:?}", host.notes);
}
