/** Object ids of Postgres types, the same on every server. */
const TYPE_IDS = {
  boolean: 16,
  bigint: 20,
  int: 23,
  text: 25,
  ints: 1007,
  timestamptz: 1184,
  numeric: 1700,
  uuid: 2950,
  uuids: 2951,
  jsonb: 3802,
} as const;

const START_BYTES = 32_768;
const MAX_BYTES = 3;
const TWO_TO_32 = 0x1_0000_0000;
/** Postgres's timestamps count from here. */
const YEAR_2000_MS = Date.UTC(2000, 0);
const JSONB_VERSION = 1;
/** Decimal digits in each digit of a `numeric`. */
const NUMERIC_DIGITS = 4;
const UUID_LENGTH = 36;
const HYPHEN = 45;

/**
 * Encodes rows as an array of a composite type in Postgres's binary format, into a reused buffer, so that nothing is
 * copied or parsed as text. A value is its length (-1 for null) and its bytes; a field is its type and its value.
 */
export class RowEncoder {
  private buffer = Buffer.allocUnsafeSlow(START_BYTES);
  private end = 0;

  begin(rowType: number, rows: number): void {
    this.end = 0;
    this.arrayHead(rowType, rows);
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.end);
  }

  /** Write the fields next, then call `endRow` with the result. */
  beginRow(fields: number): number {
    this.reserve(8);
    const start = this.end;
    this.end += 4;
    this.int32(fields);
    return start;
  }

  endRow(start: number): void {
    const { end } = this;
    this.end = start;
    this.int32(end - start - 4);
    this.end = end;
  }

  text(value: string | null): void {
    if (value === null) {
      this.null(TYPE_IDS.text);
      return;
    }
    this.reserve(8 + value.length * MAX_BYTES);
    this.int32(TYPE_IDS.text);
    const length = this.buffer.write(value, this.end + 4);
    this.int32(length);
    this.end += length;
  }

  jsonb(value: unknown): void {
    if (value === null) {
      this.null(TYPE_IDS.jsonb);
      return;
    }
    const json = JSON.stringify(value);
    this.reserve(9 + json.length * MAX_BYTES);
    this.int32(TYPE_IDS.jsonb);
    const length = this.buffer.write(json, this.end + 5);
    this.int32(1 + length);
    this.buffer[this.end] = JSONB_VERSION;
    this.end += 1 + length;
  }

  boolean(value: boolean): void {
    this.reserve(9);
    this.int32(TYPE_IDS.boolean);
    this.int32(1);
    this.buffer[this.end++] = value ? 1 : 0;
  }

  int(value: number | null): void {
    if (value === null) {
      this.null(TYPE_IDS.int);
      return;
    }
    this.reserve(12);
    this.int32(TYPE_IDS.int);
    this.int32(4);
    this.int32(value);
  }

  /** Values that do not fit are written with 9 bytes, which Postgres rejects. */
  bigint(value: number | bigint | null): void {
    if (value === null) {
      this.null(TYPE_IDS.bigint);
      return;
    }
    this.reserve(17);
    this.int32(TYPE_IDS.bigint);
    if (typeof value === 'number') {
      this.int32(8);
      this.int64(value);
    } else if (BigInt.asIntN(64, value) === value) {
      this.int32(8);
      this.end = this.buffer.writeBigInt64BE(value, this.end);
    } else {
      this.int32(9);
      this.buffer.fill(0, this.end, this.end + 9);
      this.end += 9;
    }
  }

  /** A whole number of any size, not below zero. */
  numeric(value: bigint | null): void {
    if (value === null) {
      this.null(TYPE_IDS.numeric);
      return;
    }
    const text = value.toString();
    const digits = Math.ceil(text.length / NUMERIC_DIGITS);
    this.reserve(16 + 2 * digits);
    this.int32(TYPE_IDS.numeric);
    this.int32(8 + 2 * digits);
    this.int32((digits << 16) | (digits - 1));
    this.int32(0); // the sign, and no digits after the point
    for (let digit = 0, end = text.length - NUMERIC_DIGITS * (digits - 1); digit < digits; digit++) {
      this.end = this.buffer.writeInt16BE(Number(text.slice(Math.max(0, end - NUMERIC_DIGITS), end)), this.end);
      end += NUMERIC_DIGITS;
    }
  }

  timestamptz(value: Date): void {
    this.reserve(16);
    this.int32(TYPE_IDS.timestamptz);
    this.int32(8);
    this.int64((value.getTime() - YEAR_2000_MS) * 1000);
  }

  uuid(value: string): void {
    this.reserve(24);
    this.int32(TYPE_IDS.uuid);
    this.uuidValue(value);
  }

  uuids(values: readonly string[] | null): void {
    if (values === null) {
      this.null(TYPE_IDS.uuids);
      return;
    }
    this.reserve(8);
    this.int32(TYPE_IDS.uuids);
    const start = this.end;
    this.end += 4;
    this.arrayHead(TYPE_IDS.uuid, values.length);
    this.reserve(values.length * 20);
    for (const value of values) this.uuidValue(value);
    this.endRow(start);
  }

  ints(values: readonly number[]): void {
    this.reserve(8);
    this.int32(TYPE_IDS.ints);
    const start = this.end;
    this.end += 4;
    this.arrayHead(TYPE_IDS.int, values.length);
    this.reserve(values.length * 8);
    for (const value of values) {
      this.int32(4);
      this.int32(value);
    }
    this.endRow(start);
  }

  private null(type: number): void {
    this.reserve(8);
    this.int32(type);
    this.int32(-1);
  }

  private arrayHead(elementType: number, elements: number): void {
    this.reserve(20);
    this.int32(1); // dimensions
    this.int32(0); // no nulls among the elements
    this.int32(elementType);
    this.int32(elements);
    this.int32(1); // the first one's index
  }

  private uuidValue(value: string): void {
    this.int32(16);
    for (let at = 0; at < UUID_LENGTH; at += 2) {
      if (value.charCodeAt(at) === HYPHEN) at++;
      this.buffer[this.end++] = (digit(value.charCodeAt(at)) << 4) | digit(value.charCodeAt(at + 1));
    }
  }

  private int64(value: number): void {
    const high = Math.floor(value / TWO_TO_32);
    this.int32(high);
    this.int32(value - high * TWO_TO_32);
  }

  private int32(value: number): void {
    const { buffer, end } = this;
    buffer[end] = value >>> 24;
    buffer[end + 1] = value >>> 16;
    buffer[end + 2] = value >>> 8;
    buffer[end + 3] = value;
    this.end = end + 4;
  }

  private reserve(bytes: number): void {
    if (this.end + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.buffer.length + bytes);
    this.buffer.copy(larger, 0, 0, this.end);
    this.buffer = larger;
  }
}

function digit(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87;
}
