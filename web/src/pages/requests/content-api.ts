import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type CallContent = components['schemas']['CallContentView'];
export type LoggedChoice = components['schemas']['LoggedChoiceView'];

export function showContent(id: string): Promise<CallContent> {
  return unwrap(api.GET('/api/usage/calls/{id}/content', { params: { path: { id } } }));
}
