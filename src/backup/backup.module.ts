import { Module } from '@nestjs/common';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';

/** Writes the whole database to a file and reads it back. */
@Module({ providers: [BackupService, RestoreService], exports: [BackupService, RestoreService] })
export class BackupModule {}
