import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteRole } from '../session/role.js';
import { METHODS, type Operation, type PathItem } from './document.types.js';
import { errorResponse } from './error.schemas.js';

type Paths = OpenAPIObject['paths'];

/** The console's paths, each operation with its role (`admin` in the session's scopes) and its possible errors. */
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
  return {
    ...operation,
    security: role === 'anyone' ? [] : [{ session: role === 'admin' ? ['admin'] : [] }],
    responses: { ...operation.responses, default: errorResponse('The error.') },
  };
}
