import { ConnectProvider } from 'carabiner/react';
import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts } from 'react-router';
import { Header } from './header';
import { Log } from './log';

const frame = import.meta.env.VITE_FRAME ?? 'https://connect.example';

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Shop</title>
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <>
      <Header />
      <ConnectProvider frame={frame}>
        <Log>
          <Outlet />
        </Log>
      </ConnectProvider>
    </>
  );
}
