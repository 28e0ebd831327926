// torch::data::DataLoader: iterates over the batches of a dataset, made by the thread that asks or by workers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <torch/data/datasets/base.h>
#include <torch/data/samplers.h>
#include <torch/expanding_array.h>

namespace torch {
namespace data {

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}
  TORCH_ARG(size_t, batch_size) = 1;
  TORCH_ARG(size_t, workers) = 0;  // threads
  // Batches that workers prepare; twice their number unless set.
  TORCH_ARG(c10::optional<size_t>, max_jobs);
  TORCH_ARG(c10::optional<std::chrono::milliseconds>, timeout);
  TORCH_ARG(bool, enforce_ordering) = true;
  TORCH_ARG(bool, drop_last) = false;  // a last batch that is not full
};
struct FullDataLoaderOptions {
  explicit FullDataLoaderOptions(DataLoaderOptions o)
      : batch_size(o.batch_size()),
        workers(o.workers()),
        max_jobs(o.max_jobs().value_or(2 * workers)),
        timeout(o.timeout()),
        enforce_ordering(o.enforce_ordering()),
        drop_last(o.drop_last()) {}
  size_t batch_size, workers, max_jobs;
  c10::optional<std::chrono::milliseconds> timeout;
  bool enforce_ordering, drop_last;
};

// What a worker threw, thrown to who asks for the batch.
struct WorkerException : std::exception {
  explicit WorkerException(std::exception_ptr original) : original_exception(std::move(original)) {
    try {
      std::rethrow_exception(original_exception);
    } catch (const std::exception& e) {
      message += std::string(" Original message: ") + e.what();
    } catch (...) {
    }
  }
  const char* what() const noexcept override { return message.c_str(); }
  std::string message = "Caught exception in DataLoader worker thread.";
  std::exception_ptr original_exception;
};

// Over batches, which are asked for when they are first looked at. Copies share their place.
template <class Batch>
class Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch*;
  using reference = Batch&;
  using iterator_category = std::input_iterator_tag;

  Iterator() = default;  // the end
  explicit Iterator(std::function<c10::optional<Batch>()> next) : state_(std::make_shared<State>()) {
    state_->next = std::move(next);
  }
  Iterator& operator++() {
    TORCH_CHECK(state_, "Incrementing the DataLoader's past-the-end iterator is not allowed");
    state_->look();
    TORCH_CHECK(state_->batch, "Attempted to increment iterator past the end");
    state_->batch = state_->next();
    return *this;
  }
  Batch& operator*() { return *batch("Attempted to dereference iterator that was past the end"); }
  Batch* operator->() { return batch("Attempted to dereference iterator that was past the end"); }
  bool operator==(const Iterator& o) const {
    if (state_ && o.state_) return state_ == o.state_;
    return at_end() && o.at_end();
  }
  bool operator!=(const Iterator& o) const { return !(*this == o); }

 private:
  struct State {
    void look() {
      if (!looked) batch = next();
      looked = true;
    }
    std::function<c10::optional<Batch>()> next;
    c10::optional<Batch> batch;
    bool looked = false;
  };
  bool at_end() const {
    if (state_) state_->look();
    return !state_ || !state_->batch;
  }
  Batch* batch(const char* message) {
    TORCH_CHECK(state_, "Dereferencing the DataLoader's past-the-end iterator is not allowed");
    state_->look();
    TORCH_CHECK(state_->batch, message);
    return &*state_->batch;
  }
  std::shared_ptr<State> state_;
};

namespace detail {
// Requests to workers and their results.
template <class Request, class Batch>
class Jobs {
 public:
  struct Job {
    size_t number = 0;
    c10::optional<Request> request;  // none: the worker ends
  };
  struct Result {
    c10::optional<Batch> batch;  // none of a dataset that has ended
    std::exception_ptr error;
  };
  explicit Jobs(bool in_order) : in_order_(in_order) {}

  void push(Request request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back({pushed_++, std::move(request)});
    ++in_flight_;
    changed_.notify_all();
  }
  void push_end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back({});
    changed_.notify_all();
  }
  Job take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    return job;
  }
  void finish(size_t number, Result result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_.emplace(number, std::move(result));
    changed_.notify_all();
  }
  // None when nothing is under way.
  c10::optional<Result> result(c10::optional<std::chrono::milliseconds> timeout = c10::nullopt) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (in_flight_ == 0) return c10::nullopt;
    const auto ready = [&] { return in_order_ ? finished_.count(expected_) > 0 : !finished_.empty(); };
    if (timeout) {
      TORCH_CHECK(changed_.wait_for(lock, *timeout, ready),
                  "Timeout in DataLoader queue while waiting for next batch (timeout was ", timeout->count(), " ms)");
    } else {
      changed_.wait(lock, ready);
    }
    const auto it = in_order_ ? finished_.find(expected_) : finished_.begin();
    Result out = std::move(it->second);
    finished_.erase(it);
    ++expected_;
    --in_flight_;
    return c10::optional<Result>(std::move(out));
  }
  // Drops what was asked for, and waits for what has begun.
  void drain() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (Job& job : waiting_) finished_.emplace(job.number, Result());
      waiting_.clear();
    }
    while (result()) {
    }
  }
  size_t in_flight() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return in_flight_;
  }

 private:
  const bool in_order_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::map<size_t, Result> finished_;
  size_t pushed_ = 0, expected_ = 0, in_flight_ = 0;
};
}  // namespace detail

// Threads: used by one thread; datasets are copied for each worker.
template <class Dataset, class Batch, class BatchRequest>
class DataLoaderBase {
 public:
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  DataLoaderBase(DataLoaderOptions options, std::unique_ptr<Dataset> main_thread_dataset = nullptr)
      : options_(std::move(options)),
        main_thread_dataset_(std::move(main_thread_dataset)),
        jobs_(options_.enforce_ordering) {}
  DataLoaderBase(const DataLoaderBase&) = delete;
  DataLoaderBase& operator=(const DataLoaderBase&) = delete;
  virtual ~DataLoaderBase() { join(); }

  Iterator<Batch> begin() {
    TORCH_CHECK(jobs_.in_flight() == 0,
                "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
    reset();
    return Iterator<Batch>([this] { return next(); });
  }
  Iterator<Batch> end() { return {}; }
  // Ends the workers; the loader gives no batches after it.
  void join() {
    if (joined_) return;
    joined_ = true;
    jobs_.drain();
    for (size_t i = 0; i < workers_.size(); ++i) jobs_.push_end();
    for (std::thread& worker : workers_) worker.join();
  }
  const FullDataLoaderOptions& options() const noexcept { return options_; }

 protected:
  virtual c10::optional<BatchRequest> get_batch_request() = 0;
  virtual void reset() {
    jobs_.drain();
    if (options_.workers > 0) prefetch(options_.max_jobs);
  }
  void start_workers(const Dataset& dataset) {
    for (size_t i = 0; i < options_.workers; ++i) {
      workers_.emplace_back([this](Dataset mine) { work(mine); }, dataset);
    }
  }
  void prefetch(size_t count) {
    for (; count > 0; --count) {
      c10::optional<BatchRequest> request = get_batch_request();
      if (!request) return;
      jobs_.push(std::move(*request));
    }
  }
  c10::optional<Batch> next() {
    if (options_.workers == 0) {
      c10::optional<BatchRequest> request = get_batch_request();
      if (!request) return c10::nullopt;
      return main_thread_dataset_->get_batch(std::move(*request));
    }
    while (auto result = jobs_.result(options_.timeout)) {
      if (result->error) throw WorkerException(result->error);
      if (!result->batch) continue;
      prefetch(1);
      return std::move(result->batch);
    }
    return c10::nullopt;
  }

  const FullDataLoaderOptions options_;
  std::unique_ptr<Dataset> main_thread_dataset_;  // when there are no workers

 private:
  void work(Dataset& dataset) {
    for (;;) {
      auto job = jobs_.take();
      if (!job.request) return;
      typename detail::Jobs<BatchRequest, Batch>::Result result;
      try {
        result.batch = dataset.get_batch(std::move(*job.request));
      } catch (...) {
        result.error = std::current_exception();
      }
      jobs_.finish(job.number, std::move(result));
    }
  }
  detail::Jobs<BatchRequest, Batch> jobs_;
  std::vector<std::thread> workers_;
  bool joined_ = false;
};

template <class Dataset, class Sampler>
class StatelessDataLoader
    : public DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType> {
 public:
  using super = DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType>;
  using typename super::BatchRequestType;
  StatelessDataLoader(Dataset dataset, Sampler sampler, DataLoaderOptions options)
      : super(std::move(options)), sampler_(std::move(sampler)) {
    if (this->options_.workers > 0) {
      this->start_workers(dataset);
    } else {
      this->main_thread_dataset_ = std::make_unique<Dataset>(std::move(dataset));
    }
  }
  ~StatelessDataLoader() override { this->join(); }

 private:
  void reset() override {
    sampler_.reset(c10::nullopt);
    super::reset();
  }
  c10::optional<BatchRequestType> get_batch_request() override {
    auto indices = sampler_.next(this->options_.batch_size);
    if (!indices || (indices->size() < this->options_.batch_size && this->options_.drop_last)) return c10::nullopt;
    return indices;
  }
  Sampler sampler_;
};

template <class Dataset>
class StatefulDataLoader
    : public DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType> {
 public:
  using super = DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType>;
  using typename super::BatchRequestType;
  StatefulDataLoader(Dataset dataset, DataLoaderOptions options)
      : super(std::move(options), std::make_unique<Dataset>(std::move(dataset))) {
    this->start_workers(*this->main_thread_dataset_);
  }
  ~StatefulDataLoader() override { this->join(); }

 private:
  void reset() override {
    this->main_thread_dataset_->reset();
    super::reset();
  }
  c10::optional<BatchRequestType> get_batch_request() override { return this->options_.batch_size; }
};

template <class Dataset>
typename std::enable_if<Dataset::is_stateful, std::unique_ptr<StatefulDataLoader<Dataset>>>::type make_data_loader(
    Dataset dataset, DataLoaderOptions options = {}) {
  return std::make_unique<StatefulDataLoader<Dataset>>(std::move(dataset), std::move(options));
}
template <class Dataset, class Sampler>
typename std::enable_if<!Dataset::is_stateful, std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>>::type
make_data_loader(Dataset dataset, Sampler sampler, DataLoaderOptions options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler),
                                                                 std::move(options));
}
template <class Sampler = samplers::RandomSampler, class Dataset>
typename std::enable_if<!Dataset::is_stateful && std::is_constructible<Sampler, size_t>::value,
                        std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>>::type
make_data_loader(Dataset dataset, DataLoaderOptions options = {}) {
  const c10::optional<size_t> size = dataset.size();
  TORCH_CHECK(size, "Expected the dataset to be sized in order to construct the Sampler");
  return make_data_loader(std::move(dataset), Sampler(*size), std::move(options));
}

}  // namespace data
}  // namespace torch
