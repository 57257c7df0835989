import { ApiProperty } from '@nestjs/swagger';

export class ListTotalView {
  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ description: 'False if there are more than were counted.' })
  isExact!: boolean;
}

/** The fields of a page of a list besides its items. */
export class ListPageView {
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next!: string | null;

  @ApiProperty({ type: ListTotalView, nullable: true, description: 'Only on the first page.' })
  total!: ListTotalView | null;
}
