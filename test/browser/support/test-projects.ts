import { ProjectMembersService } from '../../../src/accounts/project-members.service.js';
import { ProjectsService } from '../../../src/accounts/projects.service.js';
import { GATEWAY } from '../../../src/audit/audit.types.js';
import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { ProjectLimitsService } from '../../../src/limits/settings/limit-settings.service.js';
import type { TestPerson } from '../../support/test-gateway.js';
import type { ConsoleBrowser } from './console-browser.js';

/** Projects of a manager and a member, created without the console. */
export class TestProjects {
  constructor(
    private readonly gateway: ConsoleBrowser['gateway'],
    private readonly people: { readonly manager: TestPerson; readonly member: TestPerson },
  ) {}

  /** A project with a budget of $5 a month that an administrator set, or without one; returns its id. */
  async create(name: string, { hasBudget = true } = {}): Promise<string> {
    const { services } = this.gateway;
    const { id } = await services.get(ProjectsService).create(name, GATEWAY);
    await services.get(ProjectMembersService).set(id, this.people.manager.id, 'manager', GATEWAY);
    await services.get(ProjectMembersService).set(id, this.people.member.id, 'member', GATEWAY);
    const budget = { budgetMonthNanodollars: 5_000_000_000n };
    if (hasBudget) await services.get(ProjectLimitsService).set(id, budget, true, GATEWAY);
    return id;
  }

  async createKey(project: string, name: string) {
    const { services } = this.gateway;
    const { userId } = await services.get(ProjectsService).get(project);
    return services.get(ApiKeysService).create({ name, userId, expiresAt: null }, GATEWAY);
  }

  /** The status of a request with a key. */
  async call(key: string): Promise<number> {
    const reply = await fetch(`${this.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    await reply.text();
    return reply.status;
  }
}
