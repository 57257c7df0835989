/** What sets a setting, in order of precedence. */
export type SettingSource = 'environment' | '.env' | 'file' | 'default';

/** One setting as it applies in this process. */
export interface DescribedSetting {
  /** `server.bodyLimit` of gateway.yaml, or the name of a variable. */
  readonly name: string;
  readonly description: string;
  /** In the format of the file; null if there is no value, or a secret. */
  readonly value: string | null;
  /** For secrets, only whether they are set; null for others. */
  readonly secret: 'set' | 'not set' | null;
  readonly source: SettingSource;
  /** The variable or file that sets it or can set it. */
  readonly setBy: string;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly DescribedSetting[];
}
