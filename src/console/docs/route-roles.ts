import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { Role, type RouteRole } from '../session/role.js';

type Method = (...parameters: never[]) => unknown;
type ControllerClass = { readonly name: string; readonly prototype: Record<string, Method> };

const reflector = new Reflector();
const scanner = new MetadataScanner();

/** The roles of each console operation, by the operation's id. */
export function routeRoles(app: INestApplicationContext): ReadonlyMap<string, RouteRole> {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return new Map(controllers.flatMap(({ metatype }) => rolesOf(metatype as ControllerClass)));
}

/** `Session_open` for `SessionController.open`. */
export function operationId(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

function rolesOf(controller: ControllerClass): [string, RouteRole][] {
  return scanner.getAllMethodNames(controller.prototype).flatMap((method) => {
    const handler = controller.prototype[method];
    const role = handler && reflector.getAllAndOverride(Role, [handler, controller as unknown as Method]);
    return role ? [[operationId(controller.name, method), role] as [string, RouteRole]] : [];
  });
}
