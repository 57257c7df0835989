import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { CatalogService } from './catalog.service.js';
import { ModelsController } from './models.controller.js';

@Module({
  imports: [AuthModule, UpstreamsModule],
  controllers: [ModelsController],
  providers: [CatalogService],
  exports: [CatalogService],
})
export class ModelsModule {}
