// c10::List: a list with the elements of one type that copies share, as a model sees it.
#pragma once

#include <ATen/core/ivalue.h>
