// libpytorch_jni: what happens when Java loads and unloads it.
#include "library.h"

#include "jvm.h"

namespace {

JNIEnv* env_of(JavaVM* vm) {
  JNIEnv* env = nullptr;
  return vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) == JNI_OK ? env : nullptr;
}

}  // namespace

jint wick_jni_load(JavaVM* vm) {
  JNIEnv* env = env_of(vm);
  return env && wick::java::attach(vm, env) ? JNI_VERSION_1_6 : JNI_ERR;
}

void wick_jni_unload(JavaVM* vm) {
  if (JNIEnv* env = env_of(vm)) wick::java::detach(env);
}

extern "C" JNIEXPORT jint JNI_OnLoad(JavaVM* vm, void*) { return wick_jni_load(vm); }
extern "C" JNIEXPORT void JNI_OnUnload(JavaVM* vm, void*) { wick_jni_unload(vm); }
