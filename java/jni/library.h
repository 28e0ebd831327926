// What the libraries with other names share with libpytorch_jni.
#pragma once

#include <jni.h>

// As JNI_OnLoad and JNI_OnUnload; a library that is only another name for this one calls them.
extern "C" {
JNIEXPORT jint wick_jni_load(JavaVM* vm);
JNIEXPORT void wick_jni_unload(JavaVM* vm);
}
