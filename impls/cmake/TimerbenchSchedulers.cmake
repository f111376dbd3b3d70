# Finds the scheduler headers and makes one source file for each from a template.
#
# A header schedulers/<name>.hpp defines <Name>Family. Each family gets object files of its own, so that
# builds stay parallel, and a generated list names them all, so that the linker drops none.

file(GLOB TIMERBENCH_SCHEDULER_HEADERS CONFIGURE_DEPENDS
     "${CMAKE_CURRENT_LIST_DIR}/../include/timerbench/schedulers/*.hpp")
if(TIMERBENCH_EXTRA_SCHEDULERS)
  if(NOT IS_DIRECTORY "${TIMERBENCH_EXTRA_SCHEDULERS}")
    message(FATAL_ERROR "TIMERBENCH_EXTRA_SCHEDULERS: '${TIMERBENCH_EXTRA_SCHEDULERS}' is not a folder")
  endif()
  file(GLOB extra CONFIGURE_DEPENDS "${TIMERBENCH_EXTRA_SCHEDULERS}/*.hpp")
  if(NOT extra)
    message(FATAL_ERROR "TIMERBENCH_EXTRA_SCHEDULERS: no *.hpp in '${TIMERBENCH_EXTRA_SCHEDULERS}'")
  endif()
  list(APPEND TIMERBENCH_SCHEDULER_HEADERS ${extra})
endif()
list(SORT TIMERBENCH_SCHEDULER_HEADERS COMPARE NATURAL)

# timerbench_instantiate(TARGET TEMPLATE LIST_TEMPLATE)
#
# In TEMPLATE, @NAME@ is the header's stem, @FAMILY@ its family type and @HEADER@ its path. In
# LIST_TEMPLATE, every line that contains @NAME@ stands once for each family.
# Include it where every user of the function can see the list: at the top.
function(timerbench_instantiate target template list_template)
  if(NOT TIMERBENCH_SCHEDULER_HEADERS)
    message(FATAL_ERROR "no scheduler headers are known here")
  endif()
  # Not called like the target, whose program may lie beside it.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_instances")
  set(names "")
  foreach(HEADER IN LISTS TIMERBENCH_SCHEDULER_HEADERS)
    get_filename_component(NAME "${HEADER}" NAME_WE)
    string(REPLACE "_" ";" words "${NAME}")
    set(FAMILY "")
    foreach(word IN LISTS words)
      string(SUBSTRING "${word}" 0 1 first)
      string(SUBSTRING "${word}" 1 -1 rest)
      string(TOUPPER "${first}" first)
      string(APPEND FAMILY "${first}${rest}")
    endforeach()
    string(APPEND FAMILY "Family")
    if(NAME IN_LIST names)
      message(FATAL_ERROR "two scheduler headers are called ${NAME}.hpp; the second is ${HEADER}")
    endif()
    list(APPEND names "${NAME}")
    configure_file("${template}" "${folder}/${NAME}.cpp" @ONLY)
    target_sources(${target} PRIVATE "${folder}/${NAME}.cpp")
  endforeach()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list_template}")
  set(text "")
  file(READ "${list_template}" whole)
  string(REPLACE ";" "@SEMICOLON@" whole "${whole}")
  string(REGEX MATCHALL "[^\n]*\n" lines "${whole}")
  foreach(line IN LISTS lines)
    if(line MATCHES "@NAME@")
      foreach(name IN LISTS names)
        string(REPLACE "@NAME@" "${name}" one "${line}")
        string(APPEND text "${one}")
      endforeach()
    else()
      string(APPEND text "${line}")
    endif()
  endforeach()
  string(REPLACE "@SEMICOLON@" ";" text "${text}")
  file(CONFIGURE OUTPUT "${folder}/list.cpp" CONTENT "${text}" @ONLY)
  target_sources(${target} PRIVATE "${folder}/list.cpp")
endfunction()
