import { expect } from '@jest/globals';
import type { Commands } from './commands.js';
import { runCli } from './gateway-process.js';
import type { createWorkFolder } from './test-settings.js';

type Folder = Awaited<ReturnType<typeof createWorkFolder>>;
type Fields = Record<string, unknown>;

/** The command line of one work folder. */
export class CommandLine {
  constructor(
    private readonly folder: Folder,
    private readonly variables: Record<string, string> = {},
    private readonly runIn: typeof runCli = runCli,
  ) {}

  /** The same with all commands in one process. */
  inOneProcess(commands: Commands): CommandLine {
    return new CommandLine(this.folder, this.variables, (...given) => commands.run(...given));
  }

  run(args: string[], input?: string) {
    return this.runIn(args, this.folder.path, { ...this.folder.variables, SIMULATOR: 'on', ...this.variables }, input);
  }

  /** What a command that succeeds prints with `--json`: one JSON value, and nothing on stderr. */
  async json<Result = Fields>(args: string, input?: string): Promise<Result> {
    const { code, stdout, stderr } = await this.run([...args.split(' '), '--json'], input);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    expect(stdout).toMatch(/^[[{].*[\]}]\n$/);
    return JSON.parse(stdout);
  }

  /** The same without `--json`. */
  async text(args: string, input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args.split(' '), input);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    expect(() => JSON.parse(stdout)).toThrow();
    return stdout;
  }

  /** The reason that a command which fails gives on stderr, with nothing on stdout and exit code 1. */
  async reason(args: string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
    return stderr;
  }
}
