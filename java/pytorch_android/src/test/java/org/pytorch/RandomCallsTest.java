package org.pytorch;

import static org.junit.Assert.assertTrue;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

/** Random sequences of calls over the whole API: they may fail with an exception, and never crash the machine. */
public class RandomCallsTest {
  private static final int CALLS = Models.rounds(30_000);
  private final Random random = new Random(20);
  private final List<Module> modules = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Cancellation> cancellations = new ArrayList<>();
  private final List<String> methods = new ArrayList<>();

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static <T> void keep(List<T> list, T item, int most, Random random) {
    if (list.size() < most) {
      list.add(item);
    } else {
      list.set(random.nextInt(most), item);
    }
  }

  private Tensor newTensor() {
    final int dims = random.nextInt(6);
    final long[] shape = new long[dims];
    int count = 1;
    for (int i = 0; i < dims; i++) {
      shape[i] = random.nextInt(4);
      count *= (int) shape[i];
    }
    final MemoryFormat format =
        random.nextInt(4) == 0 ? MemoryFormat.values()[random.nextInt(3)] : MemoryFormat.CONTIGUOUS;
    switch (random.nextInt(9)) {
      case 0:
        return Tensor.fromBlobUnsigned(new byte[count], shape, format);
      case 1:
        return Tensor.fromBlob(new byte[count], shape, format);
      case 2:
        return Tensor.fromBlob(new int[count], shape, format);
      case 3:
        return Tensor.fromBlob(new long[count], shape, format);
      case 4:
        return Tensor.fromBlob(Tensor.allocateDoubleBuffer(count), shape, format);
      case 5:
        return Tensor.fromBlob(Tensor.allocateFloatBuffer(count).asReadOnlyBuffer(), shape, format);
      case 6:
        return Tensor.fromBlob(
            Tensor.allocateByteBuffer(count * 4 + 1).slice(1, count * 4).order(ByteOrder.nativeOrder()).asFloatBuffer(),
            shape, null);
      case 7:
        return Tensor.fromBlob(new double[random.nextInt(3)], new long[] {random.nextInt(3)});
      default:
        return Tensor.fromBlob(new float[count], shape, format);
    }
  }

  private IValue value(int depth) {
    switch (random.nextInt(depth > 4 ? 9 : 14)) {
      case 0:
        return IValue.optionalNull();
      case 1:
        return IValue.from(random.nextBoolean());
      case 2:
        return IValue.from(random.nextInt(2000) - 1000L);
      case 3:
        return IValue.from(random.nextGaussian());
      case 4:
        return IValue.from("text " + (char) random.nextInt(65536));
      case 5:
        return IValue.listFrom(random.longs(random.nextInt(5)).toArray());
      case 6:
        return IValue.listFrom(new boolean[random.nextInt(4)]);
      case 7:
        return random.nextInt(30) == 0 ? null : IValue.listFrom(random.doubles(random.nextInt(4)).toArray());
      case 8:
      case 9:
        return IValue.from(any(tensors));
      case 10:
        return IValue.listFrom(any(tensors), any(tensors));
      case 11:
        return IValue.tupleFrom(values(depth + 1));
      case 12:
        return IValue.listFrom(values(depth + 1));
      default:
        final Map<String, IValue> map = new HashMap<>();
        for (final IValue v : values(depth + 1)) {
          map.put("k" + random.nextInt(9), v);
        }
        return IValue.dictStringKeyFrom(map);
    }
  }

  private IValue[] values(int depth) {
    final IValue[] out = new IValue[random.nextInt(4)];
    for (int i = 0; i < out.length; i++) {
      out[i] = value(depth);
    }
    return out;
  }

  private void keepTensors(IValue result) {
    if (result != null && result.isTensor()) {
      keep(tensors, result.toTensor(), 40, random);
    } else if (result != null && result.isTensorList()) {
      for (final Tensor t : result.toTensorList()) {
        keep(tensors, t, 40, random);
      }
    }
  }

  private void step() {
    final Module module = any(modules);
    switch (random.nextInt(16)) {
      case 0:
        keep(tensors, newTensor(), 40, random);
        break;
      case 1:
        if (random.nextInt(20) == 0) {
          final String[] names = {"api.ptl", "api.pt", "state.ptl", "net.ptl", "tiny.pt"};
          keep(modules, Models.load(names[random.nextInt(names.length)]), 6, random);
        }
        break;
      case 2:
        if (random.nextInt(40) == 0) {
          module.destroy();
        }
        break;
      case 3:
        if (random.nextInt(4) == 0) {
          any(tensors).close();
        }
        break;
      case 4:
        final Tensor t = any(tensors);
        if (t.dtype() == DType.FLOAT32) {
          t.getDataAsFloatArray();
        }
        t.dataBuffer();
        break;
      case 5:
        keep(cancellations, new Cancellation(), 3, random);
        break;
      case 6:
        if (random.nextInt(5) == 0) {
          any(cancellations).cancel();
        }
        any(cancellations).close();
        break;
      case 7:
        module.methods();
        module.setNumThreads(random.nextInt(3));
        break;
      case 8:
        module.forwardInto(any(tensors), values(0));
        break;
      case 9:
        keepTensors(module.runMethod(any(methods),
            new RunOptions().timeoutMillis(100).maxMemory(1 << 26).cancellation(any(cancellations)), values(0)));
        break;
      case 10:
        keepTensors(module.forward(IValue.from(any(tensors))));
        break;
      default:
        keepTensors(module.runMethod(any(methods), values(0)));
    }
  }

  @Test
  public void randomCalls() {
    modules.add(Models.load("api.ptl"));
    for (final MethodInfo method : modules.get(0).methods()) {
      methods.add(method.name());
    }
    methods.add("no_such_method");
    modules.add(Models.load("state.ptl"));
    tensors.add(newTensor());
    cancellations.add(new Cancellation());
    int succeeded = 0;
    for (int i = 0; i < CALLS; i++) {
      try {
        step();
        succeeded++;
      } catch (RuntimeException e) {
        // Wrong calls fail.
      }
    }
    assertTrue(succeeded + " of " + CALLS, succeeded > CALLS / 5);
  }
}
