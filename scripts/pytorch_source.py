"""Sources as Debian has them, for tests that compile and run PyTorch's own: fetched, never kept in the tree."""
import pathlib
import subprocess


def fetch(folder, package="pytorch"):
    """The package's tarball, below `folder`; source packages need not be enabled on this machine."""
    folder = pathlib.Path(folder).resolve()
    if found := sorted(folder.glob(f"{package}_*.orig.tar.*")):
        return found[0]
    (folder / "lists/partial").mkdir(parents=True, exist_ok=True)
    # From wherever this machine's packages come.
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages", "Origin: Debian",
             "Component: main"]
    places = set(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines())
    if not places:
        raise SystemExit(f"The source package {package} cannot be fetched: run apt-get update first")
    sources = folder / "sources.list"
    sources.write_text("".join(f"deb-src {place} main\n" for place in sorted(places)))
    settings = {"Etc::sourcelist": sources, "Etc::sourceparts": "-", "State::lists": folder / "lists"}
    options = [word for name, value in settings.items() for word in ("-o", f"Dir::{name}={value}")]
    subprocess.run(["apt-get", *options, "-qq", "update"], check=True)
    subprocess.run(["apt-get", *options, "-qq", "source", "--download-only", "--tar-only", package], check=True,
                   cwd=folder)
    return sorted(folder.glob(f"{package}_*.orig.tar.*"))[0]
