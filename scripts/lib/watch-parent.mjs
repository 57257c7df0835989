const lookMs = 200;

/** Calls `gone` once when the parent process has ended. Does not keep this process alive. */
export function watchParent(gone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, lookMs);
  timer.unref();
}
