import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Integer, TextOrNull } from '../../dto/view-properties.js';

export class ContentLogDto {
  @ApiProperty({ description: 'Whether prompts and answers of its calls are stored, encrypted.' })
  @IsBoolean()
  on!: boolean;
}

export class LoggedToolCallView {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  arguments!: string;
}

export class LoggedChoiceView {
  @Integer()
  index!: number;

  @ApiProperty()
  reasoning!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty()
  refusal!: string;

  @ApiProperty({ type: [LoggedToolCallView] })
  toolCalls!: readonly LoggedToolCallView[];

  @TextOrNull('Null: the answer was cut off.')
  finishReason!: string | null;
}

/** The content of a call, in the format of Chat Completions, whichever API the client used. */
export class CallContentView {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The request; images, sound and files are replaced by a note of their size.',
  })
  request!: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [LoggedChoiceView] })
  answer!: readonly LoggedChoiceView[];

  @ApiProperty({ description: 'Content is missing because it was larger than `contentLog.maxSize`.' })
  isCut!: boolean;
}
