#!/bin/bash
# site.sh: builds the site into build/site/html; any warning is an error. Packages from PyPI go to build/site-venv.
# Pictures are made of real runs of build/bin/wick; the reference of Java by javadoc.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
venv=build/site-venv
pages=build/site/pages

[ -x $venv/bin/python ] || "$python" -m venv $venv
$venv/bin/python -m pip install -q --disable-pip-version-check 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10' matplotlib

rm -rf $pages/reference/java
mkdir -p $pages/reference/java
javadoc -quiet -Xdoclint:none --ignore-source-errors -notimestamp -public -d $pages/reference/java -encoding UTF-8 \
  -windowtitle 'org.pytorch on Wick' -classpath "$(scripts/site/java_classes.sh)" \
  -sourcepath java/pytorch_android/src/main/java:java/torchvision/src/main/java org.pytorch org.pytorch.torchvision \
  > build/site/javadoc.txt 2>&1 || { cat build/site/javadoc.txt; exit 1; }
if grep -E 'warning:|error:' build/site/javadoc.txt; then exit 1; fi

$venv/bin/python scripts/site/pictures.py build/bin/wick $pages/pictures
$venv/bin/python scripts/site/stage.py $pages
# The line about its successor that the theme prints is none of this build's warnings.
NO_MKDOCS_2_WARNING=1 $venv/bin/python -m mkdocs build --strict --quiet
echo "build/site/html/index.html: $(find build/site/html -name '*.html' | wc -l) pages"
