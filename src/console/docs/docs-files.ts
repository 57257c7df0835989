import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { startScript, themeScript } from './docs.scripts.js';
import { docsStyle } from './docs.style.js';

export interface DocsFile {
  readonly type: 'text/css' | 'text/javascript';
  readonly body: Buffer;
  readonly compressed: Buffer;
  /** Whether a browser's copy is current. */
  readonly etag: string;
}

const compress = promisify(gzip);

const written: Readonly<Record<string, () => string | Promise<string>>> = {
  'theme.js': () => themeScript,
  'docs.js': () => startScript,
  'docs.css': docsStyle,
};

/** The files of the viewer's package that the page needs. */
const packaged = new Set(['swagger-ui-bundle.js', 'swagger-ui.css']);

const files = new Map<string, Promise<DocsFile>>();

/** A file of the page `/docs`, read and compressed once; null if there is none with that name. */
export function docsFile(name: string): Promise<DocsFile> | null {
  if (!(Object.hasOwn(written, name) || packaged.has(name))) return null;
  let file = files.get(name);
  if (!file) {
    file = load(name);
    file.catch(() => files.delete(name));
    files.set(name, file);
  }
  return file;
}

async function load(name: string): Promise<DocsFile> {
  const own = Object.hasOwn(written, name) ? written[name] : undefined;
  const body = own ? Buffer.from(await own()) : await readFile(join(viewerFolder(), name));
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
  const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, compressed: await compress(body), etag };
}

/** The viewer comes with Nest's package, possibly nested in its folder. */
function viewerFolder(): string {
  const fromHere = createRequire(import.meta.url);
  const fromNest = createRequire(fromHere.resolve('@nestjs/swagger'));
  return dirname(fromNest.resolve('swagger-ui-dist/package.json'));
}
