// Chains of the pointwise operators that layers are made of.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"
#include "pointwise.glsl"
