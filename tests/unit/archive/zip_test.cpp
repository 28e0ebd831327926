// Zip archives: stored and deflated records, alignment, limits, and the refusal of damaged archives.
#include <zlib.h>

#include <random>

#include "archive/write_zip_records.h"
#include "archive/writer.h"
#include "archive/zip_format.h"
#include "core/limits.h"
#include "core/tensor_impl.h"
#include "unit/archive/archive_util.h"

namespace wick::test {
namespace {

ZipReader open(const std::vector<uint8_t>& bytes) { return ZipReader(ByteSource::copy_of(bytes)); }

std::vector<uint8_t> small_zip() {
  ZipWriter writer("m");
  writer.add("version", bytes_of("3\n"));
  writer.add("data.pkl", bytes_of("\x80\x02."));
  writer.add("data/0", bytes_of(std::string(100, 'd')));
  return writer.finish();
}

// One record, deflated.
std::vector<uint8_t> deflated_zip(const std::string& contents) {
  std::vector<uint8_t> packed(contents.size() + 100);
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  ZipWriter writer("m");
  writer.add("r", packed);
  std::vector<uint8_t> zip = writer.finish();
  const size_t central = zip.size() - zip::kEndSize - zip::kLocator64Size - zip::kEnd64Size - zip::kCentralSize - 3;
  put_u16(zip, 8, zip::kMethodDeflated);
  put_u32(zip, 22, static_cast<uint32_t>(contents.size()));
  put_u16(zip, central + 10, zip::kMethodDeflated);
  put_u32(zip, central + 24, static_cast<uint32_t>(contents.size()));
  put_u32(zip, central + 16,
          static_cast<uint32_t>(
              crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()))));
  return zip;
}

size_t end_record(const std::vector<uint8_t>& zip) { return zip.size() - zip::kEndSize; }
size_t first_central(const std::vector<uint8_t>& zip) { return get_u32(zip, end_record(zip) + 16); }
size_t next_central(const std::vector<uint8_t>& zip, size_t at) {
  return at + zip::kCentralSize + get_u16(zip, at + 28) + get_u16(zip, at + 30) + get_u16(zip, at + 32);
}

TEST(ZipReader, ReadsWhatTheWriterWrites) {
  const ZipReader zip = open(small_zip());
  EXPECT_EQ(zip.root(), "m");
  EXPECT_EQ(zip.names(), (std::vector<std::string>{"version", "data.pkl", "data/0"}));
  EXPECT_EQ(zip.read_text("version"), "3\n");
  EXPECT_EQ(zip.size("data/0"), 100u);
  EXPECT_TRUE(zip.is_stored("data/0"));
  EXPECT_TRUE(zip.has("data/0"));
  EXPECT_FALSE(zip.has("m/data/0"));
  EXPECT_FALSE(zip.has("Version"));
  EXPECT_EQ(zip.read("data/0", true).bytes.size(), 100u);
  expect_error(ErrorCode::kNotFound, "no record 'x'", [&] { zip.read("x"); });
}

TEST(ZipReader, StoredRecordsAreNotCopied) {
  const auto source = ByteSource::copy_of(small_zip());
  const ZipReader zip(source);
  const auto inside = [&](const void* p) {
    return p >= source->bytes().data() && p < source->bytes().data() + source->bytes().size();
  };
  const Storage aligned = zip.read_storage("data/0", 64);
  EXPECT_TRUE(inside(aligned->data()));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned->data()) % 64, 0u);
  EXPECT_TRUE(inside(zip.read("data/0").bytes.data()));
  // The memory outlives reader and source.
  Storage kept;
  { kept = open(small_zip()).read_storage("data/0", 8); }
  EXPECT_EQ(static_cast<const char*>(kept->data())[99], 'd');
}

TEST(ZipReader, UnalignedRecordsAreCopied) {
  std::vector<uint8_t> zip = small_zip();
  zip.insert(zip.begin(), 1, 0);
  const ZipReader reader(ByteSource::borrow(zip.data() + 1, zip.size() - 1));
  const Storage storage = reader.read_storage("data/0", 64);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(storage->data()) % 64, 0u);
  EXPECT_EQ(static_cast<const char*>(storage->data())[0], 'd');
}

TEST(ZipReader, InflatesDeflatedRecords) {
  std::string contents;
  for (int i = 0; i < 5000; ++i) contents += std::to_string(i * i);
  const ZipReader zip = open(deflated_zip(contents));
  EXPECT_FALSE(zip.is_stored("r"));
  EXPECT_EQ(zip.size("r"), contents.size());
  const ZipReader::Record record = zip.read("r", true);
  EXPECT_EQ(std::string(record.bytes.begin(), record.bytes.end()), contents);
  const Storage storage = zip.read_storage("r", 64);
  EXPECT_EQ(std::memcmp(storage->data(), contents.data(), contents.size()), 0);
  EXPECT_EQ(open(deflated_zip("")).read_text("r"), "");
}

TEST(ZipReader, RefusesDamagedDeflatedRecords) {
  const std::vector<uint8_t> good = deflated_zip(std::string(3000, 'a') + "bcd");
  std::vector<uint8_t> shorter = good, longer = good, bomb = good, bad_crc = good;
  const size_t central = first_central(good);
  put_u32(shorter, 22, 3002);
  put_u32(shorter, central + 24, 3002);
  expect_error(ErrorCode::kCorruptFile, "compressed data is damaged", [&] { open(shorter).read("r"); });
  put_u32(longer, 22, 3004);
  put_u32(longer, central + 24, 3004);
  expect_error(ErrorCode::kCorruptFile, "compressed data is damaged", [&] { open(longer).read_storage("r", 8); });
  put_u32(bomb, central + 24, 0xf0000000);
  expect_error(ErrorCode::kCorruptFile, "compressed ones", [&] { open(bomb); });
  put_u32(bad_crc, central + 16, 1);
  open(bad_crc).read("r");
  expect_error(ErrorCode::kCorruptFile, "checksum", [&] { open(bad_crc).read("r", true); });
}

TEST(ZipReader, LimitsHowFarTextInflates) {
  const ZipReader zip = open(deflated_zip(std::string((1 << 24) + 1, 'a')));
  EXPECT_EQ(zip.read_storage("r", 8)->nbytes(), (1u << 24) + 1);
  expect_error(ErrorCode::kLimitExceeded, "inflates", [&] { zip.read("r"); });
}

TEST(ZipReader, LimitsWhatAllRecordsInflateTo) {
  ZipWriter writer("archive");
  const std::vector<uint8_t> zeros(size_t{1} << 22);
  for (int i = 0; i < 400; ++i) writer.add("extra/" + std::to_string(i), zeros, true);
  const ZipReader zip = open(writer.finish());
  uint64_t inflated = 0;
  expect_error(ErrorCode::kLimitExceeded, "inflate to more than", [&] {
    for (const std::string& name : zip.names()) inflated += zip.read(name).bytes.size();
  });
  EXPECT_GE(inflated, uint64_t{200} << 20);
  EXPECT_LE(inflated, limits::kMaxInflatedTotal);
  expect_error(ErrorCode::kLimitExceeded, "inflate to more than", [&] { zip.read_storage("extra/399", 8); });
  // What was read may be read again.
  EXPECT_EQ(zip.read("extra/0").bytes.size(), zeros.size());
}

TEST(ZipReader, TheLimitOfAllRecordsCanBeSet) {
  const std::vector<uint8_t> bytes = deflated_zip(std::string(3000, 'a'));
  EXPECT_EQ(ZipReader(ByteSource::copy_of(bytes), 3000).read("r").bytes.size(), 3000u);
  const ZipReader small(ByteSource::copy_of(bytes), 2999);
  expect_error(ErrorCode::kLimitExceeded, "'r'", [&] { small.read("r"); });
}

TEST(ZipReader, AcceptsAnyRootFolderAndFolderEntries) {
  for (const char* root : {"archive", "a.b", "with space", "\xc3\xa4"}) {
    ZipWriter writer(root);
    writer.add("code/", {});
    writer.add("code/m.py", bytes_of("x"));
    const ZipReader zip = open(writer.finish());
    EXPECT_EQ(zip.root(), root);
    EXPECT_EQ(zip.names(), std::vector<std::string>{"code/m.py"});
  }
}

TEST(ZipReader, AcceptsAComment) {
  std::vector<uint8_t> zip = small_zip();
  put_u16(zip, end_record(zip) + 20, 5);
  for (char c : std::string("hello")) zip.push_back(static_cast<uint8_t>(c));
  EXPECT_TRUE(open(zip).has("version"));
  zip.push_back('!');
  expect_error(ErrorCode::kCorruptFile, "end of the directory is missing", [&] { open(zip); });
}

TEST(ZipReader, RefusesWrongStructures) {
  using Edit = std::function<void(std::vector<uint8_t>&)>;
  const auto refused = [](const std::string& reason, const Edit& edit) {
    std::vector<uint8_t> zip = small_zip();
    edit(zip);
    const auto error = error_of([&] {
      const ZipReader reader = open(zip);
      for (const std::string& name : reader.names()) reader.read(name);
    });
    ASSERT_TRUE(error.has_value()) << reason;
    EXPECT_NE(error->message().find(reason), std::string::npos) << error->message();
  };
  const auto at = [](size_t offset, uint16_t v) {
    return [=](std::vector<uint8_t>& zip) { put_u16(zip, first_central(zip) + offset, v); };
  };
  refused("encrypted", at(8, zip::kFlagUtf8 | zip::kFlagEncrypted));
  refused("compression method 12", [&](auto& zip) {
    at(10, 12)(zip);
    put_u16(zip, 8, 12);
  });
  refused("several disks", at(34, 1));
  refused("several disks", [](auto& zip) { put_u16(zip, end_record(zip) + 4, 1); });
  refused("several disks", [](auto& zip) { put_u32(zip, end_record(zip) - zip::kLocator64Size + 16, 2); });
  refused("disagree about the number", [](auto& zip) {
    put_u16(zip, end_record(zip) + 8, 2);
    put_u16(zip, end_record(zip) + 10, 2);
  });
  refused("no zip64 end record", [](auto& zip) { put_u32(zip, end_record(zip) - zip::kLocator64Size + 8, 3); });
  refused("no zip64 end record", [](auto& zip) { put_u32(zip, end_record(zip) - zip::kLocator64Size + 12, 3); });
  refused("has no name", at(28, 0));
  refused("longer than the directory", at(32, 60000));
  refused("contains a NUL", [](auto& zip) { zip[first_central(zip) + zip::kCentralSize + 2] = 0; });
  refused("outside the file", [](auto& zip) { put_u32(zip, first_central(zip) + 42, 0x7fffffff); });
  refused("two sizes differ", [](auto& zip) { put_u32(zip, first_central(zip) + 24, 1); });
  refused("outside the file", [](auto& zip) {
    put_u32(zip, first_central(zip) + 20, 0xfffffffe);
    put_u32(zip, first_central(zip) + 24, 0xfffffffe);
  });
  refused("its header is missing", [](auto& zip) { zip[0] = 'X'; });
  refused("about its name", [](auto& zip) { zip[zip::kLocalSize] = 'X'; });
  refused("about its name", [](auto& zip) { put_u16(zip, 26, 8); });
  refused("about the compression method", [](auto& zip) { put_u16(zip, 8, zip::kMethodDeflated); });
  refused("about its size", [](auto& zip) { put_u32(zip, 18, 1); });
  refused("about its size", [](auto& zip) { put_u32(zip, 22, 0); });
  refused("overlaps the next", [](auto& zip) { put_u16(zip, 28, 60000); });
  refused("extra field", [](auto& zip) {  // the name's last bytes become an extra field
    put_u16(zip, first_central(zip) + 28, 4);
    put_u16(zip, first_central(zip) + 30, 5);
  });
}

TEST(ZipReader, RefusesOverlappingAndRepeatedRecords) {
  std::vector<uint8_t> same = small_zip();
  const size_t first = first_central(same), second = next_central(same, first), third = next_central(same, second);
  put_u32(same, third + 42, get_u32(same, second + 42));
  expect_error(ErrorCode::kCorruptFile, "overlaps", [&] { open(same); });

  std::vector<uint8_t> inside = small_zip();
  put_u32(inside, second + 42, get_u32(inside, third + 42) + 50);
  expect_error(ErrorCode::kCorruptFile, "overlaps", [&] { open(inside); });

  ZipWriter writer("m");
  writer.add("aa", bytes_of("1"));
  writer.add("ab", bytes_of("2"));
  std::vector<uint8_t> twins = writer.finish();
  const size_t b = next_central(twins, first_central(twins));
  twins[b + zip::kCentralSize + 3] = 'a';
  expect_error(ErrorCode::kCorruptFile, "two records are named 'aa'", [&] { open(twins); });
}

TEST(ZipReader, RefusesEveryTruncation) {
  const std::vector<uint8_t> zip = small_zip();
  for (size_t n = 0; n < zip.size(); ++n) {
    const std::vector<uint8_t> part(zip.begin(), zip.begin() + static_cast<ptrdiff_t>(n));
    const auto error = error_of([&] { open(part); });
    ASSERT_TRUE(error.has_value()) << n;
    EXPECT_EQ(error->code(), ErrorCode::kCorruptFile);
  }
}

TEST(ZipReader, SurvivesFlippedBytes) {
  std::mt19937 random(7);
  const std::vector<uint8_t> stored = small_zip(), deflated = deflated_zip(std::string(500, 'a') + "xyz");
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> zip = i % 2 ? stored : deflated;
    for (unsigned k = 0; k < 1 + random() % 4; ++k) zip[random() % zip.size()] = static_cast<uint8_t>(random());
    error_of([&] {
      const ZipReader reader = open(zip);
      for (const std::string& name : reader.names()) {
        reader.read(name);
        reader.read_storage(name, 16);
      }
    });
  }
}

TEST(ZipReader, RefusesTooManyRecords) {
  std::vector<uint8_t> zip;
  zip::append_end(zip, uint64_t{1} << 40, 0, 0);
  expect_error(ErrorCode::kLimitExceeded, "records", [&] { open(zip); });
  zip.clear();
  zip::append_end(zip, 100000, 0, 0);
  expect_error(ErrorCode::kCorruptFile, "cannot hold 100000 records", [&] { open(zip); });
}

TEST(ZipReader, EmptyArchiveHasNoRecords) { EXPECT_TRUE(open(ZipWriter("m").finish()).names().empty()); }

// A sparse file of 9 GiB: a record of more than 4 GiB, and one that begins beyond.
TEST(ZipReader, Zip64) {
  TempPath path;
  const uint64_t big = (uint64_t{4} << 30) + 12345, gap = uint64_t{9} << 30;
  zip::StoredEntry first{"m/big", 0, big, 0}, last{"m/far", gap, 3, 0};
  std::vector<uint8_t> head, far, tail;
  zip::append_local_header(head, first);
  EXPECT_EQ(head.size() % 64, 0u);
  zip::append_local_header(far, last);
  EXPECT_EQ((gap + far.size()) % 64, 0u);
  far.insert(far.end(), {'e', 'n', 'd'});
  const uint64_t directory = gap + far.size();
  zip::append_central_entry(tail, first);
  zip::append_central_entry(tail, last);
  zip::append_end(tail, 2, directory, tail.size());
  {
    std::ofstream out(path.str(), std::ios::binary);
    out.write(reinterpret_cast<const char*>(head.data()), static_cast<std::streamsize>(head.size()));
    out.seekp(static_cast<std::streamoff>(gap));
    out.write(reinterpret_cast<const char*>(far.data()), static_cast<std::streamsize>(far.size()));
    out.write(reinterpret_cast<const char*>(tail.data()), static_cast<std::streamsize>(tail.size()));
  }
  const ZipReader zip(ByteSource::open_file(path.str()));
  EXPECT_EQ(zip.size("big"), big);
  EXPECT_EQ(zip.read("big").bytes.size(), big);
  EXPECT_EQ(zip.read_text("far"), "end");
  EXPECT_EQ(zip.read_storage("big", 64)->nbytes(), big);
}

TEST(ZipWriter, AlignsDataTo64AndRefusesBadNames) {
  ZipWriter writer("root");
  std::string name;
  for (int i = 0; i < 70; ++i) {
    name += 'n';
    writer.add(name, bytes_of(name));
  }
  expect_error(ErrorCode::kInvalidArgument, "twice", [&] { writer.add(name, {}); });
  expect_error(ErrorCode::kInvalidArgument, "name", [&] { writer.add("", {}); });
  expect_error(ErrorCode::kInvalidArgument, "name", [&] { writer.add(std::string(70000, 'x'), {}); });
  expect_error(ErrorCode::kInvalidArgument, "root", [&] { ZipWriter("a/b"); });
  const auto source = ByteSource::copy_of(writer.finish());
  const ZipReader zip(source);
  for (const std::string& record : zip.names()) {
    const ZipReader::Record r = zip.read(record, true);
    EXPECT_EQ((r.bytes.data() - source->bytes().data()) % 64, 0);
    EXPECT_EQ(std::string(r.bytes.begin(), r.bytes.end()), record);
  }
}

}  // namespace
}  // namespace wick::test
