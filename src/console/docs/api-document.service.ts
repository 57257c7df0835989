import { type INestApplication, Injectable } from '@nestjs/common';
import { createApiDocument } from './api-document.js';

/** The OpenAPI document of this gateway as JSON, made at its first use. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private json: string | undefined;

  /** Nest does not inject the application, so the setup passes it. */
  describe(app: INestApplication): void {
    this.app = app;
    this.json = undefined;
  }

  toJson(): string {
    if (!this.app) throw new Error('no application was set up to be described');
    this.json ??= JSON.stringify(createApiDocument(this.app));
    return this.json;
  }
}
