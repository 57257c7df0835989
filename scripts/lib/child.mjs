import { spawn } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program to its end and forwards signals to it; returns `{ code, signal }` like Node's `exit` event. */
export function runChild(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const forward = (signal) => {
      // A terminal sends its signals to the whole process group, so the child has already received them.
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

/** Ends this process with the same exit code or signal as a child. */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exit(code);
}
