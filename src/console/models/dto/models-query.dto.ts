import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';

export class ModelsQuery {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The models that the keys of this project can use, for its members and admins.',
  })
  @IsGivenOrMissing()
  @IsUUID()
  project?: string;
}
