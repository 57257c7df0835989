/** Asks who is signed in now; the code for that is loaded when it is needed. */
export async function checkOwner(): Promise<void> {
  const { askOwner } = await import('./owner-watch');
  await askOwner();
}
