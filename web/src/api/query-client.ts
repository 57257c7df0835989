import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

const RETRIES = 2;

/** Client errors are not retried; network and server errors are. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status < 500),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { retry: false },
  },
});
