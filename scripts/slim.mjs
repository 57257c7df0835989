import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath, say } from './lib/project.mjs';

// Removes from node_modules/ what a gateway that runs never reads. Only the image's build calls it: after that nothing
// can be built or checked there any more.

const modules = projectPath('node_modules');

// Sources, types and their maps, documents, and what C programs are linked with. Licences stay.
const files = /\.(map|[cm]?ts|tsx|flow|a|md|markdown)$/;
const licences = /^(licen[cs]e|notice|copying|authors)/i;

const folders = [
  // For the decorators' plugin of @nestjs/swagger, which reads sources.
  'typescript',
  '@typescript',
  // The Swagger page: the gateway serves one of its own.
  'swagger-ui-dist',
  // For browsers and bundlers, and the same again as CommonJS or sources.
  'typeorm/browser',
  'gpt-tokenizer/cjs',
  'gpt-tokenizer/data',
  'gpt-tokenizer/src',
  'es-toolkit/src',
  'libphonenumber-js/bundle',
  'libphonenumber-js/es6',
  'libphonenumber-js/es6-modern',
  'rxjs/src',
  'stripe/cjs',
  'rxjs/dist/bundles',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'class-validator/bundles',
  'class-validator/esm2015',
  'class-validator/esm5',
  'class-transformer/bundles',
  'class-transformer/esm2015',
  'class-transformer/esm5',
];

for (const folder of folders) {
  if (!existsSync(join(modules, folder)))
    say(`node_modules/${folder} is not there any more: scripts/slim.mjs can forget it.`);
  rmSync(join(modules, folder), { recursive: true, force: true });
}
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && files.test(entry.name) && !licences.test(entry.name))
    rmSync(join(entry.parentPath, entry.name));
}
