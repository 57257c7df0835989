import type { Environment } from '../../../config/environment.js';
import { bearerSigner } from './api-key.scheme.js';
import type { SigningScheme } from './signer.js';
import { type AwsCredential, sigV4Signer } from './sigv4.signer.js';

/** An AWS service that accepts signed requests. */
export interface AwsService {
  /** Its name in signatures. */
  readonly service: string;
  readonly title: string;
  /** The part of its hosts before the region: `HOST.REGION.amazonaws.com`. */
  readonly host: string;
  /** The variable with a key for this service only, which is sent as a bearer token instead of a signature. */
  readonly keyVariable: string;
}

/** Signature Version 4. `AWS_REGION` moves the base URL of upstreams.yaml to that region. */
export function sigV4({ service, title, host, keyVariable }: AwsService): SigningScheme {
  return {
    kind: 'sigv4',
    usesApiKeys: true,
    variables: () => [[keyVariable], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
    descriptions: {
      [keyVariable]: `a key of ${title} alone`,
      AWS_REGION: `the region of ${title}, in place of the one in upstreams.yaml`,
    },
    read(environment, { fileUrl, ownUrl }) {
      const regionalHost = regionalHostOf(host);
      const region = readRegion(environment);
      const baseUrl = ownUrl ?? (region === undefined ? fileUrl : fileUrl.replace(regionalHost, `$1${region}`));
      const apiKey = environment.readKey(keyVariable);
      return { apiKey, baseUrl, credential: readCredential(environment, regionalHost.exec(baseUrl)?.[2] ?? region) };
    },
    createSigner({ apiKey, credential }) {
      if (apiKey !== null) return bearerSigner(apiKey);
      return credential === null ? null : sigV4Signer(service, credential as AwsCredential);
    },
  };
}

/** Matches hosts of AWS, which have the region after the service: `SERVICE.us-east-1.amazonaws.com`. */
function regionalHostOf(service: string): RegExp {
  return new RegExp(`^(https?://(?:[^/]*\\.)?${service}(?:-fips)?\\.)([a-z]{2}(?:-[a-z]+)+-\\d+)(?=\\.)`, 'i');
}

function readRegion(environment: Environment): string | undefined {
  const region = environment.read('AWS_REGION');
  if (region === undefined || /^[a-z]{2}(?:-[a-z]+)+-\d+$/.test(region)) return region;
  environment.fault('AWS_REGION', "must be the name of a region, for example 'us-east-1'");
  return undefined;
}

function readCredential(environment: Environment, region: string | undefined): AwsCredential | null {
  const accessKeyId = environment.readKey('AWS_ACCESS_KEY_ID');
  const secretAccessKey = environment.readKey('AWS_SECRET_ACCESS_KEY');
  const sessionToken = environment.readKey('AWS_SESSION_TOKEN');
  if (accessKeyId === null && secretAccessKey === null) return null;
  if (accessKeyId === null) environment.fault('AWS_ACCESS_KEY_ID', 'must be set together with AWS_SECRET_ACCESS_KEY');
  else if (secretAccessKey === null) {
    environment.fault('AWS_SECRET_ACCESS_KEY', 'must be set together with AWS_ACCESS_KEY_ID');
  } else if (region === undefined) {
    environment.fault('AWS_REGION', 'must be set, because the base URL of the upstream has no region');
  } else {
    const secrets = [accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
    return { accessKeyId, secretAccessKey, sessionToken, region, secrets };
  }
  return null;
}
