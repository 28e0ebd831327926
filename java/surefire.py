"""What Maven's test runs have said, for the scripts beside this file."""
import re


def counts(folders):
    """How many tests have passed and failed, by the reports in folders of surefire-reports."""
    passed = failed = 0
    for folder in folders:
        for report in folder.glob("*.txt"):
            found = re.search(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)", report.read_text())
            total, failures, errors, skipped = map(int, found.groups())
            failed += failures + errors
            passed += total - failures - errors - skipped
    return passed, failed


def conclude(folder, done):
    """Prints the closing line of a run, a subprocess; its exit status. A run of no test has failed."""
    passed, failed = counts([folder])
    if passed == 0 or (done.returncode != 0 and failed == 0):
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
