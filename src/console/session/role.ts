import { Reflector } from '@nestjs/core';

/** Who can call a route of the console: admins can do everything that members can; `anyone` needs no session. */
export type RouteRole = 'anyone' | 'member' | 'admin';

/** Every route of the console has one, its own or its controller's. */
export const Role = Reflector.createDecorator<RouteRole>();
