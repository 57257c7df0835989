import { type INestApplication, Injectable } from '@nestjs/common';
import type { UserRole } from '../../accounts/user.types.js';
import { createApiDocument } from './api-document.js';
import { memberDocument } from './member-document.js';

/** The OpenAPI document of this gateway as JSON. It is built for each role on first use. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private readonly json = new Map<UserRole, string>();

  /** Nest does not inject the application, so the setup passes it. */
  describe(app: INestApplication): void {
    this.app = app;
    this.json.clear();
  }

  /** `admin`: the whole document; `member`: without operations for administrators. */
  toJson(role: UserRole): string {
    const known = this.json.get(role);
    if (known) return known;
    if (!this.app) throw new Error('describe() was not called');
    const whole = createApiDocument(this.app);
    const json = JSON.stringify(role === 'admin' ? whole : memberDocument(whole));
    this.json.set(role, json);
    return json;
  }
}
