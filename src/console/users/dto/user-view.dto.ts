import { ApiProperty } from '@nestjs/swagger';
import { ProjectRefView } from '../../dto/project-ref.view.js';
import { SpendingView } from '../../dto/spending.view.js';
import { Integer, TextOrNull, TimeOrNull } from '../../dto/view-properties.js';
import { ListPageView } from '../../lists/list.view.js';

export class UserPlanView {
  @ApiProperty({ example: 'pro' })
  id!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;

  @TimeOrNull()
  since!: string | null;

  @TimeOrNull('Null: no end.')
  until!: string | null;
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

  @ApiProperty({
    type: ProjectRefView,
    nullable: true,
    description: 'The project, if the user is a service account of one.',
  })
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
  lastSeenAt!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class UserPageView extends ListPageView {
  @ApiProperty({ type: [UserView] })
  items!: UserView[];
}

export class PasswordLinkView {
  @ApiProperty({ description: 'For the person; it is shown only once.' })
  url!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;
}

export class CreatedUserView {
  @ApiProperty({ type: UserView })
  user!: UserView;

  @ApiProperty({
    type: PasswordLinkView,
    nullable: true,
    description: 'Null for a service account, and if people sign in only with single sign-on.',
  })
  link!: PasswordLinkView | null;
}
