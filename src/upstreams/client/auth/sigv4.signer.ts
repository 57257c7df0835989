import { setImmediate as nextTurn } from 'node:timers/promises';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Credential } from '../../../config/upstream-protocol.js';
import type { Signer, UnsignedRequest } from '../../contract/upstream.types.js';

/** An AWS key pair, temporary if it has a session token, and the region for which requests are signed. */
export interface AwsCredential extends Credential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  readonly region: string;
}

/** Bytes hashed in one turn of the event loop, which takes a few milliseconds. */
const CHUNK = 4 * 1024 * 1024;

/** Hashes megabytes in several turns of the event loop. */
class Sha256InTurns extends Sha256 {
  private body: Uint8Array | null = null;

  override update(data: Uint8Array): void {
    if (data.length > CHUNK) this.body = data;
    else super.update(data);
  }

  override async digest(): Promise<Uint8Array> {
    const { body } = this;
    for (let at = 0; body !== null && at < body.length; at += CHUNK) {
      super.update(body.subarray(at, at + CHUNK));
      await nextTurn();
    }
    return super.digest();
  }
}

/** AWS Signature Version 4: signs the time, the body and the destination of a request. */
export function sigV4Signer(
  service: string,
  { accessKeyId, secretAccessKey, sessionToken, region }: AwsCredential,
): Signer {
  const signature = new SignatureV4({
    service,
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) },
    sha256: Sha256InTurns,
  });

  return async (request) => {
    const { headers } = await signature.sign(signable(request));
    // These were there before, or are the connection's own.
    const { host, 'content-type': contentType, ...added } = headers;
    return added;
  };
}

/** The parts of a request that are signed; other headers may still change on the way. */
function signable({ method, url, headers, body }: UnsignedRequest): HttpRequest {
  const { protocol, hostname, host, pathname, searchParams } = new URL(url);
  const type = headers['content-type'];
  return new HttpRequest({
    method,
    protocol,
    hostname,
    // Encoded once here; the signature's own form of it is encoded once more.
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host, ...(type !== undefined && { 'content-type': type }) },
    body,
  });
}
