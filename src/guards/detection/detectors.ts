import type { DetectorName } from '../../config/guard.settings.js';
import { credentials } from './credentials.js';
import type { Detector } from './detector.js';
import { email } from './email.js';
import { iban } from './iban.js';
import { ipAddress } from './ip-address.js';
import { paymentCard } from './payment-card.js';
import { phone } from './phone.js';
import { usSsn } from './us-ssn.js';

/** The built-in detectors. To add one, add its file and its name here, and its table to the spec. */
export const DETECTORS: Readonly<Record<DetectorName, Detector>> = {
  credentials,
  email,
  iban,
  ip_address: ipAddress,
  payment_card: paymentCard,
  phone,
  us_ssn: usSsn,
};
