# Headers, libraries, the command, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/wick include/wick_c ${wick_generated}/include/wick DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${wick_libraries} EXPORT wickTargets)
if(TARGET wick_image)
  install(TARGETS wick_image EXPORT wickImageTargets)
endif()
if(TARGET wick)
  install(TARGETS wick)
endif()
if(WICK_DROPIN_TOOLS)
  # A build of some targets alone ('make demo') lacks them.
  install(TARGETS ${WICK_DROPIN_TOOLS} OPTIONAL)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/wick)
install(EXPORT wickTargets NAMESPACE wick:: DESTINATION ${package_folder})
if(TARGET wick_image)
  install(EXPORT wickImageTargets NAMESPACE wick:: DESTINATION ${package_folder})
endif()
configure_package_config_file(cmake/wickConfig.cmake.in wickConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(wickConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wickConfig.cmake ${PROJECT_BINARY_DIR}/wickConfigVersion.cmake
        DESTINATION ${package_folder})

# A program that links the static libraries links what they need, too; shared ones bring it themselves, and their
# headers ask for nothing.
set(pc_requires "")
if(NOT BUILD_SHARED_LIBS)
  set(pc_requires zlib)
  if(NOT WICK_HIGHWAY_SOURCE)
    string(APPEND pc_requires " libhwy")
  endif()
endif()
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/wick.pc.in wick.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wick.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
