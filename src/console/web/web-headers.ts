import type { Response } from 'express';

/**
 * Scripts are only files of this origin, never inline or from others. Inline styles are allowed, because Mantine writes
 * its color variables as a `<style>` element.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Names with a hash of the content, which therefore never changes. */
const HASHED = /[\\/]assets[\\/]/;

const ENCODINGS: Record<string, string> = { br: 'br', gz: 'gzip' };

/** The headers of a file of dist/web; `path` is the stored file, possibly compressed. */
export function setFileHeaders(response: Response, path: string): void {
  const [, plain = path, suffix] = /^(.+)\.(br|gz)$/.exec(path) ?? [];
  const encoding = suffix && ENCODINGS[suffix];
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.type(plain.slice(plain.lastIndexOf('.')));
  response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  if (plain.endsWith('.html')) response.set(PAGE_HEADERS);
}
