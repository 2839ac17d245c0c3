//! What of a library a program reaches. In: an archive or an object, as binutils print it, and the names of functions to begin from. Out: the
//! bytes of all functions that those refer to, one way or another. A function that refers to a table of its file reaches every
//! function that tables of the file hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::workshop::Workshop;

/// A member of an archive, and a name in it: static functions of two members may share a name.
type Place = (String, String);

/// The functions of a library.
#[derive(Default)]
pub(super) struct Library {
    /// Bytes.
    sizes: BTreeMap<Place, u64>,
    /// Where each begins, in the section of its member.
    starts: BTreeMap<String, BTreeMap<u64, String>>,
    /// By name, those that other files see.
    exported: BTreeMap<String, Place>,
    /// What each refers to.
    uses: BTreeMap<Place, BTreeSet<String>>,
    /// What the tables of a member refer to.
    tables: BTreeMap<String, BTreeSet<String>>,
}

impl Library {
    pub(super) fn read(workshop: &Workshop, file: &Path) -> Result<Library, Vec<String>> {
        let run = |program: &str, options: &[&str]| {
            let file = file.display().to_string();
            workshop.run(&workshop.folder, program, &[options, &[&file]].concat())
        };
        let mut library = Library::default();
        library.symbols(&run("nm", &["-S", "--defined-only"])?);
        library.code(&run("objdump", &["-dr", "--no-show-raw-insn"])?);
        library.data(&run("objdump", &["-r"])?);
        Ok(library)
    }

    /// What an object wants of others.
    pub(super) fn undefined(&self, workshop: &Workshop, object: &Path) -> Result<Vec<String>, Vec<String>> {
        let printed = workshop.run(&workshop.folder, "nm", &["-u".to_string(), object.display().to_string()])?;
        Ok(printed.split_whitespace().filter(|name| *name != "U").map(str::to_string).collect())
    }

    /// The bytes of all that is reached.
    pub(super) fn reached(&self, roots: &[String]) -> u64 {
        let mut waiting: Vec<Place> = roots.iter().filter_map(|root| self.exported.get(root).cloned()).collect();
        let mut seen = BTreeSet::new();
        while let Some(place) = waiting.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let used = self.uses.get(&place).into_iter().flatten();
            let tables =
                used.clone().any(|name| name.starts_with(".data")).then(|| self.tables.get(&place.0)).flatten();
            let names = used.chain(tables.into_iter().flatten());
            waiting.extend(names.filter_map(|name| self.find(&place.0, name)));
        }
        seen.iter().filter_map(|place| self.sizes.get(place)).sum()
    }

    fn find(&self, member: &str, name: &str) -> Option<Place> {
        let own = (member.to_string(), name.to_string());
        if self.sizes.contains_key(&own) { Some(own) } else { self.exported.get(name).cloned() }
    }

    /// `0000000000000000 0000000000000041 T xdr_free`
    fn symbols(&mut self, printed: &str) {
        let mut member = String::new();
        for line in printed.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [name] = words[..] {
                member = name.trim_end_matches(':').to_string();
            }
            let [start, size, kind, name] = words[..] else { continue };
            let (Ok(start), Ok(size)) = (u64::from_str_radix(start, 16), u64::from_str_radix(size, 16)) else {
                continue;
            };
            if matches!(kind, "T" | "t" | "W" | "w") {
                let place = (member.clone(), name.to_string());
                self.starts.entry(member.clone()).or_default().insert(start, name.to_string());
                self.sizes.insert(place.clone(), size);
                if kind != "t" {
                    self.exported.insert(name.to_string(), place);
                }
            }
        }
    }

    /// Heads of functions, what instructions name, and relocations below them.
    fn code(&mut self, printed: &str) {
        let (mut member, mut function) = (String::new(), String::new());
        for line in printed.lines() {
            if let Some(name) = member_of(line, &self.starts) {
                member = name;
            } else if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
                function = name.1.to_string();
            } else {
                let target = relocation(line).or_else(|| Some(line.split_once('<')?.1.split_once('>')?.0));
                let Some(target) = target else { continue };
                let name = self.named(&member, target, 4);
                self.uses.entry((member.clone(), function.clone())).or_default().insert(name);
            }
        }
    }

    /// Relocations of sections with variables.
    fn data(&mut self, printed: &str) {
        let (mut member, mut is_data) = (String::new(), false);
        for line in printed.lines() {
            if let Some(name) = member_of(line, &self.starts) {
                member = name;
            } else if let Some(section) = line.strip_prefix("RELOCATION RECORDS FOR [") {
                is_data = section.starts_with(".data");
            } else if is_data && let Some(target) = line.split_whitespace().nth(2) {
                let name = self.named(&member, target, 0);
                self.tables.entry(member.clone()).or_default().insert(name);
            }
        }
    }

    /// `xdr_void-0x4`, `xdr_void+0x10`; `.text+0x130` is what begins there, but for the distance from the instruction's end.
    fn named(&self, member: &str, target: &str, distance: u64) -> String {
        let (name, offset) = target.split_once(['+', '-']).unwrap_or((target, "0x0"));
        if !name.starts_with(".text") {
            return name.to_string();
        }
        let offset = u64::from_str_radix(offset.trim_start_matches("0x"), 16).unwrap_or(0) + distance;
        let start = self.starts.get(member).and_then(|starts| starts.get(&offset));
        start.cloned().unwrap_or_else(|| name.to_string())
    }
}

/// `xdr.o:     file format elf64-x86-64`; an object by itself is one member without a name.
fn member_of(line: &str, known: &BTreeMap<String, BTreeMap<u64, String>>) -> Option<String> {
    let (name, _) = line.split_once(":     file format")?;
    Some(if known.contains_key(name) { name.to_string() } else { String::new() })
}

/// `\t\t\t17: R_X86_64_PLT32\txdr_void-0x4`
fn relocation(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(": R_")?;
    rest.split_whitespace().nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_is_counted_once_with_the_tables_it_uses() {
        let mut library = Library::default();
        library.symbols(
            "\nxdr.o:\n0 10 T xdr_int\n10 20 T xdr_array\n\nmem.o:\n0 8 T create\n10 3 t get\n20 5 t put\n30 7 t other\n",
        );
        library.code(
            "xdr.o:     file format elf64-x86-64\n0010 <xdr_array>:\n  11: call  16 <xdr_array+0x6>\n\t\t12: R_X86_64_PLT32\txdr_int-0x4\n\
             mem.o:     file format elf64-x86-64\n0000 <create>:\n\t\t3: R_X86_64_PC32\t.data.rel.ro.local-0x4\n",
        );
        library.data(
            "mem.o:     file format elf64-x86-64\nRELOCATION RECORDS FOR [.data.rel.ro.local]:\n0 R_X86_64_64 .text+0x10\n8 R_X86_64_64 put\n",
        );
        assert_eq!(library.reached(&["xdr_int".to_string()]), 0x10);
        assert_eq!(library.reached(&["xdr_array".to_string(), "xdr_int".to_string()]), 0x30);
        assert_eq!(library.reached(&["create".to_string()]), 8 + 3 + 5);
        assert_eq!(library.reached(&["elsewhere".to_string()]), 0);
    }
}
