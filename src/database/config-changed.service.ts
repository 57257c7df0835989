import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SessionService } from './session.service.js';

const CHANNEL = 'config_changed';
const ALL = 'all';

/** Lets the processes of all gateways on a database notify each other to reload their configuration. */
@Injectable()
export class ConfigChangedService {
  constructor(
    private readonly session: SessionService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Call it before the database starts. `family`: null for all, or the argument of `notify`. */
  listen(handler: (family: string | null) => void): void {
    this.session.listen(CHANNEL, (payload) => handler(payload === ALL ? null : payload));
  }

  async notify(family: string | null): Promise<void> {
    await this.dataSource.query('SELECT pg_notify($1, $2)', [CHANNEL, family ?? ALL]);
  }
}
