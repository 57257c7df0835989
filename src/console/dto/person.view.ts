import { ApiProperty } from '@nestjs/swagger';

/** The common fields of every view of a user. */
export class PersonView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ description: 'May be empty.' })
  name!: string;

  @ApiProperty({ enum: ['admin', 'member'] })
  role!: 'admin' | 'member';
}
