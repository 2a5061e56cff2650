/** The shop's account at the payment service: branding, webhook, sessions. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, apiClient } from '../../src/api/client.ts';
import type { IconFile } from '../../src/api/branding.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  setBranding,
  setReceivingWallet,
  uploadIcon,
} from '../../src/api/checkout-routes.ts';
import type { CreatedWebhook } from '../../src/api/webhook.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { type ShopClient, tokens } from '../back-end.ts';

/** The last of anvil's default accounts, unused otherwise. */
const WALLET = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** A header that the service sends with every event. */
export const KEY_HEADER = 'x-shop-key';

export interface Merchant {
  /** Base URL of the service. */
  service: string;
  api: ApiClient;
  webhook: CreatedWebhook;
  /** Value of `KEY_HEADER`. */
  key: string;
  /** Whether wallets can pay. */
  byWallet: boolean;
}

/** `receiver` is the URL that events go to. */
export async function openMerchant(client: ShopClient, receiver: string): Promise<Merchant> {
  const token = tokens(client);
  const api = apiClient({ url: client.url, getAccessToken: token });
  // Secrets are shown only once, so each start registers a new webhook.
  for (const { id, url } of await api.call(listWebhooks, { query: {} }))
    if (new URL(url).pathname === new URL(receiver).pathname)
      await api.call(deleteWebhook, { params: { id } });
  const key = randomBytes(24).toString('base64url');
  const webhook = await api.call(createWebhook, {
    body: {
      url: receiver,
      application: 'PAY',
      authenticationMethod: { type: 'API_KEY', headerName: KEY_HEADER, apiKey: key },
    },
  });
  const icon = await uploadedIcon(client.url, await token());
  const branding = { primary_color: '#efe8da', secondary_color: '#1e4d3a', icon: icon.id };
  await api.call(setBranding, { body: { settings: { branding } } });
  return { service: client.url, api, webhook, key, byWallet: await receivesWallets(api) };
}

/** False if the demo runs without its Ethereum network. */
async function receivesWallets(api: ApiClient): Promise<boolean> {
  try {
    await api.call(setReceivingWallet, { body: { secretType: 'ETHEREUM', address: WALLET } });
    return true;
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'request.invalid') return false;
    throw error;
  }
}

/** The typed client does not send forms. */
async function uploadedIcon(service: string, token: string): Promise<IconFile> {
  const png = await readFile(join(import.meta.dirname, 'icon.png'));
  const form = new FormData();
  form.set(uploadIcon.file, new Blob([new Uint8Array(png)], { type: 'image/png' }), 'icon.png');
  const response = await fetch(service + uploadIcon.path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`The icon was not taken: ${await response.text()}`);
  return (await response.json()) as IconFile;
}
