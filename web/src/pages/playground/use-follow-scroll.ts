import { useLayoutEffect, useRef } from 'react';

/** A smaller distance from the end counts as at the end. */
const NEAR = 48;

/** Keeps the end in view while content grows, until someone scrolls up, and again at the end. */
export function useFollowScroll(content: unknown, isNew: unknown) {
  const box = useRef<HTMLElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new conversation step is what starts it again.
  useLayoutEffect(() => {
    isFollowing.current = true;
  }, [isNew]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newly shown content may be longer.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, [content, isNew]);
  const onScroll = () => {
    const element = box.current;
    if (element) isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
  };
  return { box, onScroll };
}
