import { ConnectProvider } from 'carabiner/react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Log } from './log';

export const metadata = { title: 'Shop', icons: { icon: 'data:,' } };

const frame = process.env['FRAME'] ?? 'https://connect.example';

// A server component: text can be given to the elements here, functions and objects in client components.
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <h1>Shop</h1>
        <nav>
          <Link href="/">Pay</Link> <Link href="/about">About</Link>
        </nav>
        <ConnectProvider frame={frame}>
          <Log>{children}</Log>
        </ConnectProvider>
      </body>
    </html>
  );
}
