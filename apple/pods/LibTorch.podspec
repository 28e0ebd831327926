# Code written for the pod LibTorch: torch::jit::load and all that torch/script.h declares.
# The sources are scripts/make_pod.py's zip: install/include, install/LibTorch.xcframework, src/LibTorch.h, LICENSE.
Pod::Spec.new do |s|
  s.name = 'LibTorch'
  s.version = '1.13.0.1'
  s.summary = 'Wick in place of LibTorch: PyTorch models on iOS, in a small library'
  s.description = <<-TEXT
    Runs PyTorch model files (.pt, .ptl) without PyTorch. Code written for the pod LibTorch compiles and links unchanged.
  TEXT
  s.homepage = ENV['WICK_HOMEPAGE'] || 'https://example.org/wick'
  s.license = { :type => 'BSD-3-Clause', :file => 'LICENSE' }
  s.author = 'Wick authors'
  s.source = { :http => ENV['WICK_POD_URL'] || 'file://' + File.expand_path('LibTorch.zip', __dir__) }
  s.ios.deployment_target = '12.0'
  s.default_subspec = 'Core'
  s.static_framework = true

  s.subspec 'Core' do |core|
    core.dependency 'LibTorch/Torch'
    core.source_files = 'src/*.h'
    core.public_header_files = 'src/LibTorch.h'
  end

  s.subspec 'Torch' do |torch|
    torch.preserve_paths = 'install/include/**/*.{h,cpp,cc,c}'
    torch.vendored_frameworks = 'install/LibTorch.xcframework'
    torch.libraries = ['c++', 'z']
    torch.resource_bundles = { 'LibTorch-privacy' => ['PrivacyInfo.xcprivacy'] }
  end

  # No -force_load and no -all_load: Wick registers nothing when a program starts.
  s.user_target_xcconfig = {
    'HEADER_SEARCH_PATHS' => '$(inherited) "$(PODS_ROOT)/LibTorch/install/include/"',
    'CLANG_CXX_LANGUAGE_STANDARD' => 'c++14',
    'CLANG_CXX_LIBRARY' => 'libc++',
  }
  s.pod_target_xcconfig = {
    'HEADER_SEARCH_PATHS' => '$(inherited) "$(PODS_ROOT)/LibTorch/install/include/"',
    'CLANG_CXX_LANGUAGE_STANDARD' => 'c++14',
    'CLANG_CXX_LIBRARY' => 'libc++',
  }
end
