// Preloaded into a program whose parent only waits for it: when the parent dies, however suddenly, the program is asked
// to stop, as by SIGTERM. (npm passes a signal on to the shell that it runs a script in, and the shell does not.)
import { watchParent } from './watch-parent.mjs';

// Only this program: the processes that it forks would inherit the preload, and end with a channel that is theirs.
const at = process.execArgv.indexOf(import.meta.url);
if (at > 0) process.execArgv.splice(at - 1, 2);

let asked = false;

function stop() {
  if (asked) return;
  asked = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
}

process.once('disconnect', stop);
process.channel?.unref();
watchParent(stop);
