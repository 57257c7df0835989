import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS, type Operation, type PathItem } from './document.types.js';

type Schemas = Readonly<Record<string, unknown>>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The document with only some operations, and without schemas that only the others use. */
export function documentOf<D extends OpenAPIObject>(document: D, isShown: (operation: Operation) => boolean): D {
  const items = Object.entries(document.paths).map(([path, item]) => [path, shownOf(item, isShown)] as const);
  const paths = Object.fromEntries(items.filter(([, item]) => METHODS.some((method) => item[method])));
  const all: Schemas = document.components?.schemas ?? {};
  const used = referencedFrom(paths, all);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, paths, components: { ...document.components, schemas } };
}

function shownOf(item: PathItem, isShown: (operation: Operation) => boolean): PathItem {
  const stored = { ...item };
  for (const method of METHODS) if (stored[method] && !isShown(stored[method])) delete stored[method];
  return stored;
}

/** The names of the schemas that a value refers to, directly or through other schemas. */
function referencedFrom(part: unknown, schemas: Schemas, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
    if (seen.has(name)) continue;
    seen.add(name);
    referencedFrom(schemas[name], schemas, seen);
  }
  return seen;
}
