import { LinkWallets, SignRequest, TransferDialog } from 'carabiner/react';
import { useShop } from './log';

const SHOP = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

export function Pay() {
  const { walletId, setWalletId, note } = useShop();
  return (
    <>
      <LinkWallets
        secretTypes={['ETHEREUM']}
        onConnectResult={({ action, result }) => {
          setWalletId(result[0]?.id);
          note(action);
        }}
      />
      <TransferDialog
        walletId={walletId}
        to={SHOP}
        value="0.1"
        secretType="ETHEREUM"
        onConnectResult={({ action }) => note(action)}
        onConnectError={({ error }) => note(error.code)}
      />
      <SignRequest
        type="ETHEREUM_RAW"
        walletId={walletId ?? ''}
        data="0x48656c6c6f"
        onConnectResult={({ action }) => note(action)}
        onConnectError={({ error }) => note(error.code)}
      />
    </>
  );
}
