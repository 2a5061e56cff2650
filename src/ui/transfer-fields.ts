import { BareFields, type Checks } from './bare-fields.ts';
import { transferChecks } from './transfer-checks.ts';

export type { Field } from './bare-fields.ts';

/** What the transfer form knows and checks, where both are loaded together. */
export class TransferFields extends BareFields {
  override checks: Checks | undefined = transferChecks;
}
