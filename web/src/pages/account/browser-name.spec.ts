import { describe, expect, it } from '@jest/globals';
import { browserName } from './browser-name';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a browser', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) ${WEBKIT} Version/26.0 Safari/605.1`, 'Safari on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} FxiOS/144 Safari/605.1`, 'Firefox on iOS'],
    ['curl/8.14.1', 'curl'],
    ['Thing (Windows)', 'A client on Windows'],
    ['x'.repeat(50), 'x'.repeat(40)],
    [null, 'Unknown client'],
  ])('%s: %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
