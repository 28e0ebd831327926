# Cross-compiles for 32-bit x86 Linux (i686 with SSE3 and SSSE3, as Android's x86 has) with Debian's cross compiler;
# programs run as they are or under qemu-user. WICK_X86_ROOT holds the unpacked packages (scripts/debian_root.sh i386).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WICK_X86_ROOT)
set(cross_name i386-linux-gnu)
set(cross_root ${WICK_X86_ROOT})
include(${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
# SSE rounds as every other processor does; the x87 unit, the default here, does not.
set(CMAKE_CXX_FLAGS_INIT "-march=i686 -mssse3 -mfpmath=sse")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386 -L /usr/i686-linux-gnu -E LD_LIBRARY_PATH=${cross_libraries})
