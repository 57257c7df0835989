import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from './database.service.js';

/** A random secret shared by all processes on this database. */
@Injectable()
export class InstallationSecretService {
  private secret: Buffer | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(() => this.read());
  }

  /** Null until the database is connected. */
  get value(): Buffer | null {
    return this.secret;
  }

  private async read(): Promise<void> {
    const [row]: { secret: Buffer }[] = await this.dataSource.query('SELECT secret FROM installation');
    this.secret = row?.secret ?? null;
  }
}
