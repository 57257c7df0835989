import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';

/**
 * A dialog or drawer that is loaded when it is first opened. It is rendered closed first, so that opening it is a
 * change, and it stays mounted to fade out.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isWanted: (props: P) => boolean,
  shut: Partial<P>,
): (props: P) => React.ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  function Opening(props: P) {
    const [isDrawn, setDrawn] = useState(false);
    useEffect(() => setDrawn(true), []);
    return <Part {...props} {...(!isDrawn && shut)} />;
  }
  return function OnDemand(props: P) {
    const [wasWanted, setWanted] = useState(false);
    if (!wasWanted && isWanted(props)) setWanted(true);
    return wasWanted ? (
      <Suspense fallback={null}>
        <Opening {...props} />
      </Suspense>
    ) : null;
  };
}
