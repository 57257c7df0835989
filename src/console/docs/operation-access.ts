import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { Access, type RouteAccess } from '../session/route-access.js';

type Method = (...parameters: never[]) => unknown;
type ControllerClass = { readonly name: string; readonly prototype: Record<string, Method> };

const reflector = new Reflector();
const scanner = new MetadataScanner();

/** Who can call each console operation, by the operation's id. */
export function routeAccess(app: INestApplicationContext): ReadonlyMap<string, RouteAccess> {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return new Map(controllers.flatMap(({ metatype }) => accessOf(metatype as ControllerClass)));
}

/** `Session_open` for `SessionController.open`. */
export function operationId(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

function accessOf(controller: ControllerClass): [string, RouteAccess][] {
  return scanner.getAllMethodNames(controller.prototype).flatMap((method) => {
    const handler = controller.prototype[method];
    const access = handler && reflector.getAllAndOverride(Access, [handler, controller as unknown as Method]);
    return access ? [[operationId(controller.name, method), access] as [string, RouteAccess]] : [];
  });
}
