#!/bin/sh
# install.sh [--least | --large]: a virtual environment in build/peers with the engines of `make bench`, from PyPI by name.
# --least is ONNX Runtime alone, and nothing when it is there; --large adds PyTorch 2, ExecuTorch and the converter of
# LiteRT (several gigabytes). What cannot be installed is named and left out; the benchmark says so in its table.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-/usr/bin/python3}
where="$top/build/peers"

small="onnxruntime==1.31.1 onnx==1.23.2 openvino==2026.4.1 ncnn==1.0.20261020 pnnx==20261020 ai-edge-litert==2.3.0"
large="torch==2.14.1 torchvision==0.29.2 executorch==1.5.1 litert-torch==0.10.0"
# The release that the targets were set with has a separate environment.
older="onnxruntime==1.23.2"
case "${1:-}" in
  --least)
    ! "$where/bin/python" -c 'import onnxruntime' 2> /dev/null || exit 0
    wanted="onnxruntime==1.31.1" ;;
  --large) wanted="$small $large" ;;
  *)
    wanted="$small"
    echo "PyTorch 2, ExecuTorch and LiteRT's converter are left out: make bench-peers LARGE=1 adds them" ;;
esac

if [ "${1:-}" != --least ]; then
  echo "installing into build/peers-1.23 from PyPI: $older"
  [ -x "$where-1.23/bin/python" ] || "$python" -m venv "$where-1.23"
  "$where-1.23/bin/python" -m pip install -q "$older" || echo "could not be installed: $older"
fi
echo "installing into build/peers from PyPI: $wanted"
[ -x "$where/bin/python" ] || "$python" -m venv "$where"
"$where/bin/python" -m pip install -q $wanted && exit 0
# One that is missing for this machine must not keep the others away.
missing=""
for package in $wanted; do
  "$where/bin/python" -m pip install -q "$package" || missing="$missing $package"
done
[ -z "$missing" ] || echo "could not be installed:$missing"
