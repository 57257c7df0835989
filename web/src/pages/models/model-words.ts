import Braces from 'icon:braces';
import Brain from 'icon:brain';
import Eye from 'icon:eye';
import Image from 'icon:image';
import Type from 'icon:type';
import Waypoints from 'icon:waypoints';
import Wrench from 'icon:wrench';
import type { Icon } from '../../icons/icon';

interface Word {
  readonly name: string;
  readonly about: string;
  readonly icon: Icon;
}

/** Names of the catalog's capabilities. */
export const CAPABILITIES: Readonly<Record<string, Word>> = {
  image_input: { name: 'Vision', about: 'Accepts images', icon: Eye },
  tools: { name: 'Tools', about: 'Calls your functions', icon: Wrench },
  json_schema: { name: 'JSON Schema', about: 'Follows a JSON schema that you provide', icon: Braces },
  reasoning: { name: 'Reasoning', about: 'Reasons before it answers', icon: Brain },
};

export const MODALITIES: Readonly<Record<string, Word>> = {
  text: { name: 'Text', about: 'Text', icon: Type },
  image: { name: 'Image', about: 'Images', icon: Image },
  embedding: { name: 'Embedding', about: 'Vectors of numbers', icon: Waypoints },
};

export function wordOf(words: Readonly<Record<string, Word>>, id: string): Word {
  return words[id] ?? { name: id, about: id, icon: Type };
}
