import { ApiProperty } from '@nestjs/swagger';
import { Integer, TextOrNull, ViewOrNull } from '../dto/view-properties.js';

export class ListTotalView {
  @Integer()
  count!: number;

  @ApiProperty({ description: 'False if there are more than were counted.' })
  isExact!: boolean;
}

/** The fields of a page of a list besides its items. */
export class ListPageView {
  @TextOrNull('The `cursor` of the next page.')
  next!: string | null;

  @ViewOrNull(ListTotalView, 'Only on the first page.')
  total!: ListTotalView | null;
}
