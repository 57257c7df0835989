import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/api-error';
import { type SignedIn, signedInQuery } from './api/session';
import { parseSearch, type SearchParams, stringifySearch } from './kit/search-params';
import { maySee } from './shell/navigation';
import { NotFoundPage, PageSkeleton, PendingShell, RouteError, ShellError } from './shell/route-states';
import { Shell } from './shell/shell';

interface RouterContext {
  queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  errorComponent: RouteError,
  validateSearch: (search): SearchParams => search as SearchParams,
});

const outside = [
  page('/login', () => import('./pages/login/login.page'), 'LoginPage'),
  page('/setup', () => import('./pages/login/setup.page'), 'SetupPage'),
  page('/password', () => import('./pages/login/password.page'), 'PasswordPage'),
  page('/sign-in-error', () => import('./pages/login/sign-in-error.page'), 'SignInErrorPage'),
];

/** Everything that needs a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  pendingComponent: PendingShell,
  errorComponent: ShellError,
  beforeLoad: async ({ context, location }) => {
    return { session: await signedIn(context.queryClient, location.href) };
  },
});

/** The requests were a tab of this page. */
const usageRoute = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage/usage.page'), 'UsagePage'),
  beforeLoad: ({ search }) => {
    const { tab, call, ...rest }: SearchParams = search;
    if (tab === 'requests' || call) throw redirect({ to: '/requests', search: { ...rest, call }, replace: true });
  },
});

const memberPages = [
  inShell('/', () => import('./pages/overview/overview.page'), 'OverviewPage'),
  inShell('/keys', () => import('./pages/keys/keys.page'), 'KeysPage'),
  inShell('/keys/$id', () => import('./pages/keys/keys.page'), 'KeysPage'),
  inShell('/projects', () => import('./pages/projects/projects.page'), 'ProjectsPage'),
  inShell('/projects/$id', () => import('./pages/projects/project.page'), 'ProjectPage'),
  usageRoute,
  inShell('/requests', () => import('./pages/requests/requests.page'), 'RequestsPage'),
  inShell('/budgets', () => import('./pages/budgets/budgets.page'), 'BudgetsPage'),
  inShell('/models/', () => import('./pages/models/models.page'), 'ModelsPage'),
  inShell('/models/$', () => import('./pages/models/model.page'), 'ModelPage'),
  inShell('/playground', () => import('./pages/playground/playground.page'), 'PlaygroundPage'),
  inShell('/docs', () => import('./pages/docs/docs.page'), 'DocsPage'),
  inShell('/docs/$section', () => import('./pages/docs/docs.page'), 'DocsPage'),
  inShell('/account', () => import('./pages/account/account.page'), 'AccountPage'),
  inShell('/roles', () => import('./pages/account/roles.page'), 'RolesPage'),
];

/** Older addresses opened a user in a drawer of this page. */
const usersRoute = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  component: lazyRouteComponent(() => import('./pages/users/users.page'), 'UsersPage'),
  notFoundComponent: NotFoundPage,
  beforeLoad: ({ search, context }) => {
    if (!maySee(context.session, '/users')) throw notFound();
    const { user }: SearchParams = search;
    if (user) throw redirect({ to: '/users/$id', params: { id: user }, replace: true });
  },
});

const adminPages = [
  usersRoute,
  withPermission('/users/$id', () => import('./pages/users/users.page'), 'UsersPage'),
  withPermission('/plans', () => import('./pages/plans/plans.page'), 'PlansPage'),
  withPermission('/guards', () => import('./pages/guards/guards.page'), 'GuardsPage'),
  withPermission('/upstreams', () => import('./pages/upstreams/upstreams.page'), 'UpstreamsPage'),
  withPermission('/alerts', () => import('./pages/alerts/alerts.page'), 'AlertsPage'),
  withPermission('/audit', () => import('./pages/audit/audit.page'), 'AuditPage'),
  withPermission('/settings', () => import('./pages/settings/settings.page'), 'SettingsPage'),
];

const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

const routeTree = root.addChildren([...outside, shell.addChildren([...memberPages, ...adminPages, unknown])]);

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

type Importer<K extends string> = () => Promise<Record<K, React.ComponentType>>;

function page<P extends string, K extends string>(path: P, importer: Importer<K>, name: K) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(importer, name) });
}

function inShell<P extends string, K extends string>(path: P, importer: Importer<K>, name: K) {
  return createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(importer, name) });
}

/** For those who have the page's permission; to others it does not exist. */
function withPermission<P extends string, K extends string>(path: P, importer: Importer<K>, name: K) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(importer, name),
    notFoundComponent: NotFoundPage,
    beforeLoad: ({ context }) => {
      if (!maySee(context.session, path)) throw notFound();
    },
  });
}

/** The session; without one, redirects to the sign-in page and back. */
async function signedIn(queryClient: QueryClient, href: string): Promise<SignedIn> {
  try {
    return await queryClient.ensureQueryData(signedInQuery);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    throw redirect({ to: '/login', search: href === '/' ? {} : { next: href }, replace: true });
  }
}
