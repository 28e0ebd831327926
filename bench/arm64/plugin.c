/* Counts how often each translated block of an arm64 program runs under qemu-user.
 *
 *   qemu-aarch64 -plugin libcount.so,out=FILE PROGRAM
 *
 * A section ends at the system call getpriority(0x5749, LABEL), which fails and does nothing else (count_runs.cpp, the
 * peers' scripts), and at the program's end (LABEL -1). FILE gets, for each section, "section LABEL" and a line for each
 * block that ran in it: COUNT ADDRESS SYMBOL WORD ..., the words being its instructions in hexadecimal. */
#include "plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1 << 16, kMostWords = 1024, kGetPriority = 141, kMark = 0x5749 };

PLUGIN_PUBLIC int qemu_plugin_version = 1;

typedef struct Block {
  uint64_t count, reported, address;
  const char* symbol;
  uint32_t length;
  struct Block *in_bucket, *in_all;
  uint32_t words[];
} Block;

static Block *buckets[kBuckets], *blocks;
static FILE* out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all above; qemu translates in the program's threads */

static Block* block_of(uint64_t address, const char* symbol, const uint32_t* words, uint32_t length) {
  Block** bucket = &buckets[(address >> 2) % kBuckets];
  for (Block* b = *bucket; b != NULL; b = b->in_bucket) {
    if (b->address == address && b->length == length && memcmp(b->words, words, length * 4) == 0) return b;
  }
  Block* b = calloc(1, sizeof *b + length * 4);
  if (b == NULL) abort();
  b->address = address;
  b->symbol = symbol != NULL && *symbol != 0 ? strdup(symbol) : "-";
  b->length = length;
  memcpy(b->words, words, length * 4);
  b->in_bucket = *bucket;
  *bucket = b;
  b->in_all = blocks;
  blocks = b;
  return b;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb) {
  (void)id;
  uint32_t words[kMostWords];
  size_t length = qemu_plugin_tb_n_insns(tb);
  if (length > kMostWords) abort(); /* qemu's blocks have 512 at most */
  for (size_t i = 0; i < length; ++i) memcpy(&words[i], qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), 4);
  struct qemu_plugin_insn* first = qemu_plugin_tb_get_insn(tb, 0);
  pthread_mutex_lock(&lock);
  Block* b = block_of(qemu_plugin_insn_vaddr(first), qemu_plugin_insn_symbol(first), words, (uint32_t)length);
  pthread_mutex_unlock(&lock);
  qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &b->count, 1);
}

static void end_section(int label) {
  pthread_mutex_lock(&lock);
  fprintf(out, "section %d\n", label);
  for (Block* b = blocks; b != NULL; b = b->in_all) {
    uint64_t runs = b->count - b->reported;
    b->reported = b->count;
    if (runs == 0) continue;
    fprintf(out, "%llu %llx %s", (unsigned long long)runs, (unsigned long long)b->address, b->symbol);
    for (uint32_t i = 0; i < b->length; ++i) fprintf(out, " %08x", b->words[i]);
    fputc('\n', out);
  }
  fflush(out);
  pthread_mutex_unlock(&lock);
}

static void called(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void)id, (void)vcpu, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
  if (number == kGetPriority && (uint32_t)a1 == kMark) end_section((int32_t)a2);
}

static void ended(qemu_plugin_id_t id, void* data) {
  (void)id, (void)data;
  end_section(-1);
  fclose(out);
}

PLUGIN_PUBLIC int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  (void)info;
  const char* path = "counts.txt";
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "out=", 4) == 0) path = argv[i] + 4;
  }
  out = fopen(path, "w");
  if (out == NULL) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
