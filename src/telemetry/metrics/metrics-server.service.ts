import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { MetricsService } from './metrics.service.js';

@Injectable()
export class MetricsServerService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Metrics');
  private server: Server | undefined;

  constructor(
    private readonly metrics: MetricsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, host } = this.settings;
    if (metricsPort === null) return;
    this.server = createServer((request, response) => {
      if (request.url !== '/metrics') response.writeHead(404).end();
      else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
      else void this.metrics.answer(response);
    });
    this.server.listen(metricsPort, host);
    await once(this.server, 'listening');
    const { port } = this.server.address() as AddressInfo;
    this.logger.log(`The metrics are on port ${port}.`);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
