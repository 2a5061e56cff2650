/** The panel of the shop's own wallets: create one, inspect it, pay with it. Each step is a call to the shop's server. */
import type { NativeBalance, Wallet } from '../../src/api/wallet.ts';
import { CHAIN_NAMES, type SecretType } from '../../src/chains/secret-type.ts';
import { h } from './dom.ts';
import { brief, type EventLog, failure } from './event-log.ts';
import type { Mounted } from './run.ts';
import type { Payload } from './scenarios/index.ts';
import { type Native, shop } from './shop.ts';

export interface WhiteLabelOptions {
  payload: Payload;
  /** The selected wallet of the shop, on this chain. */
  wallet: Wallet | undefined;
  log: EventLog;
  /** A wallet was created. */
  made: (wallet: Wallet) => void;
}

/** By wallet. Each code is returned once, when the wallet is created. A real shop stores it apart from its database. */
const recoveryCodes = new Map<string, string>();

function field(
  label: string,
  value: unknown,
  hints: Record<string, string> = {},
): [HTMLElement, () => string] {
  const id = `white-label-${label.toLowerCase()}`;
  const input = h('input', { id, class: 'input', autocomplete: 'off', value: String(value ?? ''), ...hints });
  return [h('div', { class: 'field' }, h('label', { for: id }, label), input), () => input.value.trim()];
}

function row(term: string, ...details: (Node | string)[]): HTMLElement {
  return h('div', {}, h('dt', {}, term), h('dd', { dir: 'ltr' }, ...details));
}

function balanceText({ available, rawBalance, decimals, symbol }: NativeBalance): string {
  if (!available) return 'The node is down';
  const digits = rawBalance.padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction && `.${fraction}`} ${symbol ?? ''}`;
}

function dateOf([year = 0, month = 1, ...rest]: readonly number[]): string {
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
    .toISOString()
    .replace('T', ' ')
    .slice(0, 19);
}

function button(kind: string, name: string, work: () => unknown): HTMLButtonElement {
  return h('button', { type: 'button', class: `btn ${kind}`, click: () => void work() }, name);
}

export function whiteLabelPanel({ payload, wallet, log, made }: WhiteLabelOptions): Mounted {
  const secretType = payload['secretType'] as SecretType;
  const numbers = { inputmode: 'numeric', maxlength: '6' };
  const [aliasField, alias] = field('Alias', payload['alias'] ?? 'Till', { maxlength: '256' });
  const [pinField, pincode] = field('PIN', payload['pincode'], numbers);
  const [toField, to] = field('Recipient', payload['to'], { dir: 'ltr', spellcheck: 'false' });
  const [valueField, value] = field('Amount', payload['value'], { dir: 'ltr', inputmode: 'decimal' });
  const balance = h('span', {}, '…');
  const outcome = h('pre', { class: 'outcome', role: 'status', 'aria-label': 'Answer', dir: 'ltr' });
  const form = h('div', { class: 'fields' });

  async function create(): Promise<Wallet> {
    const { recoveryCode, ...fresh } = await shop.create({ secretType, pincode: pincode(), alias: alias() });
    if (recoveryCode) recoveryCodes.set(fresh.id, recoveryCode);
    made(fresh);
    return fresh;
  }

  function build(): Promise<Native> {
    return shop.build({ walletId: wallet!.id, secretType, to: to(), value: value() });
  }

  async function readBalance(): Promise<NativeBalance> {
    const found = await shop.balance(wallet!.id);
    balance.textContent = balanceText(found);
    return found;
  }

  function refresh(): void {
    readBalance().catch((error: unknown) => (balance.textContent = failure(error)));
  }

  async function execute(): Promise<unknown> {
    const answer = await shop.execute(await build(), pincode());
    await readBalance();
    return answer;
  }

  /** Wraps a button's action: logs the outcome, and shows it on the panel. */
  function logged(name: string, work: () => Promise<unknown>): () => Promise<void> {
    return async () => {
      log.add('call', name);
      try {
        const answer = await work();
        log.add('resolved', `${name} ${brief(answer)}`, 'done');
        outcome.textContent = JSON.stringify(answer, null, 2);
      } catch (error) {
        log.add('rejected', `${name} ${failure(error)}`, 'error');
        outcome.textContent = failure(error);
      }
    };
  }

  function showCreate(): void {
    form.replaceChildren(
      aliasField,
      pinField,
      button('primary', 'Create wallet', logged('createWallet', create)),
    );
  }

  function showPay(): void {
    form.replaceChildren(
      toField,
      valueField,
      pinField,
      h(
        'div',
        { class: 'line wrap' },
        button('primary', 'Execute', logged('executeTransaction', execute)),
        button('secondary', 'Build', logged('buildTransaction', build)),
        button('text', 'Another wallet', showCreate),
      ),
    );
  }

  function sign(): Promise<unknown> {
    const request = payload['sign'] as Record<string, unknown>;
    return shop.sign({ ...request, walletId: wallet!.id, pincode: pincode() });
  }

  function showSign(): void {
    form.replaceChildren(pinField, button('primary', 'Sign', logged('createSignature', sign)));
  }

  const parts: Node[] = [h('h3', { class: 'strong' }, `White-label wallet on ${CHAIN_NAMES[secretType]}`)];
  if (wallet) {
    const code = recoveryCodes.get(wallet.id);
    parts.push(
      h(
        'dl',
        { class: 'record' },
        row('Alias', wallet.alias),
        row('Address', wallet.address),
        row('Id', wallet.id),
        row('Made', `${dateOf(wallet.createdAt)} UTC`),
        row('Status', wallet.status),
        row('Balance', balance, ' ', button('text mini', 'Read balance', logged('readBalance', readBalance))),
        ...(code ? [row('Recovery code', code)] : []),
      ),
    );
    refresh();
  } else parts.push(h('p', { class: 'hint' }, `The shop has none on ${CHAIN_NAMES[secretType]} yet.`));
  if (!wallet) showCreate();
  else if (payload['sign']) showSign();
  else showPay();
  const element = h(
    'section',
    { class: 'card', 'aria-label': 'White-label wallet' },
    ...parts,
    form,
    outcome,
  );
  if (!wallet) return { element, run: create, call: 'createWallet' };
  return payload['sign']
    ? { element, refresh, run: sign, call: 'createSignature' }
    : { element, refresh, run: execute, call: 'executeTransaction' };
}
