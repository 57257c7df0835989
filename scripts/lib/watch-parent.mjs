const lookMs = 200;

/** Calls `gone` once when the process that started this one is no more. Keeps no process alive. */
export function watchParent(gone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, lookMs);
  timer.unref();
}
