import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder open to all, since an embedded database started by root uses another account. */
export function benchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}
