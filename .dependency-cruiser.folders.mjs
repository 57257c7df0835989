import house from './.dependency-cruiser.mjs';

/** No circles between folders, specs aside: two folders that need each other are one, or lack a third. */
export default {
  forbidden: [
    { name: 'no-circles-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: { ...house.options, exclude: { path: '\\.spec\\.ts$' } },
};
