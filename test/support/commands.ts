import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterFile } from './after-file.js';
import { CLI, NODE_OPTIONS, PROCESS_VARIABLES } from './gateway-process.js';

const PROGRAM = resolve(import.meta.dirname, 'commands.child.mjs');

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The built command line, like `runCli`, but one process runs the commands of a test file, one after another: loading
 * it takes longer than most commands. test/system/cli.system-spec.ts also runs commands of each kind in their own
 * processes.
 */
export class Commands {
  private child: ChildProcess | undefined;
  private readonly ended = new AbortController();
  private last: Promise<unknown> = Promise.resolve();

  run(args: string[], folder: string, variables: Record<string, string>, input = ''): Promise<CommandResult> {
    const result = this.last.then(() => this.send({ args, folder, variables, input }));
    this.last = result.catch(() => undefined);
    return result;
  }

  private async send(command: object): Promise<CommandResult> {
    this.child ??= this.start();
    const answer = once(this.child, 'message', { signal: this.ended.signal });
    this.child.send(command);
    const [result] = (await answer) as [CommandResult];
    return result;
  }

  private start(): ChildProcess {
    const child = fork(PROGRAM, [CLI], { execArgv: NODE_OPTIONS, env: PROCESS_VARIABLES });
    afterFile(async () => {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    });
    return child.once('exit', () => this.ended.abort(new Error('The process of the command line ended.')));
  }
}
