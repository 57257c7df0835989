import type { Request } from 'express';

interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

export function allowedMethods(request: Request): string[] {
  const layers = request.app.router.stack as unknown as RouteLayer[];
  const methods = new Set<string>();
  for (const layer of layers) {
    if (!layer.route || layer.route.methods._all || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
