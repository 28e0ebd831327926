// The native methods, by class.
#pragma once

#include <jni.h>

#include <span>

namespace wick::java {

std::span<const JNINativeMethod> natives_methods();  // org.pytorch.Natives
std::span<const JNINativeMethod> peer_methods();     // org.pytorch.ModulePeer

}  // namespace wick::java
