# Cross-compiles for 64-bit ARM Linux with Debian's cross compiler; programs run under qemu-user.
# WICK_ARM64_ROOT holds the unpacked Debian packages of the libraries (scripts/debian_root.sh arm64).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WICK_ARM64_ROOT)
set(cross_name aarch64-linux-gnu)
set(cross_root ${WICK_ARM64_ROOT})
include(${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${cross_libraries})
