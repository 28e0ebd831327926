// Chains with any pointwise operator, comparisons and choices among them.
#version 450
#extension GL_GOOGLE_include_directive : require
#define ALL_OPERATORS
#include "common.glsl"
#include "math.glsl"
#include "math_seldom.glsl"
#include "pointwise.glsl"
