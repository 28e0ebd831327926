// What becomes of failed allocations: an Error, nothing lost, and the same result afterwards.
#include "allocation/every_allocation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>

#include "wick/error.h"

namespace wick::test {
namespace {

constexpr int64_t kEnds = 12;     // of the first and last allocations, in a sample
constexpr int64_t kBetween = 48;  // others

// Which of `count` allocations fail.
std::set<int64_t> chosen(const std::string& name, int64_t count) {
  std::set<int64_t> out;
  if (std::getenv("WICK_ALL_ALLOCATIONS") || count <= 2 * kEnds + kBetween) {
    for (int64_t i = 0; i < count; ++i) out.insert(out.end(), i);
    return out;
  }
  for (int64_t i = 0; i < kEnds; ++i) out.insert({i, count - 1 - i});
  std::seed_seq seed(name.begin(), name.end());
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < kBetween; ++i) out.insert(static_cast<int64_t>(random() % static_cast<uint64_t>(count)));
  return out;
}

class Sweep {
 public:
  Sweep(const std::string& name, const Attempt& attempt) : name_(name), attempt_(attempt) {}

  void run() {
    for (int i = 0; i < 3; ++i) want_ = whole();  // what is made once is made now
    const int64_t live = allocations_live(), start = allocations_made();
    attempt_.action();
    count_ = allocations_made() - start;
    ASSERT_EQ(attempt_.result(), want_) << name_ << " gives another result each time";
    attempt_.reset();
    ASSERT_EQ(allocations_live(), live) << name_ << " keeps memory";
    for (const Failing mode : {Failing::kOnce, Failing::kOnwards}) {
      for (const int64_t index : chosen(name_, count_)) {
        fail(index, mode);
        if (::testing::Test::HasFailure()) return;
      }
    }
    EXPECT_GT(errors_, 0) << name_;
  }

 private:
  void fail(int64_t index, Failing mode) {
    SCOPED_TRACE(name_ + ": allocation " + std::to_string(index) + " of " + std::to_string(count_) +
                 (mode == Failing::kOnce ? "" : " and all that follow"));
    // What an error needs to say where it happened is kept for the next one; what is lost is lost each time.
    if (lost_by(index, mode) > 0) EXPECT_LE(lost_by(index, mode), 0) << "allocations are lost";
  }

  int64_t lost_by(int64_t index, Failing mode) {
    const int64_t live = allocations_live();
    const bool failed = !ends(index, mode);
    errors_ += failed;
    if (failed) attempt_.check_failed();
    attempt_.reset();
    const bool is_same = whole() == want_;
    const int64_t lost = allocations_live() - live;
    EXPECT_TRUE(is_same) << "the result is another afterwards";
    return lost;
  }

  // Whether it ends as if no allocation had failed. The handlers need memory again.
  bool ends(int64_t index, Failing mode) {
    std::optional<FailedAllocation> failing(std::in_place, index, mode);
    try {
      attempt_.action();
      failing.reset();
      EXPECT_EQ(attempt_.result(), want_) << "a failed allocation changes the result";
      return true;
    } catch (const Error& e) {
      failing.reset();
      EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.what();
    } catch (const std::bad_alloc&) {
      failing.reset();
      EXPECT_TRUE(attempt_.may_throw_bad_alloc) << "std::bad_alloc leaves it";
    } catch (const std::exception& e) {
      failing.reset();
      ADD_FAILURE() << "it ends by another exception: " << e.what();
    }
    return false;
  }

  std::string whole() {
    attempt_.action();
    std::string out = attempt_.result();
    attempt_.reset();
    return out;
  }

  const std::string& name_;
  const Attempt& attempt_;
  std::string want_;
  int64_t count_ = 0, errors_ = 0;
};

}  // namespace

void fail_every_allocation(const std::string& name, const Attempt& attempt) { Sweep(name, attempt).run(); }

}  // namespace wick::test
