import { expect } from '@open-wc/testing';
import { askEmbedding, NOT_EMBEDDED } from '../../../src/channel/choose-surface.ts';

describe('whether a page may embed the wallet', () => {
  const realFetch = window.fetch;
  let asked: string[];
  let answer: () => Promise<Response>;
  let count = 0;
  /** Asks about a new frame: answers are cached for the life of the page. */
  const ask = () => askEmbedding(new URL(`https://wallet-${++count}.example/sub/frame/`));
  const says = (body: string, init?: ResponseInit) => {
    answer = async () => new Response(body, init);
  };
  const listed = (...origins: string[]) => says(JSON.stringify({ embed: origins }));

  beforeEach(() => {
    asked = [];
    window.fetch = (url) => {
      asked.push(String(url));
      return answer();
    };
  });
  afterEach(() => void (window.fetch = realFetch));

  it('is what embed.json beside the frame says of its exact origin', async () => {
    listed('https://shop.example', location.origin);
    const embedding = ask();
    expect(embedding.listed, 'not known yet: a click now opens a window').to.equal(false);
    expect(await embedding.known).to.equal(true);
    expect(embedding.listed).to.equal(true);
    expect(asked).to.deep.equal([`https://wallet-${count}.example/sub/embed.json`]);
  });

  it('is asked once for all connects of a page', async () => {
    listed(location.origin);
    const frame = new URL('https://wallet.example/frame/');
    const [one, two] = [askEmbedding(frame), askEmbedding(new URL(frame))];
    expect([await one.known, await two.known]).to.deep.equal([true, true]);
    expect(asked).to.have.length(1);
  });

  const no: [string, () => void][] = [
    ['another origin', () => listed('https://shop.example')],
    ['the same host on another port', () => listed(`${location.protocol}//${location.hostname}:1`)],
    ['an empty list', () => listed()],
    ['no list', () => says('{}')],
    ['a text that holds the origin', () => says(JSON.stringify({ embed: location.origin }))],
    ['nothing', () => says('null')],
    ['what is no JSON', () => says('<!doctype html>')],
    ['an error', () => says(JSON.stringify({ embed: [location.origin] }), { status: 404 })],
    ['more than 1 KiB', () => says(JSON.stringify({ embed: [location.origin], more: 'a'.repeat(1024) }))],
    ['no answer', () => void (answer = () => Promise.reject(new TypeError('offline')))],
  ];
  for (const [what, set] of no)
    it(`is no by ${what}`, async () => {
      set();
      const embedding = ask();
      expect(await embedding.known).to.equal(false);
      expect(embedding.listed).to.equal(false);
    });

  it('is no by an answer without an end, of which no more is read than that', async () => {
    let parts = 0;
    const body = new ReadableStream({
      pull(to) {
        to.enqueue(new Uint8Array(512).fill(32));
        if (++parts === 1000) to.close();
      },
    });
    answer = async () => new Response(body);
    expect(await ask().known).to.equal(false);
    expect(parts).to.be.below(10);
  });

  it('is no if nobody asked', async () => {
    expect([NOT_EMBEDDED.listed, await NOT_EMBEDDED.known]).to.deep.equal([false, false]);
  });
});
