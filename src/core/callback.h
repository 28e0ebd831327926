// Callback: a function that is handed on, with a few words that it needs. Unlike std::function it allocates nothing and
// can't fail; what it holds is copied bit by bit, so it refers to whatever is larger or has an owner.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace wick {

template <class Signature>
class Callback;

template <class Result, class... Args>
class Callback<Result(Args...)> {
 public:
  Callback() = default;
  Callback(std::nullptr_t) noexcept {}
  template <class F>
  requires(!std::is_same_v<std::decay_t<F>, Callback> && std::is_invocable_r_v<Result, const F&, Args...>)
      Callback(const F& function)
  noexcept
      : call_([](const void* words, Args... args) -> Result {
          return (*std::launder(static_cast<const F*>(words)))(std::forward<Args>(args)...);
        }) {
    static_assert(sizeof(F) <= sizeof words_ && alignof(F) <= alignof(void*) && std::is_trivially_copyable_v<F>,
                  "a callback holds three words; capture by reference what is larger");
    new (static_cast<void*>(words_)) F(function);
  }

  explicit operator bool() const noexcept { return call_ != nullptr; }
  Result operator()(Args... args) const { return call_(words_, std::forward<Args>(args)...); }

 private:
  Result (*call_)(const void*, Args...) = nullptr;
  alignas(void*) unsigned char words_[3 * sizeof(void*)] = {};
};

}  // namespace wick
