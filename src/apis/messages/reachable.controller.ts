import { Controller, Head, HttpCode } from '@nestjs/common';

/** `HEAD /`: Claude Code asks this first, whether anybody is there. */
@Controller()
export class ReachableController {
  @Head()
  @HttpCode(200)
  reachable(): void {}
}
