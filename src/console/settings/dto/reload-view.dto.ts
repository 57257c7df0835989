import { ApiProperty } from '@nestjs/swagger';
import { ViewOrNull } from '../../dto/view-properties.js';

const FILES = ['gateway.yaml', 'upstreams.yaml', 'models.yaml'] as const;
const CHANGES = ['added', 'removed', 'changed'] as const;
const CAUSES = ['signal', 'command', 'files'] as const;

/** A difference between the files and the previous configuration. */
export class ConfigChangeView {
  @ApiProperty({ enum: FILES })
  file!: (typeof FILES)[number];

  @ApiProperty({ description: 'A section of gateway.yaml, the name of an upstream or the id of a model.' })
  name!: string;

  @ApiProperty({ enum: CHANGES })
  change!: (typeof CHANGES)[number];
}

/** A mistake in a file, without the value itself. */
export class ConfigFaultView {
  @ApiProperty()
  file!: string;

  @ApiProperty({ example: 'retry.attempts' })
  key!: string;

  @ApiProperty()
  problem!: string;
}

/** The result of the last reload; with mistakes nothing was changed. */
export class ReloadView {
  @ApiProperty()
  at!: Date;

  @ApiProperty({ enum: CAUSES, description: 'What requested it: SIGHUP, the command line, or a change of the files.' })
  cause!: (typeof CAUSES)[number];

  @ApiProperty({ type: [ConfigChangeView] })
  changes!: readonly ConfigChangeView[];

  @ApiProperty({ type: [String], description: 'Changed sections of gateway.yaml that need a restart.' })
  needsRestart!: readonly string[];

  @ApiProperty({ type: [ConfigFaultView] })
  faults!: readonly ConfigFaultView[];
}

export class LastReloadView {
  @ViewOrNull(ReloadView, 'Null: not since the start of the gateway.')
  last!: ReloadView | null;
}
