import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';

export class AlertsQuery {
  @ApiPropertyOptional({ description: '`next` of the previous page.' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'cursor must be the `next` of a page' })
  cursor?: string;
}
