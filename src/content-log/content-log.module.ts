import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ContentLogService } from './content-log.service.js';
import { ContentRetentionService } from './content-retention.service.js';
import { StoredContentsService } from './stored-contents.service.js';

/** Prompts and answers of keys and projects that opted in, encrypted in the database. */
@Module({
  imports: [AuditModule],
  providers: [ContentLogService, ContentRetentionService, StoredContentsService],
  exports: [ContentLogService, StoredContentsService],
})
export class ContentLogModule {}
