// libpytorch_jni_lite: another name of libpytorch_jni, for apps that load it by this one.
#include "library.h"

extern "C" JNIEXPORT jint JNI_OnLoad(JavaVM* vm, void*) { return wick_jni_load(vm); }
