# ruby setup.rb [-t|--team_id ID] [-l|--lite 1]: makes TestApp.xcodeproj ready for what build_ios.sh built and for the
# models in ../models. Run it in this folder; it needs Python 3 and no gem.
require 'json'
require 'optparse'

options = {}
OptionParser.new do |parser|
  parser.banner = 'Script for setting up TestApp.xcodeproj'
  parser.on('-t', '--team_id ', 'development team ID') { |value| options[:team_id] = value }
  parser.on('-l', '--lite ', 'use lite interpreter') { |value| options[:lite] = value }
end.parse!
puts options.inspect

puts "Current directory: #{Dir.pwd}"
install_path = File.expand_path('../../../build_ios/install')
raise "path doesn't exist:#{install_path}!" unless Dir.exist?(install_path)

project_path = File.expand_path('../TestApp.xcodeproj')
raise "path doesn't exist:#{project_path}!" unless Dir.exist?(project_path)

puts 'Setting up TestApp.xcodeproj...'
settings = {
  'HEADER_SEARCH_PATHS' => ['$(inherited)', "#{install_path}/include"],
  'LIBRARY_SEARCH_PATHS' => ['$(inherited)', "#{install_path}/lib"],
  'OTHER_LDFLAGS' => ['$(inherited)', '-all_load', '-lc++', '-lz'],
  'ENABLE_BITCODE' => 'NO',
}
settings['GCC_PREPROCESSOR_DEFINITIONS'] = ['$(inherited)', 'BUILD_LITE_INTERPRETER=1'] if options[:lite]
settings['DEVELOPMENT_TEAM'] = options[:team_id] if options[:team_id]

config_path = File.expand_path('./config.json')
raise "config.json can't be found!" unless File.exist?(config_path)

puts 'Installing models...'
models = Dir.glob('../models/*.{pt,ptl}').sort.map { |path| 'models/' + File.basename(path) }
models.each { |model| puts "  #{model}" }

puts 'Adding test files...'
test = options[:lite] ? 'TestAppTests/TestLiteInterpreter.mm' : 'TestAppTests/TestFullJIT.mm'

puts 'Linking static libraries...'
names = %w[libc10 libclog libpthreadpool libXNNPACK libeigen_blas libcpuinfo libpytorch_qnnpack libtorch_cpu libtorch]
libraries = names.map { |name| "#{install_path}/lib/#{name}.a" }.select { |path| File.exist?(path) }

overrides = {
  'settings' => settings,
  'resource_files' => ['benchmark/config.json'] + models,
  'libraries' => libraries,
  'frameworks' => %w[UIKit CoreML Metal MetalPerformanceShaders Accelerate],
  'tests' => { 'name' => 'TestAppTests', 'sources' => [test] },
}
maker = File.expand_path('../../../scripts/make_xcodeproj.py')
ok = system('python3', maker, File.expand_path('..'), '--overrides', JSON.generate(overrides))
raise 'TestApp.xcodeproj could not be written' unless ok

puts 'Done.'
