import { api, unwrap } from '../../api/client';
import { type ProjectDetail, type ProjectRole, refreshProjects } from '../../api/projects';
import type { components } from '../../api/schema';

export type LimitsChange = components['schemas']['LimitsDto'];
type AccountChange = components['schemas']['ServiceAccountDto'];

export function createProject(name: string): Promise<ProjectDetail> {
  return changed(unwrap(api.POST('/api/projects', { body: { name } })));
}

export function renameProject(id: string, name: string): Promise<ProjectDetail> {
  return changed(unwrap(api.PATCH('/api/projects/{id}', { params: { path: { id } }, body: { name } })));
}

export function archiveProject(id: string): Promise<ProjectDetail> {
  return changed(unwrap(api.POST('/api/projects/{id}/archive', { params: { path: { id } } })));
}

export function addMember(id: string, email: string, role: ProjectRole): Promise<unknown> {
  return changed(unwrap(api.POST('/api/projects/{id}/members', { params: { path: { id } }, body: { email, role } })));
}

export function setRole(id: string, userId: string, role: ProjectRole): Promise<unknown> {
  const params = { path: { id, userId } };
  return changed(unwrap(api.PUT('/api/projects/{id}/members/{userId}', { params, body: { role } })));
}

export function removeMember(id: string, userId: string): Promise<unknown> {
  return changed(unwrap(api.DELETE('/api/projects/{id}/members/{userId}', { params: { path: { id, userId } } })));
}

export function setLimits(id: string, body: LimitsChange): Promise<unknown> {
  return changed(unwrap(api.PUT('/api/projects/{id}/limits', { params: { path: { id } }, body })));
}

export function switchContentLog(id: string, on: boolean): Promise<unknown> {
  return changed(unwrap(api.PUT('/api/projects/{id}/content-log', { params: { path: { id } }, body: { on } })));
}

export function createAccount(id: string, name: string): Promise<unknown> {
  const params = { path: { id } };
  return changed(unwrap(api.POST('/api/projects/{id}/service-accounts', { params, body: { name } })));
}

export function updateAccount(id: string, accountId: string, body: AccountChange): Promise<unknown> {
  const params = { path: { id, accountId } };
  return changed(unwrap(api.PATCH('/api/projects/{id}/service-accounts/{accountId}', { params, body })));
}

/** Shows the result of a change everywhere. */
async function changed<T>(change: Promise<T>): Promise<T> {
  const result = await change;
  await refreshProjects();
  return result;
}
