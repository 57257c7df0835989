import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from './api-error';
import { api, unwrap } from './client';
import { askOwner, ownPage, whileOwned } from './page-owner';
import type { components } from './schema';
import { signedInAgain } from './session-clock';

export type SessionView = components['schemas']['SessionView'];

export type Permission = SessionView['permissions'][number];

/** The session of a signed-in person, which every page of the shell can rely on. */
export type SignedIn = SessionView & Record<'user' | 'plan' | 'lasting', object> & { version: string };

/** Who is signed in, or nobody, and what the sign-in page needs to know. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/session', { signal })),
  staleTime: 60_000,
});

/** Who is signed in; an ApiError with status 401 if nobody is. */
export const signedInQuery = queryOptions({
  queryKey: ['session', 'signed-in'],
  queryFn: async ({ signal }): Promise<SignedIn> => {
    const session = await unwrap(api.GET('/api/session', { signal }));
    if (isSignedIn(session)) return owned(session);
    const again = (await signedInAgain()) ? await unwrap(api.GET('/api/session', { signal })) : session;
    if (isSignedIn(again)) return owned(again);
    throw new ApiError(401, 'Your session has ended. Please sign in again.', 'not_signed_in', null, null, null);
  },
  staleTime: 60_000,
});

/** Who is signed in. Use it only inside the shell, which waits until this is known. */
export function useSession(): SignedIn {
  return useSuspenseQuery(signedInQuery).data;
}

/** Whether the person may do this for everything that the gateway has. */
export function mayAll({ permissions }: SessionView, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** A page that shows another user's data keeps waiting. */
async function owned(session: SignedIn): Promise<SignedIn> {
  if (ownPage(session.user.id)) return session;
  await askOwner();
  await whileOwned();
  return session;
}

function isSignedIn(session: SessionView): session is SignedIn {
  return session.user !== null && session.plan !== null && session.lasting !== null;
}
