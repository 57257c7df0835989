/** One mistake in the configuration: where it stands and what is wrong with the value (the value itself is not told). */
export interface Fault {
  file: string;
  key: string;
  problem: string;
}

/** The configuration cannot be used; the message lists every fault, a line each. */
export class SettingsError extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ file, key, problem }) => `${file}: ${key} ${problem}`).join('\n'));
    this.name = 'SettingsError';
  }
}
