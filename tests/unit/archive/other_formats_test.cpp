// Files of other formats are named; what may be a PyTorch model, damaged or not, is left to its reader.
#include "archive/other_formats.h"

#include <gtest/gtest.h>

#include <string>

#include "wick/module.h"

namespace wick {
namespace {

std::string told(std::string_view text) {
  const char* what = describe_other_format({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return what ? what : "";
}

std::string padded(std::string text) { return text + std::string(300, '\0'); }

TEST(OtherFormats, AreNamed) {
  using namespace std::string_literals;
  EXPECT_NE(told(padded("\x1c\0\0\0TFL3"s)).find("LiteRT"), std::string::npos);
  EXPECT_NE(told(padded("\x1c\0\0\0ET12"s)).find("ExecuTorch"), std::string::npos);
  EXPECT_NE(told(padded("\x08\x08\x12\x07pytorch"s)).find("ONNX"), std::string::npos);
  EXPECT_NE(told("\x02\0\0\0\0\0\0\0{}"s).find("safetensors"), std::string::npos);
  EXPECT_NE(told("\x80\x02}q\0."s).find("pickle"), std::string::npos);
  EXPECT_NE(told("version https://git-lfs.github.com/spec/v1\n").find("Git LFS"), std::string::npos);
  EXPECT_NE(told("<!DOCTYPE html>").find("web page"), std::string::npos);
  EXPECT_NE(told(padded(std::string(257, 'a') + "ustar")).find("unpack"), std::string::npos);
}

TEST(OtherFormats, AreNotGuessed) {
  using namespace std::string_literals;
  for (const std::string& text : {""s, "P"s, "PK"s, padded("PK\x03\x04"s), padded("\x1c\0\0\0PTMF"s), "hello"s, "\x80"s,
                                  "\x08\x08"s, "\xff\0\0\0\0\0\0\0{}"s, "\xff\xff\xff\xff\xff\xff\xff\xff{}"s}) {
    EXPECT_EQ(told(text), "");
  }
}

TEST(OtherFormats, AreWhatLoadingSays) {
  const std::string text = padded(std::string("\x1c\0\0\0TFL3", 8));
  try {
    load(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
    FAIL() << "a LiteRT model was loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("this is a LiteRT"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace wick
