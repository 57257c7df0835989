import { Reflector } from '@nestjs/core';

/** Who may call a route of the console: an admin may whatever a member may; `anyone` needs no session. */
export type RouteRole = 'anyone' | 'member' | 'admin';

/** Every route of the console has one, its own or its controller's. */
export const Role = Reflector.createDecorator<RouteRole>();
