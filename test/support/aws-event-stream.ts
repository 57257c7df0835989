import { crc32 } from 'node:zlib';

export interface AwsMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Encodes a message by the format's description, without a library. */
export function awsBytes({ headers, payload }: AwsMessage): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerBytes(name, value)));
  const body = Buffer.from(payload);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(8 + 4 + head.length + body.length + 4, 0);
  lengths.writeUInt32BE(head.length, 4);
  const unsealed = Buffer.concat([lengths, uint32(crc32(lengths)), head, body]);
  return Buffer.concat([unsealed, uint32(crc32(unsealed))]);
}

export function awsEvent(type: string, payload: unknown): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  return awsBytes({ headers, payload: JSON.stringify(payload) });
}

export function awsException(type: string, payload: unknown): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' };
  return awsBytes({ headers, payload: JSON.stringify(payload) });
}

/** Decodes whole messages; all headers are assumed to be strings. */
export function awsMessages(bytes: Buffer): AwsMessage[] {
  const messages: AwsMessage[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const payloadAt = at + 12 + bytes.readUInt32BE(at + 4);
    const payload = bytes.toString('utf8', payloadAt, at + bytes.readUInt32BE(at) - 4);
    messages.push({ headers: headersIn(bytes.subarray(at + 12, payloadAt)), payload });
  }
  return messages;
}

function headersIn(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const valueAt = at + 1 + bytes.readUInt8(at) + 3;
    const end = valueAt + bytes.readUInt16BE(valueAt - 2);
    headers[bytes.toString('utf8', at + 1, valueAt - 3)] = bytes.toString('utf8', valueAt, end);
    at = end;
  }
  return headers;
}

const STRING = 7;

function headerBytes(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING]),
    length,
    Buffer.from(value),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
