/** What this process has used of the machine's cores for something, in ms: unlike the time that has passed, no other's work adds to it. */
export async function coreMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
