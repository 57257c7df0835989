import { Module } from '@nestjs/common';
import { CompletionsModule } from '../completions/completions.module.js';
import { APIS } from './apis.js';
import { ReachableController } from './messages/reachable.controller.js';

@Module({ imports: [CompletionsModule], controllers: [...APIS, ReachableController] })
export class ApisModule {}
