package org.pytorch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * A loaded model: a TorchScript file ({@code .pt}) or one for the lite interpreter ({@code .ptl}, {@code .ff}).
 *
 * <pre>{@code
 * try (Module module = Module.load(path)) {
 *   Tensor scores = module.forward(IValue.from(image)).toTensor();
 * }
 * }</pre>
 *
 * <p>Threads: methods of the model may run in several threads at once; attributes that a method changes are changed for
 * all. {@link #destroy} may be called at any time: calls that are running finish. Results stay valid.
 */
public class Module implements AutoCloseable {
  private final INativePeer mNativePeer;
  private volatile int mNumThreads; // 0: those of PyTorchAndroid.setNumThreads

  Module(INativePeer nativePeer) {
    mNativePeer = nativePeer;
  }

  /**
   * Loads a model in inference mode.
   *
   * @param extraFiles files stored beside the model, by name; their contents are put into the map, an empty string for
   *     one that does not exist. May be null.
   */
  public static @NotNull Module load(String modelPath, @Nullable Map<String, String> extraFiles, Device device) {
    return new Module(new NativePeer(modelPath, extraFiles, device));
  }

  /** Loads a model in inference mode. */
  public static @NotNull Module load(String modelPath) {
    return load(modelPath, null, Device.CPU);
  }

  /** Loads a model in inference mode, within bounds. */
  public static @NotNull Module load(String modelPath, @NotNull LoadOptions options) {
    return new Module(new NativePeer(ModelSource.file(modelPath), null, options.device(), options));
  }

  /** Loads a model from its bytes, in inference mode. */
  public static @NotNull Module loadFromBytes(byte @NotNull [] model) {
    return loadFromBytes(model, LoadOptions.DEFAULT);
  }

  /** Loads a model from its bytes, in inference mode, within bounds. */
  public static @NotNull Module loadFromBytes(byte @NotNull [] model, @NotNull LoadOptions options) {
    return new Module(new NativePeer(ModelSource.array(model), null, options.device(), options));
  }

  /** Loads a model from the remaining bytes of a buffer, in inference mode; the buffer is not changed. */
  public static @NotNull Module loadFromBuffer(@NotNull ByteBuffer model) {
    return loadFromBuffer(model, LoadOptions.DEFAULT);
  }

  /** Loads a model from the remaining bytes of a buffer, in inference mode, within bounds. */
  public static @NotNull Module loadFromBuffer(@NotNull ByteBuffer model, @NotNull LoadOptions options) {
    return new Module(new NativePeer(ModelSource.buffer(model), null, options.device(), options));
  }

  /**
   * Runs the method {@code forward}. Arguments at the end that are left out take their defaults.
   *
   * @throws PyTorchException for wrong arguments, and for what goes wrong in the model
   */
  public @NotNull IValue forward(IValue... inputs) {
    return mNumThreads == 0 ? mNativePeer.forward(inputs) : run("forward", null, null, inputs);
  }

  /**
   * Runs a method.
   *
   * @throws IllegalArgumentException when the model does not have it
   * @throws PyTorchException for wrong arguments, and for what goes wrong in the model
   */
  public @NotNull IValue runMethod(String methodName, IValue... inputs) {
    return mNumThreads == 0 ? mNativePeer.runMethod(methodName, inputs) : run(methodName, null, null, inputs);
  }

  /** Runs the method {@code forward} within bounds, which end it with a {@link PyTorchException}. */
  public @NotNull IValue forward(@NotNull RunOptions options, IValue... inputs) {
    return run("forward", options, null, inputs);
  }

  /** Runs a method within bounds, which end it with a {@link PyTorchException}. */
  public @NotNull IValue runMethod(String methodName, @NotNull RunOptions options, IValue... inputs) {
    return run(methodName, options, null, inputs);
  }

  /**
   * Runs the method {@code forward} and copies its result, a tensor, into the buffer of {@code output}: no Java object
   * is made for it, and the model's own memory is free again when the call returns.
   *
   * @throws IllegalArgumentException when {@code output} has another dtype or shape than the result, or is read-only
   */
  public void forwardInto(@NotNull Tensor output, IValue... inputs) {
    run("forward", null, new Tensor[] {output}, inputs);
  }

  /**
   * Runs a method and copies its results, a tensor or a tuple or list of tensors, into buffers of the caller.
   *
   * @throws IllegalArgumentException when there is another number of results, or one has another dtype or shape, or a
   *     buffer is read-only
   */
  public void runMethodInto(
      String methodName, Tensor @NotNull [] outputs, @NotNull RunOptions options, IValue... inputs) {
    run(methodName, options, outputs.clone(), inputs);
  }

  /** The methods of the model, with their arguments. */
  public @NotNull List<MethodInfo> methods() {
    final List<MethodInfo> methods = new ArrayList<>();
    for (final String[] row : Natives.methods(mNativePeer, mNativePeer.handle())) {
      methods.add(new MethodInfo(row));
    }
    return Collections.unmodifiableList(methods);
  }

  /**
   * Runs the method {@code forward} and tells what its steps took. The first calls of a model with inputs of new shapes
   * prepare it: call it a few times before.
   */
  public @NotNull Profile profile(IValue... inputs) {
    return profileMethod("forward", new RunOptions(), inputs);
  }

  /** Runs a method within bounds and tells what its steps took. */
  public @NotNull Profile profileMethod(String methodName, @NotNull RunOptions options, IValue... inputs) {
    return new Profile(
        Natives.profile(mNativePeer, mNativePeer.handle(), methodName, options, mNumThreads, inputs));
  }

  /**
   * How many threads each call of this model may use, the calling one included; 0: as many as {@link
   * PyTorchAndroid#setNumThreads} says.
   */
  public void setNumThreads(int numThreads) {
    if (numThreads < 0) {
      throw new IllegalArgumentException("Number of threads cannot be less than 0");
    }
    mNumThreads = numThreads;
  }

  /** Frees the native model, as soon as no call is running; later calls throw {@link NullPointerException}. */
  public void destroy() {
    mNativePeer.resetNative();
  }

  /** The same as {@link #destroy}. */
  @Override
  public void close() {
    destroy();
  }

  private IValue run(String method, @Nullable RunOptions options, @Nullable Tensor[] outputs, IValue[] inputs) {
    return Natives.run(mNativePeer, mNativePeer.handle(), method, options, mNumThreads, outputs, inputs);
  }
}
