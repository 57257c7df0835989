import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteAccess } from '../session/route-access.js';
import { METHODS, type Operation, type PathItem } from './document.types.js';
import { errorResponse } from './error.schemas.js';

type Paths = OpenAPIObject['paths'];

/** The console's paths, each operation with its permission and its possible errors. */
export function consolePaths(paths: Paths, accesses: ReadonlyMap<string, RouteAccess>): Paths {
  const ofConsole = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return Object.fromEntries(ofConsole.map(([path, item]) => [path, withAccess(item, accesses)]));
}

function withAccess(item: PathItem, accesses: ReadonlyMap<string, RouteAccess>): PathItem {
  const described = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (operation) described[method] = toConsoleOperation(operation, accesses.get(operation.operationId ?? ''));
  }
  return described;
}

function toConsoleOperation(operation: Operation, access: RouteAccess | undefined): Operation {
  const permission =
    access === undefined || typeof access === 'string' ? {} : { 'x-permission': access[0], 'x-reach': access[1] };
  return {
    ...operation,
    ...permission,
    security: access === 'anyone' ? [] : [{ session: [] }, { token: [] }],
    responses: { ...operation.responses, default: errorResponse('The error.') },
  };
}
