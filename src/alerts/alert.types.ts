export type AlertType =
  | 'budget_80'
  | 'budget_100'
  | 'target_aside'
  | 'target_back'
  | 'ledger_down'
  | 'ledger_back'
  | 'over_ceiling';

/** Something that whoever runs the gateway should hear of, once. */
export interface Alert {
  readonly type: AlertType;
  /** An e-mail address, a key's id or an upstream. */
  readonly subject: string;
  /** Fit for a chat channel; no secret, nothing that was said in a call. */
  readonly text: string;
  /**
   * What it tells the state of, over all processes: of two alerts on one topic in a row the second is told only if its
   * type is another. For what happens once, such as a budget's crossing of 80 % in one month, it names just that. Left
   * out: it is told each time.
   */
  readonly topic?: string;
}
