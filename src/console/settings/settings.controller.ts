import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { describeSettings } from '../../config/described-settings.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ConsoleController } from '../console-controller.js';
import { Role } from '../session/role.js';
import { SettingGroupView } from './dto/setting-view.dto.js';

@ConsoleController('settings', 'Settings')
@Role('admin')
export class SettingsController {
  constructor(@InjectSettings() private readonly settings: Settings) {}

  @Get()
  @ApiOperation({ summary: 'Every setting with what sets it; files and variables are where they are changed' })
  @ApiOkResponse({ type: [SettingGroupView] })
  list(): SettingGroupView[] {
    return describeSettings(this.settings);
  }
}
