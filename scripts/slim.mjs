import { projectPath, say } from './lib/project.mjs';
import { forgottenParts, removeFiles, removeUnreadFiles } from './lib/unread-files.mjs';

// Removes from node_modules/ what a gateway that runs never reads. Only the image's build calls it: after that nothing
// can be built or checked there any more.

const modules = projectPath('node_modules');

// Sources, types, documents, and what C programs are linked with. Licences stay.
const files = /\.([cm]?ts|tsx|flow|a|md|markdown)$/;
const licences = /^(licen[cs]e|notice|copying|authors)/i;

for (const part of forgottenParts(modules))
  say(`node_modules/${part} is not there any more: scripts/lib/unread-files.mjs can forget it.`);
removeUnreadFiles(modules, { withDevelopment: false });
removeFiles(modules, (name) => files.test(name) && !licences.test(name));
