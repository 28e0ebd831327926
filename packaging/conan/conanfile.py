"""Wick from the checkout that this file is in: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.gnu import PkgConfigDeps


class Wick(ConanFile):
    name = "wick"
    description = "Runs PyTorch model files (.ptl, .pt) without PyTorch"
    license = "BSD-3-Clause"
    topics = ("pytorch", "torchscript", "inference", "mobile")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "image": [True, False],  # wick::image: PNG and JPEG pictures
        "linalg": [True, False],  # the operators of torch.linalg
        "tools": [True, False],  # the wick command; needs image
        "selected_op_list": ["", "ANY"],  # a file of `wick trace`: the runtime alone, with what the list names
    }
    default_options = {"shared": False, "fPIC": True, "image": True, "linalg": True, "tools": False, "selected_op_list": ""}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(wick VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "scripts/*", "tools/*", "bench/*"):
            copy(self, pattern, root, self.export_sources_folder)

    @property
    def _selective(self):
        return bool(self.options.selected_op_list)

    def _has(self, option):
        return bool(self.options.get_safe(option, False))

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        if self._selective:
            for name in ("image", "linalg", "tools"):  # the list decides
                self.options.rm_safe(name)

    def validate(self):
        check_min_cppstd(self, 20)
        if self._has("tools") and not self._has("image"):
            raise ConanInvalidConfiguration("tools=True needs image=True")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("highway/[>=1.0.3 <2]")
        self.requires("zlib/[>=1.2.11 <2]")
        if self._has("linalg"):
            self.requires("eigen/[>=3.4.0 <4]")
        if self._has("image"):
            self.requires("libpng/[>=1.6 <2]")
            self.requires("libjpeg-turbo/[>=2.1 <4]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25 <5]")
        self.tool_requires("pkgconf/[>=2.0 <3]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CMAKE_CXX_FLAGS_RELEASE"] = "-O2 -DNDEBUG"  # as the project's presets
        toolchain.cache_variables["WICK_BUILD_TESTS"] = False
        toolchain.cache_variables["WICK_VULKAN"] = False
        toolchain.cache_variables["WICK_BUILD_TOOLS"] = self._has("tools")
        toolchain.cache_variables["WICK_IMAGE"] = self._has("image")
        toolchain.cache_variables["WICK_LINALG"] = self._has("linalg")
        if self._selective:
            toolchain.cache_variables["WICK_SELECTED_OP_LIST"] = str(self.options.selected_op_list)
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan writes these for the settings of the one who asks.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def _from_conan(self, *names):
        """Those of the libraries that Conan has; the system's ([platform_requires]) are found by the linker."""
        found = {dependency.ref.name for dependency in self.dependencies.direct_host.values()}
        return [f"{name}::{name}" for name in names if name in found]

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "wick")
        self.cpp_info.set_property("pkg_config_name", "wick")
        needs = {"runtime": self._from_conan("highway", "zlib", "eigen"), "compiler": ["runtime"]}
        if self._selective:
            del needs["compiler"]
        if self._has("image"):
            needs["image"] = ["runtime", *self._from_conan("libpng", "libjpeg-turbo")]
        for name, required in needs.items():
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", f"wick::{name}")
            component.libs = [f"wick_{name}"]
            component.requires = required
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.components["runtime"].system_libs = ["pthread", "dl", "m"]
