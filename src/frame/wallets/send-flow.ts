/** The wallet's own Send: a transfer that no site asked for, approved and sent like any other. */
import type { NativeBalance } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Network } from '../../chains/network.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import { networkOf, networksOf, usableNetworks } from '../../chains/nodes/networks.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import { formatAmount } from '../../base/amount.ts';
import type { Payloads } from '../../chains/requests/payloads.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import { coinOf } from '../../chains/secret-type.ts';
import { type Asset, tokenOf } from '../../ui/assets.ts';
import { hasCamera } from '../../ui/qr-reader.ts';
import { recipientCheck } from '../../ui/recipient-check.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { approveOwn, ensureOwnSent, type OwnTransaction } from '../approve/own-transaction-flow.ts';
import { knownTo } from '../approve/prepare.ts';
import { showEnd, type Shown, watchSending } from '../approve/transact-flow.ts';
import type { Frame } from '../frame.ts';
import { knownRecipients } from '../recipients/search.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { type Balances, loadBalances, onEach } from './balances.ts';
import type { Item } from './nfts.ts';
import { SendView } from './send-view.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** `network`: its id. `token`: its contract; absent for the coin. */
interface Preselected {
  network?: string | undefined;
  token?: string | undefined;
  /** An NFT, which is only in this wallet and on this network. */
  item?: Item | undefined;
}

/** Resolves once something was sent and the user has seen the outcome, or on Back. `first`: the wallet preselected. */
export async function send(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
  what: Preselected = {},
): Promise<void> {
  const { secretType } = first;
  const [chain, payloads, check, others] = await Promise.all([
    frame.chain(secretType),
    frame.payloads(secretType),
    recipientCheck(secretType),
    vault.wallets({ secretType, now: true }),
  ]);
  const networks = networksByWallet(frame.networks, [first, ...others]);
  const wallets = others.filter(({ id }) => (what.item ? id === first.id : networks.has(id)));
  const view = Object.assign(new SendView(), {
    clock: frame.clock,
    wallets,
    networks,
    camera: frame.link.surface === 'popup' && hasCamera(),
    item: what.item,
  });
  view.fields.recipient = check;
  const form = new SendForm(frame, { vault, chain, payloads }, wallets, view, options);
  const prices = watchPrices(frame, view);
  form.use(first, what.network, what.token);
  try {
    await form.run();
  } finally {
    prices?.stop();
  }
}

/** The form, until something was sent or the user goes back. */
class SendForm {
  readonly #frame: Frame;
  readonly #on: Pick<Sending, 'vault' | 'chain' | 'payloads'>;
  readonly #wallets: readonly HeldWallet[];
  readonly #view: SendView;
  readonly #options: OpenOptions;
  readonly #own: OpenOptions;
  #wallet!: HeldWallet;
  #node!: Node;
  /** The user has chosen the network, or where they came from has. */
  #isChosen = false;

  constructor(
    frame: Frame,
    on: Pick<Sending, 'vault' | 'chain' | 'payloads'>,
    wallets: readonly HeldWallet[],
    view: SendView,
    options: OpenOptions,
  ) {
    this.#frame = frame;
    this.#on = on;
    this.#wallets = wallets;
    this.#view = view;
    this.#options = options;
    this.#own = { ...options, own: true, settings: false };
    view.maxSpendable = (to) => this.#maxSpendable(to);
    view.lookUp = (text) => this.#lookUp(text);
    view.readCode = async (code) => {
      const { fillFrom } = await import('../recipients/scan-flow.ts');
      return fillFrom(code, view);
    };
    view.choose = (network) => this.#choose(network.id);
    view.readBalances = () => this.#readBalances();
  }

  /** `networkId`: the wallet's default network without one, or if it is not on that. `token`: its contract, if not the coin is preselected. */
  use(wallet: HeldWallet, networkId: string | undefined, token: string | undefined): void {
    const { chain } = this.#on;
    const view = this.#view;
    const isOther = this.#wallet !== wallet;
    this.#wallet = wallet;
    this.#isChosen ||= networkId !== undefined;
    const places = networksOf(this.#frame.networks, wallet);
    const network =
      places.find(({ id }) => id === networkId) ?? places[0] ?? networkOf(this.#frame.networks, wallet);
    this.#node = chain.node(network);
    const listed = token === undefined ? undefined : listedToken(network.tokens, token);
    const coin = { ...coinOf(network), raw: null };
    view.from(wallet, network, coin, listed ? { ...listed, raw: null } : undefined);
    if (view.item) return;
    if (isOther) Object.assign(view, { places, funds: new Map() });
    void readAssets(chain, wallet, this.#node, view);
    if (isOther && places.length > 1) void this.#readFunds(wallet, places);
  }

  /** Networks where the wallet has coins come first. If there are none on the first one, an empty form begins where there are. */
  async #readFunds(wallet: HeldWallet, places: readonly Network[]): Promise<void> {
    const { chain } = this.#on;
    const view = this.#view;
    await onEach(places, async (network) => {
      const read = await chain.balance(wallet.address, chain.node(network)).catch(() => undefined);
      if (!read || this.#wallet !== wallet) return;
      view.funds = new Map([
        ...view.funds,
        [network.id, { ...coinOf(network), raw: BigInt(read.rawBalance) }],
      ]);
    });
    if (this.#wallet !== wallet) return;
    const has = ({ id }: Network): boolean => !!view.funds.get(id)?.raw;
    view.places = [...places.filter(has), ...places.filter((one) => !has(one))];
    const { id, kind } = this.#node.network;
    const other = places.find((one) => one.kind === kind && has(one));
    if (other && view.funds.get(id)?.raw === 0n && view.isEmpty && !this.#isChosen)
      this.use(wallet, other.id, undefined);
  }

  #choose(networkId: string): void {
    this.use(this.#wallet, networkId, this.#tokenOn(networkId));
  }

  /** The chosen token, or the one listed under its symbol on another network. */
  #tokenOn(networkId: string): string | undefined {
    const { asset } = this.#view.fields;
    if (!asset?.address) return undefined;
    const { tokens = [] } = this.#view.places.find(({ id }) => id === networkId) ?? {};
    return tokens.find(({ symbol }) => symbol === asset.symbol)?.address;
  }

  async run(): Promise<void> {
    const view = this.#view;
    await this.#readKnown();
    for (;;) {
      const { type, detail } = await this.#frame.stage
        .open(view, this.#own)
        .next('cbf-continue', 'cbf-known', 'cbf-scan', 'cbf-wallet', 'cbf-network', 'cbf-back');
      view.error = undefined;
      if (type === 'cbf-back') return;
      if (type === 'cbf-wallet') this.#switchTo(detail.id);
      else if (type === 'cbf-network') this.#choose(detail.id);
      else if (type === 'cbf-known') await this.#pickKnown();
      else if (type === 'cbf-scan') await this.#scan();
      else {
        const signed = await this.#approve();
        // From here on there is no way back to the form: another attempt would send twice.
        if (!signed) continue;
        if (await ensureOwnSent(this.#frame, signed, this.#options))
          await showEnd(this.#frame, signed, await watchSending(this.#frame, signed));
        return;
      }
    }
  }

  #switchTo(walletId: string): void {
    const wallet = this.#wallets.find(({ id }) => id === walletId);
    if (!wallet) return;
    const { network, fields } = this.#view;
    this.use(wallet, this.#isChosen ? network.id : undefined, fields.asset?.address);
    // Not awaited: a press meanwhile must not be lost.
    this.#readKnown().catch(() => {});
  }

  async #pickKnown(): Promise<void> {
    const { pickRecipient } = await import('../recipients/recipients-flow.ts');
    const address = await pickRecipient(this.#frame, this.#on.vault, this.#wallet, this.#own);
    await this.#readKnown();
    if (address) this.#view.fill(address);
  }

  async #scan(): Promise<void> {
    const { scan } = await import('../recipients/scan-flow.ts');
    await scan(this.#frame, this.#own, this.#view);
  }

  /** Undefined if it was rejected, or failed: the form then says why. */
  async #approve(): Promise<Shown | undefined> {
    const options = this.#options;
    try {
      const sending: Sending = { ...this.#on, wallet: this.#wallet, node: this.#node };
      const transaction = await transactionOf(this.#frame, sending, this.#view, options);
      return await approveOwn(this.#frame, transaction, options);
    } catch (error) {
      if (!(error instanceof ConnectError) || options.signal.aborted) throw error;
      if (!(error instanceof UserRejectedError)) this.#view.error = error;
      return undefined;
    }
  }

  async #maxSpendable(to: string | undefined): Promise<string | undefined> {
    const { chain } = this.#on;
    if (!chain.maxSpendable) return undefined;
    const raw = await chain.maxSpendable(this.#wallet.address, to, this.#node);
    return formatAmount(raw, chain.coin.decimals);
  }

  async #lookUp(text: string): ReturnType<SendView['lookUp']> {
    const { lookUpName, NameProblem, problemText } = await import('../recipients/look-up-name.ts');
    const { network } = this.#node;
    try {
      return { ...(await lookUpName(this.#frame, text, network)), at: this.#frame.clock.date() };
    } catch (error) {
      if (!(error instanceof NameProblem)) throw error;
      return { why: problemText(error, network) };
    }
  }

  #readBalances(): void {
    const view = this.#view;
    const unread = this.#wallets.filter(({ id }) => !view.balances.has(id));
    const { network } = view;
    const show = (more: Balances): void => {
      if (view.network === network) view.balances = new Map([...view.balances, ...more]);
    };
    void loadBalances(this.#frame, unread, show, network.id);
  }

  async #readKnown(): Promise<void> {
    const { vault, chain } = this.#on;
    const all = await knownRecipients(vault, this.#wallet.secretType);
    const self = this.#wallet.address.toLowerCase();
    const { kind, secretType } = this.#node.network;
    const first = usableNetworks(this.#frame.networks, secretType)[0]?.id;
    this.#view.known = all
      .filter(({ address }) => chain.isAddress(address, kind) && address.toLowerCase() !== self)
      .map((one) => ({ ...one, networks: one.networks.map((id) => id ?? first) }));
  }
}

type Sending = Pick<OwnTransaction, 'vault' | 'wallet' | 'chain' | 'node'> & { payloads: Payloads };

/** The form's content as a transaction to approve. Rejects with `user.rejected` if an e-mail address was not found. */
async function transactionOf(
  frame: Frame,
  { payloads, ...from }: Sending,
  { fields, recipient, item }: SendView,
  { signal, requestId }: OpenOptions,
): Promise<OwnTransaction> {
  const { vault, wallet, chain, node } = from;
  const { id, secretType, address } = wallet;
  const transfer = { walletId: id, secretType, to: recipient.address };
  const parsed = item
    ? payloads.parse({
        ...transfer,
        type: 'NFT_TRANSFER',
        tokenAddress: item.contract,
        tokenId: item.tokenId,
      })
    : payloads.parseTransfer({
        ...transfer,
        value: fields.amount,
        ...(fields.asset?.address && { tokenAddress: fields.asset.address }),
      });
  const task = { id: requestId, signal, progress: () => {} };
  const { request, email } = recipient.address.includes('@')
    ? await (await import('../approve/recipient-flow.ts')).resolved(frame, task, {
        ...from,
        request: parsed,
        customNode: undefined,
      })
    : { request: parsed, email: recipient.found?.name };
  const history = await knownTo(frame, vault, wallet);
  const make = () => chain.prepare(request, address, node, history);
  return { ...from, heading: '', email, make };
}

function watchPrices(frame: Frame, view: SendView): { stop(): void } | undefined {
  if (frame.networks.fiat === undefined) return undefined;
  let stop = (): void => {};
  let over = false;
  void Promise.all([import('../ui/worth.ts'), import('../../ui/worth.ts')]).then(
    ([{ pricesOf, watchWorth }, { unitPrice }]) => {
      const prices = pricesOf(frame);
      if (!prices || over) return;
      const priceOf = ({ symbol, decimals, address: token }: Asset) =>
        decimals === null
          ? undefined
          : unitPrice(
              prices.worth(view.network, {
                raw: 10n ** BigInt(decimals),
                decimals,
                symbol,
                ...(token && { token }),
              }),
            );
      const watch = watchWorth(frame, () => (view.priceOf = (asset) => priceOf(asset)));
      stop = () => watch?.stop();
    },
    () => {},
  );
  return {
    stop() {
      over = true;
      stop();
    },
  };
}

/** The wallet's balances of its coin and of the operator's listed tokens. A balance that cannot be read is only checked later. */
async function readAssets(chain: Chain, wallet: HeldWallet, node: Node, view: SendView): Promise<void> {
  const { address } = wallet;
  const quiet = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);
  const [coins, tokens] = await Promise.all([
    quiet<NativeBalance>(chain.balance(address, node)),
    quiet(
      chain
        .tokenBalances(address, node.network.tokens, node)
        .catch((error: unknown) => partlyRead(error).balances),
    ),
  ]);
  // Another wallet or network was chosen meanwhile.
  if (view.wallet !== wallet || view.network !== node.network) return;
  view.show([
    { ...coinOf(node.network), raw: coins ? BigInt(coins.rawBalance) : null },
    ...(tokens ?? []).filter(({ transferable }) => transferable).map(tokenOf),
  ]);
}
