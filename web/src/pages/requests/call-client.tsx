import type { ReactNode } from 'react';
import { CopyableId } from '../../kit/figures';
import type { CallDetail } from './requests-queries';

/** The ids by which the client and the gateway know the request. */
export function idsOf({ requestId, answerId, id, status }: CallDetail): [string, ReactNode][] {
  const ofRequest: [string, ReactNode] = [
    'Request id',
    <CopyableId key="request" value={requestId} what="request id" />,
  ];
  if (status === 'refused') return [ofRequest];
  const name = answerId === null ? 'completion id' : 'answer id';
  return [
    ofRequest,
    [answerId === null ? 'Completion id' : 'Answer id', <CopyableId key="answer" value={answerId ?? id} what={name} />],
  ];
}

/** What the client got, beside what the provider answered. */
export function responseOf({ httpStatus, upstreamStatus, upstream, status }: CallDetail): [string, ReactNode][] {
  if (httpStatus === null) return status === 'aborted' ? [['Response', 'None: the client had disconnected']] : [];
  const ofProvider = upstreamStatus === null ? '' : `; ${upstream} answered ${upstreamStatus}`;
  return [['Response', `HTTP ${httpStatus}${ofProvider}`]];
}

/** Where the request came from. */
export function clientOf({ clientAddress, userAgent }: CallDetail): [string, ReactNode][] {
  return [
    ...(clientAddress === null ? [] : [['Client address', clientAddress] as [string, ReactNode]]),
    ...(userAgent === null ? [] : [['User agent', userAgent] as [string, ReactNode]]),
  ];
}
