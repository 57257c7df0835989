import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CompletionsDoor } from './completions.door.js';

/** `POST /v1/chat/completions`, and the same under `/openai/v1`. Calls seldom come this way: see `Entrance`. */
@Controller(['v1/chat/completions', 'openai/v1/chat/completions'])
export class CompletionsController {
  constructor(private readonly door: CompletionsDoor) {}

  @Post()
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.door.serve(request, response);
  }
}
