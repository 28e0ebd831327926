package org.pytorch;

/**
 * Stops loads and calls that were given it, from any thread. Once cancelled it stays so.
 *
 * <pre>{@code
 * Cancellation stop = new Cancellation();
 * executor.submit(() -> module.forward(new RunOptions().cancellation(stop), input));
 * stop.cancel(); // the call throws a PyTorchException of code CANCELLED
 * }</pre>
 */
public final class Cancellation implements AutoCloseable {
  private final long mHandleId; // read by native code
  private final NativeHandle mHandle;

  public Cancellation() {
    NativeLibraries.loadMain();
    mHandleId = Natives.newCancellation();
    mHandle = NativeHandle.of(this, mHandleId, 0);
  }

  public void cancel() {
    Natives.cancel(this, mHandleId);
  }

  public boolean isCancelled() {
    return Natives.isCancelled(this, mHandleId);
  }

  /** Frees it; calls that were given it go on. One that is not closed is freed when nothing refers to it. */
  @Override
  public void close() {
    mHandle.release();
  }
}
