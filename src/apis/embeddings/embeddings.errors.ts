import { GatewayError } from '../../common/gateway.error.js';

/** A 400 for a model whose upstreams have no embeddings although models.yaml says so. */
export function targetsWithout(model: string): GatewayError {
  return new GatewayError(400, {
    message: `The upstream of the model '${model}' has no embeddings. Choose another model.`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_supported',
  });
}
