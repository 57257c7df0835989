import Compass from 'icon:compass';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../kit/empty-state';
import { Page } from '../kit/page';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon={Compass}
        title="This page does not exist"
        action={
          <Button component={Link} to="/">
            Go to the overview
          </Button>
        }
      >
        The address may be mistyped, or your role has no access to the page.
      </EmptyState>
    </Page>
  );
}
