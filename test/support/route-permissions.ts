/**
 * Who can call each route of `/api`: anyone, anyone signed in, or those with a permission, for everything (all), in a
 * project, or for what is their own.
 */
const TABLE = `
  GET    /api/account                                       account own
  PATCH  /api/account                                       account own
  POST   /api/account/password                              account own
  GET    /api/account/sessions                              account own
  DELETE /api/account/sessions                              account own
  DELETE /api/account/sessions/:id                          account own
  GET    /api/alerts                                        alerts.read all
  POST   /api/alerts/test                                   alerts.write all
  GET    /api/apply                                         apply all
  POST   /api/apply                                         apply all
  GET    /api/audit                                         audit.read all
  GET    /api/audit/actions                                 audit.read all
  GET    /api/audit/export                                  audit.read all
  GET    /api/budgets                                       usage.read own
  GET    /api/budgets/notices                               usage.read own
  GET    /api/cache                                         usage.read all
  DELETE /api/cache                                         projects.write all
  GET    /api/guards                                        guards.read all
  GET    /api/guards/:kind/:id                              guards.read project
  PUT    /api/guards/:kind/:id                              guards.write project
  POST   /api/guards/:name/try                              guards.read all
  GET    /api/keys                                          keys.read own
  POST   /api/keys                                          keys.write own
  GET    /api/keys/:id                                      keys.read own
  PATCH  /api/keys/:id                                      keys.write own
  DELETE /api/keys/:id                                      keys.write own
  GET    /api/keys/:id/activity                             keys.read own
  GET    /api/keys/:id/cache                                keys.read own
  PUT    /api/keys/:id/cache                                keys.write own
  PUT    /api/keys/:id/content-log                          keys.write own
  POST   /api/keys/:id/end-previous                         keys.write own
  GET    /api/keys/:id/limits                               keys.read own
  POST   /api/keys/:id/rotate                               keys.write own
  POST   /api/keys/activity                                 keys.read own
  POST   /api/keys/changes                                  keys.write own
  GET    /api/limits                                        usage.read own
  GET    /api/models                                        signed-in
  GET    /api/models/activity                               signed-in
  GET    /api/oidc/callback                                 anyone
  GET    /api/oidc/failure                                  anyone
  GET    /api/oidc/start                                    anyone
  GET    /api/openapi                                       signed-in
  GET    /api/overview                                      usage.read own
  GET    /api/overview/first-call                           usage.read own
  POST   /api/password-links/check                          anyone
  POST   /api/password-links/use                            anyone
  GET    /api/payments                                      account own
  POST   /api/payments/checkout                             account own
  POST   /api/payments/portal                               account own
  POST   /api/payments/stripe/webhook                       anyone
  GET    /api/permissions                                   signed-in
  GET    /api/plans                                         plans.read own
  POST   /api/plans                                         plans.write all
  GET    /api/plans/:id                                     plans.read all
  PATCH  /api/plans/:id                                     plans.write all
  GET    /api/plans/:id/holders                             plans.read all
  POST   /api/playground/key                                keys.write own
  GET    /api/projects                                      projects.read own
  POST   /api/projects                                      projects.write all
  GET    /api/projects/:id                                  projects.read project
  DELETE /api/projects/:id                                  projects.write all
  PATCH  /api/projects/:id                                  projects.write project
  POST   /api/projects/complete                             projects.write all
  POST   /api/projects/:id/archive                          projects.write all
  GET    /api/projects/:id/cache                            projects.read project
  PUT    /api/projects/:id/cache                            projects.write project
  PUT    /api/projects/:id/content-log                      projects.write project
  GET    /api/projects/:id/limits                           projects.read project
  PUT    /api/projects/:id/limits                           limits.write project
  POST   /api/projects/:id/members                          projects.write project
  GET    /api/projects/:id/members/:userId                  projects.read project
  PUT    /api/projects/:id/members/:userId                  projects.write project
  DELETE /api/projects/:id/members/:userId                  projects.write project
  GET    /api/projects/:id/service-accounts                 projects.read project
  POST   /api/projects/:id/service-accounts                 projects.write project
  GET    /api/projects/:id/service-accounts/:accountId      projects.read project
  PATCH  /api/projects/:id/service-accounts/:accountId      projects.write project
  GET    /api/session                                       anyone
  POST   /api/session                                       anyone
  DELETE /api/session                                       anyone
  GET    /api/settings                                      settings.read all
  GET    /api/settings/reload                               settings.read all
  GET    /api/settings/scim                                 settings.read all
  GET    /api/setup                                         anyone
  POST   /api/setup                                         anyone
  GET    /api/tokens                                        tokens.write own
  POST   /api/tokens                                        tokens.write own
  GET    /api/tokens/:id                                    tokens.write own
  PATCH  /api/tokens/:id                                    tokens.write own
  DELETE /api/tokens/:id                                    tokens.write own
  GET    /api/upstreams                                     upstreams.read all
  POST   /api/upstreams/:name/test                          upstreams.test all
  GET    /api/usage                                         usage.read own
  GET    /api/usage/calls                                   requests.read own
  GET    /api/usage/calls/:id                               requests.read own
  GET    /api/usage/calls/:id/content                       content.read own
  GET    /api/usage/calls/facets                            requests.read own
  GET    /api/usage/calls/histogram                         requests.read own
  GET    /api/usage/errors                                  requests.read own
  GET    /api/usage/export                                  usage.read own
  GET    /api/usage/groups                                  usage.read own
  GET    /api/users                                         users.read all
  POST   /api/users                                         users.write all
  GET    /api/users/:id                                     users.read all
  PATCH  /api/users/:id                                     users.write all
  POST   /api/users/batch                                   users.write all
  POST   /api/users/:id/forget                              users.write all
  GET    /api/users/:id/limits                              users.read all
  PATCH  /api/users/:id/limits                              limits.write all
  POST   /api/users/:id/link                                users.write all
  GET    /api/users/:id/plan                                users.read all
  POST   /api/users/:id/plan                                plans.write all
  DELETE /api/users/:id/plan                                plans.write all
`;

/** The permissions of each role; an administrator has all of them, for everything. */
export const MEMBER =
  'account content.read keys.read keys.write plans.read projects.read requests.read tokens.write usage.read';
export const PROJECT_MANAGER =
  'content.read guards.read guards.write keys.read keys.write limits.write projects.read projects.write requests.read tokens.write usage.read';
export const PROJECT_MEMBER = 'keys.read projects.read requests.read usage.read';

export interface RouteRow {
  /** `GET /api/keys` */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** `anyone`, `signed-in`, or a permission. */
  readonly needs: string;
  readonly reach: string | undefined;
}

export const ROUTES: readonly RouteRow[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', needs = '', reach] = line.trim().split(/\s+/);
    return { route: `${method} ${path}`, method, path, needs, reach };
  });
