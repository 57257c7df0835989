import type { Environment } from './environment.js';
import { type AwsCredential, readKey } from './upstream-credential.js';
import type { SigV4Scheme } from './upstream-protocol.js';

/** What AWS's variables add to an upstream with AWS signatures. */
export interface AwsSettings {
  /** An API key of the service, sent in place of a signature; null if it is not set. */
  readonly bearerKey: string | null;
  readonly credential: AwsCredential | null;
  readonly baseUrl: string;
}

/**
 * Reads AWS's variables for one upstream. `AWS_REGION` changes the region of a base URL of upstreams.yaml (`fileUrl`);
 * one from the environment (`ownUrl`) is used as it is.
 */
export function readAws(
  environment: Environment,
  { host, keyVariable }: SigV4Scheme,
  fileUrl: string,
  ownUrl: string | undefined,
): AwsSettings {
  const regionalHost = regionalHostOf(host);
  const region = readRegion(environment);
  const baseUrl = ownUrl ?? (region === undefined ? fileUrl : fileUrl.replace(regionalHost, `$1${region}`));
  const bearerKey = readKey(environment, keyVariable);
  return { bearerKey, credential: readCredential(environment, regionalHost.exec(baseUrl)?.[2] ?? region), baseUrl };
}

/** Hosts of AWS have the region after the service: `SERVICE.us-east-1.amazonaws.com`. */
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
  const accessKeyId = readKey(environment, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = readKey(environment, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = readKey(environment, 'AWS_SESSION_TOKEN');
  if (accessKeyId === null && secretAccessKey === null) return null;
  if (accessKeyId === null) environment.fault('AWS_ACCESS_KEY_ID', 'must be set together with AWS_SECRET_ACCESS_KEY');
  else if (secretAccessKey === null) {
    environment.fault('AWS_SECRET_ACCESS_KEY', 'must be set together with AWS_ACCESS_KEY_ID');
  } else if (region === undefined) {
    environment.fault('AWS_REGION', 'must be set, because the base URL of the upstream has no region');
  } else {
    return { kind: 'aws', accessKeyId, secretAccessKey, sessionToken, region };
  }
  return null;
}
