//! Build systems: which files are whose, and how each is given another rpcgen. In: a file's name; what calls rpcgen. Out: the one
//! line that puts whittle in its place.

/// Who reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum System {
    Make,
    Autotools,
    CMake,
    Meson,
    Debian,
    /// A shell.
    Script,
    /// Perl, Python and their like.
    Language,
}

impl System {
    /// By a file's name, and its path in the tree.
    pub(super) fn of_name(name: &str, path: &str) -> Option<System> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        Some(match name {
            "rules" if path == "debian/rules" || path.ends_with("/debian/rules") => System::Debian,
            "Makefile" | "makefile" | "GNUmakefile" | "Makefile.in" | "BSDmakefile" => System::Make,
            "Makefile.am" => System::Make,
            "configure.ac" | "configure.in" | "acinclude.m4" => System::Autotools,
            "configure" | "aclocal.m4" | "libtool" | "ltmain.sh" => return None,
            "CMakeLists.txt" => System::CMake,
            "meson.build" => System::Meson,
            "SConstruct" | "SConscript" | "wscript" => System::Language,
            _ => match ending {
                "mk" | "mak" => System::Make,
                "m4" => System::Autotools,
                "cmake" => System::CMake,
                "sh" | "bash" => System::Script,
                "pl" | "pm" | "py" => System::Language,
                _ if name.starts_with("Makefile.") || name.starts_with("makefile.") => System::Make,
                _ => return None,
            },
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            System::Make => "make",
            System::Autotools => "autotools",
            System::CMake => "CMake",
            System::Meson => "Meson",
            System::Debian => "Debian",
            System::Script | System::Language => "script",
        }
    }

    /// The line that puts whittle in rpcgen's place; `variable` holds the program's name, where one does.
    pub(super) fn change(self, variable: Option<&str>) -> String {
        let program = "/usr/local/bin/whittle-rpcgen";
        let path = "PATH=/usr/local/lib/whittle/bin:$PATH";
        match (self, variable) {
            (System::Make, Some(variable)) => format!("make {variable}=\"whittle rpcgen\""),
            (System::Make, None) => format!("{path} make"),
            (System::Autotools, Some(variable)) if variable.starts_with("--") => {
                format!("./configure {variable}={program}")
            }
            (System::Autotools, Some(variable)) => format!("./configure {variable}={program}"),
            (System::Autotools, None) => format!("{path} ./configure, and the same before make"),
            (System::CMake, Some(variable)) => format!("cmake -S . -B build -D{variable}={program}"),
            (System::CMake, None) => format!("{path} cmake -S . -B build, and the same before cmake --build build"),
            (System::Meson, _) => format!(
                "meson setup --native-file whittle.ini build, where whittle.ini holds the lines [binaries] and rpcgen = '{program}'"
            ),
            (System::Debian, Some(variable)) => format!("export {variable} = whittle-rpcgen, in debian/rules"),
            (System::Debian, None) => format!("{path} dpkg-buildpackage -b -d"),
            (System::Script | System::Language, _) => format!("{path}, before the script is called"),
        }
    }
}
