import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CompletionsModule } from '../completions/completions.module.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { API_SERVICES, APIS, STORED_ANSWERS } from './apis.js';

@Module({
  imports: [AuthModule, CompletionsModule, ContentLogModule],
  controllers: [...APIS, ...STORED_ANSWERS],
  providers: [...API_SERVICES],
})
export class ApisModule {}
