import { Get } from '@nestjs/common';
import { ConfigReloadService } from '../../config/config-reload.service.js';
import { describeSettings } from '../../config/described-settings.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { LastReloadView } from './dto/reload-view.dto.js';
import { SettingGroupView } from './dto/setting-view.dto.js';

@ConsoleController('settings', 'Settings', 'admin')
export class SettingsController {
  constructor(
    private readonly reloads: ConfigReloadService,
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
}
