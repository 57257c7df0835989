import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteRole } from '../session/role.js';
import type { Operation, PathItem } from './document.types.js';
import { errorResponse } from './error.schemas.js';

type Paths = OpenAPIObject['paths'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The console's paths, each operation with its roles and its possible errors. */
export function consolePaths(paths: Paths, roles: ReadonlyMap<string, RouteRole>): Paths {
  const ofConsole = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return Object.fromEntries(ofConsole.map(([path, item]) => [path, withRoles(item, roles)]));
}

function withRoles(item: PathItem, roles: ReadonlyMap<string, RouteRole>): PathItem {
  const described = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (operation) described[method] = withRole(operation, roles.get(operation.operationId ?? ''));
  }
  return described;
}

function withRole(operation: Operation, role: RouteRole | undefined): Operation {
  const note = role === 'admin' ? ['**For administrators.**'] : [];
  const description = [operation.description, ...note].filter(Boolean).join('\n\n');
  return {
    ...operation,
    ...(description && { description }),
    security: role === 'anyone' ? [] : [{ session: [] }],
    responses: { ...operation.responses, default: errorResponse('The error.') },
  };
}
