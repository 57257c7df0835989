import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import type { Plugin } from 'vite';

const PREFIX = 'icon:';
const COMPONENT = `${import.meta.dirname}/src/icons/icon.tsx`;
/** What the component's own element says for all shapes in it. */
const SAID_ONCE = / (?:fill="none"|stroke(?:-\w+)*="[^"]*")/g;

/** `import House from 'icon:house'` is a component that draws this icon of the Lucide set. */
export function icons(): Plugin {
  const drawings: Record<string, { body: string } | undefined> = lucide.icons;
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const drawing = drawings[id.slice(PREFIX.length + 1)];
      if (!drawing) return this.error(`Lucide has no icon of this name: ${id.slice(1)}`);
      const shapes = JSON.stringify(drawing.body.replace(SAID_ONCE, ''));
      return `import { iconOf } from '${COMPONENT}';\nexport default /* @__PURE__ */ iconOf(${shapes});\n`;
    },
  };
}
