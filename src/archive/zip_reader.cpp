// Reads zip archives: checks the central directory, inflates records with a limit on the ratio.
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>

#include "archive/archive.h"
#include "archive/zip_format.h"
#include "core/check.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/tensor_impl.h"
#include "core/word_map.h"

namespace wick {
namespace {

using namespace zip;

struct Entry {
  std::string_view name;  // below the root folder; in the directory
  uint64_t header;        // offset of the local header
  uint64_t limit;         // where the next local header or the directory begins
  uint64_t packed_size;
  uint64_t size;
  uint32_t crc;
  uint16_t method;
  uint16_t root_length;  // length of what was cut off the name
};

struct Directory {
  uint64_t offset;
  uint64_t size;
  uint64_t count;
};

// Owns the bytes of a record that was deflated.
struct Inflated : RefCounted {
  explicit Inflated(size_t size) : bytes(static_cast<uint8_t*>(memory_or_null(size))) {}
  ~Inflated() override { free_memory(bytes); }
  uint8_t* bytes;
};

[[noreturn, gnu::cold]] void raise_corrupt(uint64_t offset, uint64_t kinds, ...) {
  va_list parts;
  va_start(parts, kinds);
  const std::string reason = text::joined(kinds, parts);
  va_end(parts);
  fail_with<ErrorCode::kCorruptFile>("damaged zip archive, offset ", offset, ": ", reason);
}
template <class... Parts>
[[noreturn, gnu::always_inline]] inline void corrupt(uint64_t offset, const Parts&... parts) {
  raise_corrupt(offset, text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
}

uint64_t find_end_record(Bytes file) {
  if (file.size() >= kEndSize) {
    const uint64_t last = file.size() - kEndSize;
    const uint64_t first = last > kSaturated16 ? last - kSaturated16 : 0;
    for (uint64_t at = last + 1; at-- > first;) {
      const uint8_t* p = file.data() + at;
      if (p[0] == 'P' && u32(p) == kEndSignature && at + kEndSize + u16(p + 20) == file.size()) return at;
    }
  }
  corrupt(file.size(), "the end of the directory is missing; the file is truncated or not a zip archive");
}

// A field of the classic end record must be saturated or agree with the 64-bit one.
void check_agrees(uint64_t classic, uint64_t saturated, uint64_t wide, uint64_t offset, const char* what) {
  if (classic != saturated && classic != wide) corrupt(offset, "the two end records disagree about the ", what);
}

Directory find_directory(Bytes file) {
  const uint64_t end = find_end_record(file);
  const uint8_t* p = file.data() + end;
  Directory directory{u32(p + 16), u32(p + 12), u16(p + 10)};
  if (u16(p + 4) != 0 || u16(p + 6) != 0 || u16(p + 8) != u16(p + 10)) {
    corrupt(end, "archives of several disks are not supported");
  }
  uint64_t directory_end = end;
  if (end >= kLocator64Size && u32(p - kLocator64Size) == kLocator64Signature) {
    const uint64_t locator = end - kLocator64Size;
    const uint8_t* l = file.data() + locator;
    const uint64_t at = u64(l + 8);
    if (u32(l + 4) != 0 || u32(l + 16) > 1) corrupt(locator, "archives of several disks are not supported");
    if (locator < kEnd64Size || at > locator - kEnd64Size || u32(file.data() + at) != kEnd64Signature) {
      corrupt(locator, "no zip64 end record at ", at);
    }
    const uint8_t* wide = file.data() + at;
    if (u32(wide + 16) != 0 || u32(wide + 20) != 0 || u64(wide + 24) != u64(wide + 32)) {
      corrupt(at, "archives of several disks are not supported");
    }
    const Directory classic = directory;
    directory = {u64(wide + 48), u64(wide + 40), u64(wide + 32)};
    check_agrees(classic.offset, kSaturated32, directory.offset, end, "directory's offset");
    check_agrees(classic.size, kSaturated32, directory.size, end, "directory's size");
    check_agrees(classic.count, kSaturated16, directory.count, end, "number of records");
    directory_end = at;
  }
  if (directory.offset > directory_end || directory.size > directory_end - directory.offset) {
    corrupt(end, "the directory (", directory.size, " bytes at ", directory.offset, ") is outside the file");
  }
  WICK_CHECK(directory.count <= limits::kMaxRecords, kLimitExceeded, "zip archive with ", directory.count,
             " records; at most ", limits::kMaxRecords, " are supported");
  if (directory.count * kCentralSize > directory.size) {
    corrupt(end, "a directory of ", directory.size, " bytes cannot hold ", directory.count, " records");
  }
  return directory;
}

// Replaces the saturated fields by those of the zip64 extra field, which holds only them, in this order.
void read_zip64_extra(Bytes extra, uint64_t at, uint64_t& size, uint64_t& packed_size, uint64_t& header) {
  size_t i = 0;
  while (extra.size() - i >= 4) {
    const uint16_t id = u16(extra.data() + i);
    const uint16_t length = u16(extra.data() + i + 2);
    i += 4;
    if (length > extra.size() - i) corrupt(at, "an extra field is longer than its record");
    if (id == kExtraZip64) {
      size_t used = 0;
      for (uint64_t* field : {&size, &packed_size, &header}) {
        if (*field != kSaturated32) continue;
        if (length - used < 8) corrupt(at, "the zip64 extra field is too short");
        *field = u64(extra.data() + i + used);
        used += 8;
      }
      return;
    }
    i += length;
  }
  // Without the field a saturated size is just a size; bounds checks decide.
}

void check_entry(const Entry& entry, const Directory& directory, uint64_t at, uint16_t name_length) {
  if (entry.header > directory.offset || directory.offset - entry.header < kLocalSize + name_length ||
      entry.packed_size > directory.offset - entry.header - kLocalSize - name_length) {
    corrupt(at, "record '", entry.name, "' (", entry.packed_size, " bytes at ", entry.header, ") is outside the file");
  }
  if (entry.method == kMethodStored && entry.size != entry.packed_size) {
    corrupt(at, "record '", entry.name, "' is stored, but its two sizes differ");
  }
  if (entry.method == kMethodDeflated && entry.size / limits::kMaxInflatedRatio > entry.packed_size) {
    corrupt(at, "record '", entry.name, "' claims ", entry.size, " bytes from ", entry.packed_size, " compressed ones");
  }
}

// Sets every entry's limit; throws when two records overlap.
void check_overlap(std::span<Entry> entries, const Directory& directory) {
  std::vector<KeyedWord> order;  // offsets of headers, entries
  for (size_t i = 0; i < entries.size(); ++i) order.push_back({entries[i].header, i});
  sort_by_key(order);
  for (size_t i = 0; i < order.size(); ++i) {
    Entry& entry = entries[order[i].word];
    entry.limit = i + 1 < order.size() ? order[i + 1].key : directory.offset;
    const uint64_t least = entry.root_length + entry.name.size() + kLocalSize + entry.packed_size;
    if (entry.limit - entry.header < least) {
      corrupt(entry.header, "record '", entry.name, "' overlaps the next one");
    }
  }
}

void inflate_into(Bytes packed, uint8_t* out, uint64_t size, std::string_view name) {
  z_stream stream{};
  WICK_CHECK(inflateInit2(&stream, -MAX_WBITS) == Z_OK, kOutOfMemory, "cannot start to decompress record '", name, "'");
  constexpr uint64_t kStep = uint64_t{1} << 30;
  uint8_t none;  // zlib wants an address even for no bytes
  stream.next_out = size != 0 ? out : &none;
  stream.next_in = const_cast<Bytef*>(packed.data());
  uint64_t left_in = packed.size();
  uint64_t left_out = size;
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt in = static_cast<uInt>(std::min(left_in, kStep));
    const uInt space = static_cast<uInt>(std::min(left_out, kStep));
    stream.avail_in = in;
    stream.avail_out = space;
    status = inflate(&stream, Z_NO_FLUSH);
    left_in -= in - stream.avail_in;
    left_out -= space - stream.avail_out;
  }
  inflateEnd(&stream);
  WICK_CHECK(status != Z_MEM_ERROR, kOutOfMemory, "not enough memory to decompress record '", name, "'");
  WICK_CHECK(status == Z_STREAM_END && left_out == 0 && left_in == 0, kCorruptFile, "record '", name,
             "': the compressed data is damaged");
}

}  // namespace

struct ZipReader::State : RefCounted {
  Ref<ByteSource> source;
  std::string root;
  std::unique_ptr<Entry[]> memory;
  std::span<Entry> entries;  // in it
  NameMap by_name;           // one more than the place in entries
  uint64_t max_inflated = 0;
  mutable std::atomic<uint64_t> inflated{0};        // bytes of deflated records that were read
  std::unique_ptr<std::atomic<bool>[]> is_counted;  // by entry: among them

  Bytes file() const { return source->bytes(); }

  void open() {
    const Directory directory = find_directory(file());
    uint64_t at = directory.offset;
    const uint64_t end = directory.offset + directory.size;
    const auto count = static_cast<size_t>(directory.count);  // as many as the directory can hold
    memory = std::make_unique<Entry[]>(count);
    entries = {memory.get(), count};
    is_counted = std::make_unique<std::atomic<bool>[]>(count);
    if (max_inflated == 0) max_inflated = std::max(limits::kMaxInflatedTotal, limits::kMaxTextRatio * file().size());
    for (Entry& entry : entries) at = read_entry(entry, at, end, directory);
    if (at != end) corrupt(at, "the directory holds more than the records it counts");
    check_overlap(entries, directory);
    const bool rootless = root.empty();
    for (uint32_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      if (is_folder(entry) || (!rootless && entry.root_length == 0)) continue;
      uint64_t& place = by_name[entry.name];
      if (place != 0) corrupt(entry.header, "two records are named '", entry.name, "'");
      place = i + 1;
    }
  }

  static bool is_folder(const Entry& entry) { return entry.name.empty() || entry.name.back() == '/'; }

  bool is_in_root(std::string_view name) const {
    return name.size() > root.size() && name[root.size()] == '/' && name.starts_with(root);
  }

  uint64_t read_entry(Entry& entry, uint64_t at, uint64_t end, const Directory& directory) {
    if (end - at < kCentralSize || u32(file().data() + at) != kCentralSignature) {
      corrupt(at, "a directory entry is missing");
    }
    const uint8_t* p = file().data() + at;
    const uint16_t name_length = u16(p + 28);
    const uint16_t extra_length = u16(p + 30);
    const uint64_t whole = uint64_t{kCentralSize} + name_length + extra_length + u16(p + 32);
    if (whole > end - at) corrupt(at, "a directory entry is longer than the directory");
    if (name_length == 0) corrupt(at, "a record has no name");
    entry.name = {reinterpret_cast<const char*>(p + kCentralSize), name_length};
    entry.header = u32(p + 42);
    entry.packed_size = u32(p + 20);
    entry.size = u32(p + 24);
    entry.crc = u32(p + 16);
    entry.method = u16(p + 10);
    if (entry.name.find('\0') != entry.name.npos) corrupt(at, "a record's name contains a NUL");
    if (u16(p + 8) & kFlagEncrypted) {
      fail_with<ErrorCode::kUnsupported>("record '", entry.name, "' is encrypted, which is not supported");
    }
    if (u16(p + 34) != 0) corrupt(at, "archives of several disks are not supported");
    read_zip64_extra({p + kCentralSize + name_length, extra_length}, at, entry.size, entry.packed_size, entry.header);
    check_entry(entry, directory, at, name_length);
    if (const size_t slash = entry.name.find('/'); &entry == entries.data() && slash != entry.name.npos) {
      root = entry.name.substr(0, slash);
    }
    if (!root.empty() && is_in_root(entry.name)) {
      entry.root_length = static_cast<uint16_t>(root.size() + 1);
      entry.name.remove_prefix(entry.root_length);
    }
    return at + whole;
  }

  const Entry* find(std::string_view record) const {
    const uint64_t place = by_name.get(record);
    return place != 0 ? &entries[place - 1] : nullptr;
  }

  const Entry& get(std::string_view record) const {
    const Entry* entry = find(record);
    WICK_CHECK(entry, kNotFound, "the archive has no record '", record, "'");
    return *entry;
  }

  // The record's bytes as they lie in the file, after comparing its local header with the directory.
  Bytes packed(const Entry& entry) const {
    const uint8_t* p = file().data() + entry.header;
    const auto wrong = [&](const char* what) { corrupt(entry.header, "record '", entry.name, "': ", what); };
    if (u32(p) != kLocalSignature) wrong("its header is missing");
    if (u16(p + 6) & kFlagEncrypted) wrong("its header says it is encrypted, the directory does not");
    if (u16(p + 8) != entry.method) wrong("header and directory disagree about the compression method");
    const uint64_t name_length = entry.root_length + entry.name.size();
    if (u16(p + 26) != name_length) wrong("header and directory disagree about its name");
    const std::string_view name(reinterpret_cast<const char*>(p + kLocalSize), name_length);
    const bool same_folder = entry.root_length == 0 || is_in_root(name);
    if (!same_folder || name.substr(entry.root_length) != entry.name) {
      wrong("header and directory disagree about its name");
    }
    // With a data descriptor the header's sizes are zero; with zip64 they are saturated.
    const auto size_fits = [&](uint32_t local, uint64_t wanted) {
      return local == wanted || local == kSaturated32 || (local == 0 && (u16(p + 6) & kFlagDescriptor));
    };
    if (!size_fits(u32(p + 18), entry.packed_size) || !size_fits(u32(p + 22), entry.size)) {
      wrong("header and directory disagree about its size");
    }
    const uint64_t data = entry.header + kLocalSize + name_length + u16(p + 28);
    if (data > entry.limit || entry.packed_size > entry.limit - data) wrong("its data overlaps the next record");
    return file().subspan(data, entry.packed_size);
  }

  // Before a deflated record is read.
  void count_inflated(const Entry& entry) const {
    if (is_counted[static_cast<size_t>(&entry - entries.data())].exchange(true)) return;
    const uint64_t total = inflated.fetch_add(entry.size) + entry.size;
    WICK_CHECK(total <= max_inflated, kLimitExceeded, "the archive's records inflate to more than ", max_inflated,
               " bytes; the one that does is '", entry.name, "'");
  }

  static void check_method(const Entry& entry) {
    WICK_CHECK(entry.method == kMethodStored || entry.method == kMethodDeflated, kUnsupported, "record '", entry.name,
               "' uses compression method ", entry.method, "; only stored and deflated records are supported");
  }
};

ZipReader::ZipReader(Ref<ByteSource> source, uint64_t max_inflated) {
  auto state = make_ref<State>();
  state->max_inflated = max_inflated;
  state->source = std::move(source);
  state->open();
  state_ = state;
}

const ZipReader::State& ZipReader::state() const { return static_cast<const State&>(*state_); }

const std::string& ZipReader::root() const { return state().root; }

bool ZipReader::has(std::string_view record) const { return state().find(record) != nullptr; }

bool ZipReader::has_any(std::string_view prefix) const {
  for (const Entry& entry : state().entries) {
    if (entry.name.starts_with(prefix)) return true;
  }
  return false;
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : state().entries) {
    if (state().find(entry.name) == &entry) names.push_back(std::string(entry.name));
  }
  return names;
}

uint64_t ZipReader::size(std::string_view record) const { return state().get(record).size; }

bool ZipReader::is_stored(std::string_view record) const { return state().get(record).method == kMethodStored; }

ZipReader::Record ZipReader::read(std::string_view record, bool check_crc) const {
  const Entry& entry = state().get(record);
  State::check_method(entry);
  const Bytes packed = state().packed(entry);
  Record result{packed, state().source};
  if (entry.method == kMethodDeflated) {
    WICK_CHECK(entry.size <= limits::kFreelyInflated || entry.size / limits::kMaxTextRatio <= entry.packed_size,
               kLimitExceeded, "record '", entry.name, "' inflates from ", entry.packed_size, " to ", entry.size,
               " bytes");
    state().count_inflated(entry);
    const auto memory = make_ref<Inflated>(addressable(entry.size));
    WICK_CHECK(memory->bytes, kOutOfMemory, "cannot allocate ", entry.size, " bytes for record '", entry.name, "'");
    inflate_into(packed, memory->bytes, entry.size, entry.name);
    result.bytes = Bytes(memory->bytes, static_cast<size_t>(entry.size));
    result.owner = memory;
  }
  if (check_crc) {
    const uint32_t crc = static_cast<uint32_t>(crc32_z(0, result.bytes.data(), result.bytes.size()));
    WICK_CHECK(result.bytes.empty() || crc == entry.crc, kCorruptFile, "record '", entry.name,
               "': the checksum does not match its bytes");
  }
  return result;
}

std::string ZipReader::read_text(std::string_view record) const {
  const Record r = read(record);
  return std::string(reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size());
}

Storage ZipReader::read_storage(std::string_view record, size_t alignment) const {
  const Entry& entry = state().get(record);
  State::check_method(entry);
  const Bytes packed = state().packed(entry);
  if (entry.method == kMethodStored &&
      reinterpret_cast<uintptr_t>(packed.data()) % std::max<size_t>(alignment, 1) == 0) {
    return state().source->storage_of(packed);
  }
  if (entry.method == kMethodDeflated) state().count_inflated(entry);
  auto storage = make_ref<StorageImpl>(addressable(entry.size));
  if (entry.method == kMethodDeflated) {
    inflate_into(packed, static_cast<uint8_t*>(storage->data()), entry.size, entry.name);
  } else if (!packed.empty()) {
    std::memcpy(storage->data(), packed.data(), packed.size());
  }
  return storage;
}

}  // namespace wick
