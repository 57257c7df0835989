import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';

const browser = await ConsoleBrowser.start();
const admin = await browser.gateway.createPerson({ role: 'admin' });
const member = await browser.gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
afterEach(() => browser.closePages());

describe('pro', () => {
  it('pro when granted on the page Users makes its models appear, and when ended makes them disappear', async () => {
    const [theirs, ours] = [await browser.open({ as: member }), await browser.open({ as: admin })];
    const proModels = async () => {
      await theirs.open('/models');
      return theirs.view.getByText('claude-opus-5.5').count();
    };
    const free = await proModels();

    expect(free).toBe(0);

    await ours.open('/users');
    const row = ours.view.getByRole('row', { name: /grace@example\.com/ });
    const dialog = ours.view.getByRole('dialog');
    const changePlan = async (button: string) => {
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await ours.view.getByRole('menuitem', { name: 'Change plan…' }).click();
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await changePlan('Grant plan');
    await row.getByText('Pro', { exact: true }).waitFor();
    expect(await proModels()).toBeGreaterThan(0);

    await changePlan('End the plan');
    await row.getByText('Free', { exact: true }).waitFor();
    expect(await proModels()).toBe(0);
  });
});
