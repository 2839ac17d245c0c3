//! What builds the programs of a description: a Makefile and a CMake file, each from the same list. In: programs and their
//! pipes. Out: text.

use escape::cmake::{self, CMake};
use escape::make::{self, Make};
use escape::{Refused, Text};

use crate::files::RunTime;

/// One program: its name, and the pipes whose middles it holds.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) pipes: Vec<String>,
    /// It calls what is in `STEM_advice.c`.
    pub(crate) has_advice: bool,
}

impl Program {
    /// The files that are the user's, without their endings.
    fn yours(&self, stem: &str) -> Vec<String> {
        let advice = self.has_advice.then(|| format!("{stem}_advice"));
        self.pipes.iter().cloned().chain(advice).collect()
    }
}

/// What the programs of a description have in common.
pub(crate) struct Parts<'a> {
    pub(crate) stem: &'a str,
    pub(crate) programs: &'a [Program],
    /// Imported interface files: their headers include the RPC library's.
    pub(crate) has_imports: bool,
    pub(crate) need: Need,
    pub(crate) run_time: RunTime,
}

/// What the edges need beside the C library. Each needs what is said before it, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Nothing,
    /// What authenticates edges over a network: libcrypto.
    Keys,
    /// What speaks to a NATS server: libnats.
    Nats,
}

impl Need {
    /// Libraries beside the threads of the C library.
    fn libraries(self) -> &'static [&'static str] {
        match self {
            Need::Nothing => &[],
            Need::Keys => &["crypto"],
            Need::Nats => &["nats", "crypto"],
        }
    }

    /// The package of the installed run time that brings them, and all else.
    fn package(self) -> &'static str {
        match self {
            Need::Nothing => "whittle-flow",
            Need::Keys => "whittle-key",
            Need::Nats => "whittle-nats",
        }
    }

    /// The parts of the run time, as files without their endings.
    fn parts(self) -> &'static [&'static str] {
        match self {
            Need::Nothing => &["whittle_flow", "whittle_net"],
            Need::Keys => &["whittle_flow", "whittle_net", "whittle_key"],
            Need::Nats => &["whittle_flow", "whittle_net", "whittle_nats", "whittle_key"],
        }
    }
}

impl Parts<'_> {
    /// The parts of the run time that are compiled here, as words behind others.
    fn compiled<L>(&self, ending: &'static str) -> Text<L> {
        let parts = if self.run_time == RunTime::Beside { self.need.parts() } else { &[] };
        Text::concat(parts.iter().flat_map(|part| [" ", part, ending].map(Text::literal)))
    }
}

/// The option, where a program that was compiled with it can be linked.
const LINKING: &str = "$(shell t=$$(mktemp) && echo 'int main(void) { return 0; }' | $(CC) $(CFLAGS) -flto=auto -x c - -x none \
    $(LDFLAGS) -o $$t 2> /dev/null && echo -flto=auto; rm -f \"$$t\")";

/// Where the installed run time is.
const INSTALLED: &str = "# The run time is installed: pkg-config says where.\n\
    PKG_CONFIG ?= pkg-config\n\
    RUN_TIME_CFLAGS := $(shell $(PKG_CONFIG) --cflags {package})\n\
    RUN_TIME_LIBS := $(shell $(PKG_CONFIG) --libs {package})\n\
    ifneq ($(MAKECMDGOALS),clean)\n\
    $(if $(RUN_TIME_LIBS),,$(error no {package}.pc is found: install the run time, or set PKG_CONFIG_PATH to its lib/pkgconfig))\n\
    endif\n";

/// The first line of a Makefile and of CMake's file.
const TITLE: &str = "# The programs of {title}. whittle writes this file";

/// `Makefile`.
pub(crate) fn makefile(parts: &Parts) -> Result<Text<Make>, Refused> {
    let stem = make::word(parts.stem)?;
    let names = parts.programs.iter().map(|program| make::word(&program.name)).collect::<Result<Vec<_>, _>>()?;
    let programs = Text::join(&names, " ");
    let mut text = Text::fill(TITLE, &[("title", &make::comment(parts.stem))]);
    text.say(
        "; put what is yours into local.mk.\n\
         CFLAGS ?= -O2 -g -Wall\n\
         CFLAGS += -std=gnu11 -pthread\n",
    );
    if parts.has_imports {
        text.say("CPPFLAGS += $(shell pkg-config --cflags libtirpc)\n");
    }
    text.say("-include local.mk\n");
    if parts.run_time == RunTime::Installed {
        text.add(INSTALLED, &[("package", &Text::literal(parts.need.package()))]);
    }
    text.add(
        "# Middles become part of the loops that call them, where the compiler can do that as it links. LTO= leaves it out.\n\
         LTO ?= {linking}\n\
         LTO := $(LTO)\n\
         \n\
         PROGRAMS = {programs}\n\
         COMMON = {stem}_packets.o{run_time}\n\
         \n\
         all: $(PROGRAMS)\n\
         \n\
         # Nothing of these goes into a loop; what nobody calls goes into no program.\n\
         $(COMMON): LTO :=\n\
         $(COMMON): SECTIONS := -ffunction-sections -fdata-sections\n",
        &[
            ("linking", &Text::literal(LINKING)),
            ("programs", &programs),
            ("stem", &stem),
            ("run_time", &parts.compiled(".o")),
        ],
    );
    let (headers, libraries) = match parts.run_time {
        RunTime::Beside => (Text::literal(""), options(parts.need.libraries())),
        RunTime::Installed => (Text::literal(" $(RUN_TIME_CFLAGS)"), Text::literal(" $(RUN_TIME_LIBS)")),
    };
    for (program, name) in parts.programs.iter().zip(&names) {
        let files = program.yours(parts.stem);
        let objects = files.iter().map(|file| make::word(&format!("{file}.o"))).collect::<Result<Vec<_>, _>>()?;
        text.add(
            "\n{name}: {name}.main.o {objects} $(COMMON)\n\
             \t$(CC) $(CFLAGS) $(LTO) -Wl,--gc-sections $(LDFLAGS) -o $@ $^ $(LDLIBS){libraries}\n",
            &[("name", name), ("objects", &Text::join(&objects, " ")), ("libraries", &libraries)],
        );
    }
    text.add(
        "\n%.o: %.c\n\t$(CC) $(CFLAGS) $(SECTIONS) $(LTO) $(CPPFLAGS){headers} -MMD -MP -c -o $@ $<\n\n\
         -include $(wildcard *.d)\n\n\
         clean:\n\t$(RM) $(PROGRAMS) *.o *.d\n\n.PHONY: all clean\n",
        &[("headers", &headers)],
    );
    Ok(text)
}

/// Options that link libraries, behind others.
fn options(libraries: &[&'static str]) -> Text<Make> {
    Text::concat(libraries.iter().flat_map(|library| [" -l", library].map(Text::literal)))
}

/// `CMakeLists.txt`.
pub(crate) fn cmake(parts: &Parts) -> Result<Text<CMake>, Refused> {
    let (stem, project) = (cmake::file(parts.stem)?, cmake::name(parts.stem));
    let mut text = Text::fill(TITLE, &[("title", &cmake::comment(parts.stem))]);
    text.add(
        ".\n\
         cmake_minimum_required(VERSION 3.10)\n\
         project({project} C)\n\
         set(CMAKE_C_STANDARD 11)\n\
         # What is yours: libraries (link_libraries), another language (enable_language).\n\
         include(local.cmake OPTIONAL)\n\
         set(THREADS_PREFER_PTHREAD_FLAG ON)\n\
         find_package(Threads REQUIRED)\n\
         # Middles become part of the loops that call them, where the compiler can do that as it links.\n\
         include(CheckIPOSupported)\n\
         check_ipo_supported(RESULT joins OUTPUT why_not LANGUAGES C)\n\
         add_library({project}_common STATIC {stem}_packets.c{run_time})\n\
         target_include_directories({project}_common PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n\
         # What nobody calls goes into no program.\n\
         target_compile_options({project}_common PRIVATE -ffunction-sections -fdata-sections)\n\
         target_link_libraries({project}_common PUBLIC Threads::Threads -Wl,--gc-sections)\n",
        &[("project", &project), ("stem", &stem), ("run_time", &parts.compiled(".c"))],
    );
    text.push(&found(parts, &project));
    for program in parts.programs {
        let files = program.yours(parts.stem);
        let sources = files.iter().map(|file| cmake::file(&format!("{file}.c"))).collect::<Result<Vec<_>, _>>()?;
        let sources = sources.into_iter().flat_map(|source| [Text::literal(" "), source]);
        text.add(
            "add_executable({name} {main}.main.c{sources})\ntarget_link_libraries({name} PRIVATE {project}_common)\n\
             set_property(TARGET {name} PROPERTY INTERPROCEDURAL_OPTIMIZATION ${joins})\n",
            &[
                ("name", &cmake::name(&program.name)),
                ("main", &cmake::file(&program.name)?),
                ("sources", &Text::concat(sources)),
                ("project", &project),
            ],
        );
    }
    Ok(text)
}

/// What CMake finds elsewhere: libraries, and what pkg-config knows.
fn found(parts: &Parts, project: &Text<CMake>) -> Text<CMake> {
    let mut text = Text::literal("");
    if parts.run_time == RunTime::Installed || parts.has_imports {
        text.say("find_package(PkgConfig REQUIRED)\n");
    }
    if parts.run_time == RunTime::Installed {
        text.add(
            "pkg_check_modules(RUN_TIME REQUIRED IMPORTED_TARGET {package})\n\
             target_link_libraries({project}_common PUBLIC PkgConfig::RUN_TIME)\n",
            &[("package", &Text::literal(parts.need.package())), ("project", project)],
        );
    } else if parts.need != Need::Nothing {
        let libraries = parts.need.libraries().iter().flat_map(|library| [" ", library].map(Text::literal));
        text.add(
            "target_link_libraries({project}_common PUBLIC{libraries})\n",
            &[("project", project), ("libraries", &Text::concat(libraries))],
        );
    }
    if parts.has_imports {
        text.add(
            "pkg_check_modules(TIRPC REQUIRED libtirpc)\n\
             target_include_directories({project}_common PUBLIC ${TIRPC_INCLUDE_DIRS})\n",
            &[("project", project)],
        );
    }
    text
}
