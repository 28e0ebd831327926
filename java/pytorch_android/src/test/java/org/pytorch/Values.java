package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the values that testdata/make_models.py writes, and compares results with them. */
final class Values {
  private final String text;
  private int at;

  private Values(String text) {
    this.text = text;
  }

  /** The values that stand one after the other. */
  static IValue[] parse(String text) {
    final Values reader = new Values(text);
    final List<IValue> out = new ArrayList<>();
    while (reader.at < text.length()) {
      out.add(reader.next());
    }
    return out.toArray(new IValue[0]);
  }

  private IValue next() {
    switch (text.charAt(at++)) {
      case 'n':
        return IValue.optionalNull();
      case 'b':
        return IValue.from(word().equals("1"));
      case 'i':
        return IValue.from(Long.parseLong(word()));
      case 'f':
        return IValue.from(number(word()));
      case 's':
        return IValue.from(string());
      case 't':
        return IValue.from(tensor());
      case 'T':
        return IValue.tupleFrom(items());
      case 'L':
        return IValue.listFrom(items());
      case 'X':
        return IValue.listFrom(tensors(items()));
      case 'B':
        return IValue.listFrom(booleans(words()));
      case 'J':
        return IValue.listFrom(longs(words()));
      case 'D':
        return IValue.listFrom(doubles(words()));
      case 'S':
        return IValue.dictStringKeyFrom(stringMap());
      case 'I':
        return IValue.dictLongKeyFrom(longMap());
      default:
        throw new IllegalArgumentException(text.substring(at - 1));
    }
  }

  // What stands between ':' and ';'.
  private String word() {
    final int end = text.indexOf(';', at);
    final String word = text.substring(at + 1, end);
    at = end + 1;
    return word;
  }

  private static double number(String word) {
    return word.equals("inf") ? Double.POSITIVE_INFINITY
        : word.equals("-inf") ? Double.NEGATIVE_INFINITY
        : word.equals("nan")  ? Double.NaN
                              : Double.parseDouble(word);
  }

  private String string() {
    return new String(Base64.getDecoder().decode(word()), StandardCharsets.UTF_8);
  }

  private String[] words() {
    final int end = text.indexOf(']', at);
    final String inside = text.substring(at + 1, end);
    at = end + 1;
    return inside.isEmpty() ? new String[0] : inside.split(" ");
  }

  private IValue[] items() {
    final List<IValue> out = new ArrayList<>();
    at++;
    while (text.charAt(at) != ')') {
      out.add(next());
    }
    at++;
    return out.toArray(new IValue[0]);
  }

  private Map<String, IValue> stringMap() {
    final Map<String, IValue> out = new HashMap<>();
    for (at++; text.charAt(at) != '}';) {
      final String key = next().toStr();
      out.put(key, next());
    }
    at++;
    return out;
  }

  private Map<Long, IValue> longMap() {
    final Map<Long, IValue> out = new HashMap<>();
    for (at++; text.charAt(at) != '}';) {
      final long key = next().toLong();
      out.put(key, next());
    }
    at++;
    return out;
  }

  private Tensor tensor() {
    final char form = text.charAt(at);
    final int bracket = text.indexOf('[', at);
    final String dtype = text.substring(at + 2, bracket);
    at = bracket;
    final long[] shape = longs(words());
    final String[] values = words();
    final MemoryFormat format = form == 'l' ? MemoryFormat.CHANNELS_LAST
        : form == 'd'                       ? MemoryFormat.CHANNELS_LAST_3D
                                            : MemoryFormat.CONTIGUOUS;
    switch (dtype) {
      case "uint8":
        return Tensor.fromBlobUnsigned(bytes(values), shape, format);
      case "int8":
        return Tensor.fromBlob(bytes(values), shape, format);
      case "int32":
        final int[] ints = new int[values.length];
        for (int i = 0; i < ints.length; i++) {
          ints[i] = Integer.parseInt(values[i]);
        }
        return Tensor.fromBlob(ints, shape, format);
      case "float32":
        final float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = (float) number(values[i]);
        }
        return Tensor.fromBlob(floats, shape, format);
      case "int64":
        return Tensor.fromBlob(longs(values), shape, format);
      case "float64":
        return Tensor.fromBlob(doubles(values), shape, format);
      default:
        throw new IllegalArgumentException(dtype);
    }
  }

  private static byte[] bytes(String[] words) {
    final byte[] out = new byte[words.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) Integer.parseInt(words[i]);
    }
    return out;
  }

  private static boolean[] booleans(String[] words) {
    final boolean[] out = new boolean[words.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = words[i].equals("1");
    }
    return out;
  }

  private static long[] longs(String[] words) {
    final long[] out = new long[words.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = Long.parseLong(words[i]);
    }
    return out;
  }

  private static double[] doubles(String[] words) {
    final double[] out = new double[words.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = number(words[i]);
    }
    return out;
  }

  private static Tensor[] tensors(IValue[] values) {
    final Tensor[] out = new Tensor[values.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[i].toTensor();
    }
    return out;
  }

  /** Compares all of it: types, shapes, memory formats, dtypes and values, floats within the tolerance. */
  static void assertSame(String where, IValue expected, IValue actual, double tolerance) {
    if (expected.isNull()) {
      assertTrue(where, actual.isNull());
    } else if (expected.isTensor()) {
      assertSame(where, expected.toTensor(), actual.toTensor(), tolerance);
    } else if (expected.isBool()) {
      assertEquals(where, expected.toBool(), actual.toBool());
    } else if (expected.isLong()) {
      assertEquals(where, expected.toLong(), actual.toLong());
    } else if (expected.isDouble()) {
      assertEquals(where, Double.doubleToLongBits(expected.toDouble()), Double.doubleToLongBits(actual.toDouble()));
    } else if (expected.isString()) {
      assertEquals(where, expected.toStr(), actual.toStr());
    } else if (expected.isTuple()) {
      assertItems(where, expected.toTuple(), actual.toTuple(), tolerance);
    } else if (expected.isList()) {
      assertItems(where, expected.toList(), actual.toList(), tolerance);
    } else if (expected.isBoolList()) {
      assertArrayEquals(where, expected.toBoolList(), actual.toBoolList());
    } else if (expected.isLongList()) {
      assertArrayEquals(where, expected.toLongList(), actual.toLongList());
    } else if (expected.isDoubleList()) {
      assertArrayEquals(where, expected.toDoubleList(), actual.toDoubleList(), 0);
    } else if (expected.isTensorList()) {
      final Tensor[] tensors = expected.toTensorList();
      assertEquals(where, tensors.length, actual.toTensorList().length);
      for (int i = 0; i < tensors.length; i++) {
        assertSame(where + "[" + i + "]", tensors[i], actual.toTensorList()[i], tolerance);
      }
    } else if (expected.isDictStringKey()) {
      assertMaps(where, expected.toDictStringKey(), actual.toDictStringKey(), tolerance);
    } else {
      assertTrue(where, expected.isDictLongKey());
      assertMaps(where, expected.toDictLongKey(), actual.toDictLongKey(), tolerance);
    }
  }

  private static void assertItems(String where, IValue[] expected, IValue[] actual, double tolerance) {
    assertEquals(where, expected.length, actual.length);
    for (int i = 0; i < expected.length; i++) {
      assertSame(where + "[" + i + "]", expected[i], actual[i], tolerance);
    }
  }

  private static <K> void assertMaps(String where, Map<K, IValue> expected, Map<K, IValue> actual, double tolerance) {
    assertEquals(where, expected.keySet(), actual.keySet());
    for (final Map.Entry<K, IValue> entry : expected.entrySet()) {
      assertSame(where + "[" + entry.getKey() + "]", entry.getValue(), actual.get(entry.getKey()), tolerance);
    }
  }

  static void assertSame(String where, Tensor expected, Tensor actual, double tolerance) {
    assertEquals(where, expected.dtype(), actual.dtype());
    assertArrayEquals(where, expected.shape(), actual.shape());
    assertEquals(where, expected.memoryFormat(), actual.memoryFormat());
    switch (expected.dtype()) {
      case UINT8:
        assertArrayEquals(where, expected.getDataAsUnsignedByteArray(), actual.getDataAsUnsignedByteArray());
        break;
      case INT8:
        assertArrayEquals(where, expected.getDataAsByteArray(), actual.getDataAsByteArray());
        break;
      case INT32:
        assertArrayEquals(where, expected.getDataAsIntArray(), actual.getDataAsIntArray());
        break;
      case FLOAT32:
        assertArrayEquals(where, expected.getDataAsFloatArray(), actual.getDataAsFloatArray(), (float) tolerance);
        break;
      case INT64:
        assertArrayEquals(where, expected.getDataAsLongArray(), actual.getDataAsLongArray());
        break;
      case FLOAT64:
        assertArrayEquals(where, expected.getDataAsDoubleArray(), actual.getDataAsDoubleArray(), tolerance);
        break;
    }
  }
}
