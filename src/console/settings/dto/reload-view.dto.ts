import { ApiProperty } from '@nestjs/swagger';

const FILES = ['gateway.yaml', 'upstreams.yaml', 'models.yaml'] as const;
const CHANGES = ['added', 'removed', 'changed'] as const;
const CAUSES = ['signal', 'command', 'files'] as const;

/** Something that the files have otherwise than before. */
export class ConfigChangeView {
  @ApiProperty({ enum: FILES })
  file!: (typeof FILES)[number];

  @ApiProperty({ description: 'A section of gateway.yaml, the name of an upstream or the id of a model.' })
  name!: string;

  @ApiProperty({ enum: CHANGES })
  change!: (typeof CHANGES)[number];
}

/** A mistake in a file; the value itself is not told. */
export class ConfigFaultView {
  @ApiProperty()
  file!: string;

  @ApiProperty({ example: 'retry.attempts' })
  key!: string;

  @ApiProperty()
  problem!: string;
}

/** How the configuration was last read again; where it has mistakes nothing was changed. */
export class ReloadView {
  @ApiProperty({ format: 'date-time' })
  at!: Date;

  @ApiProperty({ enum: CAUSES, description: 'What asked for it: SIGHUP, the command line, or a change of the files.' })
  cause!: (typeof CAUSES)[number];

  @ApiProperty({ type: [ConfigChangeView] })
  changes!: ConfigChangeView[];

  @ApiProperty({ type: [String], description: 'Sections of gateway.yaml that changed and count after a restart only.' })
  needsRestart!: string[];

  @ApiProperty({ type: [ConfigFaultView] })
  faults!: ConfigFaultView[];
}

export class LastReloadView {
  @ApiProperty({ type: ReloadView, nullable: true, description: 'Null: not since the gateway was started.' })
  last!: ReloadView | null;
}
