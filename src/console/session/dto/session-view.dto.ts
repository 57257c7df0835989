import { ApiProperty } from '@nestjs/swagger';
import { PersonView } from '../../dto/person.view.js';

export class SessionUserView extends PersonView {}

export class SessionPlanView {
  @ApiProperty({ example: 'pro' })
  id!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;

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
  @ApiProperty({ description: 'Whether one may sign in with e-mail address and password.' })
  local!: boolean;

  @ApiProperty({ type: [SsoView] })
  oidc!: SsoView[];

  @ApiProperty({ description: 'There is no administrator yet: the link in the log of the gateway makes the first.' })
  setupNeeded!: boolean;
}

export class KeyPolicyView {
  @ApiProperty({ type: Number, nullable: true, description: 'The longest life that a key may be given; null: any.' })
  maxLifetimeDays!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'What is proposed for a new key.' })
  defaultLifetimeDays!: number | null;
}

/** Who is signed in, and what the sign-in page needs to know. */
export class SessionView {
  @ApiProperty({ type: SessionUserView, nullable: true, description: 'Null: nobody is signed in.' })
  user!: SessionUserView | null;

  @ApiProperty({ type: SessionPlanView, nullable: true })
  plan!: SessionPlanView | null;

  @ApiProperty({ description: 'Whether plans are sold: then `GET /api/payments` has more.' })
  payments!: boolean;

  @ApiProperty({ description: 'What API clients take for their base URL.', example: 'https://gateway.example.com/v1' })
  baseUrl!: string;

  @ApiProperty({
    description: 'The same for apps that list the models: where the list is always the one that they know.',
    example: 'https://gateway.example.com/openai/v1',
  })
  listBaseUrl!: string;

  @ApiProperty({ type: SignInView })
  signIn!: SignInView;

  @ApiProperty({ type: KeyPolicyView })
  keyPolicy!: KeyPolicyView;

  @ApiProperty({ type: String, nullable: true, description: 'Of the gateway; only for who is signed in.' })
  version!: string | null;
}
