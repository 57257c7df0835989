/**
 * A path behind a base URL. Base URLs are written with and without a vendor's prefix (`/v1`): the part of the path that
 * the base URL already ends with is not repeated.
 */
export function joinUrl(baseUrl: string, path: string): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (baseUrl.endsWith(path.slice(0, end))) return baseUrl + path.slice(end);
  }
  return baseUrl + path;
}
