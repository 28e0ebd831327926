#include "plan/profile.h"

namespace wick::plan {
namespace {

thread_local Profile* t_profile = nullptr;

}  // namespace

ProfileScope::ProfileScope(Profile& profile) : before_(t_profile) { t_profile = &profile; }
ProfileScope::~ProfileScope() { t_profile = before_; }

Profile* current_profile() { return t_profile; }

}  // namespace wick::plan
