/** The page of `npm run dev` reloads when told to, and no other page has this. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, it } from 'node:test';
import { LiveReload } from '../../demo/live-reload.ts';
import { startDemoServer } from '../../demo/server.ts';

const options = {
  dist: resolve(import.meta.dirname, '../../dist'),
  port: 0,
  frame: 'http://localhost:4000',
  local: Promise.resolve([]),
};
const live = new LiveReload();
const servers = [await startDemoServer({ ...options, live }), await startDemoServer(options)] as const;
after(() => Promise.all(servers.map((server) => server.close())));

it('notifies an open page of every change', async () => {
  const [{ url }] = servers;
  assert.match(await (await fetch(url)).text(), /src="\/live-reload\.js"/);
  assert.match(await (await fetch(`${url}/live-reload.js`)).text(), /location\.reload/);
  const stop = new AbortController();
  const { body } = await fetch(`${url}/live-reload`, { signal: stop.signal });
  const events = body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let time = 0; time < 2; time++) {
    live.reload();
    assert.equal((await events.read()).value, 'data: changed\n\n');
  }
  stop.abort();
});

it('is not in the demo itself', async () => {
  const [, { url }] = servers;
  assert.doesNotMatch(await (await fetch(url)).text(), /live-reload/);
  for (const path of ['/live-reload', '/live-reload.js'])
    assert.equal((await fetch(url + path)).status, 404, path);
});
