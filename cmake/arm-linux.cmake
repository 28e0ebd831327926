# Cross-compiles for 32-bit ARM Linux (ARMv7 with NEON, as Android's armeabi-v7a has) with Debian's cross compiler;
# programs run under qemu-user. WICK_ARM_ROOT holds the unpacked packages (scripts/debian_root.sh armhf).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WICK_ARM_ROOT)
set(cross_name arm-linux-gnueabihf)
set(cross_root ${WICK_ARM_ROOT})
include(${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake)
set(CMAKE_SYSTEM_PROCESSOR armv7)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_CXX_FLAGS_INIT "-march=armv7-a -mfpu=neon")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf -E LD_LIBRARY_PATH=${cross_libraries})
