# WICK_PYTORCH_LAYOUT: installs what PyTorch's mobile builds do, so that projects written for them find it:
# include/{ATen,c10,caffe2,torch,...} and lib/{libtorch_cpu,libtorch,libc10}.a. All of Wick is in libtorch_cpu.a; the
# other two hold a name of the version and are there for projects that name them.
#
# PyTorch's settings of a mobile build; SELECTED_OP_LIST is read before (cmake/select.cmake).
foreach(setting SELECTED_OP_LIST USE_PYTORCH_METAL TRACING_BASED BUILD_LITE_INTERPRETER USE_LIGHTWEIGHT_DISPATCH)
  if(${setting})
    list(APPEND wick_pytorch_settings ${setting})
  endif()
endforeach()
if(NOT TARGET wick_compat)
  message(FATAL_ERROR "WICK_PYTORCH_LAYOUT needs WICK_COMPAT=ON, WICK_RUNTIME_ONLY=OFF and Python 3")
endif()
if(BUILD_SHARED_LIBS)
  message(FATAL_ERROR "WICK_PYTORCH_LAYOUT is for static libraries: BUILD_SHARED_LIBS=OFF")
endif()

set(objects "")
foreach(library wick_runtime wick_compiler)
  get_target_property(layers ${library} WICK_OBJECTS)
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  list(APPEND objects ${layers})
endforeach()
add_library(torch_cpu STATIC ${objects} $<TARGET_OBJECTS:wick_compat>)
if(wick_highway_sources)
  target_sources(torch_cpu PRIVATE $<TARGET_OBJECTS:wick_runtime>)
endif()
set_target_properties(torch_cpu PROPERTIES LINKER_LANGUAGE CXX)
foreach(library torch c10)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pytorch_layout/${library}.cpp CONTENT
       "// The library is libtorch_cpu.a.\nextern \"C\" const char wick_lib${library}[] = \"${PROJECT_VERSION}\";\n")
  add_library(lib${library} STATIC ${PROJECT_BINARY_DIR}/pytorch_layout/${library}.cpp)
  set_target_properties(lib${library} PROPERTIES OUTPUT_NAME ${library})
endforeach()
add_custom_target(pytorch_layout DEPENDS torch_cpu libtorch libc10)

# `cmake --install BUILD --component pytorch_layout`
install(TARGETS torch_cpu libtorch libc10 ARCHIVE DESTINATION lib COMPONENT pytorch_layout EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/include/ ${PROJECT_BINARY_DIR}/compat/generated/include/ DESTINATION include
        COMPONENT pytorch_layout EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wick ${PROJECT_SOURCE_DIR}/include/wick_c ${wick_generated}/include/wick
        DESTINATION include COMPONENT pytorch_layout EXCLUDE_FROM_ALL)
