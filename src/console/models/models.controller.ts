import { Get, Query } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession } from '../session/current-session.js';
import { ModelActivityView, ModelsQuery, ModelView } from './model.view.js';
import { ModelFiguresService, ModelsViewService } from './models-view.service.js';

@ConsoleController('models', 'Models', 'signed-in')
export class ConsoleModelsController {
  constructor(
    private readonly models: ModelsViewService,
    private readonly figures: ModelFiguresService,
  ) {}

  @Get()
  @Returns([ModelView], 'The models that you can use; for admins also the others, with the reason')
  list(@Query() { project }: ModelsQuery, @CurrentSession() session: Session): Promise<ModelView[]> {
    return project === undefined ? this.models.list(session) : this.models.ofProject(project, session);
  }

  @Get('activity')
  @Returns(
    [ModelActivityView],
    'Requests, success and speed of these models in the last 24 hours, of all callers together',
  )
  activity(@CurrentSession() session: Session): Promise<ModelActivityView[]> {
    return this.figures.lately(session);
  }
}
