import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** PEM. */
  key: string;
  /** PEM. */
  cert: string;
  /** The certificate's file, for NODE_EXTRA_CA_CERTS. */
  certFile: string;
  remove(): void;
}

/** Creates a self-signed certificate for `names` with the `openssl` command. */
export function createCertificate(names = ['DNS:localhost', 'IP:127.0.0.1']): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-certificate-'));
  const keyFile = join(folder, 'key.pem');
  const certFile = join(folder, 'cert.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const subject = ['-subj', '/CN=gateway-test', '-addext', `subjectAltName=${names.join(',')}`];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...subject, '-out', certFile], { stdio: 'ignore' });
  return {
    key: readFileSync(keyFile, 'utf8'),
    cert: readFileSync(certFile, 'utf8'),
    certFile,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
