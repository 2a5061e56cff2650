/** dApps as their libraries' documentation has them, which restore their session when they load: `?with=` selects the library. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit';
import { ConnectKitButton, ConnectKitProvider } from 'connectkit';
import {
  connect as connectCore,
  createConfig as createCoreConfig,
  getConnection,
  reconnect,
} from '@wagmi/core';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createConfig, http, useAccount, useConnect, useReconnect, WagmiProvider } from 'wagmi';
import { foundry } from 'viem/chains';
import { carabiner } from 'carabiner/wagmi';

const settings = { chains: [foundry], transports: { [foundry.id]: http('http://localhost:1') } };
const library = new URLSearchParams(location.search).get('with');
const tell = (account) => (document.querySelector('#account').textContent = account ?? 'none');

if (library.startsWith('wagmi')) {
  const connectors = library === 'wagmi-connector' ? [carabiner({ connect: window.connect })] : [];
  const config = createCoreConfig({ ...settings, connectors });
  const names = () => config.connectors.map(({ name }) => name);
  window.session = { names, connect: () => connectCore(config, { connector: config.connectors[0] }) };
  const show = () => tell(getConnection(config).address);
  // Where nothing was connected before, it would take any wallet that is linked.
  const isKnown = Boolean(localStorage.getItem('wagmi.recentConnectorId'));
  (isKnown ? reconnect(config) : Promise.resolve()).then(() => {
    show();
    config.subscribe(() => getConnection(config).address, show);
  });
} else {
  const config = createConfig(settings);
  const [Provider, Button] =
    library === 'rainbowkit' ? [RainbowKitProvider, ConnectButton] : [ConnectKitProvider, ConnectKitButton];
  function Session() {
    const { address, isReconnecting } = useAccount();
    const { connectAsync, connectors } = useConnect();
    useReconnect();
    window.session = {
      names: () => connectors.map(({ name }) => name),
      connect: () => connectAsync({ connector: connectors[0] }),
    };
    if (!isReconnecting) tell(address);
    return createElement(Button);
  }
  const inside = createElement(Provider, null, createElement(Session));
  const client = createElement(QueryClientProvider, { client: new QueryClient() }, inside);
  createRoot(document.querySelector('#root')).render(createElement(WagmiProvider, { config }, client));
}
