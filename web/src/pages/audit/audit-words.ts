import type { AuditEntry } from './audit-api';

export const TARGET_KINDS: Record<AuditEntry['target']['kind'], string> = {
  user: 'User',
  token: 'Access token',
  key: 'API key',
  plan: 'Plan',
  project: 'Project',
  session: 'Session',
  upstream: 'Upstream',
  export: 'Export',
  call: 'Request',
  cache: 'Cache',
};

const ACTOR_KINDS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'User',
  command_line: 'Command line',
  gateway: 'The gateway itself',
  nobody: 'Unknown',
};

export function actorKind({ actor }: AuditEntry): string {
  return ACTOR_KINDS[actor.kind];
}

const ACTIONS: Readonly<Record<string, string>> = {
  'audit.export': 'Exported the audit log',
  'cache.clear': 'Deleted cached answers',
  'key.cache': 'Changed the cache of a key',
  'project.cache': 'Changed the cache of a project',
  'content.view': 'Viewed a prompt and its answer',
  'key.content_log': 'Turned the content log of a key on or off',
  'project.content_log': 'Turned the content log of a project on or off',
  'key.guards': 'Changed the guards of a key',
  'project.guards': 'Changed the guards of a project',
  'plan.guards': 'Changed the guards of a plan',
  'key.create': 'Created a key',
  'key.update': 'Changed a key',
  'key.disable': 'Disabled a key',
  'key.enable': 'Enabled a key',
  'key.rotate': 'Rotated a key',
  'key.end_previous': 'Ended the previous secret of a key',
  'key.revoke': 'Revoked a key',
  'link.create': 'Created a password link',
  'link.use': 'Used a password link',
  'ledger.repair': 'Repaired a balance',
  'plan.grant': 'Granted a plan',
  'plan.extend': 'Changed the end of a plan',
  'plan.revoke': 'Ended a plan',
  'plan.create': 'Created a plan',
  'plan.update': 'Changed a plan',
  'plan.retire': 'Retired a plan',
  'plan.reinstate': 'Reinstated a plan',
  'project.create': 'Created a project',
  'project.update': 'Renamed a project',
  'project.archive': 'Archived a project',
  'project.member': 'Changed a member of a project',
  'project.limits': 'Changed limits of a project',
  'session.sign_in': 'Signed in',
  'session.sign_in_failed': 'Failed to sign in',
  'session.sign_out': 'Signed out',
  'session.close': 'Ended a session',
  'session.close_all': 'Ended all sessions',
  'setup.complete': 'Set up the gateway',
  'upstream.test': 'Tested an upstream',
  'token.create': 'Created an access token',
  'token.update': 'Changed an access token',
  'token.revoke': 'Revoked an access token',
  'usage.export': 'Exported usage',
  'user.create': 'Created a user',
  'user.update': 'Changed a user',
  'user.role': 'Changed a role',
  'user.permissions': 'Changed permissions of a service account',
  'user.limits': 'Changed limits of a user',
  'user.forget': 'Forgot a user',
  'user.disable': 'Disabled a user',
  'user.enable': 'Enabled a user',
  'user.password': 'Changed a password',
  'user.link': 'Linked to single sign-on',
};

/** What an entry is about, in words. */
export function entryText({ action, after }: Pick<AuditEntry, 'action' | 'after'>): string {
  const text = actionText(action);
  const isOn = action.endsWith('.content_log') ? after?.contentLog : undefined;
  return typeof isOn === 'boolean' ? text.replace(' on or off', isOn ? ' on' : ' off') : text;
}

/** An action in words. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? capitalised(action.replaceAll(/[._]/g, ' '));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The choices of actions: each kind as a whole, and each of its actions. */
export function actionChoices(actions: readonly string[]) {
  const kinds = [...new Set(actions.map(kindOf))];
  return kinds.map((kind) => {
    const items = actions.filter((action) => kindOf(action) === kind);
    return {
      group: capitalised(kind),
      items: [
        ...(items.includes(kind) ? [] : [{ value: kind, label: `All ${kind} actions` }]),
        ...items.map((action) => ({ value: action, label: actionText(action) })),
      ],
    };
  });
}

function kindOf(action: string): string {
  return action.split('.')[0] ?? action;
}

/** A changed field. */
export interface Change {
  field: string;
  /** As text; null if the field was missing. */
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

/** The changes, field by field. If there is only one side, all fields were added or removed. */
export function changesOf({ before, after }: AuditEntry): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.map((field) => {
    const old = textOf(before, field);
    const now = textOf(after, field);
    return { field, before: old, after: now, isChanged: old !== now };
  });
}

function textOf(values: AuditEntry['before'], field: string): string | null {
  const value = values?.[field];
  if (value === undefined) return null;
  if (value === null) return 'none';
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
