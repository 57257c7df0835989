/** As Go writes a duration: `12ms`, `1.5s`, `6m0s`, `1h0m0s`. */
export function goDuration(seconds: number): string {
  const ms = Math.max(0, Math.ceil(seconds * 1000));
  if (ms === 0) return '0s';
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${(ms % 60_000) / 1000}s`;
  if (minutes === 0) return rest;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${rest}` : `${hours}h${minutes % 60}m${rest}`;
}
