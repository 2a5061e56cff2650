/** Stripe's environment variables; `README.md` beside this file explains each. */
import { list, SecureUrl, secretFile } from '../../../settings/fields.ts';
import type { ProviderDefinition } from '../provider-definition.ts';

export interface StripeSettings {
  secretKey: string;
  /** The secret that Stripe signs its webhooks with. */
  webhookSecret: string;
  /** Connected accounts that applications are paid to, by client id; the others are paid to the key's own account. */
  accounts: Readonly<Record<string, string>>;
  /** The URL of another API, in place of Stripe's own. */
  apiUrl: string | undefined;
  /** The time limit of each attempt of a request. */
  timeoutMs: number;
}

const TIMEOUT_MS = 10_000;
/** Stripe's own limit. */
const MIN_MINUTES = 30;

/** `<client id>=acct_…`, separated by commas or spaces. */
const accountMap = list.transform((pairs, context): Readonly<Record<string, string>> => {
  const read = pairs.map((pair) => /^([^=]+)=(acct_\w+)$/.exec(pair));
  if (read.includes(null)) context.addIssue({ code: 'custom', message: 'must be <client id>=acct_…, …' });
  return Object.fromEntries(read.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
});

export const variables = {
  STRIPE_SECRET_KEY_FILE: secretFile.optional(),
  STRIPE_WEBHOOK_SECRET_FILE: secretFile.optional(),
  STRIPE_ACCOUNTS: accountMap.default({}),
  STRIPE_API_URL: SecureUrl.optional(),
};

export const readSettings: ProviderDefinition<typeof variables, StripeSettings>['readSettings'] = (
  values,
  { sessionMinutes },
) => {
  const secretKey = values.STRIPE_SECRET_KEY_FILE;
  const webhookSecret = values.STRIPE_WEBHOOK_SECRET_FILE;
  const problems: string[] = [];
  if (!secretKey || !webhookSecret)
    problems.push('PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY_FILE and STRIPE_WEBHOOK_SECRET_FILE.');
  if (sessionMinutes < MIN_MINUTES)
    problems.push(
      `CHECKOUT_MINUTES must be at least ${MIN_MINUTES} with PAYMENT_PROVIDER=stripe: Stripe takes no less.`,
    );
  if (problems.length || !secretKey || !webhookSecret) return { problems };
  return {
    settings: {
      secretKey,
      webhookSecret,
      accounts: values.STRIPE_ACCOUNTS,
      apiUrl: values.STRIPE_API_URL,
      timeoutMs: TIMEOUT_MS,
    },
  };
};
