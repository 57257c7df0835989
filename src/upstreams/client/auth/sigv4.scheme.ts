import type { Environment } from '../../../config/environment.js';
import { AWS_REGION_SHAPE } from '../../../config/upstream-protocol.js';
import { bearerSigner } from './api-key.scheme.js';
import { CloudIdentity } from './cloud.credential.js';
import { fetchAwsGrant } from './cloud.grants.js';
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

/**
 * Signature Version 4. `AWS_REGION`, or `region` of the entry, moves the base URL of upstreams.yaml to that region. With
 * `identity`, the keys come from the default chain of AWS or a role: `always`, or if the entry has a role, or `region`
 * and no key.
 */
export function sigV4(
  { service, title, host, keyVariable }: AwsService,
  identity: 'always' | 'default',
): SigningScheme {
  return {
    kind: 'sigv4',
    usesApiKeys: identity === 'default',
    variables: () => (identity === 'always' ? [] : [[keyVariable], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']]),
    descriptions: {
      [keyVariable]: `a key of ${title} alone`,
      AWS_REGION: `the region of ${title}, in place of the one in upstreams.yaml`,
    },
    read(environment, { fileUrl, ownUrl, settings }) {
      const regionalHost = regionalHostOf(host);
      const region = settings.region ?? readRegion(environment);
      const baseUrl = ownUrl ?? (region === undefined ? fileUrl : fileUrl.replace(regionalHost, `$1${region}`));
      const apiKey = identity === 'always' ? null : environment.readKey(keyVariable);
      const signedRegion = regionalHost.exec(baseUrl)?.[2] ?? region;
      const pair = readCredential(environment, signedRegion);
      const { roleArn = null, externalId = null, roleSessionName = null } = settings;
      const isByIdentity =
        identity === 'always' ||
        roleArn !== null ||
        (settings.region !== undefined && apiKey === null && pair === null);
      if (!isByIdentity) return { apiKey, baseUrl, credential: pair };
      if (signedRegion === undefined) {
        if (pair === null) environment.fault('AWS_REGION', NO_REGION);
        return { baseUrl, credential: null };
      }
      const variables = environment.startingWith('AWS_', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY');
      const options = { service, region: signedRegion, roleArn, externalId, roleSessionName };
      const known = { ...options, keyId: pair?.accessKeyId ?? null };
      const credential = new CloudIdentity('aws', known, () => fetchAwsGrant({ ...options, pair, variables }));
      return { baseUrl, credential };
    },
    createSigner({ apiKey, credential }) {
      if (apiKey !== null) return bearerSigner(apiKey);
      return credential === null ? null : sigV4Signer(service, credential as AwsCredential);
    },
  };
}

const NO_REGION = 'must be set, because the base URL of the upstream has no region';

/** Matches hosts of AWS, which have the region after the service: `SERVICE.us-east-1.amazonaws.com`. */
function regionalHostOf(service: string): RegExp {
  return new RegExp(`^(https?://(?:[^/]*\\.)?${service}(?:-fips)?\\.)([a-z]{2}(?:-[a-z]+)+-\\d+)(?=\\.)`, 'i');
}

function readRegion(environment: Environment): string | undefined {
  const region = environment.read('AWS_REGION');
  if (region === undefined || AWS_REGION_SHAPE.test(region)) return region;
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
    environment.fault('AWS_REGION', NO_REGION);
  } else {
    const secrets = [accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
    return { accessKeyId, secretAccessKey, sessionToken, region, secrets };
  }
  return null;
}
