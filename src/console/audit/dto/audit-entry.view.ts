import { ApiProperty } from '@nestjs/swagger';
import { TextOrNull } from '../../dto/view-properties.js';

const ACTOR_KINDS = ['user', 'command_line', 'gateway', 'nobody'] as const;
const TARGET_KINDS = ['user', 'key', 'plan', 'project', 'session', 'upstream', 'export', 'call'] as const;
const VALUES = { type: 'object', additionalProperties: true, nullable: true } as const;

export class AuditActorView {
  @ApiProperty({ enum: ACTOR_KINDS })
  kind!: (typeof ACTOR_KINDS)[number];

  @TextOrNull()
  id!: string | null;

  @ApiProperty({ description: 'The e-mail address of a user.' })
  name!: string;
}

export class AuditTargetView {
  @ApiProperty({ enum: TARGET_KINDS })
  kind!: (typeof TARGET_KINDS)[number];

  @TextOrNull()
  id!: string | null;

  @ApiProperty()
  name!: string;
}

/** One change: the actor, the action, the old and new values, the address and the time. It contains no secrets. */
export class AuditEntryView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty()
  actor!: AuditActorView;

  @ApiProperty({ example: 'key.create' })
  action!: string;

  @ApiProperty()
  target!: AuditTargetView;

  @ApiProperty(VALUES)
  before!: Record<string, unknown> | null;

  @ApiProperty(VALUES)
  after!: Record<string, unknown> | null;

  @TextOrNull()
  address!: string | null;

  @TextOrNull()
  requestId!: string | null;
}

/** Newest first. */
export class AuditPageView {
  @ApiProperty({ type: [AuditEntryView] })
  items!: AuditEntryView[];

  @TextOrNull('The `cursor` of the next page.')
  next!: string | null;
}
