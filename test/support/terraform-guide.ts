import type { ConsoleClient, ConsoleReply } from './console-client.js';

type Attributes = Readonly<Record<string, unknown>>;

/** `resource "restapi_object" NAME` of a Terraform file. */
export interface ApiObject {
  readonly name: string;
  readonly attributes: Attributes;
}

export interface TerraformGuide {
  readonly provider: Attributes;
  readonly objects: readonly ApiObject[];
}

const BLOCK = /^(?:provider "restapi"|resource "restapi_object" "(\w+)") \{\n([\s\S]*?)^\}/gm;
const ATTRIBUTE = /^ {2}(\w+) += (.*)$/gm;

/** The blocks of the provider `Mastercard/restapi`. Understands texts, booleans, objects and `jsonencode`. */
export function readTerraform(text: string): TerraformGuide {
  const blocks = [...text.matchAll(BLOCK)].map(([, name, body = '']) => ({ name, attributes: attributesOf(body) }));
  return {
    provider: blocks.find(({ name }) => name === undefined)?.attributes ?? {},
    objects: blocks.flatMap(({ name, attributes }) => (name === undefined ? [] : [{ name, attributes }])),
  };
}

function attributesOf(body: string): Attributes {
  return Object.fromEntries([...body.matchAll(ATTRIBUTE)].map(([, key, value = '']) => [key, toValue(value)]));
}

function toValue(text: string): unknown {
  const [, json] = /^jsonencode\((.*)\)$/.exec(text) ?? [];
  if (json !== undefined) return JSON.stringify(toValue(json));
  return /^[["{\dtf]/.test(text) ? JSON.parse(text.replace(/(\w+) = /g, '"$1": ')) : text;
}

/**
 * Manages one object as the provider does: its paths are `path` to create and `path/{id}` otherwise, and each method and
 * path has an attribute of its own. `values`: for `${…}`.
 */
export class ManagedObject {
  id = '';

  constructor(
    private readonly client: ConsoleClient,
    private readonly provider: Attributes,
    private readonly object: ApiObject,
    private readonly values: Readonly<Record<string, string>>,
  ) {}

  async create(): Promise<ConsoleReply> {
    const reply = await this.send('create', this.attribute('path'), this.attribute('data'));
    const answer = Object(reply.body) as Record<string, unknown>;
    this.id = this.attribute('object_id') || String(answer[this.attribute('id_attribute') || 'id']);
    return reply;
  }

  read(): Promise<ConsoleReply> {
    return this.send('read', this.usualPath(), '');
  }

  update(data: object): Promise<ConsoleReply> {
    return this.send('update', this.usualPath(), JSON.stringify(data));
  }

  destroy(): Promise<ConsoleReply> {
    return this.send('destroy', this.usualPath(), this.attribute('destroy_data'));
  }

  private usualPath(): string {
    return `${this.attribute('path')}/{id}`;
  }

  private send(step: keyof typeof METHODS, usualPath: string, data: string): Promise<ConsoleReply> {
    const method = this.attribute(`${step}_method`) || String(this.provider[`${step}_method`] ?? METHODS[step]);
    const path = (this.attribute(`${step}_path`) || usualPath).replace('{id}', this.id);
    return this.client.send(method, path, data === '' ? undefined : JSON.parse(data));
  }

  private attribute(name: string): string {
    const value = String(this.object.attributes[name] ?? '');
    return value.replace(/\$\{(.*?)\}/g, (_, expression: string) => {
      const known = this.values[expression];
      if (known === undefined) throw new Error(`${this.object.name}.${name} refers to ${expression}`);
      return known;
    });
  }
}

const METHODS = { create: 'POST', read: 'GET', update: 'PUT', destroy: 'DELETE' };
