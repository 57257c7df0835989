import { Injectable } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';

/** Bounds the calls that are being retried to a share of all calls under way, so that a failing upstream is not finished off. */
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

  /** Takes a call's retries out of the budget, if there is room; to be given back by `retryEnds`. */
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
