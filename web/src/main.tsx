import './theme/mantine.css';
import './theme/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { ToastsOnDemand } from './kit/notify';
import { createConsoleRouter } from './routes';
import { cssVariables, theme } from './theme/theme';

const router = createConsoleRouter(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastsOnDemand />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
