import { ApiProperty } from '@nestjs/swagger';

/** The project that a key or service account belongs to. */
export class ProjectRefView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;
}
