import { ApiProperty } from '@nestjs/swagger';
import { ProjectRefView } from '../../dto/project-ref.view.js';
import { SpendingView } from '../../dto/spending.view.js';
import { Integer, TextOrNull, TimeOrNull, ViewOrNull } from '../../dto/view-properties.js';
import { ListPageView } from '../../lists/list.view.js';
import { PlanNameView } from '../../plans/dto/plan-view.dto.js';

export class UserPlanView extends PlanNameView {
  @TimeOrNull()
  since!: Date | null;

  @TimeOrNull('Null: no end.')
  until!: Date | null;
}

/** A user as administrators see it. */
export class UserView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @TextOrNull('Null for service accounts of a project.')
  email!: string | null;

  @ApiProperty({ description: 'May be empty if there is an e-mail address.' })
  name!: string;

  @ApiProperty({ enum: ['admin', 'member'] })
  role!: 'admin' | 'member';

  @ViewOrNull(ProjectRefView, 'The project, if the user is a service account of one.')
  project!: ProjectRefView | null;

  @ApiProperty({ enum: ['person', 'service'] })
  kind!: 'person' | 'service';

  @ApiProperty({ enum: ['local', 'oidc', 'service'], description: 'How the user signs in.' })
  source!: 'local' | 'oidc' | 'service';

  @ApiProperty({
    enum: ['active', 'disabled', 'invited'],
    description: 'Invited: the link to a first password was not used yet.',
  })
  status!: 'active' | 'disabled' | 'invited';

  @ApiProperty({ type: UserPlanView })
  plan!: UserPlanView;

  @Integer('API keys that work now.')
  keys!: number;

  @ApiProperty({ type: SpendingView, description: 'This month (UTC) so far.' })
  spentThisMonth!: SpendingView;

  @TimeOrNull('Last use of the console, accurate to the minute.')
  lastSeenAt!: Date | null;

  @ApiProperty()
  createdAt!: Date;
}

export class UserPageView extends ListPageView {
  @ApiProperty({ type: [UserView] })
  items!: UserView[];
}

export class PasswordLinkView {
  @ApiProperty({ description: 'For the person; it is shown only once.' })
  url!: string;

  @ApiProperty()
  expiresAt!: Date;
}

export class CreatedUserView {
  @ApiProperty({ type: UserView })
  user!: UserView;

  @ViewOrNull(PasswordLinkView, 'Null for a service account, and if people sign in only with single sign-on.')
  link!: PasswordLinkView | null;
}
