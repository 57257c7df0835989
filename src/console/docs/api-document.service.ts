import { type INestApplication, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Rights } from '../../accounts/permissions.js';
import { createApiDocument, documentOf } from './api-document.js';
import { routeAccess } from './operation-access.js';

/** The number of different sets of rights for which the document is stored. */
const MAX_STORED = 20;

/** The OpenAPI document of this gateway as JSON: whole, or what someone can call. It is built on first use. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private readonly json = new LRUCache<string, string>({ max: MAX_STORED });

  /** Nest does not inject the application, so the setup passes it. */
  describe(app: INestApplication): void {
    this.app = app;
    this.json.clear();
  }

  /** `rights`: of whom the document shows the operations; null: all operations. */
  toJson(rights: Rights | null): string {
    const key = rights?.key ?? 'all';
    const known = this.json.get(key);
    if (known) return known;
    const json = JSON.stringify(this.create(rights));
    this.json.set(key, json);
    return json;
  }

  private create(rights: Rights | null) {
    if (!this.app) throw new Error('describe() was not called');
    const whole = createApiDocument(this.app);
    if (rights === null) return whole;
    const accesses = routeAccess(this.app);
    return documentOf(whole, ({ operationId = '' }) => {
      const access = accesses.get(operationId);
      return access === undefined || typeof access === 'string' || rights.reaches(...access);
    });
  }
}
