import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { projectPath, say } from './lib/project.mjs';

// Checks that every file named in a document or a comment exists, and that the newcomer's path through a request lists
// ten files in order.

// Links, and paths in code quotes. Text with blanks, stars or dots in place of a name is not a path, and examples need
// not exist.
const link = /\]\(([^)\s]+)\)/g;
const quoted = /`([\w@.-]+(?:\/[\w@.-]+)+\/?)`/g;
const isFile = /\/$|\.(md|ts|tsx|mjs|json|ya?ml|css|svg|png)$/;
// Paths start at the root; in docs/architecture.md also at src/, src/completions/ or the folder of an adapter.
const providers = 'src/upstreams/providers';
const tops = [
  '',
  'src',
  'src/completions',
  'test',
  ...readdirSync(projectPath(providers)).map((name) => join(providers, name)),
];

const faults = [
  ...documents().flatMap((file) => {
    const text = readFileSync(projectPath(file), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(link)].map(([, target]) => target.replace(/#.*$/, '')).filter(isLocal);
    const paths = [...text.matchAll(quoted)]
      .map(([, path]) => path)
      .filter((path) => isFile.test(path) && !/\/example\/|\/signed\.scheme\.ts$/.test(path));
    return [
      ...links.filter((path) => !existsSync(projectPath(dirname(file), path))),
      ...paths.filter((path) => ![dirname(file), ...tops].some((top) => existsSync(projectPath(top, path)))),
    ].map((path) => `${file} names ${path}, which does not exist`);
  }),
  ...filesIn('src', /\.ts$/).flatMap((file) =>
    [...readFileSync(projectPath(file), 'utf8').matchAll(/\bdocs\/[\w-]+\.md\b/g)]
      .filter(([path]) => !existsSync(projectPath(path)))
      .map(([path]) => `${file} names ${path}, which does not exist`),
  ),
  ...(stepsOf('docs/architecture.md').join() === '1,2,3,4,5,6,7,8,9,10'
    ? []
    : ['docs/architecture.md does not list ten files for the path of a request']),
];
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** The numbers of the rows of a document that name a file of src/. */
function stepsOf(file) {
  return [...readFileSync(projectPath(file), 'utf8').matchAll(/^\| (\d+) \| `src\/[^`]+` \|/gm)].map(
    ([, step]) => step,
  );
}

function isLocal(target) {
  return target !== '' && !/^[a-z]+:/i.test(target);
}

function documents() {
  return [
    ...readdirSync(projectPath()).filter((file) => file.endsWith('.md')),
    ...filesIn('docs', /\.md$/),
    ...filesIn('src', /README\.md$/),
    ...filesIn('scripts', /README\.md$/),
  ];
}

function filesIn(folder, name) {
  return readdirSync(projectPath(folder), { recursive: true })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file).split(sep).join('/'));
}
