/** The CPU time of this process for some work, in ms; other processes do not affect it. */
export async function coreMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
