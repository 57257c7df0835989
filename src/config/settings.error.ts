/** One mistake in the configuration: its location and the problem, without the value itself. */
export interface Fault {
  file: string;
  key: string;
  problem: string;
}

/** The configuration is not valid; the message lists every mistake on a line of its own. */
export class SettingsError extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ file, key, problem }) => `${file}: ${key} ${problem}`).join('\n'));
    this.name = 'SettingsError';
  }
}
