import { useCallback, useEffect, useRef, useState } from 'react';
import { announce } from './announce';
import { copyText } from './clipboard';

const SHOWN_MS = 1800;

/** Copies text and shows the success for a moment, also to screen readers. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    const done = await copyText(text);
    announce(done ? 'Copied' : 'Could not copy. Select the text and copy it by hand.');
    setCopied(done);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return done;
  }, []);
  return { copied, copy };
}
