import type { ConnectResultEvent } from 'carabiner/react';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

interface Shop {
  walletId: string | undefined;
  setWalletId(id: string | undefined): void;
  note(line: string): void;
}

const ShopContext = createContext<Shop | undefined>(undefined);

export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (!shop) throw new Error('There is no <Log> around it.');
  return shop;
}

/** What happened, on every page. */
export function Log({ children }: { children: ReactNode }) {
  const [walletId, setWalletId] = useState<string>();
  const [log, setLog] = useState<string[]>([]);
  const note = (line: string) => setLog((lines) => [...lines, line]);

  // What was asked on a page that the user has left since.
  useEffect(() => {
    const hear = (event: ConnectResultEvent) => {
      if (event.target !== document) return;
      event.preventDefault();
      note(`${event.action} from another page`);
    };
    document.addEventListener('connect-result', hear);
    return () => document.removeEventListener('connect-result', hear);
  }, []);

  return (
    <ShopContext value={{ walletId, setWalletId, note }}>
      <main>{children}</main>
      <ol id="log">
        {log.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
    </ShopContext>
  );
}
