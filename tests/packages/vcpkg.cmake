# cmake -DPORT_FOLDER=DIR -DWORK=DIR -DBUILD_FOLDER=DIR -DFEATURES=a;b [-DCONFIGURE_ONLY=ON] -P vcpkg.cmake
# Runs the portfile of a port with functions that do what vcpkg's of the same names do for one configuration, and the
# system's libraries as dependencies. vcpkg itself brings its programs and libraries from servers.
cmake_minimum_required(VERSION 3.25)
get_filename_component(PORT ${PORT_FOLDER} NAME)
set(CURRENT_PACKAGES_DIR ${WORK}/packages)
set(CURRENT_HOST_INSTALLED_DIR /usr)
set(VCPKG_LIBRARY_LINKAGE static)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Features that the port names are those that its description has.
file(READ ${PORT_FOLDER}/vcpkg.json description)
function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" OUT_FEATURE_OPTIONS FEATURES)
  set(options "")
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    string(JSON ignored GET "${description}" features ${feature} description)
    if(feature IN_LIST FEATURES)
      list(APPEND options -D${option}=ON)
    else()
      list(APPEND options -D${option}=OFF)
    endif()
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} "${options}" PARENT_SCOPE)
endfunction()

function(vcpkg_find_acquire_program name)
  set(names_PKGCONFIG pkgconf pkg-config)
  set(names_PYTHON3 python3)
  find_program(found_${name} NAMES ${names_${name}} REQUIRED)
  set(${name} ${found_${name}} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH OPTIONS)
  # An option that the project does not have is a mistake of the port.
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${BUILD_FOLDER} -G Ninja
                          -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DBUILD_SHARED_LIBS=OFF
                          -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib
                          -DCMAKE_INSTALL_BINDIR=bin ${arg_OPTIONS}
                  COMMAND_ERROR_IS_FATAL ANY ERROR_VARIABLE warnings OUTPUT_QUIET)
  if(warnings MATCHES "not used by the project:([^\n]*\n)+")
    message(FATAL_ERROR "vcpkg.cmake: ${CMAKE_MATCH_0}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  if(CONFIGURE_ONLY)
    return()
  endif()
  run(${CMAKE_COMMAND} --build ${BUILD_FOLDER})
  run(${CMAKE_COMMAND} --install ${BUILD_FOLDER})
endfunction()

# lib/cmake/NAME becomes share/NAME, and its files find the libraries from there.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" CONFIG_PATH "")
  if(CONFIGURE_ONLY)
    return()
  endif()
  set(from ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH})
  set(to ${CURRENT_PACKAGES_DIR}/share/${PORT})
  if(NOT EXISTS ${from})
    message(FATAL_ERROR "vcpkg.cmake: the project installs no ${arg_CONFIG_PATH}")
  endif()
  file(MAKE_DIRECTORY ${CURRENT_PACKAGES_DIR}/share)
  file(RENAME ${from} ${to})
  file(GLOB files ${to}/*.cmake)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "/../../../" "/../../" text "${text}")
    if(file MATCHES "Targets\\.cmake$")
      # Its prefix is found by going up from the file: one folder fewer than before.
      string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)"
             "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)"
             text "${text}")
    endif()
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT CONFIGURE_ONLY AND NOT EXISTS ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/wick.pc)
    message(FATAL_ERROR "vcpkg.cmake: the project installs no lib/pkgconfig/wick.pc")
  endif()
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 arg AUTO_CLEAN "" TOOL_NAMES)
  if(CONFIGURE_ONLY)
    return()
  endif()
  foreach(tool IN LISTS arg_TOOL_NAMES)
    file(COPY ${CURRENT_PACKAGES_DIR}/bin/${tool} DESTINATION ${CURRENT_PACKAGES_DIR}/tools/${PORT})
    file(REMOVE ${CURRENT_PACKAGES_DIR}/bin/${tool})
  endforeach()
  file(GLOB others ${CURRENT_PACKAGES_DIR}/bin/*)
  if(others)
    message(FATAL_ERROR "vcpkg.cmake: programs that TOOL_NAMES does not name: ${others}")
  endif()
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/bin)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
  file(COPY_FILE ${arg_FILE_LIST} ${WORK}/copyright)
endfunction()

include(${PORT_FOLDER}/portfile.cmake)
message(STATUS "the portfile runs to its end")
