// Preloaded into a program whose parent only waits for it. The channel to the parent closes when the parent dies,
// however suddenly: the program is then asked to stop, as by SIGTERM.
process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
});
process.channel?.unref();
