/** Stops the servers that test-databases.setup.mjs started. */
export default async function tearDown() {
  await globalThis.stopTestDatabases?.();
}
