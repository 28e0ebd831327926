# Cross-compiles for 64-bit ARM Linux with Debian's cross compiler; programs run under qemu-user.
# WICK_ARM64_ROOT holds the unpacked Debian packages of the libraries (scripts/test_arm64.sh makes it).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WICK_ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH ${WICK_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${WICK_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${WICK_ARM64_ROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${WICK_ARM64_ROOT}/usr/lib/aarch64-linux-gnu:${WICK_ARM64_ROOT}/lib/aarch64-linux-gnu)
# The unpacked libraries need others of the root in turn.
add_link_options(-Wl,-rpath-link,${WICK_ARM64_ROOT}/usr/lib/aarch64-linux-gnu:${WICK_ARM64_ROOT}/lib/aarch64-linux-gnu)
