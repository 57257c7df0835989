import { ApiProperty } from '@nestjs/swagger';
import { PersonView } from '../../dto/person.view.js';
import { Integer, NumberOrNull, TextOrNull, ViewOrNull } from '../../dto/view-properties.js';
import { PlanNameView } from '../../plans/dto/plan-view.dto.js';

export class SessionUserView extends PersonView {}

export class SessionPlanView extends PlanNameView {
  @ApiProperty({ type: [String], example: ['free', 'pro'] })
  tiers!: string[];
}

export class SsoView {
  @ApiProperty({ example: 'oidc' })
  id!: string;

  @ApiProperty({ example: 'Single sign-on' })
  label!: string;

  @ApiProperty({ description: 'Where a browser goes to sign in; takes `?next=/path`.', example: '/api/oidc/start' })
  startUrl!: string;
}

export class SignInView {
  @ApiProperty({ description: 'Whether people can sign in with e-mail address and password.' })
  local!: boolean;

  @ApiProperty({ type: [SsoView] })
  oidc!: SsoView[];

  @ApiProperty({ description: 'There is no administrator yet: the setup link creates the first.' })
  setupNeeded!: boolean;
}

export class KeyPolicyView {
  @NumberOrNull('The longest lifetime of a key; null: no limit.')
  maxLifetimeDays!: number | null;

  @NumberOrNull('The suggested lifetime of a new key.')
  defaultLifetimeDays!: number | null;
}

export class SessionLastingView {
  @ApiProperty({ description: 'It ends this many seconds after the last request, or up to 60 seconds earlier.' })
  idleSeconds!: number;

  @Integer('It ends in this many seconds in any case.')
  endsInSeconds!: number;
}

/** Who is signed in, and what the sign-in page needs to know. */
export class SessionView {
  @ViewOrNull(SessionUserView, 'Null: nobody is signed in.')
  user!: SessionUserView | null;

  @ViewOrNull(SessionPlanView)
  plan!: SessionPlanView | null;

  @ViewOrNull(SessionLastingView, 'How long the session lasts.')
  lasting!: SessionLastingView | null;

  @ApiProperty({ description: 'Whether plans are for sale; `GET /api/payments` has details.' })
  payments!: boolean;

  @NumberOrNull('How long the content log keeps prompts and answers; null: it cannot be switched on.')
  contentLogDays!: number | null;

  @ApiProperty({ description: 'The base URL for API clients.', example: 'https://gateway.example.com/v1' })
  baseUrl!: string;

  @ApiProperty({
    description: 'The base URL for apps that list models, with OpenAI’s list.',
    example: 'https://gateway.example.com/openai/v1',
  })
  listBaseUrl!: string;

  @ApiProperty({ type: SignInView })
  signIn!: SignInView;

  @ApiProperty({ type: KeyPolicyView })
  keyPolicy!: KeyPolicyView;

  @TextOrNull('The gateway’s version; only with a session.')
  version!: string | null;
}
