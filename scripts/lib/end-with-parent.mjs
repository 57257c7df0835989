// Preloaded into a program whose parent only waits for it: when the parent dies, however suddenly, the program is asked
// to stop, as by SIGTERM. (npm passes a signal on to the shell that it runs a script in, and the shell does not.)
import { watchParent } from './watch-parent.mjs';

let asked = false;

function stop() {
  if (asked) return;
  asked = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
}

process.once('disconnect', stop);
process.channel?.unref();
watchParent(stop);
