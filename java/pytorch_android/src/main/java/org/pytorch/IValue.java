package org.pytorch;

import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * A value that a model takes or gives: None, a tensor, a bool, an int, a float, a string, or a tuple, list or dict of
 * these. Exactly one of the {@code is...()} methods is true of it.
 *
 * <pre>{@code
 * Map<String, IValue> result = module.forward(IValue.from(image), IValue.from(3)).toDictStringKey();
 * float[] scores = result.get("out").toTensor().getDataAsFloatArray();
 * }</pre>
 *
 * <p>A value refers to the objects it is made from and does not copy them.
 */
public class IValue {
  private static final int NULL = 1;
  private static final int TENSOR = 2;
  private static final int BOOL = 3;
  private static final int LONG = 4;
  private static final int DOUBLE = 5;
  private static final int STRING = 6;
  private static final int TUPLE = 7;
  private static final int BOOL_LIST = 8;
  private static final int LONG_LIST = 9;
  private static final int DOUBLE_LIST = 10;
  private static final int TENSOR_LIST = 11;
  private static final int LIST = 12;
  private static final int DICT_STRING_KEY = 13;
  private static final int DICT_LONG_KEY = 14;

  private static final String[] NAMES = {"Unknown", "Null", "Tensor", "Bool", "Long", "Double", "String", "Tuple",
      "BoolList", "LongList", "DoubleList", "TensorList", "GenericList", "DictStringKey", "DictLongKey"};

  // Both are read by native code.
  private final int mTypeCode;
  private final Object mData;

  private IValue(int typeCode, Object data) {
    mTypeCode = typeCode;
    mData = data;
  }

  public boolean isNull() {
    return mTypeCode == NULL;
  }

  public boolean isTensor() {
    return mTypeCode == TENSOR;
  }

  public boolean isBool() {
    return mTypeCode == BOOL;
  }

  public boolean isLong() {
    return mTypeCode == LONG;
  }

  public boolean isDouble() {
    return mTypeCode == DOUBLE;
  }

  public boolean isString() {
    return mTypeCode == STRING;
  }

  public boolean isTuple() {
    return mTypeCode == TUPLE;
  }

  public boolean isBoolList() {
    return mTypeCode == BOOL_LIST;
  }

  public boolean isLongList() {
    return mTypeCode == LONG_LIST;
  }

  public boolean isDoubleList() {
    return mTypeCode == DOUBLE_LIST;
  }

  public boolean isTensorList() {
    return mTypeCode == TENSOR_LIST;
  }

  /** Whether it is a list of other things than bools, ints, floats and tensors. */
  public boolean isList() {
    return mTypeCode == LIST;
  }

  public boolean isDictStringKey() {
    return mTypeCode == DICT_STRING_KEY;
  }

  public boolean isDictLongKey() {
    return mTypeCode == DICT_LONG_KEY;
  }

  /** Python's None. */
  public static @NotNull IValue optionalNull() {
    return new IValue(NULL, null);
  }

  public static @NotNull IValue from(Tensor tensor) {
    return new IValue(TENSOR, tensor);
  }

  public static @NotNull IValue from(boolean value) {
    return new IValue(BOOL, value);
  }

  public static @NotNull IValue from(long value) {
    return new IValue(LONG, value);
  }

  public static @NotNull IValue from(double value) {
    return new IValue(DOUBLE, value);
  }

  public static @NotNull IValue from(String value) {
    return new IValue(STRING, value);
  }

  /** A {@code List[bool]}. */
  public static @NotNull IValue listFrom(boolean... list) {
    return new IValue(BOOL_LIST, list);
  }

  /** A {@code List[int]}. */
  public static @NotNull IValue listFrom(long... list) {
    return new IValue(LONG_LIST, list);
  }

  /** A {@code List[float]}. */
  public static @NotNull IValue listFrom(double... list) {
    return new IValue(DOUBLE_LIST, list);
  }

  /** A {@code List[Tensor]}. */
  public static @NotNull IValue listFrom(Tensor... list) {
    return new IValue(TENSOR_LIST, list);
  }

  /**
   * A list of values of one type. An empty one is a {@code List[Tensor]} to the model.
   *
   * @throws IllegalArgumentException when the types of the items differ
   */
  public static @NotNull IValue listFrom(IValue... array) {
    for (int i = 0; i < array.length; i++) {
      if (array[i].mTypeCode != array[0].mTypeCode) {
        throw new IllegalArgumentException("List must contain items of the same type");
      }
    }
    return new IValue(LIST, array);
  }

  public static @NotNull IValue tupleFrom(IValue... array) {
    return new IValue(TUPLE, array);
  }

  /** A {@code Dict[str, V]}, V being the type of the first value; an empty one has tensors. */
  public static @NotNull IValue dictStringKeyFrom(Map<String, IValue> map) {
    return new IValue(DICT_STRING_KEY, map);
  }

  /** A {@code Dict[int, V]}, V being the type of the first value; an empty one has tensors. */
  public static @NotNull IValue dictLongKeyFrom(Map<Long, IValue> map) {
    return new IValue(DICT_LONG_KEY, map);
  }

  // The getters throw IllegalStateException when the value has another type.

  public Tensor toTensor() {
    return (Tensor) expect(TENSOR);
  }

  public boolean toBool() {
    return (Boolean) expect(BOOL);
  }

  public long toLong() {
    return (Long) expect(LONG);
  }

  public double toDouble() {
    return (Double) expect(DOUBLE);
  }

  public String toStr() {
    return (String) expect(STRING);
  }

  public boolean[] toBoolList() {
    return (boolean[]) expect(BOOL_LIST);
  }

  public long[] toLongList() {
    return (long[]) expect(LONG_LIST);
  }

  public double[] toDoubleList() {
    return (double[]) expect(DOUBLE_LIST);
  }

  public Tensor[] toTensorList() {
    return (Tensor[]) expect(TENSOR_LIST);
  }

  public IValue[] toList() {
    return (IValue[]) expect(LIST);
  }

  public IValue[] toTuple() {
    return (IValue[]) expect(TUPLE);
  }

  @SuppressWarnings("unchecked")
  public Map<String, IValue> toDictStringKey() {
    return (Map<String, IValue>) expect(DICT_STRING_KEY);
  }

  @SuppressWarnings("unchecked")
  public Map<Long, IValue> toDictLongKey() {
    return (Map<Long, IValue>) expect(DICT_LONG_KEY);
  }

  private @Nullable Object expect(int typeCode) {
    if (mTypeCode != typeCode) {
      throw new IllegalStateException("Expected IValue type " + NAMES[typeCode] + ", actual type " + NAMES[mTypeCode]);
    }
    return mData;
  }
}
