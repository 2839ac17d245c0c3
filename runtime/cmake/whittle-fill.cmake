# cmake -P whittle-fill.cmake FILE…: writes those of the sources that an interface does not have, such as the stubs of one that only
# defines types. A build must know the names of all outputs before it reads the interface.
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(at RANGE 3 ${last})
  set(file "${CMAKE_ARGV${at}}")
  if(NOT EXISTS "${file}")
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" word)
    # ISO C has no empty source files.
    file(WRITE "${file}" "/* The interface has nothing for this file. */\ntypedef int whittle_nothing_in_${word};\n")
  endif()
endforeach()
