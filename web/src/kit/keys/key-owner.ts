import type { KeyInput } from './keys-api';

/** The owner of a key. */
export interface KeyOwner {
  userId: string;
  /** Of the owner; null: the owner belongs to no project. */
  projectId: string | null;
}

/** The owner of a new key. */
export interface ChosenOwner extends KeyOwner {
  /** Null: the project itself, or a person. */
  serviceAccountId: string | null;
}

/** The project of a dialog for its keys. */
export interface KeyProject {
  id: string;
  userId: string;
}

export function ownerOf({ owner, project }: { owner: { id: string }; project: { id: string } | null }): KeyOwner {
  return { userId: owner.id, projectId: project?.id ?? null };
}

export function toChosenUser(userId: string): ChosenOwner {
  return { userId, projectId: null, serviceAccountId: null };
}

export function toChosenProject({ id, userId }: KeyProject): ChosenOwner {
  return { userId, projectId: id, serviceAccountId: null };
}

/** The owner in the format of the API. */
export function toOwnerInput(
  { userId, projectId, serviceAccountId }: ChosenOwner,
  myId: string,
): Pick<KeyInput, 'userId' | 'projectId' | 'serviceAccountId'> {
  if (projectId === null) return userId === myId ? {} : { userId };
  return { projectId, ...(serviceAccountId !== null && { serviceAccountId }) };
}
