#!/bin/sh
# java_classes.sh: the class path that the sources of org.pytorch are compiled with (Android's classes, annotations), of
# what Maven fetched.
set -eu
cd "$(dirname "$0")/../../java"
list=$PWD/target/site-classes.txt
if [ ! -s "$list" ] || [ pom.xml -nt "$list" ]; then
  mvn -q -B -ntp -pl pytorch_android,torchvision compile dependency:build-classpath -DincludeScope=compile \
    -Dmdep.outputFile="$list.part" -Dmdep.outputAbsoluteArtifactFilename=true >&2
  mv "$list.part" "$list"
fi
cat "$list"
