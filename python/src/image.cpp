// Pictures as inputs of models.
#include "wick/image.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "errors.h"
#include "running.h"
#include "values.h"

namespace wick_python {

namespace image = wick::image;

void bind_image(nb::module_& m) {
  // [H, W, 3] bytes of a PNG or JPEG, or of pixels; `size`: of the shorter side, then the middle is cut out; 0: as it
  // is.
  m.def("read_image", [](nb::handle source, int shorter, int crop, std::pair<int, int> exact) {
    image::Image picture;
    if (nb::isinstance<wick::Tensor>(source)) {  // [H, W, 3] bytes
      const wick::Tensor rows = nb::cast<const wick::Tensor&>(source).contiguous();
      picture.height = static_cast<int>(rows.size(0));
      picture.width = static_cast<int>(rows.size(1));
      picture.pixels.assign(rows.data<uint8_t>(), rows.data<uint8_t>() + rows.numel());
      if (picture.pixels.empty()) throw nb::value_error("a picture has pixels");
    } else if (PyBytes_Check(source.ptr())) {
      const nb::bytes bytes = nb::borrow<nb::bytes>(source);
      picture = image::decode({reinterpret_cast<const uint8_t*>(bytes.c_str()), bytes.size()});
    } else {
      const std::string path = path_of(source);
      picture = with_file(path, FileUse::kRead, [&] { return run_released([&] { return image::read(path); }); });
    }
    if (exact.first > 0) {
      picture = image::resize(picture, exact.first, exact.second);
    } else if (shorter > 0) {
      picture = image::center_crop(image::resize_shorter(picture, shorter), crop);
    }
    wick::Tensor out = wick::Tensor::empty({picture.height, picture.width, 3}, wick::DType::kByte);
    std::memcpy(out.data_ptr(), picture.pixels.data(), picture.pixels.size());
    return out;
  });
  m.def("image_tensor", [](const wick::Tensor& pixels, bool normalize, const std::array<float, 3>& mean,
                           const std::array<float, 3>& deviation) {
    image::Image picture;
    picture.height = static_cast<int>(pixels.size(0));
    picture.width = static_cast<int>(pixels.size(1));
    const auto* data = pixels.data<uint8_t>();
    picture.pixels.assign(data, data + pixels.numel());
    const wick::Tensor plain = image::to_tensor(picture);
    return normalize ? image::normalize(plain, mean, deviation) : plain;
  });
}

}  // namespace wick_python
