/** What sets a setting, the strongest first. */
export type SettingSource = 'environment' | '.env' | 'file' | 'default';

/** One setting as it holds in this process. */
export interface DescribedSetting {
  /** `server.bodyLimit` of gateway.yaml, or the name of a variable. */
  readonly name: string;
  readonly description: string;
  /** As one would write it; null: nothing, or a secret. */
  readonly value: string | null;
  /** Of a secret no more is told than this; null: it is none. */
  readonly secret: 'set' | 'not set' | null;
  readonly source: SettingSource;
  /** The variable or the file that sets it, or would. */
  readonly setBy: string;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly DescribedSetting[];
}
