import { Module } from '@nestjs/common';
import { LedgerVerificationService } from './ledger-verification.service.js';

/** For the command line, which reads the ledger and keeps none. */
@Module({ providers: [LedgerVerificationService], exports: [LedgerVerificationService] })
export class LedgerVerificationModule {}
