const PROTOCOLS = /^(https?|socks5?):$/;

/** The address of a forward proxy as a URL; `host:port` is also common. */
export function toProxyUrl(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const url = address.includes('://') ? address : `http://${address}`;
  if (URL.canParse(url) && PROTOCOLS.test(new URL(url).protocol)) return url;
  throw new Error('The address of a proxy is not a valid proxy URL.');
}
