package org.pytorch;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.annotations.NotNull;

/**
 * What a Java object owns in native code: freed by {@link #release}, or when the object is gone. Native code knows it
 * by a number that is never used again, so that releasing twice, and using what was released, does no harm.
 *
 * <p>Garbage collectors do not see native memory. When tensors that nobody closes hold much of it, a collection is
 * asked for.
 *
 * <p>Threads: every method may be called from any thread.
 */
final class NativeHandle extends PhantomReference<Object> {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static final long IDLE_MILLIS = 10_000;
  private static final AtomicBoolean HAS_CLEANER = new AtomicBoolean();

  // A ring of all live handles, which keeps them from being collected themselves; its links, and the bytes, are
  // changed under the lock of RING.
  private static final NativeHandle RING = new NativeHandle();

  // Native bytes of live tensors, and how many of them make a collection worth its time.
  private static long bytes;
  private static final long LEAST_LIMIT =
      Math.max(64L << 20, Math.min(Runtime.getRuntime().maxMemory() / 4, 512L << 20));
  private static volatile long limit = LEAST_LIMIT;

  private final long mId;
  private final long mBytes;
  private NativeHandle mNext; // null: released
  private NativeHandle mPrevious;

  private NativeHandle() {
    super(null, null);
    mId = 0;
    mBytes = 0;
    mNext = this;
    mPrevious = this;
  }

  private NativeHandle(Object owner, long id, long bytes) {
    super(owner, QUEUE);
    mId = id;
    mBytes = bytes;
  }

  /** Ties the number to its owner. */
  static @NotNull NativeHandle of(Object owner, long id, long bytes) {
    freeUnreachable();
    final NativeHandle handle = new NativeHandle(owner, id, bytes);
    final long all = handle.link();
    startCleaner();
    if (all > limit) {
      collect();
    }
    return handle;
  }

  long id() {
    return mId;
  }

  void release() {
    if (unlink()) {
      clear();
      Natives.release(mId);
    }
  }

  // Returns the bytes of all.
  private long link() {
    synchronized (RING) {
      mNext = RING.mNext;
      mPrevious = RING;
      RING.mNext.mPrevious = this;
      RING.mNext = this;
      bytes += mBytes;
      return bytes;
    }
  }

  // False when it is done already.
  private boolean unlink() {
    synchronized (RING) {
      if (mNext == null) {
        return false;
      }
      mNext.mPrevious = mPrevious;
      mPrevious.mNext = mNext;
      mNext = null;
      mPrevious = null;
      bytes -= mBytes;
      return true;
    }
  }

  /** Native bytes that live tensors hold. */
  static long bytes() {
    synchronized (RING) {
      return bytes;
    }
  }

  /** Frees what belongs to objects that are gone. */
  static void freeUnreachable() {
    for (Object handle = QUEUE.poll(); handle != null; handle = QUEUE.poll()) {
      ((NativeHandle) handle).release();
    }
  }

  private static synchronized void collect() {
    if (bytes() <= limit) {
      return; // another thread did it
    }
    System.gc();
    // References are put into the queue a moment after the collection.
    for (int milliseconds = 1; milliseconds <= 16 && bytes() > limit / 2; milliseconds *= 2) {
      try {
        Thread.sleep(milliseconds);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      freeUnreachable();
    }
    limit = Math.max(LEAST_LIMIT, 2 * bytes());
  }

  private static boolean isEmpty() {
    synchronized (RING) {
      return RING.mNext == RING;
    }
  }

  // Ends when there was nothing to do for a while, so that a class loader that is not used any more can be collected.
  private static void startCleaner() {
    if (HAS_CLEANER.get() || !HAS_CLEANER.compareAndSet(false, true)) {
      return;
    }
    final Thread cleaner = new Thread("pytorch-cleaner") {
      @Override
      public void run() {
        while (true) {
          try {
            final Object handle = QUEUE.remove(IDLE_MILLIS);
            if (handle != null) {
              ((NativeHandle) handle).release();
            } else if (isEmpty()) {
              HAS_CLEANER.set(false);
              // A handle that came meanwhile has started another one, unless it has seen this one still.
              if (isEmpty() || !HAS_CLEANER.compareAndSet(false, true)) {
                return;
              }
            }
          } catch (InterruptedException e) {
            // Nobody has a reason to stop it; it goes on.
          }
        }
      }
    };
    cleaner.setDaemon(true);
    cleaner.setContextClassLoader(null);
    try {
      cleaner.start();
    } catch (Throwable e) { // another handle tries again
      HAS_CLEANER.set(false);
      throw e;
    }
  }
}
