/** A wallet on another device, with WalletConnect's own client: for tests, with its own keys. It runs in Node. */
import { randomUUID } from 'node:crypto';
import { SignClient } from '@walletconnect/sign-client';
import { demoWallet, type DemoWalletOptions } from './eip6963.ts';
import { type PhoneChain, REJECTED } from './walletconnect-chains.ts';

type Client = Awaited<ReturnType<typeof SignClient.init>>;
type Namespaces = Parameters<Client['approve']>[0]['namespaces'];

export interface DemoPhoneOptions extends Pick<DemoWalletOptions, 'keys' | 'nodes' | 'approves'> {
  relayUrl: string;
  projectId: string;
  name?: string;
  /** Which of the requested chains it approves; by default those for which it has nodes. */
  chains?: readonly number[];
  /** What it has besides Ethereum's chains. */
  others?: readonly PhoneChain[];
  /** Changes what it approves. */
  namespaces?: (namespaces: Namespaces) => Namespaces;
}

const METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'];

export async function demoPhone(options: DemoPhoneOptions) {
  const { approves = () => true, name = 'Demo phone', nodes, keys, others = [] } = options;
  const chains = options.chains ?? Object.keys(nodes).map(Number);
  const theirs = demoWallet({ keys, nodes, approves, chainId: Number(Object.keys(nodes)[0]) });
  await theirs.provider.request({ method: 'eth_requestAccounts' }).catch(() => {});
  const entries = new Map<string, unknown>();
  const client = await SignClient.init({
    projectId: options.projectId,
    relayUrl: options.relayUrl,
    metadata: { name, description: '', url: 'https://phone.example', icons: [] },
    customStoragePrefix: randomUUID(),
    telemetryEnabled: false,
    logger: 'silent',
    storage: {
      getKeys: async () => [...entries.keys()],
      getEntries: async <T>() => [...entries] as [string, T][],
      getItem: async <T>(key: string) => entries.get(key) as T | undefined,
      setItem: async (key, value) => void entries.set(key, value),
      removeItem: async (key) => void entries.delete(key),
    },
  });
  // This asks Reown's server, which a test must not.
  client.core.verify.resolve = async () => ({ origin: '' });

  const accountsOn = (on: readonly number[], addresses = theirs.addresses) =>
    on.flatMap((chainId) => addresses.map((address) => `eip155:${chainId}:${address}`));
  /** What it was asked to approve, and the requests that followed. */
  const asked: { method: string; chainId: string; params: unknown }[] = [];
  const proposals: object[] = [];

  async function answerTo(chainId: string, request: { method: string; params: unknown }): Promise<unknown> {
    const other = others.find(({ chain }) => chain === chainId);
    if (other) return other.answer(request.method, request.params as never);
    const wanted = `0x${Number(chainId.split(':')[1]).toString(16)}`;
    await theirs.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] });
    return theirs.provider.request(request as { method: string; params?: unknown[] });
  }

  client.on('session_proposal', async ({ id, params }) => {
    proposals.push(params);
    const { eip155, ...rest } = params.optionalNamespaces;
    const on = chains.filter((chainId) => eip155?.chains?.includes(`eip155:${chainId}`));
    if (!(await approves('eth_requestAccounts', [])))
      return void client.reject({ id, reason: REJECTED }).catch(() => {});
    const further = others.filter(({ chain }) => rest[chain.split(':')[0]!]?.chains?.includes(chain));
    const usual: Namespaces = {
      ...(on.length && {
        eip155: {
          chains: on.map((chainId) => `eip155:${chainId}`),
          accounts: accountsOn(on),
          methods: METHODS,
          events: ['accountsChanged', 'chainChanged'],
        },
      }),
      ...Object.fromEntries(
        further.map(({ chain, addresses, methods }) => [
          chain.split(':')[0],
          {
            chains: [chain],
            accounts: addresses.map((address) => `${chain}:${address}`),
            methods: [...methods],
            events: [],
          },
        ]),
      ),
    };
    const properties = Object.assign({}, ...further.map((each) => each.properties)) as Record<string, string>;
    await client
      .approve({
        id,
        namespaces: options.namespaces?.(usual) ?? usual,
        ...(Object.keys(properties).length && { sessionProperties: properties }),
      })
      .catch(() => {});
  });

  client.on('session_request', async ({ id, topic, params: { chainId, request } }) => {
    asked.push({ ...request, chainId });
    const answer = await answerTo(chainId, request).then(
      (result) => ({ id, jsonrpc: '2.0' as const, result }),
      ({ code, message }) => ({
        id,
        jsonrpc: '2.0' as const,
        error: code === 4001 ? REJECTED : { code: code ?? -32000, message },
      }),
    );
    await client.respond({ topic, response: answer }).catch(() => {});
  });

  const topic = () => client.session.getAll()[0]!.topic;
  return {
    client,
    addresses: theirs.addresses,
    asked,
    proposals,
    get sessions(): number {
      return client.session.length;
    },
    /** The user scans the code. */
    scan: (uri: string) => client.pair({ uri }),
    /** The user shows the page other accounts. */
    show: async (addresses: string[], on = chains) => {
      const { eip155, ...rest } = client.session.getAll()[0]!.namespaces;
      const accounts = accountsOn(on, addresses);
      await client.update({
        topic: topic(),
        namespaces: { ...rest, eip155: { ...eip155!, chains: on.map((id) => `eip155:${id}`), accounts } },
      });
    },
    tell: (event: string, data: unknown, chainId = chains[0]) =>
      client.emit({ topic: topic(), chainId: `eip155:${chainId}`, event: { name: event, data } }),
    end: () => client.disconnect({ topic: topic(), reason: { code: 6000, message: 'User disconnected.' } }),
    async close(): Promise<void> {
      client.core.heartbeat.stop();
      await client.core.relayer.transportClose().catch(() => {});
    },
  };
}
