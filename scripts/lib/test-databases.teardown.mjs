/** Stops what the set-up beside this file started. */
export default async function tearDown() {
  await globalThis.stopTestDatabases?.();
}
