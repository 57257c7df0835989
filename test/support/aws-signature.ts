import { createHash, createHmac } from 'node:crypto';

export interface SignedRequest {
  /** Encoded once; without a query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The signature of a POST to Bedrock, computed by AWS's description without a library. */
export function awsSignature({ path, headers, body }: SignedRequest, secretAccessKey: string, region: string): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const encodedAgain = path.replaceAll('%', '%25');
  const canonical = ['POST', encodedAgain, '', lines, names.join(';'), sha256(body)].join('\n');
  const date = headers['x-amz-date'] ?? '';
  const scope = [date.slice(0, 8), region, 'bedrock', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
