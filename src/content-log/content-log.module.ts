import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ContentLogService } from './content-log.service.js';
import { RememberedResponsesService } from './remembered-responses.service.js';
import { ContentRetentionService, StoredContentsService } from './stored-contents.service.js';

/** Prompts and answers in the database, encrypted: of keys and projects that opted in, and remembered responses. */
@Module({
  imports: [AuditModule],
  providers: [ContentLogService, ContentRetentionService, RememberedResponsesService, StoredContentsService],
  exports: [ContentLogService, RememberedResponsesService, StoredContentsService],
})
export class ContentLogModule {}
