import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** Runs the built command line for one message after another: `{ args, folder, variables, input }`. */
const program = pathToFileURL(process.argv[2]).href;
const unchanged = { ...process.env };
let turn = 0;

/** In place of the end of the process, which would end all commands. */
class Exit extends Error {}

process.on('message', async (command) => process.send(await run(command)));
process.on('disconnect', () => process.exit());
const { exit } = process;

async function run({ args, folder, variables, input }) {
  const output = { stdout: '', stderr: '' };
  let code;
  const writeTo =
    (name) =>
    (text, ...more) => {
      if (code === undefined) output[name] += text;
      more.find((one) => typeof one === 'function')?.();
      return true;
    };
  const writes = ['stdout', 'stderr'].map((name) => [process[name], process[name].write, writeTo(name)]);
  for (const [stream, , write] of writes) stream.write = write;
  process.argv = [process.execPath, program, ...args];
  process.env = { ...unchanged, ...variables };
  process.chdir(folder);
  process.exitCode = undefined;
  process.exit = (given) => {
    code = given ?? 0;
    throw new Exit();
  };
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) });
  try {
    await import(`${program}?${++turn}`);
  } finally {
    process.exit = exit;
    for (const [stream, write] of writes) stream.write = write;
  }
  return { code: code ?? process.exitCode ?? 0, ...output };
}
