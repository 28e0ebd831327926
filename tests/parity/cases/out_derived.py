"""Every `out=` overload whose functional form another table calls: the same arguments, and destinations that fit, are
empty, have another shape, other strides or another dtype."""
from lib.case import *
from lib.destinations import borrowed, out_cases, own_options, siblings

UNLIKE = {"aten::linalg_lstsq.out",  # an empty destination becomes a view of LAPACK's workspace
          "aten::_logcumsumexp.out"}  # PyTorch writes past the end of a destination that does not fit


def cases():
    for op, items in borrowed(each=3):
        for out_op in sorted(set(siblings()[op]) - UNLIKE):
            for item in items:
                yield from out_cases(op, out_op, item.args, item.kwargs, **own_options(item))
