/** Draws what is specific to a chain: fee rate, energy, smallest units. Loaded for transactions that have any of it. */
import { html, type TemplateResult } from 'lit';
import { CARDS } from '../../../chains/secret-type.ts';
import type { Amount } from '../../../chains/coin.ts';
import type { Fact, FactCode, Part, Summary } from '../../../chains/approval/summary.ts';
import { grouped } from '../../../ui/amount-text.ts';
import { language, msg, str } from '../../../base/localize.ts';
import { money } from '../../ui/amount.ts';
import { CALLDATA_DIGEST } from '../../../chains/approval/signing.ts';
import { digestRow, kv, type Row } from '../../ui/kv.ts';

/** The components of the fee, and the change: rows among the fees. */
export function feeTerms({ facts = [] }: Summary): Row[] {
  return facts.flatMap((fact) => FEE_TERMS[fact.code]?.(fact) ?? []);
}

/** The content of "Details": the rest of the terms, and amounts in smallest units. */
export function details(summary: Summary): TemplateResult {
  const { facts = [], fee, call } = summary;
  return kv([
    ...facts.flatMap((fact) => DETAILS[fact.code]?.(fact) ?? []),
    ...amounts(summary),
    smallest(msg('Maximum fee'), fee.maximum, summary),
    // ERC-8213's term.
    call?.digest ? digestRow(CALLDATA_DIGEST, call.digest) : undefined,
  ]);
}

function amounts(summary: Summary): (Row | undefined)[] {
  const { parts } = summary;
  if (parts) return parts.map((part, i) => smallest(msg(str`Clause ${i + 1}`), part.amount, summary, part));
  return [smallest(msg('Amount'), summary.amount, summary)];
}

/** Undefined if the amount is zero, unlimited, or already in smallest units. */
function smallest(
  what: string,
  amount: Amount,
  { chainId }: Summary,
  { unlimited }: Pick<Part, 'unlimited'> = {},
): Row | undefined {
  if (!amount.decimals || !amount.raw || unlimited) return undefined;
  const { token, symbol } = amount;
  const unit = token === undefined ? (unitOf(symbol) ?? (chainId && 'wei')) : undefined;
  return {
    term: unit ? msg(str`${what} in ${unit}`) : msg(str`${what} in smallest units`),
    value: html`<bdi dir="ltr">${amount.raw}</bdi>`,
  };
}

/** What a chain's coins are counted in. */
const unitOf = (symbol: string): string | undefined =>
  Object.values(CARDS).find(({ coin, gasCoin }) => coin.symbol === symbol || gasCoin?.symbol === symbol)
    ?.unit;

type Terms = Partial<Record<FactCode, (fact: Fact) => Row>>;

/** How much of a resource a call uses, and its cost: free if the account's own resources cover it. */
const resource = (term: string, { value = '', amount }: Fact): Row => ({
  term,
  value: grouped(value),
  note: amount?.raw ? money(amount) : msg('free'),
});

const coins = (term: string, { amount }: Fact): Row => ({ term, value: amount && money(amount) });

const line = (term: string, { value }: Fact): Row => ({ term, value: html`<bdi dir="ltr">${value}</bdi>` });

const FEE_TERMS: Terms = {
  'fee-rate': (fact) => line(msg('Fee rate'), fact),
  change: (fact) => coins(msg('Comes back to you'), fact),
  bandwidth: (fact) => resource(msg('Bandwidth'), fact),
  energy: (fact) => resource(msg('Energy'), fact),
  'energy-payer': (fact) => line(msg('Other energy paid by'), fact),
  activation: (fact) => coins(msg('Opens the recipient’s account'), fact),
  'fee-limit': (fact) => coins(msg('The most this call may cost'), fact),
  sponsor: (fact) => line(msg('Fee paid by'), fact),
};

const bytes = (term: string, { value }: Fact): Row => ({
  term,
  value: html`<bdi dir="ltr" class="mono">${value}</bdi>`,
});

const DETAILS: Terms = {
  size: ({ value = '' }) => ({ term: msg('Size'), value: html`<bdi dir="ltr">${grouped(value)} vB</bdi>` }),
  inputs: ({ value = '' }) => ({ term: msg('Coins spent together'), value: grouped(value) }),
  gas: ({ value = '' }) => ({ term: msg('Gas limit'), value: grouped(value) }),
  'gas-price': (fact) => coins(msg('Gas price'), fact),
  'depends-on': (fact) => bytes(msg('Only after transaction'), fact),
  'access-list': (fact) => bytes(msg('Access list'), fact),
  expires: ({ value = '' }) => ({ term: msg('Must be in a block by'), value: until(value) }),
};

function until(value: string): string {
  if (/^\d+$/.test(value)) return msg(str`block ${grouped(value)}`);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(value),
  );
}
