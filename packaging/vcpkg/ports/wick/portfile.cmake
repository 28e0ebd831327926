# An overlay port of a checkout: vcpkg install wick --overlay-ports=packaging/vcpkg/ports
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../..")

vcpkg_check_features(
    OUT_FEATURE_OPTIONS feature_options
    FEATURES
        image  WICK_IMAGE
        linalg WICK_LINALG
        tools  WICK_BUILD_TOOLS
        vulkan WICK_VULKAN
)

vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_find_acquire_program(PYTHON3)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${feature_options}
        "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
        "-DPython3_EXECUTABLE=${PYTHON3}"
        -DWICK_BUILD_TESTS=OFF
        "-DCMAKE_PROGRAM_PATH=${CURRENT_HOST_INSTALLED_DIR}/tools/glslang"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/wick)
vcpkg_fixup_pkgconfig()

if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(
        TOOL_NAMES
            wick
            compare_models_torch
            dump_operator_names
            lite_interpreter_model_load
            load_benchmark_torch
            model_tracer
            optimize_for_mobile
            speed_benchmark_torch
        AUTO_CLEAN
    )
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
