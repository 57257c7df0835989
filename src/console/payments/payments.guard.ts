import { type CanActivate, Injectable } from '@nestjs/common';
import { unknownUrl } from '../../common/gateway.errors.js';
import { PaymentsService } from '../../payments/payments.service.js';

/** These URLs exist only if plans are for sale. */
@Injectable()
export class PaymentsGuard implements CanActivate {
  constructor(private readonly payments: PaymentsService) {}

  canActivate(): true {
    if (this.payments.soldPlans.length === 0) throw unknownUrl();
    return true;
  }
}
