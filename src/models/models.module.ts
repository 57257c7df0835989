import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CatalogService } from './catalog.service.js';
import { LiveProtocolsService } from './live-protocols.service.js';
import { ModelsController } from './models.controller.js';

@Module({
  imports: [AuthModule],
  controllers: [ModelsController],
  providers: [CatalogService, LiveProtocolsService],
  exports: [CatalogService, LiveProtocolsService],
})
export class ModelsModule {}
