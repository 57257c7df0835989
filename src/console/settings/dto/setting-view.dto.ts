import { ApiProperty } from '@nestjs/swagger';

const SOURCES = ['environment', '.env', 'file', 'default'] as const;
const SECRET_STATES = ['set', 'not set'] as const;

/** One setting as it applies in this process. */
export class SettingView {
  @ApiProperty({ example: 'server.bodyLimit', description: 'A key of gateway.yaml, or a variable.' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: String, nullable: true, example: '32mb', description: 'Null: nothing, or a secret.' })
  value!: string | null;

  @ApiProperty({ enum: SECRET_STATES, nullable: true, description: 'For secrets, only whether they are set.' })
  secret!: (typeof SECRET_STATES)[number] | null;

  @ApiProperty({ enum: SOURCES })
  source!: (typeof SOURCES)[number];

  @ApiProperty({ example: 'PORT', description: 'The variable or file that sets it or can set it.' })
  setBy!: string;
}

export class SettingGroupView {
  @ApiProperty({ example: 'Server' })
  title!: string;

  @ApiProperty({ type: [SettingView] })
  settings!: readonly SettingView[];
}
