import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import express, { type Handler, type NextFunction, type Request, type Response } from 'express';

/**
 * Adds the console's pages after all routes: modules are initialised after Nest has registered those, before its own
 * 404.
 */
@Injectable()
export class WebService implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    this.adapter.httpAdapter.use(webFiles());
  }
}

/** dist/web of the checkout or the image; the path is the same from src/ and from dist/. */
const WEB_FOLDER = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** Paths of APIs and files: they are never pages of the console. */
const NO_PAGES = /^\/(v1|openai|api|health|assets)(\/|$)/;

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * Serves the console's files, and its one HTML page for every other path that a browser opens; the rest goes to the
 * API's 404. Runs after all routes, so that none of them waits for it.
 */
function webFiles(folder = WEB_FOLDER): Handler {
  const files = express.static(folder, { index: false, redirect: false, setHeaders: setFileHeaders });
  const compressed = compressedFiles(folder);

  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    send(request.path, request, response, (error) => {
      if (error || !isPage(request)) return next(error);
      response.vary('Accept');
      send('/index.html', request, response, (failure) => (failure ? next(failure) : notBuilt(response)));
    });
  };

  /** Sends the file as stored, compressed if the client accepts that; calls `next` if there is none. */
  function send(path: string, request: Request, response: Response, next: NextFunction): void {
    const { url } = request;
    request.url = path + suffixOf(path, request, response);
    files(request, response, (error) => {
      request.url = url;
      next(error);
    });
  }

  function suffixOf(path: string, request: Request, response: Response): string {
    const stored = (['br', 'gzip'] as const).filter((encoding) => compressed.has(path + SUFFIXES[encoding]));
    if (stored.length === 0) return '';
    response.vary('Accept-Encoding');
    const accepted = request.acceptsEncodings([...stored, 'identity']);
    const encoding = stored.find((one) => one === accepted);
    return encoding ? SUFFIXES[encoding] : '';
  }
}

/**
 * A path that a person opened in a browser: API clients do not request HTML by name. Claude Code begins with `HEAD /`,
 * to check whether a server answers.
 */
function isPage({ method, path, headers }: Request): boolean {
  if (method === 'HEAD' && path === '/') return true;
  return /\btext\/html\b/.test(headers.accept ?? '') && !NO_PAGES.test(path);
}

function compressedFiles(folder: string): ReadonlySet<string> {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return new Set(files.filter((file) => /\.(br|gz)$/.test(file)).map((file) => `/${file.replaceAll('\\', '/')}`));
  } catch {
    return new Set();
  }
}

function notBuilt(response: Response): void {
  response.status(503).type('text').send('The console is not built yet: run "npm run build".\n');
}

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
function setFileHeaders(response: Response, path: string): void {
  const [, plain = path, suffix] = /^(.+)\.(br|gz)$/.exec(path) ?? [];
  const encoding = suffix && ENCODINGS[suffix];
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.type(plain.slice(plain.lastIndexOf('.')));
  response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  if (plain.endsWith('.html')) response.set(PAGE_HEADERS);
}
