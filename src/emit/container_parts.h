// Records that lite and TorchScript containers have in common.
#pragma once

#include <map>
#include <set>
#include <string>

#include "archive/writer.h"
#include "emit/storages.h"
#include "ir/program.h"
#include "wick/save.h"

namespace wick::emit {

// The module object and its tensors: data.pkl and data/.
class ModuleData {
 public:
  // Runs __getstate__ of objects that have one. With `stored_state`, takes the records of the file the program was
  // read from instead when there are such objects.
  ModuleData(const ir::Program& program, bool stored_state);

  void write(ZipWriter& zip) const;
  // Classes whose __setstate__ must be left out: their objects are stored by attributes, as the file has no
  // __getstate__ for them.
  const std::set<std::string>& stored_by_attributes() const { return by_attributes_; }

 private:
  const ir::Program& program_;
  std::vector<uint8_t> pickle_;
  StorageTable storages_;
  std::set<std::string> by_attributes_;
  bool copied_ = false;  // data.pkl and data/ are those of the file the program was read from
};

// What the file the program was read from says of its source: code/, constants.pkl, constants/.
class SourceRecords {
 public:
  explicit SourceRecords(const ir::Program& program);

  // The file has TorchScript source.
  bool present() const { return present_; }
  // Tensors that lie in the constants' records use these.
  void reserve_constants(StorageTable& storages) const;
  void write_code(ZipWriter& zip, bool with_debug_info) const;
  void write_constants(ZipWriter& zip) const;
  // Only the tables that lead from positions to lines of Python.
  void write_debug_tables(ZipWriter& zip) const;

 private:
  const ZipReader* archive_;
  bool present_ = false;
  std::vector<std::string> code_;                       // record names, debug tables among them
  std::map<std::string, ZipReader::Record> constants_;  // storages by key
};

void write_extra_files(ZipWriter& zip, const ir::Program& program, const SaveOptions& options);
void write_storages(ZipWriter& zip, const std::string& folder, const StorageTable& storages);
// The version as PyTorch's readers look for it, and the byte order.
void write_version(ZipWriter& zip, int64_t version);

// The least file-format version that gives the operators used today's meaning.
int64_t version_needed(const ir::Program& program);

}  // namespace wick::emit
