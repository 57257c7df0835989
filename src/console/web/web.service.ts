import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { webFiles } from './web-files.js';

/**
 * Adds the console's pages after all routes: modules are initialised after Nest has registered those, before its own
 * 404.
 */
@Injectable()
export class WebService implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    this.adapter.httpAdapter.use(webFiles());
  }
}
