import { OptionalId } from '../../dto/request-fields.js';

export class ModelsQuery {
  @OptionalId('The models that the keys of this project can use, for its members and admins.')
  project?: string;
}
