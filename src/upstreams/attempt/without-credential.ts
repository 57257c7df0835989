import type { UpstreamSecrets } from '../client/auth/signer.js';

const REMOVED = '[removed]';

/** A text may be cut within a credential: from this many characters on, a part at the end is removed, too. */
const MIN_PART_LENGTH = 6;

/** Removes the credential of an upstream from a text, plain or URL-encoded. */
export function withoutCredential(text: string, upstream: UpstreamSecrets): string {
  let cleaned = text;
  for (const secret of secretsOf(upstream)) {
    cleaned = withoutPartAtEnd(cleaned.replaceAll(secret, REMOVED), secret);
    const encoded = encodeURIComponent(secret);
    if (encoded !== secret) cleaned = cleaned.replaceAll(encoded, REMOVED);
  }
  return cleaned;
}

function secretsOf({ apiKey, credential }: UpstreamSecrets): string[] {
  return [...(apiKey === null ? [] : [apiKey]), ...(credential?.secrets ?? [])];
}

function withoutPartAtEnd(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_PART_LENGTH; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + REMOVED;
  }
  return text;
}
