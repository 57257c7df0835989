import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Injectable, Logger, type OnApplicationBootstrap, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AddressList } from '../common/address-list.js';
import { type GatewayError, gatewayError, unknownUrl } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
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

const LOOPBACK = ['127.0.0.0/8', '::1'];
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

/** `GET /metrics` on the gateway's own port, unless `METRICS_PORT` is set. */
@Controller('metrics')
export class MetricsController implements OnApplicationBootstrap {
  private readonly allowed: AddressList;
  private readonly isElsewhere: boolean;

  constructor(
    private readonly metrics: MetricsService,
    @InjectSettings() settings: Settings,
  ) {
    this.allowed = new AddressList([...LOOPBACK, ...settings.metrics.allow]);
    this.isElsewhere = settings.metricsPort !== null;
  }

  onApplicationBootstrap(): void {
    this.metrics.watchProcess();
  }

  @Get()
  get(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.isElsewhere) throw unknownUrl();
    if (!this.mayRead(request)) throw notAllowed();
    return this.metrics.answer(response);
  }

  /** Behind a proxy this is the address of the client; it is unknown if the proxy is not trusted. */
  private mayRead({ ip, socket, headers }: Request): boolean {
    const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
    if (isForwarded && ip === socket.remoteAddress) return false;
    return this.allowed.includes(ip ?? '');
  }
}

function notAllowed(): GatewayError {
  const message =
    'Metrics are only available to this machine and to addresses in `metrics.allow` of gateway.yaml. `METRICS_PORT` moves them to a separate port.';
  return gatewayError(403, 'ip_not_allowed', message);
}
