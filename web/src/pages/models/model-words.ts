import { Braces, Brain, Eye, Image, type LucideIcon, Type, Wrench } from 'lucide-react';

interface Word {
  readonly name: string;
  readonly about: string;
  readonly icon: LucideIcon;
}

/** Names of the catalog's capabilities. */
export const CAPABILITIES: Readonly<Record<string, Word>> = {
  image_input: { name: 'Vision', about: 'Takes images', icon: Eye },
  tools: { name: 'Tools', about: 'Calls your functions', icon: Wrench },
  json_schema: { name: 'JSON Schema', about: 'Follows a JSON schema that you provide', icon: Braces },
  reasoning: { name: 'Reasoning', about: 'Reasons before it answers', icon: Brain },
};

export const MODALITIES: Readonly<Record<string, Word>> = {
  text: { name: 'Text', about: 'Text', icon: Type },
  image: { name: 'Image', about: 'Images', icon: Image },
};

export function wordOf(words: Readonly<Record<string, Word>>, id: string): Word {
  return words[id] ?? { name: id, about: id, icon: Type };
}
