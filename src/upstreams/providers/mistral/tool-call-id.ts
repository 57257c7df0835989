const TAKEN = /^[A-Za-z0-9]{9}$/;

/** The API takes nine letters and digits only: an id of another upstream becomes such, always the same for one id. */
export function toolCallId(id: string): string {
  if (TAKEN.test(id)) return id;
  const hash = (BigInt(fnv1a(id)) << 32n) | BigInt(fnv1a(`.${id}`));
  return hash.toString(36).slice(-9).padStart(9, '0');
}

/** The 32-bit FNV-1a hash. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
