//! What builds the programs of a description: a Makefile and a CMake file, each from the same list. In: programs and their
//! pipes. Out: text.

use std::fmt::Write;

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
    pub(crate) libraries: &'a [&'a str],
}

impl Parts<'_> {
    /// `whittle_nats.c` is there, and needs its library.
    fn has_nats(&self) -> bool {
        self.libraries.contains(&"nats")
    }
}

/// The option, where a program that was compiled with it can be linked.
const LINKING: &str = "$(shell t=$$(mktemp) && echo 'int main(void) { return 0; }' | $(CC) $(CFLAGS) -flto=auto -x c - -x none \
    $(LDFLAGS) -o $$t 2> /dev/null && echo -flto=auto; rm -f \"$$t\")";

/// `Makefile`.
pub(crate) fn makefile(parts: &Parts) -> String {
    let stem = parts.stem;
    let names: Vec<&str> = parts.programs.iter().map(|program| program.name.as_str()).collect();
    let mut text = format!(
        "# The programs of {stem}. whittle writes this file; put what is yours into local.mk.\n\
         CFLAGS ?= -O2 -g -Wall\n\
         CFLAGS += -std=gnu11 -pthread\n\
         {}-include local.mk\n\
         # Middles become part of the loops that call them, where the compiler can do that as it links. LTO= leaves it out.\n\
         LTO ?= {LINKING}\n\
         LTO := $(LTO)\n\
         \n\
         PROGRAMS = {}\n\
         COMMON = {stem}_packets.o whittle_flow.o{}\n\
         \n\
         all: $(PROGRAMS)\n\
         \n\
         # Nothing of these goes into a loop.\n\
         $(COMMON): LTO :=\n",
        if parts.has_imports { "CPPFLAGS += $(shell pkg-config --cflags libtirpc)\n" } else { "" },
        names.join(" "),
        if parts.has_nats() { " whittle_nats.o" } else { "" },
    );
    for program in parts.programs {
        let objects: Vec<String> = program.yours(stem).iter().map(|file| format!("{file}.o")).collect();
        let _ = write!(
            text,
            "\n{0}: {0}.main.o {1} $(COMMON)\n\t$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -o $@ $^ $(LDLIBS){2}\n",
            program.name,
            objects.join(" "),
            parts.libraries.iter().map(|library| format!(" -l{library}")).collect::<String>(),
        );
    }
    let _ = write!(
        text,
        "\n%.o: %.c\n\t$(CC) $(CFLAGS) $(LTO) $(CPPFLAGS) -MMD -MP -c -o $@ $<\n\n-include $(wildcard *.d)\n\n\
         clean:\n\t$(RM) $(PROGRAMS) *.o *.d\n\n.PHONY: all clean\n"
    );
    text
}

/// `CMakeLists.txt`.
pub(crate) fn cmake(parts: &Parts) -> String {
    let stem = parts.stem;
    let mut text = format!(
        "# The programs of {stem}. whittle writes this file.\n\
         cmake_minimum_required(VERSION 3.10)\n\
         project({stem} C)\n\
         set(CMAKE_C_STANDARD 11)\n\
         # What is yours: libraries (link_libraries), another language (enable_language).\n\
         include(local.cmake OPTIONAL)\n\
         set(THREADS_PREFER_PTHREAD_FLAG ON)\n\
         find_package(Threads REQUIRED)\n\
         # Middles become part of the loops that call them, where the compiler can do that as it links.\n\
         include(CheckIPOSupported)\n\
         check_ipo_supported(RESULT joins OUTPUT why_not LANGUAGES C)\n\
         add_library({stem}_common STATIC {stem}_packets.c whittle_flow.c{})\n\
         target_include_directories({stem}_common PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})\n\
         target_link_libraries({stem}_common PUBLIC Threads::Threads{})\n",
        if parts.has_nats() { " whittle_nats.c" } else { "" },
        parts.libraries.iter().map(|library| format!(" {library}")).collect::<String>(),
    );
    if parts.has_imports {
        let _ = write!(
            text,
            "find_package(PkgConfig REQUIRED)\n\
             pkg_check_modules(TIRPC REQUIRED libtirpc)\n\
             target_include_directories({stem}_common PUBLIC ${{TIRPC_INCLUDE_DIRS}})\n"
        );
    }
    for program in parts.programs {
        let sources: Vec<String> = program.yours(stem).iter().map(|file| format!(" {file}.c")).collect();
        let _ = write!(
            text,
            "add_executable({0} {0}.main.c{1})\ntarget_link_libraries({0} PRIVATE {stem}_common)\n\
             set_property(TARGET {0} PROPERTY INTERPROCEDURAL_OPTIMIZATION ${{joins}})\n",
            program.name,
            sources.concat()
        );
    }
    text
}
