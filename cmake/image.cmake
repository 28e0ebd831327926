# wick::image: pictures as inputs of models (wick/image.h), for applications that want it, the command and the examples.
option(WICK_IMAGE "Build wick::image (needs libpng and libjpeg); OFF also leaves out the wick command"
       ${PROJECT_IS_TOP_LEVEL})
if(WICK_IMAGE AND NOT WICK_RUNTIME_ONLY)
  find_package(PNG REQUIRED)
  find_package(JPEG REQUIRED)
  # Debian keeps this header in the folder of the architecture, which a cross compiler does not search in another root.
  find_path(JPEG_CONFIG_INCLUDE_DIR jconfig.h REQUIRED)
  file(GLOB image_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/image/*.cpp)
  add_library(wick_image ${image_sources})
  add_library(wick::image ALIAS wick_image)
  target_compile_definitions(wick_image PRIVATE WICK_BUILDING)
  target_include_directories(wick_image SYSTEM PRIVATE ${JPEG_CONFIG_INCLUDE_DIR})
  target_link_libraries(wick_image PUBLIC wick_runtime PRIVATE PNG::PNG JPEG::JPEG $<BUILD_INTERFACE:wick_flags>)
  set_target_properties(wick_image PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                              EXPORT_NAME image)
endif()
