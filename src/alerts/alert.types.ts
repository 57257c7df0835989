export const ALERT_TYPES = [
  'budget_80',
  'budget_100',
  'target_aside',
  'target_back',
  'credential_failing',
  'credential_back',
  'ledger_down',
  'ledger_back',
  'over_ceiling',
  'test',
] as const;

export type AlertType = (typeof ALERT_TYPES)[number];

/** An alert for the operators, sent once. */
export interface Alert {
  readonly type: AlertType;
  /** An e-mail address, a key's id or an upstream. */
  readonly subject: string;
  /** The text for a chat channel. It contains no secret and no content of a call. */
  readonly text: string;
  /**
   * The topic whose state it reports, over all processes: an alert is sent only if its type differs from the topic's
   * previous one. For single events, such as a budget's 80 % in one month, the topic names the event. Without a topic
   * it is always sent.
   */
  readonly topic?: string;
}

/** An alert with its time, as the webhook gets it. */
export interface DatedAlert extends Omit<Alert, 'topic'> {
  readonly at: Date;
}

/** The webhook's response to an alert. */
export interface AlertAnswer {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The start of the response's text, or why there was none. */
  readonly text: string;
  readonly isAccepted: boolean;
}
