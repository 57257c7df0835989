import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const withoutReplacing = ['--import', 'data:text/javascript,delete%20process.execve'];
const server = `
process.once('SIGTERM', () => process.exit(7));
setInterval(() => {}, 1_000);
console.log(process.pid);
`;

const checkout: string = await mkdtemp(join(tmpdir(), 'checkout-'));
for (const part of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
  await cp(resolve(part), join(checkout, part), { recursive: true });
}
await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
await mkdir(join(checkout, 'src/cli'), { recursive: true });
await write('src/main.ts', server);
await write('src/cli/main.ts', "import { word } from '../word.js';\nconsole.log(word, ...process.argv.slice(2));\n");
await write('src/word.ts', "export const word = 'first';\n");
await mkdir(join(checkout, 'web'));
await cp(resolve('web/package-lock.json'), join(checkout, 'web/package-lock.json'));
await symlink(resolve('web/node_modules'), join(checkout, 'web/node_modules'));
await write('web/index.html', '<!doctype html><title>first</title>\n');
await write(
  'web/vite.config.ts',
  "export default { root: import.meta.dirname, build: { outDir: '../dist/web', emptyOutDir: true } };\n",
);

afterAll(() => rm(checkout, { recursive: true, force: true }));

describe('the command line from a checkout', () => {
  it('builds once for several commands that start together, and prints nothing else on stdout', async () => {
    const runs = await Promise.all(['a', 'b', 'c'].map((word) => cli(word)));
    expect(runs.map((run) => [run.code, run.stdout])).toEqual([
      [0, 'first a\n'],
      [0, 'first b\n'],
      [0, 'first c\n'],
    ]);
    expect(runs.filter((run) => run.stderr.includes('Building…'))).toHaveLength(1);
  });

  it('runs without `__proto__`, like the executable of the image', async () => {
    await write('src/word.ts', "export const word = String('__proto__' in {});\n");
    expect(await cli('x')).toMatchObject({ stdout: 'false x\n' });
    expect(await readFile(resolve('bin/gateway.js'), 'utf8')).toMatch(/^#!.* --disable-proto=delete\n/);
  });

  it('builds again when a source has changed, and not otherwise', async () => {
    await write('src/word.ts', "export const word = 'second';\n");
    expect(await cli('x')).toMatchObject({ stdout: 'second x\n', stderr: 'Building…\n' });
    expect(await cli('x')).toMatchObject({ stdout: 'second x\n', stderr: '' });
  });

  it('removes built files whose source was deleted', async () => {
    await write('src/extra.ts', 'export const extra = 1;\n');
    await write('src/word.ts', "export const word = (await import('./extra.js')).extra;\n");
    expect((await cli()).stdout).toBe('1\n');
    await rm(join(checkout, 'src/extra.ts'));
    await write(
      'src/word.ts',
      "const file = './extra.js';\nexport const word = await import(file).catch(() => 'gone');\n",
    );
    expect((await cli()).stdout).toBe('gone\n');
  });

  it('takes over from a build that was killed', async () => {
    await write('src/word.ts', "export const word = 'after';\n");
    await write('dist/.lock.3', '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(checkout, 'dist/.lock.3'), longAgo, longAgo);
    expect(await cli()).toMatchObject({ code: 0, stdout: 'after\n' });
  });

  it('runs nothing when the build fails', async () => {
    await write('src/word.ts', 'export const word = ;\n');
    const run = await cli();
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/TS1109[\s\S]*The build failed/);
    await write('src/word.ts', "export const word = 'third';\n");
  });
});

describe('npm start', () => {
  it("builds the console's pages, which the command line does not need, and again after changes", async () => {
    await write('src/main.ts', 'console.log(process.pid);\n');
    await write('src/word.ts', "export const word = 'third';\n");
    expect(await cli()).toMatchObject({ code: 0, stderr: 'Building…\n' });
    expect(await run('start.mjs')).toMatchObject({ code: 0, stderr: 'Building the console…\n' });
    expect(await run('start.mjs')).toMatchObject({ code: 0, stderr: '' });
    await write('web/index.html', '<!doctype html><title>second</title>\n');
    expect(await run('start.mjs')).toMatchObject({ code: 0, stderr: 'Building the console…\n' });
    expect(await readFile(join(checkout, 'dist/web/index.html'), 'utf8')).toContain('second');
    await write('src/main.ts', server);
  });

  it('replaces itself by the gateway', async () => {
    const wrapper = start([]);
    expect(await firstLine(wrapper)).toBe(String(wrapper.pid));
    wrapper.kill('SIGTERM');
    expect(await once(wrapper, 'exit')).toEqual([7, null]);
  });

  it('forwards signals and the exit code if it cannot', async () => {
    const wrapper = start(withoutReplacing);
    expect(await firstLine(wrapper)).not.toBe(String(wrapper.pid));
    wrapper.kill('SIGTERM');
    expect(await once(wrapper, 'exit')).toEqual([7, null]);
  });

  it('leaves no gateway behind when it is killed', async () => {
    const wrapper = start(withoutReplacing);
    await firstLine(wrapper);
    wrapper.kill('SIGKILL');
    // The gateway holds the other end of the pipe: it closes when the last of them is gone.
    await once(wrapper, 'close');
  });
});

describe('a gateway that npm started', () => {
  it.each([[[]], [withoutReplacing]])('ends when npm is stopped, node options %j', async (options) => {
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: options.join(' ') },
    });
    expect(await firstLine(npm)).toMatch(/^\d+$/);
    npm.kill('SIGTERM');
    npm.stdout.resume();
    await once(npm, 'close');
  });
});

function write(file: string, text: string): Promise<void> {
  return writeFile(join(checkout, file), text);
}

function start(options: string[]): ChildProcess {
  return spawn(process.execPath, [...options, join(checkout, 'scripts/start.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, 'data');
  return String(chunk).trim();
}

function cli(...args: string[]): Promise<Run> {
  return run('cli.mjs', ...args);
}

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run(script: string, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [join(checkout, 'scripts', script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  return { code, stdout, stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
