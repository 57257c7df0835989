/** Appends a path to a base URL. Base URLs may include a vendor's prefix (`/v1`), which is not repeated. */
export function joinUrl(baseUrl: string, path: string): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (baseUrl.endsWith(path.slice(0, end))) return baseUrl + path.slice(end);
  }
  return baseUrl + path;
}
