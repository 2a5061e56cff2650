/** Pairs the page with a wallet: shows a code, and waits until somebody has scanned it and approved a session in the wallet. */
import { FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { inertText } from '../base/text.ts';
import type { ExternalHost, Pairing } from './types.ts';
import type { Session, SignClient } from './walletconnect-client.ts';

const METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'];
const EVENTS = ['accountsChanged', 'chainChanged'];
/** The client retries silently and without end. */
const RELAY_MS = 20_000;

export async function pair(
  client: SignClient,
  chainIds: ReadonlySet<number>,
  { show, answered, signal }: Pairing,
  { clock }: ExternalHost,
  relayUrl: string,
): Promise<Session> {
  const { relayer } = client.core;
  let stop = (_why: Error): void => {};
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  const unreachable = (what: string) =>
    stop(new FrameUnreachableError(`${relayUrl} ${what}. The page's policy must allow it in connect-src.`));
  const left = () => stop(userLeft());
  signal.addEventListener('abort', left);
  if (signal.aborted) left();
  const cancel = clock.after(RELAY_MS, () => unreachable('did not answer'), 'limit');
  relayer.on('relayer_error', ({ message }) => unreachable(`refused this page: ${inertText(message)}`));
  try {
    const chains = [...chainIds].map((chainId) => `eip155:${chainId}`);
    const namespace = { chains, methods: METHODS, events: EVENTS };
    // A wallet may approve fewer. What it must approve is checked afterwards.
    const proposal = client.connect({ optionalNamespaces: { eip155: namespace } });
    const { uri, approval } = await Promise.race([proposal, stopped]);
    cancel();
    relayer.on('relayer_message', answered);
    show(uri!);
    return await Promise.race([approval(), stopped]);
  } finally {
    cancel();
    signal.removeEventListener('abort', left);
  }
}

export const userLeft = () => new UserRejectedError('The user left before a wallet answered.');
