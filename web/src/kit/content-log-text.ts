interface ContentLogSwitch {
  isOn: boolean;
  /** "this key" */
  whose: string;
  /** At the start of a sentence. */
  readers: string;
  /** How long prompts and answers are kept. */
  days: number;
}

/** What switching the content log on or off means. */
export function contentLogText({ isOn, whose, readers, days }: ContentLogSwitch): string {
  if (isOn) return 'New prompts and answers are no longer stored. Those that are stored stay until they expire.';
  return `The prompts and answers of all requests with ${whose} will be stored, encrypted, for ${daysText(days)}. ${readers} can read them in the details of a request; the audit log records every view.`;
}

function daysText(days: number): string {
  if (days < 1) return `${Math.round(days * 24)} hours`;
  return days === 1 ? 'a day' : `${Math.round(days)} days`;
}
