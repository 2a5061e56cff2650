/** A dApp with web3-onboard and the newest wagmi, as their documentation has it. */
import { connect, createConfig, disconnect, getConnection, http, signMessage } from '@wagmi/core';
import Onboard from '@web3-onboard/core';
import injectedModule from '@web3-onboard/injected-wallets';
import { foundry } from 'viem/chains';

const CHAIN = { id: foundry.id, token: 'ETH', label: 'Local', rpcUrl: 'http://localhost:1' };

window.onboard = {
  async connect(label) {
    window.made = Onboard({
      wallets: [injectedModule()],
      chains: [CHAIN],
      connect: { autoConnectLastWallet: false },
      accountCenter: { desktop: { enabled: false }, mobile: { enabled: false } },
      notify: { desktop: { enabled: false }, mobile: { enabled: false } },
    });
    const [wallet] = await window.made.connectWallet({ autoSelect: { label, disableModals: true } });
    window.wallet = wallet;
    return wallet && { label: wallet.label, address: wallet.accounts[0].address, chain: wallet.chains[0].id };
  },
  sign(message) {
    const { provider, accounts } = window.wallet;
    return provider.request({ method: 'personal_sign', params: [message, accounts[0].address] });
  },
  setChain: (chainId) => window.made.setChain({ chainId }),
  async disconnect() {
    await window.made.disconnectWallet({ label: window.wallet.label });
    return window.made.state.get().wallets.length;
  },
};

const config = createConfig({ chains: [foundry], transports: { [foundry.id]: http('http://localhost:1') } });
window.wagmi = {
  names: () => config.connectors.map(({ name }) => name),
  connect: (name) => connect(config, { connector: config.connectors.find((each) => each.name === name) }),
  sign: (message) => signMessage(config, { message }),
  async disconnect() {
    await disconnect(config);
    return getConnection(config).status;
  },
};
