import { projectPath, say } from './lib/project.mjs';
import { forgottenParts, removeFiles, removeUnreadFiles } from './lib/unread-files.mjs';

// Removes the files from node_modules/ that a running gateway never reads. Only the build of the image calls it;
// afterwards nothing can be built or checked there.

const modules = projectPath('node_modules');

// Sources, types, documents, and libraries for linking C programs. Licences stay.
const files = /\.([cm]?ts|tsx|flow|a|md|markdown)$/;
const licences = /^(licen[cs]e|notice|copying|authors)/i;

for (const part of forgottenParts(modules))
  say(`node_modules/${part} does not exist any more: remove it from scripts/lib/unread-files.mjs.`);
removeUnreadFiles(modules, { withDevelopment: false });
removeFiles(modules, (name) => files.test(name) && !licences.test(name));
