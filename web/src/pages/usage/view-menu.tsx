import SlidersHorizontal from 'icon:sliders-horizontal';
import { Button, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { DropPanel } from '../../kit/drop-panel';
import classes from './usage.module.css';
import type { UsageControls } from './use-usage-search';

const ViewChoices = lazy(() => import('./view-choices').then((module) => ({ default: module.ViewChoices })));

interface ViewMenuProps extends Pick<UsageControls, 'search' | 'change'> {
  comparedWith: string;
}

/** A button that opens the view's settings. */
export function ViewMenu(props: ViewMenuProps) {
  return (
    <DropPanel
      position="bottom-end"
      width={312}
      dropdown={{ 'aria-label': 'View' }}
      target={
        <Button variant="default" className={classes.control}>
          <SlidersHorizontal size={15} aria-hidden />
          <span className={classes.controlLabel}>View</span>
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" />}>
        <ViewChoices {...props} />
      </Suspense>
    </DropPanel>
  );
}
