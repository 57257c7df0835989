import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { projectPath } from './project.mjs';

// Joins the packages that dist/ imports into few files, dist/packages/, and lets dist/ import those. Of the 3,300 files
// that a start of the gateway would read else four fifths are the packages', and reading them is half of its time.

const folder = projectPath('dist/packages');

/** One changes a global object for all that is loaded after it; the other is large, and only a thread loads it. */
const apart = ['reflect-metadata', 'gpt-tokenizer'];

/** What an import, a re-export or an `import()` of the compiler's output names. */
const specifier = /(?<=^(?:(?:import|export) .*|\}) from |^import |\bimport\()'([^'.][^']*)'/gm;

/** One module for each package: it gives by name what Node gives to those who import the package. */
const entries = {
  name: 'entries',
  resolveId: (id) => (id.startsWith('entry:') ? id : null),
  async load(id) {
    if (!id.startsWith('entry:')) return null;
    const name = id.slice('entry:'.length);
    const exported = Object.keys(await import(name)).filter((one) => /^[\w$]+$/.test(one));
    return `export { ${exported.join(', ')} } from '${name}';`;
  },
};

/** A module that makes a `require` of its own would load what it asks for a second time. */
const sharedRequire = {
  name: 'shared-require',
  transform: {
    filter: { id: /@nestjs\/typeorm\/.+\.js$/ },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

const files = readdirSync(projectPath('dist'), { recursive: true })
  .filter((file) => file.endsWith('.js') && !/^(web|packages)\b/.test(file))
  .map((file) => projectPath('dist', file));
const packages = importedBy(files);

rmSync(folder, { recursive: true, force: true });
if (packages.size > 0) await bundle();
for (const file of files) importBundled(file);

async function bundle() {
  const joined = await rolldown({
    cwd: projectPath(),
    input: Object.fromEntries([...packages].map((name) => [fileOf(name), `entry:${name}`])),
    platform: 'node',
    // As Node resolves them.
    resolve: { conditionNames: ['node'], mainFields: ['main'] },
    external: apart,
    plugins: [entries, sharedRequire],
    logLevel: 'silent',
  });
  await joined.write({ dir: folder, format: 'esm', keepNames: true, chunkFileNames: 'shared/[name]-[hash].js' });
  await joined.close();
}

function importedBy(importers) {
  const { dependencies } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'));
  const found = importers.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(specifier)].map(([, name]) => name),
  );
  return new Set(found.filter((name) => packageOf(name) in dependencies && !apart.includes(packageOf(name))));
}

function importBundled(file) {
  const code = readFileSync(file, 'utf8');
  const bundled = code.replace(specifier, (found, name) => (packages.has(name) ? `'${pathTo(name, file)}'` : found));
  if (bundled !== code) writeFileSync(file, bundled);
}

/** `@scope/name` of `@scope/name/part`. */
function packageOf(name) {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function fileOf(name) {
  return name.replaceAll('/', '-').replace('@', '');
}

function pathTo(name, file) {
  const path = relative(dirname(file), join(folder, `${fileOf(name)}.js`)).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
