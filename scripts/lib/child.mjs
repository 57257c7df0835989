import { spawn } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program to its end, passing signals on; gives its `{ code, signal }` as Node's `exit` event does. */
export function runChild(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const forward = (signal) => {
      // A terminal sends its signals to the whole process group: the child has had them already.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    };
    const settle = (settled) => {
      for (const signal of signals) process.off(signal, forward);
      settled();
    };
    for (const signal of signals) process.on(signal, forward);
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => settle(() => resolve({ code, signal })));
  });
}

/** Ends this process the way a child of it ended. */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exit(code);
}
