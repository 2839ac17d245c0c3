# whittle_generate(TARGET target SOURCES file… STYLE plain|rpcgen|corba
#                  [LINK onc|giop-tcp|tirpc|shm] [ENCODING xdr|cdr] [SIDE client|server|both] [RUNTIME installed|beside]
#                  [INCLUDES folder…] [DEFINES NAME[=VALUE]…] [OPTIONS option…])
#
# Compiles interfaces (.x, .idl, .defs) to C while the target is built, and adds the C, its headers and its run time to the target. The C is written
# again when an interface changes, what it includes, or whittle. Docs: docs/guides/install.md.

set(_whittle_fill "${CMAKE_CURRENT_LIST_DIR}/whittle-fill.cmake")

function(whittle_generate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;STYLE;LINK;ENCODING;SIDE;RUNTIME" "SOURCES;INCLUDES;DEFINES;OPTIONS")
  _whittle_check_words()
  _whittle_check_target("${arg_TARGET}")
  _whittle_default(arg_SIDE both client server)
  _whittle_default(arg_RUNTIME installed beside)
  _whittle_link(link is_libtirpc)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/whittle/${arg_TARGET}")

  set(options --style "${arg_STYLE}" --link "${link}" --side "${arg_SIDE}" --out "${folder}")
  if(NOT is_libtirpc)
    list(APPEND options --runtime installed)
  endif()
  if(arg_ENCODING)
    list(APPEND options --encoding "${arg_ENCODING}")
  endif()
  foreach(include IN LISTS arg_INCLUDES)
    get_filename_component(include "${include}" ABSOLUTE)
    list(APPEND options "-I${include}")
  endforeach()
  list(TRANSFORM arg_DEFINES PREPEND "-D")
  list(APPEND options ${arg_DEFINES} ${arg_OPTIONS})

  foreach(source IN LISTS arg_SOURCES)
    _whittle_compile("${source}")
  endforeach()
  _whittle_link_runtime()
  _whittle_include("${folder}")
endfunction()

# --- what is asked for ---

macro(_whittle_check_words)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "whittle_generate: unknown arguments: ${arg_UNPARSED_ARGUMENTS}. "
      "There are TARGET, SOURCES, STYLE, LINK, ENCODING, SIDE, RUNTIME, INCLUDES, DEFINES and OPTIONS.")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "whittle_generate: these need a value: ${arg_KEYWORDS_MISSING_VALUES}.")
  endif()
  foreach(word IN ITEMS TARGET SOURCES STYLE)
    if(NOT arg_${word})
      message(FATAL_ERROR "whittle_generate: ${word} is missing: whittle_generate(TARGET target SOURCES file.x STYLE plain)")
    endif()
  endforeach()
endmacro()

function(_whittle_check_target target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "whittle_generate: there is no target `${target}`: add_executable or add_library comes first.")
  endif()
  get_target_property(aliased "${target}" ALIASED_TARGET)
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(type "${target}" TYPE)
  if(aliased OR imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "whittle_generate: `${target}` compiles nothing: name an executable or a library that is built here.")
  endif()
  get_target_property(place "${target}" SOURCE_DIR)
  if(NOT place STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "whittle_generate: `${target}` belongs to ${place}: call whittle_generate in that folder's CMakeLists.txt.")
  endif()
endfunction()

# In: a variable of the caller's, its default, its other values.
function(_whittle_default variable)
  if(NOT ${variable})
    set(${variable} "${ARGV1}" PARENT_SCOPE)
  elseif(NOT "${${variable}}" IN_LIST ARGN)
    string(REPLACE "arg_" "" word "${variable}")
    string(REPLACE ";" ", " known "${ARGN}")
    string(REGEX REPLACE "^, " "" known "${known}")
    message(FATAL_ERROR "whittle_generate: ${word} is one of ${known}, not `${${variable}}`.")
  endif()
endfunction()

# The link: the one that is asked for, or that goes with the style, as `whittle compile` has it; whether libtirpc is all of its run time.
function(_whittle_link result is_libtirpc)
  set(link "${arg_LINK}")
  _whittle_default(arg_STYLE plain rpcgen corba)
  _whittle_default(arg_LINK "" onc giop-tcp tirpc shm)
  if(NOT link)
    if(arg_STYLE STREQUAL "rpcgen")
      set(link tirpc)
    elseif(arg_STYLE STREQUAL "corba" OR arg_ENCODING STREQUAL "cdr")
      set(link giop-tcp)
    else()
      set(link onc)
    endif()
  endif()
  set(${is_libtirpc} FALSE PARENT_SCOPE)
  if(link STREQUAL "tirpc" AND arg_STYLE STREQUAL "rpcgen")
    set(${is_libtirpc} TRUE PARENT_SCOPE)
    if(arg_RUNTIME STREQUAL "beside")
      message(FATAL_ERROR "whittle_generate: RUNTIME is not for STYLE rpcgen with LINK tirpc: over tirpc the run time is libtirpc.")
    endif()
  endif()
  set(${result} "${link}" PARENT_SCOPE)
endfunction()

# --- what is built ---

# The sources that an interface may have. An absent one is written by whittle-fill.cmake.
function(_whittle_outputs result style side base)
  set(plain _types.c _client.c _server.c)
  set(rpcgen _xdr.c _clnt.c _svc.c)
  set(corba -common.c -stubs.c -skels.c)
  list(GET ${style} 0 both)
  list(GET ${style} 1 client)
  list(GET ${style} 2 server)
  set(names "${base}.h" "${base}${both}")
  if(NOT side STREQUAL "server")
    list(APPEND names "${base}${client}")
  endif()
  if(NOT side STREQUAL "client")
    list(APPEND names "${base}${server}")
  endif()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# One interface: the rule that compiles it, and its outputs as sources of the target.
function(_whittle_compile source)
  get_filename_component(path "${source}" ABSOLUTE)
  get_source_file_property(is_generated "${path}" GENERATED)
  if(NOT EXISTS "${path}" AND NOT is_generated)
    message(FATAL_ERROR "whittle_generate: there is no file ${path}. "
      "If the build makes it, say so: set_source_files_properties(… PROPERTIES GENERATED TRUE).")
  endif()
  if(NOT path MATCHES "\\.(x|idl|defs)$")
    message(FATAL_ERROR "whittle_generate: ${path}: interfaces end in .x, .idl or .defs; of a flow, `whittle compile` writes a CMakeLists.txt.")
  endif()
  get_filename_component(name "${path}" NAME)
  string(REGEX REPLACE "\\.[^.]*$" "" stem "${name}")
  get_target_property(stems "${arg_TARGET}" WHITTLE_STEMS)
  if(stem IN_LIST stems)
    message(FATAL_ERROR "whittle_generate: `${arg_TARGET}` has an interface `${stem}` already, and both would write ${stem}.h. "
      "Name each interface once (SIDE both has client and server).")
  endif()
  set_property(TARGET "${arg_TARGET}" APPEND PROPERTY WHITTLE_STEMS "${stem}")

  _whittle_outputs(outputs "${arg_STYLE}" "${arg_SIDE}" "${folder}/${stem}")
  _whittle_depfile(depfile "${folder}/${stem}.d")
  set(presentation)
  string(REGEX REPLACE "\\.[^.]*$" ".pres" beside "${path}")
  if(EXISTS "${beside}")
    set(presentation "${beside}")
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    # What an earlier state of the interface had is not to stay.
    COMMAND "${CMAKE_COMMAND}" -E rm -f ${outputs}
    COMMAND "${WHITTLE_EXECUTABLE}" compile "${path}" ${options} ${depfile_option}
    COMMAND "${CMAKE_COMMAND}" -P "${_whittle_fill}" ${outputs}
    DEPENDS "${path}" ${presentation} "${WHITTLE_EXECUTABLE}"
    ${depfile}
    COMMENT "Compiling ${name} to C"
    VERBATIM)
  target_sources("${arg_TARGET}" PRIVATE ${outputs})
endfunction()

# What an interface includes, as whittle reports it: whittle has to be able to, and the build system to read it.
function(_whittle_depfile result file)
  set(${result} "" PARENT_SCOPE)
  set(depfile_option "" PARENT_SCOPE)
  if(CMAKE_GENERATOR MATCHES "Makefiles" AND CMAKE_VERSION VERSION_LESS 3.20)
    return()
  endif()
  get_property(help GLOBAL PROPERTY _whittle_help)
  if(NOT help)
    execute_process(COMMAND "${WHITTLE_EXECUTABLE}" compile --help OUTPUT_VARIABLE help RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "whittle_generate: ${WHITTLE_EXECUTABLE} does not run: ${status}")
    endif()
    set_property(GLOBAL PROPERTY _whittle_help "${help}")
  endif()
  if(help MATCHES "--depfile")
    set(${result} DEPFILE "${file}" PARENT_SCOPE)
    set(depfile_option --depfile "${file}" PARENT_SCOPE)
  endif()
endfunction()

# Adds the library that the stubs call. Properties, as target_link_libraries must not be called in two forms for one target.
function(_whittle_link_runtime)
  if(is_libtirpc)
    _whittle_libtirpc()
    set(library PkgConfig::WHITTLE_TIRPC)
  elseif(arg_RUNTIME STREQUAL "beside")
    _whittle_runtime_beside()
    set(library whittle_runtime_beside)
  elseif(NOT TARGET whittle::whittle)
    message(FATAL_ERROR "whittle_generate: libwhittle.a is not installed beside ${WHITTLE_EXECUTABLE}: RUNTIME beside builds it from source.")
  else()
    set(library whittle::whittle)
  endif()
  if(link MATCHES "^(onc|shm)$" AND arg_STYLE STREQUAL "rpcgen" AND NOT arg_RUNTIME STREQUAL "beside")
    set(library whittle::rpc)
  endif()
  if(link STREQUAL "tirpc" AND NOT is_libtirpc)
    # Its own part stands over libtirpc, and is built from source in either case.
    _whittle_runtime_over_libtirpc()
    set(library whittle_runtime_over_libtirpc "${library}")
  endif()
  set_property(TARGET "${arg_TARGET}" APPEND PROPERTY LINK_LIBRARIES "${library}")
  set_property(TARGET "${arg_TARGET}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${library}")
endfunction()

function(_whittle_libtirpc)
  if(NOT TARGET PkgConfig::WHITTLE_TIRPC)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(WHITTLE_TIRPC REQUIRED IMPORTED_TARGET libtirpc)
  endif()
endfunction()

# The run time from source, once a build, for the machine and with the flags that the build has.
function(_whittle_runtime_beside)
  # Flows have more, which needs other libraries.
  _whittle_runtime_library(whittle_runtime_beside Threads::Threads net onc onc_object rpc corba iiop fluke)
endfunction()

# What plain and CORBA's style have over libtirpc.
function(_whittle_runtime_over_libtirpc)
  _whittle_libtirpc()
  _whittle_runtime_library(whittle_runtime_over_libtirpc PkgConfig::WHITTLE_TIRPC tirpc tirpc_object)
endfunction()

# A library of some of the run time's sources, over another library.
function(_whittle_runtime_library name over)
  if(TARGET ${name})
    return()
  endif()
  set(place "${CMAKE_BINARY_DIR}/whittle/runtime")
  execute_process(COMMAND "${WHITTLE_EXECUTABLE}" runtime --out "${place}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "whittle_generate: `whittle runtime --out ${place}` failed: ${status}")
  endif()
  set(sources ${ARGN})
  list(TRANSFORM sources REPLACE "(.+)" "${place}/whittle_\\1.c")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES
    C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON
    INTERFACE_INCLUDE_DIRECTORIES "${place}" INCLUDE_DIRECTORIES "${place}"
    LINK_LIBRARIES "${over}" INTERFACE_LINK_LIBRARIES "${over}")
endfunction()

# A program includes the headers itself; who links a library does, too.
function(_whittle_include folder)
  get_target_property(type "${arg_TARGET}" TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_include_directories("${arg_TARGET}" PRIVATE "${folder}")
  else()
    target_include_directories("${arg_TARGET}" PUBLIC "$<BUILD_INTERFACE:${folder}>")
  endif()
endfunction()
