// Writes zip archives with aligned records, zip64 included.
#include <zlib.h>

#include <type_traits>

#include "archive/write_zip_records.h"
#include "archive/writer.h"
#include "archive/zip_format.h"
#include "core/check.h"

namespace wick {
namespace zip {
namespace {

constexpr uint64_t kDataAlignment = 64;
constexpr uint16_t kVersionZip64 = 45;
constexpr uint16_t kVersionDeflate = 20;
constexpr uint16_t kMadeByUnix = 0x031e;

template <class T>
requires std::is_integral_v<T>
void put(std::vector<uint8_t>& out, T value) {
  const auto* p = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), p, p + sizeof(T));
}
void put(std::vector<uint8_t>& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }

uint32_t saturate32(uint64_t v) { return v >= kSaturated32 ? kSaturated32 : static_cast<uint32_t>(v); }
uint16_t saturate16(uint64_t v) { return v >= kSaturated16 ? kSaturated16 : static_cast<uint16_t>(v); }

// The fields from "version needed" to "name length" that local header and central entry share.
void put_common(std::vector<uint8_t>& out, const StoredEntry& entry, bool wide) {
  const bool deflated = entry.deflated != 0;
  put<uint16_t>(out, wide ? kVersionZip64 : deflated ? kVersionDeflate : 0);
  put<uint16_t>(out, kFlagUtf8);
  put<uint16_t>(out, deflated ? kMethodDeflated : kMethodStored);
  put<uint32_t>(out, 0);  // time and date
  put<uint32_t>(out, entry.crc);
  put<uint32_t>(out, saturate32(deflated ? entry.deflated : entry.size));
  put<uint32_t>(out, saturate32(entry.size));
  put<uint16_t>(out, static_cast<uint16_t>(entry.name.size()));
}

}  // namespace

void append_local_header(std::vector<uint8_t>& out, const StoredEntry& entry) {
  const bool wide = entry.size >= kSaturated32;
  const uint64_t fixed = kLocalSize + entry.name.size() + (wide ? 20 : 0) + 4;
  const uint64_t padding = (kDataAlignment - (entry.header + fixed) % kDataAlignment) % kDataAlignment;
  put(out, kLocalSignature);
  put_common(out, entry, wide);
  put<uint16_t>(out, static_cast<uint16_t>((wide ? 20 : 0) + 4 + padding));
  put(out, entry.name);
  if (wide) {
    put(out, kExtraZip64);
    put<uint16_t>(out, 16);
    put<uint64_t>(out, entry.size);
    put<uint64_t>(out, entry.size);
  }
  put(out, std::string_view("FB"));
  put<uint16_t>(out, static_cast<uint16_t>(padding));
  out.insert(out.end(), padding, 'Z');
}

void append_central_entry(std::vector<uint8_t>& out, const StoredEntry& entry) {
  const bool wide_size = entry.size >= kSaturated32;
  const bool wide_offset = entry.header >= kSaturated32;
  const bool wide = wide_size || wide_offset;
  const uint16_t extra = static_cast<uint16_t>((wide_size ? 16 : 0) + (wide_offset ? 8 : 0));
  put(out, kCentralSignature);
  put(out, kMadeByUnix);
  put_common(out, entry, wide);
  put<uint16_t>(out, static_cast<uint16_t>(wide ? extra + 4 : 0));
  put<uint16_t>(out, 0);  // comment
  put<uint16_t>(out, 0);  // disk
  put<uint16_t>(out, 0);  // internal attributes
  put<uint32_t>(out, 0);  // external attributes
  put<uint32_t>(out, saturate32(entry.header));
  put(out, entry.name);
  if (!wide) return;
  put(out, kExtraZip64);
  put(out, extra);
  if (wide_size) {
    put<uint64_t>(out, entry.size);
    put<uint64_t>(out, entry.size);
  }
  if (wide_offset) put<uint64_t>(out, entry.header);
}

void append_end(std::vector<uint8_t>& out, uint64_t count, uint64_t offset, uint64_t size) {
  put(out, kEnd64Signature);
  put<uint64_t>(out, kEnd64Size - 12);
  put(out, kMadeByUnix);
  put(out, kVersionZip64);
  put<uint32_t>(out, 0);
  put<uint32_t>(out, 0);
  put<uint64_t>(out, count);
  put<uint64_t>(out, count);
  put<uint64_t>(out, size);
  put<uint64_t>(out, offset);

  put(out, kLocator64Signature);
  put<uint32_t>(out, 0);
  put<uint64_t>(out, offset + size);
  put<uint32_t>(out, 1);

  put(out, kEndSignature);
  put<uint16_t>(out, 0);
  put<uint16_t>(out, 0);
  put<uint16_t>(out, saturate16(count));
  put<uint16_t>(out, saturate16(count));
  put<uint32_t>(out, saturate32(size));
  put<uint32_t>(out, saturate32(offset));
  put<uint16_t>(out, 0);  // comment
}

}  // namespace zip

namespace {

constexpr size_t kLeastDeflated = 200;  // records that are not larger are stored

struct Deflater {
  z_stream stream{};
  Deflater() {
    const int status =
        deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
    WICK_CHECK(status == Z_OK, kOutOfMemory, "not enough memory to compress a record");
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
};

// As a raw deflate stream; empty when that fails.
std::vector<uint8_t> deflated(Bytes bytes) {
  Deflater deflater;
  z_stream& stream = deflater.stream;
  std::vector<uint8_t> out(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = const_cast<uint8_t*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(whole ? stream.total_out : 0);
  return out;
}

}  // namespace

struct ZipWriter::Entry : zip::StoredEntry {};

ZipWriter::ZipWriter(std::string root) : root_(std::move(root)) {
  WICK_CHECK(!root_.empty() && root_.find('/') == std::string::npos, kInvalidArgument, "archive root '", root_,
             "' must be a name without '/'");
}
ZipWriter::~ZipWriter() = default;

void ZipWriter::add(std::string_view record, Bytes bytes, bool deflate) {
  std::string name = cat(root_, "/", record);
  WICK_CHECK(!record.empty() && name.size() <= zip::kSaturated16 && record.find('\0') == std::string_view::npos,
             kInvalidArgument, "'", record, "' cannot be the name of a record");
  WICK_CHECK(names_.insert(name).second, kInvalidArgument, "record '", record, "' is added twice");
  Entry entry{
      {std::move(name), out_.size(), bytes.size(), static_cast<uint32_t>(crc32_z(0, bytes.data(), bytes.size()))}};
  if (bytes.empty()) entry.crc = 0;
  std::vector<uint8_t> packed;
  if (deflate && bytes.size() > kLeastDeflated && bytes.size() < zip::kSaturated32) {
    packed = deflated(bytes);
    if (!packed.empty() && packed.size() < bytes.size()) {
      entry.deflated = packed.size();
      bytes = packed;
    }
  }
  zip::append_local_header(out_, entry);
  out_.insert(out_.end(), bytes.begin(), bytes.end());
  entries_.push_back(std::move(entry));
}

std::vector<uint8_t> ZipWriter::finish() {
  const uint64_t offset = out_.size();
  for (const Entry& entry : entries_) zip::append_central_entry(out_, entry);
  zip::append_end(out_, entries_.size(), offset, out_.size() - offset);
  entries_.clear();
  return std::move(out_);
}

}  // namespace wick
