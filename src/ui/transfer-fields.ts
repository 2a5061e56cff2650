import { BareFields, type Checks } from './bare-fields.ts';
import { transferChecks } from './transfer-checks.ts';

export type { Field } from './bare-fields.ts';

/** The transfer form's state together with its checks, for code that loads both at once. */
export class TransferFields extends BareFields {
  override checks: Checks | undefined = transferChecks;
}
