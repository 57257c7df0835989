import { Module } from '@nestjs/common';
import { LedgerVerificationService } from './ledger-verification.service.js';

/** For the command line, which only reads the ledger. */
@Module({ providers: [LedgerVerificationService], exports: [LedgerVerificationService] })
export class LedgerVerificationModule {}
