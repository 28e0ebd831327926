package org.pytorch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.Map;
import org.junit.Test;

/** Values need no native library. */
public class IValueTest {
  private static final String[] NAMES = {"Null", "Tensor", "Bool", "Long", "Double", "String", "Tuple", "BoolList",
      "LongList", "DoubleList", "TensorList", "GenericList", "DictStringKey", "DictLongKey"};

  private static IValue[] oneOfEach() {
    return new IValue[] {IValue.optionalNull(), IValue.from((Tensor) null), IValue.from(true), IValue.from(1),
        IValue.from(1.5f), IValue.from("x"), IValue.tupleFrom(), IValue.listFrom(true), IValue.listFrom(1, 2),
        IValue.listFrom(1.5f, 2), IValue.listFrom(new Tensor[0]), IValue.listFrom(new IValue[0]),
        IValue.dictStringKeyFrom(Collections.emptyMap()), IValue.dictLongKeyFrom(Collections.emptyMap())};
  }

  private static boolean[] tests(IValue v) {
    return new boolean[] {v.isNull(), v.isTensor(), v.isBool(), v.isLong(), v.isDouble(), v.isString(), v.isTuple(),
        v.isBoolList(), v.isLongList(), v.isDoubleList(), v.isTensorList(), v.isList(), v.isDictStringKey(),
        v.isDictLongKey()};
  }

  private static Runnable[] getters(IValue v) {
    return new Runnable[] {()
                               -> {},
        v::toTensor, v::toBool, v::toLong, v::toDouble, v::toStr, v::toTuple, v::toBoolList, v::toLongList,
        v::toDoubleList, v::toTensorList, v::toList, v::toDictStringKey, v::toDictLongKey};
  }

  @Test
  public void exactlyOneTestIsTrue() {
    final IValue[] values = oneOfEach();
    for (int i = 0; i < values.length; i++) {
      for (int k = 0; k < values.length; k++) {
        assertEquals(NAMES[i] + " " + NAMES[k], i == k, tests(values[i])[k]);
      }
    }
  }

  @Test
  public void gettersOfOtherTypesNameBoth() {
    final IValue[] values = oneOfEach();
    for (int i = 0; i < values.length; i++) {
      for (int k = 1; k < values.length; k++) {
        final Runnable getter = getters(values[i])[k];
        if (i == k) {
          getter.run();
          continue;
        }
        final Throwable failure = Models.failure(getter);
        assertEquals(IllegalStateException.class, failure.getClass());
        assertEquals("Expected IValue type " + NAMES[k] + ", actual type " + NAMES[i], failure.getMessage());
      }
    }
  }

  @Test
  public void whatWasStoredIsReturned() {
    final Tensor tensor = Tensor.fromBlob(new float[1], new long[] {1});
    assertSame(tensor, IValue.from(tensor).toTensor());
    final IValue[] items = {IValue.from(1), IValue.from("mixed")};
    assertSame(items, IValue.tupleFrom(items).toTuple());
    final Map<String, IValue> map = Collections.singletonMap("k", IValue.from(2));
    assertSame(map, IValue.dictStringKeyFrom(map).toDictStringKey());
    final long[] longs = {1};
    assertSame(longs, IValue.listFrom(longs).toLongList());
  }

  @Test
  public void listsHaveOneType() {
    assertTrue(IValue.listFrom(IValue.from(1), IValue.from(2)).isList());
    final Throwable failure = Models.failure(() -> IValue.listFrom(IValue.from(1), IValue.from(2.0)));
    assertEquals(IllegalArgumentException.class, failure.getClass());
    assertEquals("List must contain items of the same type", failure.getMessage());
    assertEquals(NullPointerException.class, Models.failure(() -> IValue.listFrom((IValue) null)).getClass());
    assertEquals(NullPointerException.class, Models.failure(() -> IValue.listFrom(IValue.from(1), null)).getClass());
    assertTrue(IValue.listFrom(new IValue[0]).isList());
  }
}
