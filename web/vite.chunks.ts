/** Of Mantine, what stands on the pages themselves. */
const ON_PAGES = ofMantine('Alert|Badge|Card|CloseButton|Divider|Loader|Pill|Switch|Tabs');
/** What opens above a page: its code comes when somebody reaches for it. */
const OVERLAYS = [
  /[\\/]kit[\\/]overlays\.tsx$/,
  ofMantine('Checkbox(?![\\\\/]CheckIcon)|Drawer|Modal|MultiSelect|ScrollArea'),
];
/** Drawings that one page or dialog uses come with it. */
const ICON = /icon:/;
/** Code examples of a first call. */
const SNIPPETS = /[\\/](kit[\\/]snippets|src[\\/]snippets[\\/][\w-]+)\.tsx?$/;
/** The list of access tokens, on the page of an account and in a dialog. */
const TOKENS = /[\\/]tokens[\\/](access-tokens|tokens-api)\.tsx?$/;
/** Come with the first message. */
const TOASTS = [/[\\/]kit[\\/]toasts\.tsx$/, /@mantine[\\/]notifications[\\/]/];
/** What only dialogs are made of. */
const DIALOGS = [
  /[\\/](kit[\\/](cache-form|dialog|guards-form|limit-fields|plan-dialog|use-user-search)|users[\\/]create-user-dialog)\.tsx?$/,
  /[\\/]tokens[\\/]permission-choice\.tsx$/,
  /@mantine[\\/]form[\\/]/,
  ofMantine('Radio'),
];
/** What one or two pages use comes with them, and the calendar when someone opens it. */
const OF_FEW_PAGES = /[\\/]kit[\\/](kpi|range|range-choice|day-range|password-field|paged-table|request-words)\.tsx?$/;
/** Long texts: in the playground, and in a dialog. */
const TEXTAREA = ofMantine('Textarea');
/** The search for anything, which the palette and the page of requests load when they need it. */
const FOUND = /[\\/]kit[\\/]use-found\.ts$/;
/** The queries of users, for their page and its dialogs. */
const USERS = /[\\/]users[\\/]user-actions\.ts$/;
/** Lists of keys and the pages that have one: their dialogs come when someone opens one. */
const KEYS = [
  /[\\/]src[\\/]keys[\\/](key-columns|key-menu|key-name|key-state|keys-api)\.tsx?$/,
  /[\\/]src[\\/]api[\\/]projects\.ts$/,
  /[\\/]activity[\\/]inherited-limits\.tsx$/,
];
/** The list of models and the page of a model. */
const MODELS = /[\\/]pages[\\/]models[\\/]/;
/** Where people type passwords. */
const PASSWORD = [/[\\/]kit[\\/]password-field\.tsx$/, ofMantine('PasswordInput|Progress')];
/** The lists of alerts and of the audit log. */
const PAGED = /[\\/]kit[\\/]paged-table\.tsx$/;
/** The Markdown of answers and of the documentation, which arrives after the page. */
const MARKDOWN = [/[\\/]kit[\\/]markdown\.ts$/, /[\\/](mdast|micromark)[\w-]*[\\/]/];
const FOLD = /[\\/]kit[\\/]fold\.tsx$/;
/** On most pages, and on the largest, which then needs no other shared file. */
const KIT = [
  /[\\/]src[\\/](kit|api)[\\/]/,
  /[\\/](clamp|use-clipboard|use-debounced-callback|use-debounced-value|use-media-query|use-merged-ref|use-uncontrolled)\.mjs$/,
  /[\\/](useQuery|useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/,
  ON_PAGES,
  /[\\/]Checkbox[\\/]CheckIcon\.mjs$/,
];

const NOT_IN_KIT = [...OVERLAYS, ...DIALOGS, ...KEYS, ...MARKDOWN, ...TOASTS, SNIPPETS, OF_FEW_PAGES, FOLD, FOUND];

/**
 * The files that the code comes in: a page waits for six of them at most, and for nothing that is not on it. A group takes
 * along whatever its modules import that no group before it has.
 */
export const chunks = [
  { name: 'base', tags: ['$initial' as const], priority: 5 },
  {
    debugName: 'kit',
    name: (id: string, modules: Modules) => (isOf(KIT, id) || isSharedIcon(id, modules) ? 'kit' : null),
    test: (id: string) => !isOf(NOT_IN_KIT, id),
    priority: 3,
  },
  { name: 'fold', test: FOLD, priority: 2 },
  { name: 'markdown', test: (id: string) => isOf(MARKDOWN, id), priority: 2 },
  { name: 'found', test: FOUND, priority: 2 },
  { name: 'snippets', test: SNIPPETS, priority: 2 },

  { name: 'textarea', test: TEXTAREA, priority: 2 },
  { name: 'users', test: USERS, priority: 2 },
  { name: 'overlays', test: (id: string) => isOf(OVERLAYS, id), priority: 2 },
  { name: 'dialogs', test: (id: string) => isOf(DIALOGS, id), priority: 1 },
  { name: 'playground', test: /[\\/]playground[\\/](chat-settings|playground-store)\.ts$/, priority: 1 },
  { name: 'password', test: (id: string) => isOf(PASSWORD, id), priority: 0.7 },
  { name: 'tokens', test: TOKENS, priority: 0.7 },
  { name: 'paged', test: PAGED, priority: 0.7 },
  { name: 'shared', test: (id: string) => !isOf([...KEYS, MODELS], id), minShareCount: 2, priority: 0.5 },
  { name: 'keys', test: (id: string) => isOf(KEYS, id) },
  { name: 'models', test: MODELS },
];

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

function isSharedIcon(id: string, modules: Modules): boolean {
  return ICON.test(id) && (modules.getModuleInfo(id)?.importers.length ?? 0) > 1;
}

function ofMantine(names: string): RegExp {
  return new RegExp(`@mantine[\\\\/]core[\\\\/]esm[\\\\/]components[\\\\/](${names})[\\\\/]`);
}

function isOf(tests: readonly RegExp[], id: string): boolean {
  return tests.some((test) => test.test(id));
}
