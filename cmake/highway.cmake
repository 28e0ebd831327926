# Google Highway: the system's package or, where there is none (iOS, other cross builds), its source folder, which then
# becomes part of wick_runtime. Either way its headers are the target PkgConfig::HWY.
set(WICK_HIGHWAY_SOURCE "" CACHE PATH "Highway's source folder (it has hwy/highway.h); empty: the system's libhwy")

set(wick_highway_sources "")
if(WICK_HIGHWAY_SOURCE)
  if(NOT EXISTS ${WICK_HIGHWAY_SOURCE}/hwy/highway.h)
    message(FATAL_ERROR "WICK_HIGHWAY_SOURCE: there is no hwy/highway.h in ${WICK_HIGHWAY_SOURCE}")
  endif()
  # What detects instruction sets, and what newer versions have that calls from there.
  file(GLOB wick_highway_sources ${WICK_HIGHWAY_SOURCE}/hwy/targets.cc
       ${WICK_HIGHWAY_SOURCE}/hwy/per_target.cc ${WICK_HIGHWAY_SOURCE}/hwy/abort.cc)
  set_source_files_properties(${wick_highway_sources} PROPERTIES COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON
                              INCLUDE_DIRECTORIES ${WICK_HIGHWAY_SOURCE})
  add_library(PkgConfig::HWY INTERFACE IMPORTED)
  set_target_properties(PkgConfig::HWY PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${WICK_HIGHWAY_SOURCE})
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
endif()
