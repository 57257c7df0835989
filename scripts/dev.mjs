import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { prepare, prepareServer } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { gatewayNode, gatewayNodeOptions } from './lib/runtime.mjs';
import { watchParent } from './lib/watch-parent.mjs';

// Runs the gateway, and builds and starts it again after each change in src/. For the console's pages: `npm run dev:web`.

const SETTLE_MS = 200;

let gateway;
let timer;
let work = Promise.resolve();

await runScript(async () => {
  await prepare();
  start();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(signal));
  watchParent(() => end('SIGTERM'));
  watch(projectPath('src'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => (work = work.then(restart)), SETTLE_MS);
  });
});

function start() {
  gateway = spawn(gatewayNode(), [...gatewayNodeOptions, projectPath('dist/main.js')], { stdio: 'inherit' });
}

/** Keeps the running gateway if the sources do not compile. */
async function restart() {
  try {
    await prepareServer();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(error.message);
    return;
  }
  await stop('SIGTERM');
  start();
}

async function stop(signal) {
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
  gateway.kill(signal);
  await once(gateway, 'exit');
}

async function end(signal) {
  await stop(signal);
  process.exit(gateway.exitCode ?? 0);
}
