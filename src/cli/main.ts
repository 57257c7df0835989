import { gatewayAddress, remoteProgram } from './apply.commands.js';

/** `gateway key:list | head` ends quietly, with the exit code of a program that SIGPIPE ended. */
const BROKEN_PIPE = 141;
if (process.stdout.listenerCount('error') === 0) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exitCode = BROKEN_PIPE;
  });
}

try {
  const remote = gatewayAddress() === null ? null : remoteProgram(process.argv[2]);
  const program = remote ?? (await import('./program.js')).gatewayProgram();
  await program.parseAsync();
} catch (error) {
  const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  const reason = error instanceof Error ? error.message || String(error) : String(error);
  const title = error instanceof Error && error.name === 'SettingsError' ? 'The configuration contains errors:\n' : '';
  if (!isClosed) process.stderr.write(`${title}${reason}\n`);
  process.exitCode = isClosed ? BROKEN_PIPE : 1;
}
