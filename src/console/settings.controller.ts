import { Get, Req } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Request } from 'express';
import { ConfigReloadService } from '../config/config-reload.service.js';
import { describeSettings } from '../config/described-settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ScimService } from '../scim/scim.module.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { consoleUrl } from './session/current-session.js';
import { Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from './shared/views.js';

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

class SettingGroupView {
  @ApiProperty({ example: 'Server' })
  title!: string;

  @ApiProperty({ type: [SettingView] })
  settings!: readonly SettingView[];
}

const FILES = ['gateway.yaml', 'upstreams.yaml', 'models.yaml', 'environment'] as const;
const CHANGES = ['added', 'removed', 'changed'] as const;
const CAUSES = ['signal', 'command', 'files'] as const;

/** A difference between the files and the previous configuration. */
export class ConfigChangeView {
  @ApiProperty({ enum: FILES })
  file!: (typeof FILES)[number];

  @ApiProperty({ description: 'A section of gateway.yaml, the name of an upstream, the id of a model or a variable.' })
  name!: string;

  @ApiProperty({ enum: CHANGES })
  change!: (typeof CHANGES)[number];
}

/** A mistake in a file, without the value itself. */
export class ConfigFaultView {
  @ApiProperty()
  file!: string;

  @IntegerOrNull('Null outside the yaml files.')
  line!: number | null;

  @TextOrNull('The model of models.yaml that has the mistake.')
  model!: string | null;

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

class LastReloadView {
  @ViewOrNull(ReloadView, 'Null: not since the start of the gateway.')
  last!: ReloadView | null;
}

/** Whether an identity provider can create and disable users here, and what it did. */
class ScimStateView {
  @ApiProperty({
    example: 'https://gateway.example.com/scim/v2',
    description: 'The base URL for the identity provider.',
  })
  url!: string;

  @TimeOrNull('When the last usable access token with the scope `scim` ends; null: there is none, so SCIM is off.')
  tokenEndsAt!: Date | null;

  @TimeOrNull('The last use of an access token with this scope, accurate to the minute.')
  lastRequestAt!: Date | null;

  @TextOrNull('From where.')
  lastRequestAddress!: string | null;

  @Integer('Users whom the identity provider created or found.')
  users!: number;

  @Integer('Groups of the identity provider.')
  groups!: number;
}

@ConsoleController('settings', 'Settings', ['settings.read', 'all'])
export class SettingsController {
  constructor(
    private readonly reloads: ConfigReloadService,
    private readonly scimService: ScimService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  @Returns([SettingGroupView], 'Every setting with the file or variable that sets it')
  list(): SettingGroupView[] {
    return describeSettings(this.settings);
  }

  @Get('reload')
  @Returns(LastReloadView, 'The result of the last reload: the changes, or the mistakes that prevented them')
  reload(): LastReloadView {
    return { last: this.reloads.last };
  }

  @Get('scim')
  @Returns(ScimStateView, 'Whether SCIM is on, its base URL and its last request')
  async scim(@Req() request: Request): Promise<ScimStateView> {
    return { url: `${consoleUrl(request, this.settings)}/scim/v2`, ...(await this.scimService.state()) };
  }
}
