import '@mantine/core/styles.layer.css';
import './theme/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { createConsoleRouter } from './routes';
import { cssVariables, theme } from './theme/theme';

/** Not part of what the first page waits for. */
const Toasts = lazy(() => import('./shell/toasts').then((module) => ({ default: module.Toasts })));
const router = createConsoleRouter(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
