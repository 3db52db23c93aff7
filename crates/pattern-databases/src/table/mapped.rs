//! Mapped files whose content is copied.

use std::ops::Range;

use memmap2::Mmap;

/// The bytes that are copied before they are forgotten.
const STEP: usize = 16 << 20;

/// Copy a part of a mapped file. What is copied is forgotten step by step, so that the process
/// holds little of it twice.
pub(crate) fn copy(map: &Mmap, from: usize, to: &mut [u8]) {
    let mut at = from;
    for to in to.chunks_mut(STEP) {
        let range = at..at + to.len();
        at = range.end;
        to.copy_from_slice(&map[range.clone()]);
        forget(map, range);
    }
}

/// Let the system take the memory of a part of a mapped file. Its bytes are read from the file
/// again if they are needed. No effect if the system can't.
pub(crate) fn forget(map: &Mmap, range: Range<usize>) {
    #[cfg(target_os = "linux")]
    {
        use memmap2::UncheckedAdvice;

        // SAFETY: files are mapped privately and read-only, so a page that is dropped was never
        // written to, and is read from the same file again. That files don't change while they are
        // mapped is required of whoever maps them.
        let _ = unsafe {
            map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len())
        };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (map, range);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Write;

    use super::*;

    /// Return the KiB of a mapped file that are in memory, by the system's account.
    fn resident(path: &std::path::Path) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("the maps of this process");
        let path = path.to_str().expect("a plain path");
        let mut lines = maps.lines().skip_while(|line| !line.ends_with(path));
        let line = lines
            .find(|line| line.starts_with("Rss:"))
            .expect("its size");
        let kib = line.split_whitespace().nth(1).expect("a number");
        kib.parse().expect("a number")
    }

    #[test]
    fn a_copy_replaces_what_is_mapped() {
        let path = std::env::temp_dir().join(format!("psvn-mapped-{}", std::process::id()));
        let content: Vec<u8> = (0..(40 << 20) + 123_u32).map(|i| (i % 251) as u8).collect();
        let mut file = std::fs::File::create(&path).expect("a file");
        file.write_all(&content).expect("a written file");
        let map = crate::file::map_file(&path, 0).expect("a map");
        assert!(map[..] == content[..]);
        assert!(resident(&path) > 30_000);
        let mut copied = vec![0; content.len() - 77];
        copy(&map, 77, &mut copied);
        assert!(copied[..] == content[77..]);
        assert!(resident(&path) < 1_000);
        // It is still there.
        assert!(map[..] == content[..]);
        std::fs::remove_file(&path).expect("no file any more");
    }
}
