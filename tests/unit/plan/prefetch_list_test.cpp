// What products fetch for later steps: which weights, in which order, how far ahead.
#include <gtest/gtest.h>

#include "plan/memory/prefetch_list.h"

namespace wick::plan {
namespace {

using kernels::Prefetcher;

TEST(Prefetcher, WalksOverPieces) {
  const char memory[1000] = {};
  const Prefetcher::Piece pieces[] = {{memory, 100, 0}, {memory + 200, 300, 100}, {memory + 600, 50, 400}};
  Prefetcher prefetcher(pieces, 3);
  EXPECT_EQ(prefetcher.left(), 0);
  prefetcher.set(0, 250);
  EXPECT_EQ(prefetcher.at(), memory);
  EXPECT_EQ(prefetcher.left(), 100);
  prefetcher.advance(64);
  EXPECT_EQ(prefetcher.at(), memory + 64);
  EXPECT_EQ(prefetcher.left(), 36);
  prefetcher.advance(64);  // a line that ends behind the piece
  EXPECT_EQ(prefetcher.at(), memory + 200);
  EXPECT_EQ(prefetcher.left(), 150);
  prefetcher.advance(192);
  EXPECT_EQ(prefetcher.left(), 0);
  // What has been fetched is not fetched again, and what is no longer needed not at all.
  prefetcher.set(1, 450);
  EXPECT_EQ(prefetcher.at(), memory + 392);
  EXPECT_EQ(prefetcher.left(), 108);
  prefetcher.set(2, 450);
  EXPECT_EQ(prefetcher.at(), memory + 600);
  EXPECT_EQ(prefetcher.left(), 50);
  prefetcher.set(3, 450);
  EXPECT_EQ(prefetcher.left(), 0);
}

// Bytes of the first piece that may be fetched while each step runs; each writes 10 bytes.
std::vector<int64_t> lefts(const std::vector<StepWeights>& weights, int64_t cache) {
  PrefetchList list;
  for (const StepWeights& w : weights) list.add(w, 10);
  list.finish(cache);
  std::vector<int64_t> out;
  for (size_t k = 0; k < weights.size() && !list.empty(); ++k) {
    Prefetcher prefetcher = list.start();
    list.set(prefetcher, k);
    out.push_back(prefetcher.left());
  }
  return out;
}

TEST(PrefetchList, WeightsWithinReach) {
  const char memory[1000] = {};
  const StepWeights many{nullptr, memory, 400, false}, row{nullptr, memory + 400, 600, true}, none{};
  // In 1030 bytes there is room for everything, which then stays where it is.
  EXPECT_EQ(lefts({many, none, row}, 1030), std::vector<int64_t>{});
  EXPECT_EQ(lefts({many, none, row}, 1000), (std::vector<int64_t>{580, 600, 0}));
  EXPECT_EQ(lefts({many, none, row}, 500), (std::vector<int64_t>{80, 490, 0}));
  EXPECT_EQ(lefts({many, none, row}, 420), (std::vector<int64_t>{0, 410, 0}));
  EXPECT_EQ(lefts({many, many, row}, 500), (std::vector<int64_t>{0, 90, 0}));
  // A large step leaves no room, and weights that are used many times are not in the list.
  EXPECT_EQ(lefts({row, none, row}, 300), (std::vector<int64_t>{0, 290, 0}));
  EXPECT_EQ(lefts({many, many, many}, 300), std::vector<int64_t>{});
}

}  // namespace
}  // namespace wick::plan
