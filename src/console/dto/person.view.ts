import { ApiProperty } from '@nestjs/swagger';

/** What every view of a user begins with. */
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
