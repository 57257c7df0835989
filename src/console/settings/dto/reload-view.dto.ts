/** Something that the files have otherwise than before. */
export class ConfigChangeView {
  file!: 'gateway.yaml' | 'upstreams.yaml' | 'models.yaml';
  /** A section of gateway.yaml, the name of an upstream or the id of a model. */
  name!: string;
  change!: 'added' | 'removed' | 'changed';
}

/** A mistake in a file; the value itself is not told. */
export class ConfigFaultView {
  file!: string;
  key!: string;
  problem!: string;
}

/** How the configuration was last read again; where it has mistakes nothing was changed. */
export class ReloadView {
  at!: Date;
  cause!: 'signal' | 'command' | 'files';
  changes!: ConfigChangeView[];
  faults!: ConfigFaultView[];
}

export class LastReloadView {
  /** Null: not since the gateway was started. */
  last!: ReloadView | null;
}
