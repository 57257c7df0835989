/** Who makes a change. */
export interface Actor {
  readonly kind: 'user' | 'command_line' | 'gateway' | 'nobody';
  /** Of a user. */
  readonly id: string | null;
  /** A user's e-mail address, or another name if there is none. */
  readonly name: string;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Someone who can run the command line. */
export const COMMAND_LINE: Actor = actorOf('command_line', 'command line');

/** The gateway itself. */
export const GATEWAY: Actor = actorOf('gateway', 'gateway');

export interface AuditTarget {
  readonly kind: 'user' | 'key' | 'token' | 'plan' | 'project' | 'session' | 'upstream' | 'export' | 'call' | 'cache';
  readonly id: string | null;
  readonly name: string;
}

/** A change: `user.create`, `key.revoke`…, with the changed values. It contains no secrets. */
export interface AuditChange {
  readonly action: string;
  readonly target: AuditTarget;
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

/** A change as stored in the log. */
export interface AuditEntry extends Required<AuditChange> {
  /** Increases with time; a decimal string. */
  readonly id: string;
  readonly at: Date;
  readonly actor: Actor;
}

function actorOf(kind: Actor['kind'], name: string): Actor {
  return { kind, id: null, name, address: null, requestId: null };
}
