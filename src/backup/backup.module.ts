import { Module } from '@nestjs/common';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';

/** The whole database out into a file, and back. */
@Module({ providers: [BackupService, RestoreService], exports: [BackupService, RestoreService] })
export class BackupModule {}
