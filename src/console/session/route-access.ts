import { Reflector } from '@nestjs/core';
import type { Permission, Reach } from '../../accounts/permissions.js';

/**
 * Who can call a route of the console: anyone, anyone signed in, or those with a permission. Its reach is the smallest
 * with which the route is of use: for everything, within a project, or for what the person owns.
 */
export type RouteAccess = 'anyone' | 'signed-in' | readonly [Permission, Reach];

/** Every route of the console has one, its own or its controller's. */
export const Access = Reflector.createDecorator<RouteAccess>();
