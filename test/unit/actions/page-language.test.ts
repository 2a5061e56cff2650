import { expect } from '@open-wc/testing';
import { createConnect } from '../../../src/actions/connect.ts';
import { failure, FRAME, forgetAll, until } from './page.ts';

const titles = (): string[] =>
  [...document.body.children].flatMap((host) =>
    [...(host.shadowRoot?.querySelectorAll('h2') ?? [])].map((title) => title.textContent ?? ''),
  );

/** What "Connect a wallet" says, and how its text runs. */
async function asked(options = {}): Promise<{ title: string; dir: string }> {
  await forgetAll();
  const connect = createConnect({ frame: FRAME, surface: 'iframe', ...options });
  const refused = failure(connect.linkWallets());
  const title = await until(() => titles()[0]);
  const host = [...document.body.children].find((each) => each.shadowRoot?.querySelector('h2'));
  connect.destroy();
  await refused;
  return { title, dir: (host as HTMLElement).dir };
}

describe('a page that uses promises and no element', () => {
  it('asks in its own language, also after it changes that', async () => {
    document.documentElement.lang = 'de-AT';
    expect(await asked()).to.deep.equal({ title: 'Wallet verbinden', dir: 'ltr' });
    document.documentElement.lang = 'ar';
    expect(await asked()).to.deep.equal({ title: 'ربط محفظة', dir: 'rtl' });
  });

  it('asks in the language that it gave to `createConnect`', async () => {
    document.documentElement.lang = 'en';
    expect((await asked({ locale: 'fr' })).title).to.equal('Connecter un wallet');
  });
});
