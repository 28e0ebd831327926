// What all shaders share: how elements are stored, activations, and comparisons that treat NaN as PyTorch does.
//
// Every shader has at most four storage buffers (what every device has) and 128 bytes of push constants. Constant 0 is
// the size of a workgroup. Offsets and strides count elements.
#extension GL_EXT_control_flow_attributes : require

#ifdef FP16
#extension GL_EXT_shader_16bit_storage : require
#define S float16_t
#define S4 f16vec4
#else
#define S float
#define S4 vec4
#endif

layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;

// The number of this workgroup where the host has spread one dimension over x and y.
uint workgroup() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }

// NaN where either is.
float max_of(float a, float b) { return is_nan(a) ? a : is_nan(b) ? b : a > b ? a : b; }
float min_of(float a, float b) { return is_nan(a) ? a : is_nan(b) ? b : a < b ? a : b; }
