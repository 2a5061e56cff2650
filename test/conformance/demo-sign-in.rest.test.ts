/** The demo's sign-in, example provider and back end, over HTTP. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Demo, startDemo } from '../../demo/start.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';

const folder = temporaryFolder();
let demo: Demo;
before(async () => {
  demo = await startDemo({ chains: ['AETERNITY'], service: { DATA_DIR: dataIn(folder) } });
});
after(async () => {
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser that keeps cookies and shows where it is redirected. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(new URL(url, demo.demo), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), Cookie: cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      assert.match(line, /; HttpOnly; SameSite=Lax/);
      const [, name, value] = /^([\w-]+)=([^;]*)/.exec(line)!;
      this.#cookies.set(name!, value!);
    }
    return response;
  }

  post(path: string, body: unknown, type = 'application/json'): Promise<Response> {
    return this.go(path, { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(body) });
  }

  /** Signs in as far as the URL to which the provider sends the user back. */
  async begin(at = '#/aeternity/manage', person = 'ada'): Promise<string> {
    const toProvider = await this.go(`/sign-in?at=${encodeURIComponent(at)}`);
    const page = toProvider.headers.get('location')!;
    const back = await this.go(`${page}&person=${person}`);
    return back.headers.get('location')!;
  }

  async person(): Promise<unknown> {
    return ((await (await this.go('/session.json')).json()) as { person: unknown }).person;
  }

  async token(expired = false): Promise<string> {
    const answer = await this.post('/session/token', { expired });
    return ((await answer.json()) as { accessToken: string }).accessToken;
  }
}

test('a user comes back to where they were, with a token of the service', async () => {
  const ada = new Visitor();
  assert.equal(await ada.person(), null);
  const done = await ada.go(await ada.begin());
  assert.equal(done.headers.get('location'), '/qa#/aeternity/manage');
  assert.deepEqual(await ada.person(), { name: 'Ada', email: 'ada@demo.example' });
  const profile = async (token: string) =>
    (await (
      await fetch(`${demo.service!.url}/api/profile`, { headers: { Authorization: `Bearer ${token}` } })
    ).json()) as Record<string, unknown>;
  const first = await ada.token();
  const { userId, email, firstName } = await profile(first);
  assert.deepEqual([email, firstName], ['ada@demo.example', 'Ada']);
  assert.equal(await ada.token(), first, 'kept until the service refuses it');
  const renewed = await Promise.all([ada.token(true), ada.token(true)]);
  assert.notEqual(renewed[0], first);
  assert.equal((await profile(renewed[1]))['userId'], userId);
  assert.equal(decodeJwt(renewed[0])['aud'], 'carabiner-api');
  await ada.post('/sign-out', {});
  assert.equal(await ada.person(), null);
});

test('a sign-in that another browser began, and a used code, are worthless', async () => {
  const [ada, mallory] = [new Visitor(), new Visitor()];
  const back = await ada.begin();
  assert.equal((await mallory.go(back)).headers.get('location'), '/qa');
  assert.equal(await mallory.person(), null);
  await ada.go(back);
  assert.ok(await ada.person());
  const again = new Visitor();
  const own = new URL(await again.begin());
  own.searchParams.set('code', new URL(back).searchParams.get('code')!);
  assert.equal((await again.go(own.href)).status, 502);
  assert.equal(await again.person(), null);
});

test('nobody is redirected elsewhere', async () => {
  const visitor = new Visitor();
  const done = await visitor.go(await visitor.begin('//elsewhere.example/#/x'));
  assert.equal(done.headers.get('location'), '/qa');
  const { headers } = await visitor.go('/sign-in');
  const page = new URL(headers.get('location')!);
  page.searchParams.set('redirect_uri', 'https://elsewhere.example/signed-in');
  page.searchParams.set('person', 'ada');
  const refused = await visitor.go(page.href);
  assert.deepEqual([refused.status, refused.headers.get('location')], [400, null]);
});

test('posts of other sites do nothing, and without a session there is no token', async () => {
  const visitor = new Visitor();
  assert.equal((await visitor.post('/session/token', {})).status, 401);
  for (const path of ['/session/token', '/back-end/listWallets'])
    assert.equal((await visitor.post(path, {}, 'text/plain')).status, 415, path);
});

test('the back end makes its calls and no others, and keeps its secret', async () => {
  const visitor = new Visitor();
  const listed = await visitor.post('/back-end/listWallets', { query: {} });
  assert.deepEqual(await listed.json(), []);
  for (const call of ['exportWallet', 'issueToken', 'constructor'])
    assert.equal((await visitor.post(`/back-end/${call}`, {})).status, 405, call);
  const wrong = await visitor.post('/back-end/createWallet', { body: { walletType: 'WHITE_LABEL' } });
  assert.equal(((await wrong.json()) as { code: string }).code, 'request.invalid');
  const { clientSecret } = demo.service!.shop;
  for (const path of ['/', '/qa', '/settings.json', '/session.json'])
    assert.ok(!(await (await visitor.go(path)).text()).includes(clientSecret), path);
});
