import { type FileHandle, open, readFile, unlink } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { Applied, ApplyOptions } from '../apply/apply.service.js';
import { UsageError } from '../common/usage.error.js';
import { processEnvironment, readProxy } from '../config/environment.js';
import { print } from './output.js';

interface Options {
  file: string;
  dryRun?: boolean;
  prune?: boolean;
  json?: boolean;
}

/** A gateway: the one at `GATEWAY_URL`, or the services on its database. */
interface Gateway {
  apply(text: string, options: ApplyOptions): Promise<Applied>;
  export(): Promise<string>;
}

type Use = <Result>(work: (gateway: Gateway) => Promise<Result>) => Promise<Result>;
type ReservedFile = readonly [path: string, handle: FileHandle];

/** In bytes: a file with tens of thousands of keys. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** There is something to do. */
const PENDING = 2;

export function addApplyCommands(program: Command, use: Use = onDatabase): void {
  program
    .command('apply')
    .description('make plans, users, projects and keys what a file says; other ones stay as they are')
    .requiredOption('--file <path>', "the file (YAML or JSON), or '-' for standard input")
    .option('--dry-run', 'only print what would change; the exit code is 2 if that is anything')
    .option('--prune', 'remove what an earlier apply made and the file does not name any more')
    .action(async (options: Options) => {
      const content = options.file === '-' ? await text(process.stdin) : await readCompany(options.file);
      await use((gateway) => apply(gateway, content, options));
    });
  program
    .command('export-config')
    .description('print the file that describes plans, users, projects and keys; applying it changes nothing')
    .action(async ({ json }: { json?: boolean }) => {
      const file = await use((gateway) => gateway.export());
      const output = json ? `${JSON.stringify((await import('yaml')).parse(file))}\n` : file;
      process.stdout.write(output);
    });
}

/** `GATEWAY_URL`; null: commands use the database. */
export function gatewayAddress(): string | null {
  return processEnvironment().read('GATEWAY_URL') ?? null;
}

/** The commands that talk to a running gateway, without loading the services; null for any other command. */
export function remoteProgram(command: string | undefined): Command | null {
  const program = new Command('gateway').showHelpAfterError('(add --help for the options)');
  addApplyCommands(program, (work) => work(remoteGateway()));
  for (const one of program.commands) one.option('--json', 'print JSON');
  return program.commands.some((one) => one.name() === command) ? program : null;
}

async function readCompany(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
}

/** The secrets of new keys go to their files, which are reserved before anything changes. */
async function apply(
  gateway: Gateway,
  content: string,
  { dryRun = false, prune = false, json }: Options,
): Promise<void> {
  const required = await secretFiles(content);
  const hasFiles = !dryRun && required.size > 0;
  const planned = hasFiles ? await gateway.apply(content, { dryRun: true, prune }) : null;
  const created = (planned?.changes ?? []).filter(({ action, kind }) => action === 'create' && kind === 'key');
  const reserved = new Map<string, ReservedFile>();
  let applied: Applied;
  try {
    for (const { path } of created) {
      const file = required.get(JSON.stringify(path));
      if (file !== undefined) reserved.set(JSON.stringify(path), [file, await reserve(file)]);
    }
    applied = await gateway.apply(content, { dryRun, prune });
  } catch (error) {
    for (const file of reserved.values()) await release(file);
    throw error;
  }
  const keys = [];
  for (const { key, ...rest } of applied.keys) {
    const at = JSON.stringify(rest.path);
    const file = reserved.get(at);
    reserved.delete(at);
    const secretFile = file && (await store(file, key)) ? file[0] : null;
    keys.push({ ...rest, ...(secretFile === null ? { key } : { secretFile }) });
  }
  for (const file of reserved.values()) await release(file);
  if (json) print({ ...applied, keys }, true);
  else {
    const lines = applied.changes.map(({ line }) => line);
    const secrets = keys.map((one) => {
      return `${one.path.join('.')}: ${'key' in one ? one.key : `the key is in ${one.secretFile}`}`;
    });
    process.stdout.write(`${[...(lines.length === 0 ? ['No changes.'] : lines), ...secrets].join('\n')}\n`);
  }
  if (dryRun && applied.changes.length > 0) process.exitCode = PENDING;
}

/** Path of a key → its `secretFile`. */
async function secretFiles(content: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (!content.includes('secretFile')) return files;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(content);
  // The gateway reports the mistakes.
  if (document.errors.length > 0) return files;
  const find = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      if (name === 'secretFile' && path.at(-2) === 'keys' && typeof item === 'string')
        files.set(JSON.stringify(path), item);
      else find(item, [...path, name]);
    }
  };
  find(document.toJS(), []);
  return files;
}

async function reserve(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EEXIST'
        ? 'exists already and is not overwritten: move it away'
        : `cannot be written (${error.code})`;
    throw new UsageError(`The secretFile ${file} ${reason}. Nothing was changed.`);
  });
}

async function release([path, handle]: ReservedFile): Promise<void> {
  await handle.close();
  await unlink(path);
}

/** False: the file cannot hold the secret, which would be lost if it were not printed. */
async function store([path, handle]: ReservedFile, key: string): Promise<boolean> {
  try {
    await handle.writeFile(`${key}\n`);
    await handle.sync();
    await handle.close();
    return true;
  } catch (error) {
    process.stderr.write(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code}): the key is printed instead.\n`,
    );
    return false;
  }
}

async function onDatabase<Result>(work: (gateway: Gateway) => Promise<Result>): Promise<Result> {
  const { ApplyService } = await import('../apply/apply.service.js');
  const { COMMAND_LINE } = await import('../audit/audit.types.js');
  const { withServices } = await import('./services.js');
  return withServices((services) => {
    const service = services.get(ApplyService);
    return work({
      apply: (content, options) => service.apply(content, options, COMMAND_LINE),
      export: () => service.export(),
    });
  });
}

function remoteGateway(): Gateway {
  const environment = processEnvironment();
  const address = (environment.read('GATEWAY_URL') ?? '').replace(/\/+$/, '');
  const token = environment.readSecret('GATEWAY_TOKEN');
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : '')) {
    throw new UsageError('GATEWAY_URL must be the address of a gateway, such as https://gateway.example.com.');
  }
  if (token === undefined) throw new UsageError('Set GATEWAY_TOKEN to an access token of the gateway at GATEWAY_URL.');
  const send = async (path: string, body?: string): Promise<string> => {
    const { createOutboundHttp } = await import('../common/outbound-http.js');
    const http = createOutboundHttp(readProxy(environment), MAX_ANSWER);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/yaml' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    try {
      const url = `${address}/api/${path}`;
      const response = await http.fetch(url, {
        method,
        headers,
        redirect: 'error',
        ...(body !== undefined && { body }),
      });
      const answer = await response.text();
      if (response.ok) return answer;
      throw new UsageError(messageOf(answer) ?? `The gateway at GATEWAY_URL answered ${response.status}.`);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
      throw new UsageError(
        `The gateway at GATEWAY_URL cannot be reached (${cause?.code ?? cause?.message ?? message}).`,
      );
    } finally {
      await http.close();
    }
  };
  return {
    apply: async (content, { dryRun, prune }) =>
      JSON.parse(await send(`apply?dryRun=${dryRun}&prune=${prune}`, content)) as Applied,
    export: () => send('apply'),
  };
}

function messageOf(answer: string): string | null {
  try {
    const { error } = JSON.parse(answer) as { error?: { message?: string } };
    return error?.message ?? null;
  } catch {
    return null;
  }
}
