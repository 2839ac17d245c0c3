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
    /// Each once, in the order in which they are linked.
    pub(crate) needs: &'a [Need],
    pub(crate) run_time: RunTime,
}

/// What edges need beside the C library and the run time that all have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// What speaks to a NATS server: libnats.
    Nats,
    /// What speaks DDS: Cyclone DDS.
    Dds,
    /// What authenticates edges over a network: libcrypto. Behind what calls it.
    Keys,
}

impl Need {
    /// Its library.
    fn library(self) -> &'static str {
        match self {
            Need::Nats => "nats",
            Need::Dds => "ddsc",
            Need::Keys => "crypto",
        }
    }

    /// The package of the installed run time that brings it.
    fn package(self) -> &'static str {
        match self {
            Need::Nats => "whittle-nats",
            Need::Dds => "whittle-dds",
            Need::Keys => "whittle-key",
        }
    }

    /// Its part of the run time, as a file without its ending.
    fn part(self) -> &'static str {
        match self {
            Need::Nats => "whittle_nats",
            Need::Dds => "whittle_dds",
            Need::Keys => "whittle_key",
        }
    }
}

impl Parts<'_> {
    /// The parts of the run time that are compiled here, as words behind others.
    fn compiled<L>(&self, ending: &'static str) -> Text<L> {
        let parts = ["whittle_flow", "whittle_net"].into_iter().chain(self.needs.iter().map(|need| need.part()));
        let parts = parts.filter(|_| self.run_time == RunTime::Beside);
        Text::concat(parts.flat_map(|part| [" ", part, ending].map(Text::literal)))
    }

    /// The libraries beside the threads of the C library, each behind some text.
    fn libraries<L>(&self, before: &'static str) -> Text<L> {
        Text::concat(self.needs.iter().flat_map(|need| [before, need.library()].map(Text::literal)))
    }

    /// The packages of the installed run time.
    fn packages<L>(&self) -> Text<L> {
        let all: Vec<Text<L>> = self.needs.iter().map(|need| Text::literal(need.package())).collect();
        if all.is_empty() { Text::literal("whittle-flow") } else { Text::join(&all, " ") }
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
        text.add(INSTALLED, &[("package", &parts.packages())]);
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
        RunTime::Beside => (Text::literal(""), parts.libraries(" -l")),
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
            &[("package", &parts.packages()), ("project", project)],
        );
    } else if !parts.needs.is_empty() {
        text.add(
            "target_link_libraries({project}_common PUBLIC{libraries})\n",
            &[("project", project), ("libraries", &parts.libraries(" "))],
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
