//! The secret that the processes of a cluster know, and no one else.

use std::collections::BTreeSet;

use crate::error::ClusterError;

/// The minimum bits of a secret: below, all secrets might be tried.
const FEWEST_BITS: u32 = 128;
/// Fewer different characters than this don't come from a larger alphabet.
const FEW_CHARACTERS: usize = 8;

/// Return a secret of 64 hexadecimal digits, from the system's source of random numbers.
///
/// # Errors
/// If the system has none.
pub fn random_secret() -> Result<String, ClusterError> {
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret)
        .map_err(|error| ClusterError::Broken(format!("no random numbers: {error}")))?;
    Ok(secret.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Refuse a secret that is too short.
pub(crate) fn check(secret: &[u8]) -> Result<(), ClusterError> {
    let bits = most_bits(secret);
    if bits < FEWEST_BITS {
        return Err(ClusterError::ShortSecret {
            length: secret.len(),
            bits,
            fewest: FEWEST_BITS,
        });
    }
    Ok(())
}

/// Return the bits of a secret if its characters were chosen at random: 4 for each of hexadecimal
/// digits and 6 for each of base 64, so that 32 and 22 of them have 128 bits. Words are chosen from
/// fewer texts, which nobody can see.
fn most_bits(secret: &[u8]) -> u32 {
    let different: BTreeSet<&u8> = secret.iter().collect();
    let all = |of: fn(&u8) -> bool| different.iter().all(|it| of(it));
    let alphabet = match different.len() {
        n if n < FEW_CHARACTERS => n.max(1),
        _ if all(u8::is_ascii_digit) => 10,
        _ if all(u8::is_ascii_hexdigit) => 16,
        _ => 64,
    };
    ((alphabet as f64).log2() * secret.len() as f64).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_count_by_their_alphabet() {
        assert_eq!(most_bits(b""), 0);
        assert_eq!(most_bits(&[b'a'; 100]), 0);
        assert_eq!(most_bits(b"0123456789"), 33);
        assert_eq!(most_bits(b"00112233445566778899aabbccddeeff"), 128);
        assert_eq!(most_bits(b"00112233445566778899aabbccddeef"), 124);
        assert_eq!(most_bits(b"bGlrZSByYW5kb20gYnl0ZQ"), 132);
        assert_eq!(most_bits(&[b"01".as_slice(); 50].concat()), 100);
    }

    #[test]
    fn what_is_made_is_long_enough_and_never_the_same() {
        let secrets = [random_secret().unwrap(), random_secret().unwrap()];
        assert_ne!(secrets[0], secrets[1]);
        for secret in secrets {
            assert_eq!(secret.len(), 64);
            check(secret.as_bytes()).unwrap();
        }
        let refused = check(b"a short secret").unwrap_err().to_string();
        assert_eq!(
            refused,
            "the secret has 14 characters, which is at most 84 bits, and 128 are needed"
        );
    }
}
