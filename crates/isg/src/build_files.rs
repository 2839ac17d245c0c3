//! What builds the programs of a description: a Makefile and a CMake file, each from the same list. In: programs and their
//! pipes. Out: text.

use escape::cmake::{self, CMake};
use escape::make::{self, Make};
use escape::{Refused, Text};

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
    /// Libraries beside the threads of the C library.
    pub(crate) libraries: &'a [&'static str],
}

impl Parts<'_> {
    /// Parts of the run time that need a library of their own, and are there where it is.
    fn others(&self) -> Vec<&'static str> {
        let others = [("nats", "whittle_nats"), ("crypto", "whittle_key")];
        others.into_iter().filter(|(library, _)| self.libraries.contains(library)).map(|(_, file)| file).collect()
    }
}

/// The option, where a program that was compiled with it can be linked.
const LINKING: &str = "$(shell t=$$(mktemp) && echo 'int main(void) { return 0; }' | $(CC) $(CFLAGS) -flto=auto -x c - -x none \
    $(LDFLAGS) -o $$t 2> /dev/null && echo -flto=auto; rm -f \"$$t\")";

/// The first line of a Makefile and of CMake's file.
const TITLE: &str = "# The programs of {title}. whittle writes this file";

/// `Makefile`.
pub(crate) fn makefile(parts: &Parts) -> Result<Text<Make>, Refused> {
    let stem = make::word(parts.stem)?;
    let names = parts.programs.iter().map(|program| make::word(&program.name)).collect::<Result<Vec<_>, _>>()?;
    let programs = Text::join(&names, " ");
    let others =
        parts.others().into_iter().flat_map(|file| [Text::literal(" "), Text::literal(file), Text::literal(".o")]);
    let mut text = Text::fill(TITLE, &[("title", &make::comment(parts.stem))]);
    text.say(
        "; put what is yours into local.mk.\n\
         CFLAGS ?= -O2 -g -Wall\n\
         CFLAGS += -std=gnu11 -pthread\n",
    );
    if parts.has_imports {
        text.say("CPPFLAGS += $(shell pkg-config --cflags libtirpc)\n");
    }
    text.add(
        "-include local.mk\n\
         # Middles become part of the loops that call them, where the compiler can do that as it links. LTO= leaves it out.\n\
         LTO ?= {linking}\n\
         LTO := $(LTO)\n\
         \n\
         PROGRAMS = {programs}\n\
         COMMON = {stem}_packets.o whittle_flow.o whittle_net.o{others}\n\
         \n\
         all: $(PROGRAMS)\n\
         \n\
         # Nothing of these goes into a loop.\n\
         $(COMMON): LTO :=\n",
        &[
            ("linking", &Text::literal(LINKING)),
            ("programs", &programs),
            ("stem", &stem),
            ("others", &Text::concat(others)),
        ],
    );
    for (program, name) in parts.programs.iter().zip(&names) {
        let files = program.yours(parts.stem);
        let objects = files.iter().map(|file| make::word(&format!("{file}.o"))).collect::<Result<Vec<_>, _>>()?;
        let libraries = parts.libraries.iter().flat_map(|library| [Text::literal(" -l"), Text::literal(library)]);
        text.add(
            "\n{name}: {name}.main.o {objects} $(COMMON)\n\
             \t$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -o $@ $^ $(LDLIBS){libraries}\n",
            &[("name", name), ("objects", &Text::join(&objects, " ")), ("libraries", &Text::concat(libraries))],
        );
    }
    text.say(
        "\n%.o: %.c\n\t$(CC) $(CFLAGS) $(LTO) $(CPPFLAGS) -MMD -MP -c -o $@ $<\n\n-include $(wildcard *.d)\n\n\
         clean:\n\t$(RM) $(PROGRAMS) *.o *.d\n\n.PHONY: all clean\n",
    );
    Ok(text)
}

/// `CMakeLists.txt`.
pub(crate) fn cmake(parts: &Parts) -> Result<Text<CMake>, Refused> {
    let (stem, project) = (cmake::file(parts.stem)?, cmake::name(parts.stem));
    let mut text = Text::fill(TITLE, &[("title", &cmake::comment(parts.stem))]);
    let libraries = parts.libraries.iter().flat_map(|library| [Text::literal(" "), Text::literal(library)]);
    let others =
        parts.others().into_iter().flat_map(|file| [Text::literal(" "), Text::literal(file), Text::literal(".c")]);
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
         add_library({project}_common STATIC {stem}_packets.c whittle_flow.c whittle_net.c{others})\n\
         target_include_directories({project}_common PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n\
         target_link_libraries({project}_common PUBLIC Threads::Threads{libraries})\n",
        &[
            ("project", &project),
            ("stem", &stem),
            ("others", &Text::concat(others)),
            ("libraries", &Text::concat(libraries)),
        ],
    );
    if parts.has_imports {
        text.add(
            "find_package(PkgConfig REQUIRED)\n\
             pkg_check_modules(TIRPC REQUIRED libtirpc)\n\
             target_include_directories({project}_common PUBLIC ${TIRPC_INCLUDE_DIRS})\n",
            &[("project", &project)],
        );
    }
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
