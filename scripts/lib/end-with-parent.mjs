// Preloaded into a program whose parent only waits for it: when the parent ends for any reason, the program stops as
// after SIGTERM. (npm forwards a signal to the shell that runs a script, but the shell does not forward it.)
import { watchParent } from './watch-parent.mjs';

// Only for this program: the processes that it forks would inherit the preload and end when their own channel closes.
const at = process.execArgv.indexOf(import.meta.url);
if (at > 0) process.execArgv.splice(at - 1, 2);

let isEnding = false;

function stop() {
  if (isEnding) return;
  isEnding = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
}

process.once('disconnect', stop);
process.channel?.unref();
watchParent(stop);
