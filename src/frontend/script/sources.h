// The code records of an archive and what their debug records say of the Python they were printed from.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "archive/source_range.h"
#include "frontend/script/source_file.h"
#include "wick/ivalue.h"

namespace wick::script {

// Where records come from.
class CodeRecords {
 public:
  virtual ~CodeRecords() = default;
  // Text of "code/__torch__/m.py"; nothing when there is no such record.
  virtual std::optional<std::string> text(const std::string& record) const = 0;
  // "code/__torch__/m.py.debug_pkl" as a value; nothing when there is no such record. May throw.
  virtual std::optional<IValue> debug(const std::string& record) const = 0;
};

// Keeps what error messages need, for as long as the program lives.
class Sources {
 public:
  explicit Sources(std::unique_ptr<CodeRecords> records) : records_(std::move(records)) {}

  // Reads "code/<path>.py" of a qualifier ("__torch__.a"); null when there is none. Not for two threads at once.
  const SourceFile* read(std::string_view qualifier);

  // A file of code that is no record of the archive.
  const SourceFile* add(std::string name, std::string text);

  // For SourceFile::handle: "code/__torch__/m.py:12: text of the line", then where the line comes from in the original
  // Python when the archive tells. "" for a handle that is none. Reads a debug record once; for several threads.
  std::string describe(int64_t handle) const;
  // The record and the offset in it; nothing for a handle that is none.
  std::optional<std::pair<std::string, uint32_t>> place(int64_t handle) const;

 private:
  // Of the file's debug record, by offset; none when it is bad. The caller holds mutex_.
  const std::vector<SourceRange>& ranges_of(const SourceFile& file) const;

  std::unique_ptr<CodeRecords> records_;
  std::vector<std::unique_ptr<SourceFile>> files_;
  mutable std::mutex mutex_;  // for what follows, which describe() reads when it is first needed
  mutable std::vector<std::optional<std::vector<SourceRange>>> ranges_;  // by file
  mutable SourceTexts texts_;
};

}  // namespace wick::script
