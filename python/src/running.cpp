// Ctrl-C during runs: a signal handler that cancels the run and then calls Python's.
#include "running.h"

#include <signal.h>

#include <atomic>
#include <thread>

namespace wick_python {

namespace {

std::thread::id main_thread;

// What the handler cancels. A cancelled token is replaced and never freed: a handler may still be looking at it.
std::atomic<const wick::Cancellation*> current_token{nullptr};
std::atomic<bool> running{false};
struct sigaction before;  // written while no handler of ours is installed

void on_interrupt(int number, siginfo_t* info, void* context) {
  if (running.load()) current_token.load()->cancel();
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler != SIG_IGN && before.sa_handler != SIG_DFL) {
    before.sa_handler(number);
  }
}

}  // namespace

std::function<void(const char*, size_t, size_t)> progress_of(nb::handle function) {
  if (function.is_none()) return nullptr;
  return [function](const char* what, size_t done, size_t total) {
    nb::gil_scoped_acquire gil;
    function(what, done, total);
  };
}

void init_interrupts() {
  // Where no module has loaded threading, which takes time, there is but one thread.
  PyObject* threading = PyDict_GetItemString(PyImport_GetModuleDict(), "threading");
  if (!threading || nb::object(nb::handle(threading).attr("main_thread")().attr("ident"))
                        .equal(nb::handle(threading).attr("get_ident")())) {
    main_thread = std::this_thread::get_id();
  }
  current_token = new wick::Cancellation;
}

InterruptScope::InterruptScope() {
  // A run inside of another one, from a Python operator, is bounded by the outer one's scope already.
  if (std::this_thread::get_id() != main_thread || running.load()) return;
  if (current_token.load()->is_cancelled()) current_token = new wick::Cancellation;
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) != 0) return;
  // Ignored signals stay ignored, and the system's default ends the process by itself.
  if (!(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_IGN || now.sa_handler == SIG_DFL)) return;
  before = now;
  struct sigaction ours {};
  ours.sa_sigaction = on_interrupt;
  ours.sa_flags = SA_SIGINFO | (now.sa_flags & SA_ONSTACK);
  ours.sa_mask = now.sa_mask;
  running = true;
  if (sigaction(SIGINT, &ours, nullptr) != 0) {
    running = false;
    return;
  }
  active_ = true;
}

InterruptScope::~InterruptScope() {
  if (!active_) return;
  sigaction(SIGINT, &before, nullptr);
  running = false;
}

const wick::Cancellation& InterruptScope::token() const { return *current_token.load(); }

void InterruptScope::check() {
  if (active_ && token().is_cancelled() && PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace wick_python
