import { Module } from '@nestjs/common';
import { CompletionsModule } from '../completions/completions.module.js';
import { APIS } from './apis.js';

@Module({ imports: [CompletionsModule], controllers: [...APIS] })
export class ApisModule {}
