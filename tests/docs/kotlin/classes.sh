#!/bin/sh
# classes.sh LIST: the class path of the Kotlin compiler, of what Maven fetches; kept in the file LIST.
set -eu
list=$1
[ -s "$list" ] || mvn -q -B -ntp -f "$(dirname "$0")/pom.xml" dependency:build-classpath -Dmdep.outputFile="$list" >&2
cat "$list"
