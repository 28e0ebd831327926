"""What the Gradle files of an app say, so that it stands once: names, versions, folders of sources."""
import pathlib
import re


class GradleProject:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.app = self.folder / "app"
        self.text = (self.app / "build.gradle").read_text()
        self.name = re.search(r"rootProject\.name = '(\w+)'", (self.folder / "settings.gradle").read_text()).group(1)
        self.namespace, self.application_id = self._text("namespace"), self._text("applicationId")
        self.version_name = self._text("versionName")
        self.min_sdk, self.target_sdk, self.version_code = map(self._number, ("minSdk", "targetSdk", "versionCode"))
        self.no_compress = re.findall(r"'(\w+)'", self._found(r"noCompress \+= \[(.*?)\]"))
        more = re.findall(r"'([^']+)'", self._found(r"main\.java\.srcDirs \+= \[(.*?)\]"))
        self.sources = [d for d in [self.main / "java", *(self.app / m for m in more)] if d.is_dir()]
        self.dependencies = re.findall(r"implementation\(name: '([\w-]+)', ext: 'aar'\)", self.text)

    @property
    def main(self):
        return self.app / "src/main"

    def files(self, suffix):
        return sorted(p for folder in self.sources for p in folder.resolve().rglob(f"*{suffix}"))

    def _found(self, pattern):
        match = re.search(pattern, self.text)
        if not match:
            raise SystemExit(f"{self.app / 'build.gradle'}: nothing matches {pattern}")
        return match.group(1)

    def _text(self, key):
        return self._found(rf"\b{key} '([^']+)'")

    def _number(self, key):
        return int(self._found(rf"\b{key} (\d+)"))
