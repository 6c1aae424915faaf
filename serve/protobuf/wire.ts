/** The wire format of protocol buffers: fields with a number and a value of one of four types. */

export interface WireField {
  readonly number: number;
  /** A number for varints and fixed values, bytes for everything else. */
  readonly value: bigint | Uint8Array;
  /** 0: varint, 1: 64 bits, 2: bytes, 5: 32 bits. */
  readonly type: number;
}

/** The fields of a message, in order. Throws an `Error` if the bytes are no message. */
export function fieldsOf(bytes: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('the message ends within a number');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number is too long');
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new Error('the message ends within a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = Number(tag & 7n);
    const number = Number(tag >> 3n);
    switch (type) {
      case 0:
        fields.push({ number, type, value: varint() });
        break;
      case 1:
        fields.push({ number, type, value: take(8) });
        break;
      case 2:
        fields.push({ number, type, value: take(Number(varint())) });
        break;
      case 5:
        fields.push({ number, type, value: take(4) });
        break;
      default:
        throw new Error(`there is no wire type ${type}`);
    }
  }
  return fields;
}
