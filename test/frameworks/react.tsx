/** Tags and components in React 19. */
import 'carabiner/types/react';
import { TransferDialog as Tag } from 'carabiner/elements';
import { ConnectProvider, LinkWallets, SignRequest, TransferDialog } from 'carabiner/react';
import { useRef } from 'react';

export function Tags() {
  const ref = useRef<Tag>(null);
  return (
    <connect-provider frame="https://connect.example" getAccessToken={() => 'token'}>
      <transfer-dialog
        ref={ref}
        id="pay"
        className="wide"
        wallet-id="mine"
        to="0x"
        value={1n}
        secret-type="ETHEREUM"
        request={{ type: 'ETH_TRANSACTION', walletId: 'mine', to: '0x', value: '1' }}
        open={false}
        onClick={() => ref.current?.show()}
        onconnect-result={({ result }) => result.transactionHash.trim()}
      >
        Pay
      </transfer-dialog>
      <link-wallets
        secret-types="ETHEREUM"
        layout="list"
        onconnect-result={({ result }) => result[0]?.address}
      />
      {/* @ts-expect-error There is no such layout. */}
      <link-wallets layout="grid" />
      {/* @ts-expect-error It takes an array. */}
      <link-wallets secretTypes="ETHEREUM" />
      {/* @ts-expect-error The result is not a wallet. */}
      <transfer-dialog onconnect-result={({ result }) => result.address} />
      {/* @ts-expect-error There is no such property. */}
      <transfer-dialog walletID="mine" />
    </connect-provider>
  );
}

export function Components() {
  const ref = useRef<Tag>(null);
  return (
    <ConnectProvider frame="https://connect.example" onConnectError={({ error }) => error.code}>
      <TransferDialog
        ref={ref}
        key="pay"
        className="wide"
        walletId="mine"
        value={1n}
        open
        onConnectResult={(event) => event.action === 'transfer' && event.result.transactionHash.trim()}
      >
        <button>Pay</button>
      </TransferDialog>
      <LinkWallets secretTypes={['ETHEREUM']} onConnectResult={({ result }) => result[0]?.address} />
      <SignRequest
        type="ETHEREUM_RAW"
        walletId="mine"
        data="0x00"
        onConnectResult={({ result }) => result.success}
      />
      {/* @ts-expect-error There is no such chain. */}
      <LinkWallets secretTypes={['DOGECOIN']} />
      {/* @ts-expect-error Properties are in camelCase. */}
      <TransferDialog wallet-id={1} walletid="mine" />
      {/* @ts-expect-error The result is not a wallet. */}
      <TransferDialog onConnectResult={({ result }) => result.address} />
    </ConnectProvider>
  );
}
