// The processors that this process should use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick {

// How many of `cpus` are of the fastest kind, by what Linux says of them under `sys` ("/sys"): their capacity or, where
// that is not known, their highest frequency. All of them when neither is known or they differ little.
int performance_cores(const std::string& sys, const std::vector<int>& cpus);

// Processors' worth of time that a control group allows, rounded up, from its files under `cgroup` ("/sys/fs/cgroup");
// 0: no limit.
int allowed_processors(const std::string& cgroup);

// The default number of threads of a computation: performance cores this process may run on, at least one.
int default_threads();

// Bytes of the second-level cache that a core of `cpus` of the fastest kind has for itself, by the files under `sys`:
// one that several share is divided among those of its kind. 0: the system does not say.
int64_t second_level_cache(const std::string& sys, const std::vector<int>& cpus);
// Bytes of the second-level cache of a core; what small cores have where the system does not say.
int64_t second_level_cache();

}  // namespace wick
