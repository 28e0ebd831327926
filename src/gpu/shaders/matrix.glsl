// Matrices of a subgroup: cooperative ones of float16 with sums in float32 where elements are stored as float16, else
// the same in plain code, which tests compare (Settings::emulate_matrices).
//
// A unit is 16 bytes of elements. tile_a and tile_b are the shared arrays of units that matrices are loaded from.
// Written for GL_NV_cooperative_matrix, which older compilers know, too; what the device gets is
// SPV_KHR_cooperative_matrix (matrices.cpp).

layout(constant_id = 1) const uint kM = 16;
layout(constant_id = 2) const uint kN = 16;
layout(constant_id = 3) const uint kK = 16;
layout(constant_id = 4) const uint kSubgroup = 32;

#ifdef FP16
#define Unit uvec4
const uint kUnit = 8u;
const Unit kNoUnit = uvec4(0u);
vec4 part_of(Unit u, uint part) {
  return part == 0u ? vec4(unpackHalf2x16(u.x), unpackHalf2x16(u.y)) : vec4(unpackHalf2x16(u.z), unpackHalf2x16(u.w));
}
void set_part(inout Unit u, uint part, vec4 v) {
  const uvec2 packed = uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw));
  if (part == 0u) {
    u.xy = packed;
  } else {
    u.zw = packed;
  }
}

#define MatrixA fcoopmatNV<16, gl_ScopeSubgroup, kM, kK>
#define MatrixB fcoopmatNV<16, gl_ScopeSubgroup, kK, kN>
#define MatrixSum fcoopmatNV<32, gl_ScopeSubgroup, kM, kN>
#define CLEAR(sum) sum = MatrixSum(0.0)
#define LOAD_A(matrix, tile, at, stride) coopMatLoadNV(matrix, tile, at, stride, false)
#define LOAD_B(matrix, tile, at, stride) coopMatLoadNV(matrix, tile, at, stride, false)
#define LOAD_B_COLUMNS(matrix, tile, at, stride) coopMatLoadNV(matrix, tile, at, stride, true)
#define MULTIPLY_ADD(sum, a, b, tile_of_a, tile_of_b) sum = coopMatMulAddNV(a, b, sum)
#define MULTIPLY_ADD_COLUMNS(sum, a, b, tile_of_a, tile_of_b) sum = coopMatMulAddNV(a, b, sum)
#define STORE(sum, stage, at, stride) coopMatStoreNV(sum, stage, at, stride, false)
uint subgroup_number() { return gl_SubgroupID; }
uint subgroup_lane() { return gl_SubgroupInvocationID; }
#else
#define Unit vec4
const uint kUnit = 4u;
const Unit kNoUnit = vec4(0.0);
vec4 part_of(Unit u, uint part) { return u; }
void set_part(inout Unit u, uint part, vec4 v) { u = v; }

// Where a matrix lies in its tile. A lane has every kSubgroup-th element of a sum: kM * kN is 8 * kSubgroup.
struct MatrixA {
  uint at, stride;
};
#define MatrixB MatrixA
struct MatrixSum {
  float own[8];
};
uint subgroup_number() { return gl_LocalInvocationID.x / kSubgroup; }
uint subgroup_lane() { return gl_LocalInvocationID.x % kSubgroup; }
#define CLEAR(sum) [[unroll]] for (uint e_ = 0u; e_ < 8u; ++e_) sum.own[e_] = 0.0
#define LOAD_A(matrix, tile, at_, stride_) matrix = MatrixA(at_, stride_)
#define LOAD_B(matrix, tile, at_, stride_) matrix = MatrixA(at_, stride_)
#define MULTIPLY_ADD(sum, a, b, tile_of_a, tile_of_b)                                                \
  for (uint e_ = 0u; e_ < 8u; ++e_) {                                                                \
    const uint i_ = e_ * kSubgroup + subgroup_lane(), r_ = i_ / kN, c_ = i_ % kN;                    \
    for (uint k_ = 0u; k_ < kK; ++k_) {                                                              \
      sum.own[e_] += tile_of_a[a.at + r_ * a.stride + k_ / 4u][k_ % 4u] *                            \
                     tile_of_b[b.at + k_ * b.stride + c_ / 4u][c_ % 4u];                             \
    }                                                                                                \
  }
// Of a matrix b whose columns are contiguous.
#define LOAD_B_COLUMNS(matrix, tile, at_, stride_) matrix = MatrixA(at_, stride_)
#define MULTIPLY_ADD_COLUMNS(sum, a, b, tile_of_a, tile_of_b)                                        \
  for (uint e_ = 0u; e_ < 8u; ++e_) {                                                                \
    const uint i_ = e_ * kSubgroup + subgroup_lane(), r_ = i_ / kN, c_ = i_ % kN;                    \
    for (uint k_ = 0u; k_ < kK / 4u; ++k_) {                                                         \
      sum.own[e_] += dot(tile_of_a[a.at + r_ * a.stride + k_], tile_of_b[b.at + c_ * b.stride + k_]); \
    }                                                                                                \
  }
#define STORE(sum, stage, at_, stride_)                                     \
  for (uint e_ = 0u; e_ < 8u; ++e_) {                                       \
    const uint i_ = e_ * kSubgroup + subgroup_lane();                       \
    stage[at_ + i_ / kN * stride_ + i_ % kN] = sum.own[e_];                 \
  }
#endif
