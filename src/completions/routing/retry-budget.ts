import { Injectable } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';

@Injectable()
export class RetryBudget {
  private calls = 0;
  private retries = 0;

  constructor(@InjectSettings() private readonly settings: Settings) {}

  callBegins(): void {
    this.calls++;
  }

  callEnds(): void {
    this.calls--;
  }

  /** Takes a retry from the budget if there is room. Return it with `retryEnds`. */
  tryRetry(): boolean {
    const { budgetPercent, floor } = this.settings.retry;
    if (this.retries >= floor + (this.calls * budgetPercent) / 100) return false;
    this.retries++;
    return true;
  }

  retryEnds(): void {
    this.retries--;
  }
}
